"""What earlier releases of AgentsFlow had, and what stands in its place."""

from __future__ import annotations

from collections.abc import Iterator

from flowlint.dialects.agentsflow.model import LEGACY, LEGACY_METHODS
from flowlint.dialects.agentsflow.semantics import EXPLICIT
from flowlint.dialects.agentsflow.sight import Hidden
from flowlint.graph.model import FlowGraph, Gap, Violation
from flowlint.values.model import Built, Operation

CURES = {
    "add_agent": "use `add_node(AgentNode(node_id=…, agent=…))`",
    "add_start_node": "leave it out: a run begins at the nodes that nothing leads to",
    "add_end_node": "leave it out: a run ends where no edge leads on",
    "task_flow": "use `add_edge(source, target)`, for each target one",
    "on_success": 'use `add_edge(source, target, condition="on_success")`',
    "on_error": 'use `add_edge(source, target, condition="on_error")`',
    "on_condition": "use `add_edge(source, target, predicate=…)`",
}


_ARGUMENTS = {
    "instruction": "put the `instruction` into `_build_prompt` of a class of your own",
    "prompt_builder": "put the `prompt_builder` into `_build_prompt` of a class of your own",
    "priority": "leave out `priority`: all edges whose condition holds are taken",
    "predicate": "the `predicate` is called with the result of the node",
    "max_retries": "state `max_retries` on the node",
}
"""What becomes of arguments of these methods."""


def _arguments(operation: Operation) -> list[str]:
    return [cure for name, cure in _ARGUMENTS.items() if operation.arguments.find(name)]


def removed_methods(built: Built) -> Iterator[Violation]:
    """Methods that are called and that the builder does not have any more."""
    for operation in built.operations:
        if operation.method in LEGACY_METHODS:
            yield Violation(
                operation.origin.span(),
                f"AgentsFlow has no method `{operation.method}` any more: the call raises "
                "AttributeError",
                "; ".join([CURES[operation.method], *_arguments(operation)]),
                rule="removed-api",
            )


def gone_flow(built: Built) -> FlowGraph | None:
    """What was made by a module that is gone, of which only that is told."""
    span = built.origin.span()
    name = built.model.key.rpartition("gone.")[2]
    is_crew = name == "AgentCrew"
    module = "parrot.bots.orchestration" if is_crew else "parrot.bots.flow"
    shown = "AgentsFlow" if built.model is LEGACY else name
    said = f"`{shown}` of `{module}` is gone: AI-Parrot has no such module any more"
    cure = "import it from `parrot.bots.flows`"
    if shown == "AgentsFlow":
        cure += ", and build the flow with `add_node` and `add_edge`"
    elif name.startswith("FlowLoader"):
        cure = "import it from `parrot.bots.flows.flow.loader`"
    gone = Violation(span, said, cure, rule="removed-api", severity="warning")
    hides: frozenset[Hidden] = frozenset({"nodes", "edges", "entry"})
    gap = Gap(span, "its module is gone", hides, told=True)
    named = built.name or built.symbol or "flow"
    return FlowGraph(named, "agentsflow", span, EXPLICIT, gaps=(gap,), violations=(gone,))
