"""What a node may give that none of the edges out of it is taken for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from flowlint.graph.cells import uncovered
from flowlint.graph.model import Edge, Violation

FREE = ("agent", "start")
"""Types of nodes that may give anything: what others give may be bounded in ways not seen here."""


def unmatched_routes(edges: Sequence[Edge], types: Mapping[str, str]) -> Iterator[Violation]:
    """Nodes whose edges all ask for something of the result, and leave something out.

    `types` are those of the nodes. One such edge may well be meant as a step that is left out; of
    several, one is to be taken.
    """
    leaving: dict[str, list[Edge]] = {}
    for edge in edges:
        if types.get(edge.source) in FREE:
            leaving.setdefault(edge.source, []).append(edge)
    for source, held in leaving.items():
        after = [edge for edge in held if edge.after == "ok"]
        if len(after) < 2 or any(edge.presence or edge.guard is None for edge in after):
            continue
        witness = uncovered([edge.guard.formula for edge in after if edge.guard is not None])
        if not witness:
            continue
        yield Violation(
            after[0].span,
            f"No edge out of `{source}` is taken when {witness.text}: the run ends there and "
            "reports success",
            "add an edge for what is left",
            source,
            "unhandled-route",
            tuple((f"taken when `{edge.label}`", edge.span) for edge in after[1:]),
            severity="info",
        )
