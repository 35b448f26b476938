"""Findings of flows, kept for as long as the flows are the same.

Who checks a file again and again, as an editor does with every key, changes one flow of it, or
none.
"""

from __future__ import annotations

from flowlint.findings.model import Finding
from flowlint.graph.model import FlowGraph
from flowlint.rules.options import StatedOptions
from flowlint.source import Span

MAX_KEPT = 2_000
"""Flows whose findings are kept."""


def check_flow(graph: FlowGraph, options: StatedOptions) -> tuple[Finding, ...]:
    """All that the rules find in a flow."""
    from flowlint.rules.check import check_graph
    from flowlint.rules.registry import all_rules

    return tuple(check_graph(graph, all_rules(), options))


class CheckedFlows:
    """Checks flows; what was found in one is what is found in an equal one at its place."""

    def __init__(self) -> None:
        self._kept: dict[Span, tuple[FlowGraph, StatedOptions, tuple[Finding, ...]]] = {}

    def check(self, graph: FlowGraph, options: StatedOptions) -> tuple[Finding, ...]:
        """All that the rules find in a flow."""
        kept = self._kept.pop(graph.span, None)
        if kept is None or kept[1] != options or kept[0] != graph:
            kept = graph, options, check_flow(graph, options)
        if len(self._kept) >= MAX_KEPT:
            del self._kept[next(iter(self._kept))]
        self._kept[graph.span] = kept
        return kept[2]
