"""What releases of acpx do not have yet."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from flowlint.dialects.acpx.edges import Leaving
from flowlint.dialects.acpx.model import EDGE_HELPER
from flowlint.dialects.acpx.nodes import NodePart
from flowlint.dialects.surroundings import Version, shown
from flowlint.graph.model import Violation
from flowlint.source import Span

DECISIONS_SINCE = (0, 7)
"""The release that brought `decision` and `decisionEdge`."""


def release_faults(
    parts: Sequence[NodePart], leaving: Sequence[Leaving], release: Callable[[], Version | None]
) -> Iterator[Violation]:
    """Helpers that the release in use does not have, each told once."""
    first: dict[str, Span] = {}
    for part in parts:
        if part.decision is not None:
            first.setdefault("decision", part.span)
    for one in leaving:
        if one.is_decided:
            first.setdefault(EDGE_HELPER, one.span)
    used = release() if first else None
    if used is None or used >= DECISIONS_SINCE:
        return
    for name, span in first.items():
        said = (
            f"acpx {shown(used)}, which this project uses, has no `{name}`: "
            "the module throws when it is loaded"
        )
        cure = f"use acpx {shown(DECISIONS_SINCE)} or newer"
        yield Violation(span, said, cure, rule="undefined-callable")
