"""What differs between the releases of LangGraph, as data: nothing else asks for a version.

Every number was found by running the same programs with the releases around it. Releases before
0.2.54 differ in more ways than are told here.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache

from flowlint.dialects.langgraph.editions import JAVASCRIPT, PYTHON, Edition
from flowlint.dialects.langgraph.javascript import model as javascript
from flowlint.dialects.langgraph.model import SEMANTICS
from flowlint.dialects.surroundings import Version
from flowlint.graph.model import Semantics


@dataclass(frozen=True, slots=True)
class Release:
    """What one release does. The defaults are those of the newest.

    `version` is None where it is not known which one a project uses: it then is taken for the
    newest, but nothing is held against code that is written for another.
    """

    edition: Edition = PYTHON
    version: Version | None = None
    semantics: Semantics = SEMANTICS
    keys_may_name_nodes: bool = True
    """Whether a node may be called like a key of the state."""
    start_may_lead_to_end: bool = True
    """Whether START may have an edge to END."""
    rejects_unused_nodes: bool = False
    """Whether compile() raises for a node that no edge leads to."""
    goes_by_printed_names: bool = True
    """Whether edges lead to what a name is printed as."""
    checks_checkpointers: bool = True
    """Whether compile() looks at what it is given to keep runs."""
    has_timeouts: bool = True
    """Whether nodes may have a timeout."""
    swallows_arguments: bool = True
    """Whether add_node() and StateGraph() pass over arguments that they do not know."""

    def is_before(self, version: Version) -> bool:
        """Whether it is known to be older than another."""
        return self.version is not None and self.version < version


NEWEST = Release()


@cache
def release_of(version: Version | None) -> Release:
    """What the release of a version does; None: the newest."""
    if version is None:
        return NEWEST
    return Release(
        version=version,
        semantics=_semantics(version),
        keys_may_name_nodes=version >= (0, 5),
        start_may_lead_to_end=version >= (0, 3, 22),
        rejects_unused_nodes=version < (0, 2, 54),
        goes_by_printed_names=version >= (0, 3, 22),
        checks_checkpointers=version >= (1, 0, 6),
        has_timeouts=version >= (1, 2),
        swallows_arguments=version >= (0, 5),
    )


def _semantics(version: Version) -> Semantics:
    found = SEMANTICS
    if version < (1, 1, 4):
        found = replace(found, default_step_bound=10_000 if version >= (1, 0, 6) else 25)
    if version < (0, 4, 6):
        found = replace(found, on_unknown_send="fails", unknown_send_error="InvalidUpdateError")
    if version < (0, 2, 75):
        found = replace(
            found,
            on_unknown_goto="fails",
            unknown_goto_error="KeyError",
            unknown_key_effect="drops the value, or raises KeyError where a Command brings it",
        )
    if version < (0, 2, 57):
        lone = "drops the value, or raises InvalidUpdateError where nothing else is written"
        found = replace(found, unknown_key_effect=lone)
    return found


NEWEST_OF_JAVASCRIPT = Release(
    JAVASCRIPT,
    semantics=javascript.SEMANTICS,
    keys_may_name_nodes=False,
    rejects_unused_nodes=javascript.SEMANTICS.refuses_unnamed,
    checks_checkpointers=False,
    has_timeouts=False,
)
"""The newest release of LangGraph.js, which is alike the others from 0.2 on in all that is told."""


@cache
def javascript_release_of(version: Version | None) -> Release:
    """What the release of LangGraph.js of a version does; None: the newest."""
    return replace(NEWEST_OF_JAVASCRIPT, version=version)
