"""What runs of builders do that nobody means, and arguments that nothing takes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from flowlint.dialects.agentsflow.markers import MARKERS
from flowlint.dialects.agentsflow.records import is_null
from flowlint.dialects.agentsflow.ways import after
from flowlint.dialects.reading import written
from flowlint.graph.guards import Truth
from flowlint.graph.model import Edge, Node, Violation
from flowlint.graph.reference_faults import near
from flowlint.values.model import Arguments, Built, Const

_PARAMETERS = (
    *("name", "definition", "agent_registry", "on_node_event", "checkpoint"),
    *("checkpoint_retention", "checkpoint_history", "checkpoint_include_responses", "durable"),
    *("checkpoint_store", "durable_store", "flow_id"),
)
"""What `AgentsFlow(…)` takes."""

_MARKER = ("node_id", "name", "metadata", "is_configured", "max_retries")
_WIRING = ("dependencies", "successors")
_FIELDS = {
    "AgentNode": ("agent", "node_id", "max_retries", *_WIRING, "fsm"),
    "StartNode": (*_MARKER, *_WIRING, "fsm"),
    "EndNode": (*_MARKER, *_WIRING, "fsm"),
}
"""The fields of the classes of nodes; others drop what they do not know as well."""


def argument_faults(built: Built) -> Iterator[Violation]:
    """Arguments of `AgentsFlow(…)` that it refuses, or that do not do what they say."""
    arguments = built.arguments
    if built.cls is None or built.cls.name == "AgentsFlow":
        for item in arguments.items:
            if item.name is None or item.spread or item.name in _PARAMETERS:
                continue
            said = f"AgentsFlow has no argument `{item.name}`: the call raises TypeError"
            cure = near(item.name, _PARAMETERS, "remove it")
            yield Violation(written(item), said, cure, rule="unknown-field")
    durable = arguments.find("durable")
    stores = (arguments.find("durable_store"), arguments.find("checkpoint_store"))
    is_stated = any(store is not None and not is_null(store.value) for store in stores)
    if durable is None or is_stated or arguments.spread:
        return
    if _is_true(arguments, "durable") and _is_true(arguments, "checkpoint"):
        said = (
            "`durable` is stated without `durable_store`: durable checkpoints go to the default "
            "store, as all others do"
        )
        cure = "state a `durable_store`, such as one of a database"
        yield Violation(written(durable), said, cure, None, "ineffective-field", severity="info")


def _is_true(arguments: Arguments, name: str) -> bool:
    value = arguments.get(name)
    return isinstance(value, Const) and value.value is True


def dropped_fields(node: Built, base: str, name: str) -> Iterator[Violation]:
    """Arguments of a node that its class drops without a word."""
    fields = _FIELDS.get(base)
    if fields is None or node.cls is not None:
        return
    for item in node.arguments.items:
        if item.name is None or item.spread or item.name in fields:
            continue
        said = f"{base} has no field `{item.name}`: what node `{name}` is given there is dropped"
        cure = near(item.name, fields, "remove it")
        place = written(item)
        yield Violation(place, said, cure, name, "unknown-field", severity="warning")


def lonely_nodes(nodes: Sequence[Node], edges: Sequence[Edge]) -> Iterator[Violation]:
    """Nodes that no edge names, in a flow that has edges: they run beside all others."""
    if not edges:
        return
    named = {name for edge in edges for name in (edge.source, edge.target)}
    for node in nodes:
        if node.name in named or node.name in MARKERS or node.presence:
            continue
        yield Violation(
            node.name_span,
            f"No edge leads to or from `{node.name}`: it starts at once, beside the entry",
            f"add an edge to `{node.name}`, or remove the node",
            node.name,
            "unreachable-node",
            severity="info",
        )


def endless_loops(closing: Sequence[Edge], edges: Sequence[Edge]) -> Iterator[Violation]:
    """Edges that lead back whatever their predicate is given, over nodes that always follow."""
    certain = [edge for edge in edges if edge.kind == "always" and not edge.presence]
    for edge in closing:
        guard = edge.guard
        if edge.presence or guard is None or guard.is_async or guard.formula != Truth(True):
            continue
        if edge.source not in after(edge.target, certain):
            continue
        yield Violation(
            edge.span,
            f"The edge from `{edge.source}` back to `{edge.target}` is always taken: AgentsFlow "
            "has no limit of rounds, so these nodes run again until one of them fails",
            "give it a predicate that is false at some time",
            edge.source,
            "loop-without-exit",
            severity="warning",
        )
