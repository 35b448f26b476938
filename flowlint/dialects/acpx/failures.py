"""Nodes whose failure ends the run, in flows that provide for failures of others."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from flowlint.dialects.acpx.edges import Leaving
from flowlint.dialects.acpx.model import SHELL
from flowlint.dialects.acpx.nodes import NodePart
from flowlint.dialects.acpx.paths import is_of_result
from flowlint.graph.model import Violation


def failure_faults(leaving: Sequence[Leaving], parts: Sequence[NodePart]) -> Iterator[Violation]:
    """Agents and programs that may fail and from which nothing leads on then, told once."""
    handled = [one.source for one in leaving if is_of_result(one.on)]
    if not handled:
        return
    bare = [
        part
        for part in parts
        if (part.kind == "acp" or part.facts is SHELL) and part.name not in handled
    ]
    if not bare:
        return
    first, *others = bare
    also = f" (and {len(others)} other{'s' if others[1:] else ''})" if others else ""
    yield Violation(
        first.key,
        f"Node `{first.name}`{also} may fail, and no switch on `$result.outcome` leads on from it "
        f"as from `{handled[0]}`: the run then ends with its error",
        "lead on from it by such a switch, unless that is meant",
        first.name,
        "unhandled-failure",
        tuple((f"so may `{part.name}`", part.key) for part in others),
        severity="info",
    )
