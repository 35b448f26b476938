"""What earlier releases of AgentsFlow had, and what stands in its place."""

from __future__ import annotations

from collections.abc import Iterator

from flowlint.dialects.agentsflow.model import LEGACY_METHODS
from flowlint.dialects.agentsflow.semantics import EXPLICIT
from flowlint.dialects.agentsflow.sight import Hidden
from flowlint.graph.model import FlowGraph, Gap, Violation
from flowlint.values.model import Built

CURES = {
    "add_agent": "use `add_node(AgentNode(node_id=…, agent=…))`",
    "add_start_node": "leave it out: a run begins at the nodes that nothing leads to",
    "add_end_node": "leave it out: a run ends where no edge leads on",
    "task_flow": "use `add_edge(source, target)`, for each target one",
    "on_success": 'use `add_edge(source, target, condition="on_success")`',
    "on_error": 'use `add_edge(source, target, condition="on_error")`',
    "on_condition": "use `add_edge(source, target, predicate=…)`",
}


def removed_methods(built: Built) -> Iterator[Violation]:
    """Methods that are called and that the builder does not have any more."""
    for operation in built.operations:
        if operation.method in LEGACY_METHODS:
            yield Violation(
                operation.origin.span(),
                f"AgentsFlow has no method `{operation.method}` any more: the call raises "
                "AttributeError",
                CURES[operation.method],
                rule="removed-api",
            )


def legacy_flow(built: Built) -> FlowGraph | None:
    """The flow of a builder whose module is gone, of which only that is told."""
    span = built.origin.span()
    said = "`AgentsFlow` of `parrot.bots.flow` is gone: AI-Parrot has no such module any more"
    cure = "import it from `parrot.bots.flows`, and build the flow with `add_node` and `add_edge`"
    gone = Violation(span, said, cure, rule="removed-api", severity="warning")
    hides: frozenset[Hidden] = frozenset({"nodes", "edges", "entry"})
    gap = Gap(span, "its module is gone", hides, told=True)
    name = built.name or built.symbol or "flow"
    return FlowGraph(name, "agentsflow", span, EXPLICIT, gaps=(gap,), violations=(gone,))
