"""What calls that make flows of definitions lose of them.

`FlowLoader.to_agents_flow` loses when edges count, and retries; `from_definition` loses actions.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from flowlint.dialects.agentsflow.definition import DefinitionReader
from flowlint.dialects.agentsflow.model import CORE_TYPES, DEFINITION, FROM_DATA
from flowlint.dialects.agentsflow.records import Record, record_of
from flowlint.dialects.agentsflow.semantics import EXPLICIT
from flowlint.dialects.reading import alternatives
from flowlint.graph.model import END, Edge, FlowGraph, Violation
from flowlint.values.model import Built, Const, Mapped, Sequence, Value

_MADE = "in the flow that `FlowLoader.to_agents_flow` makes of the definition"
_BY_DEFINITION = "in the flow that `AgentsFlow.from_definition` makes of the definition"
_ACT = "let the nodes themselves act, or make the flow by `FlowLoader.to_agents_flow`"
_CURE = "make the flow by `AgentsFlow.from_definition`, or build it with `add_edge`"


def actions_lost(built: Built) -> Iterator[FlowGraph]:
    """Actions of a definition that is run as `from_definition` makes a flow of it."""
    given = built.arguments.find("definition", 0)
    definition = given.value if given is not None else None
    if not isinstance(definition, Built) or definition.model is not DEFINITION:
        return
    faults: list[Violation] = []
    nodes = definition.arguments.get("nodes")
    for item in nodes.items if isinstance(nodes, Sequence) else ():
        record = record_of(item.value)
        name = record.text("id") if record is not None else None
        if record is None or name is None or record.text("type") not in CORE_TYPES:
            continue
        for field in ("pre_actions", "post_actions"):
            actions = record.find(field)
            if actions is not None and isinstance(actions.value, Sequence) and actions.value.items:
                said = f"The `{field}` of node `{name}` are not run {_BY_DEFINITION}"
                fault = Violation(
                    actions.key, said, _ACT, name, "ineffective-field", severity="warning"
                )
                faults.append(fault)
    if faults:
        graph = DefinitionReader(Record(definition.origin.span(), {}), None, "no").graph()
        yield replace(graph, semantics=EXPLICIT, violations=tuple(faults), gaps=(), malformed=True)


def losses_of(built: Built) -> Iterator[FlowGraph]:
    """What is lost of the definition that is given to the call, where that is seen."""
    given = built.arguments.find("definition", 0)
    if given is None:
        return
    for presence, value in alternatives(given.value):
        record = record_of(data) if (data := _definition(value)) is not None else None
        if record is None or presence:
            continue
        graph = DefinitionReader(record, None, "no").graph()
        faults = [*_edges(graph), *_retries(record.get("nodes"))]
        if faults:
            yield FlowGraph(
                graph.name,
                "agentsflow",
                graph.span,
                EXPLICIT,
                violations=tuple(faults),
                malformed=True,
            )


def _definition(value: Value) -> Built | Mapped | None:
    if not isinstance(value, Built):
        return None
    if value.model is DEFINITION:
        return value
    data = value.arguments.get("data", 0) if value.model is FROM_DATA else None
    return data if isinstance(data, Mapped) else None


def _edges(graph: FlowGraph) -> Iterator[Violation]:
    """Edges that are there under a condition, of which the loader keeps no more than their ends."""
    for edge in graph.edges:
        said = _lost(edge)
        if said is not None:
            yield Violation(
                edge.span, said, _CURE, edge.source, "ineffective-field", severity="warning"
            )


def _lost(edge: Edge) -> str | None:
    target = "the end" if edge.target == END else f"`{edge.target}`"
    which = f"of the edge from `{edge.source}` to {target}"
    if edge.after != "ok":
        return (
            f"The condition `{edge.label}` {which} has no effect {_MADE}: {target} is run when "
            f"`{edge.source}` succeeds, and not when it fails"
        )
    if edge.kind == "when":
        return f"The predicate {which} has no effect {_MADE}: the edge is always taken"
    return None


def _retries(nodes: Value | None) -> Iterator[Violation]:
    for item in nodes.items if isinstance(nodes, Sequence) else ():
        record = record_of(item.value)
        found = record.find("max_retries") if record is not None else None
        if record is None or found is None or not isinstance(found.value, Const):
            continue
        name = record.text("id")
        if found.value.value and name is not None:
            said = f"The `max_retries` of node `{name}` has no effect {_MADE}"
            yield Violation(found.key, said, _CURE, name, "ineffective-field", severity="warning")
