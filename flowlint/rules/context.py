"""What rules share about one graph, computed once and only when asked for."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from flowlint.graph.model import FlowGraph


@dataclass
class RuleContext:
    """Analyses of one graph, cached for all rules."""

    graph: FlowGraph

    @cached_property
    def node_names(self) -> frozenset[str]:
        """The names of all declared nodes."""
        return frozenset(node.name for node in self.graph.nodes)
