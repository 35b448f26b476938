"""What a condition in CEL may look at, with what is known of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Literal as Form

from flowlint.graph.cel import path_of
from flowlint.graph.cel_names import GUARD, VISIT_FIELDS, parsed
from flowlint.graph.cel_syntax import (
    Binary,
    CelError,
    ListOf,
    Literal,
    Negated,
    Other,
    Tree,
    mentions,
)
from flowlint.graph.cel_values import Values
from flowlint.graph.guards import Constant
from flowlint.graph.model import FlowGraph
from flowlint.graph.node_outputs import Output, looks
from flowlint.graph.reference import OUTCOMES
from flowls.session.cel.texts import CelText


@dataclass(frozen=True, slots=True)
class Variable:
    """A variable, or a field of one."""

    name: str
    about: str
    kind: Form["variable", "field", "node"] = "field"


_ROOTS: Mapping[str, Mapping[str, str]] = {
    "flowrt": {
        "state": "the state of the run",
        "output": "what the node before the edge gave",
        "outputs": "what each node gave last, by its name",
        "input": "what the run was given",
        "result": "how the node before the edge ended",
        "results": "how each node ended, by its name",
    },
    "AgentsFlow": {
        "result": "what the node before the edge gave",
        "error": "why it failed, as a text: empty on an edge with a predicate",
    },
    "ObjectStack": {
        "record": "the record that the flow is about",
        "previous": "the record as it was before",
        "vars": "the variables of the flow",
    },
}
_RESULT = {
    "outcome": "how it ended: `ok`, `failed`, `timed_out` or `cancelled`",
    "output": "what it gave",
    "error": "why it failed",
    "attempts": "how often it was tried: a number",
    "node": "its name",
}
_AGENT = {
    "response": "what the agent answered: a text",
    "output": "what the agent gave",
    "execution_time": "how long it took: a number",
    "prompt": "what it was asked",
}
_DECISION = {
    "final_decision": "what was decided",
    "confidence": "how sure it is: a number",
    "mode": "how it was decided",
    "votes": "who voted how",
    "vote_distribution": "how often each was chosen",
    "consensus_level": "how much they agree",
    "escalated": "whether people were asked: a boolean",
    "escalation_reason": "why they were",
    "decision_id": "its id",
    "agent_responses": "what the agents answered",
    "execution_time": "how long it took: a number",
    "metadata": "what else is known",
}
_ELSEWHERE = "read by another condition"
_GIVEN = {"agent": _AGENT, "decision": _DECISION, "interactive_decision": _DECISION}


def variables(cel: CelText, path: tuple[str, ...]) -> list[Variable]:
    """What may be written behind a path; at the beginning, where that is empty."""
    system, graph = cel.graph.semantics.system, cel.graph
    roots = _ROOTS.get(system, {})
    if system == "flowrt":
        roots = {name: about for name, about in roots.items() if name in GUARD.names}
    if not path:
        return [Variable(name, about, "variable") for name, about in roots.items()]
    match path:
        case ("outputs" | "results",) if path[0] in roots:
            return [
                Variable(node.name, f"{node.kind} of {graph.name}", "node")
                for node in graph.nodes
                if node.name.isidentifier()
            ]
        case ("results", _) if "results" in roots:
            return [Variable(name, "") for name in VISIT_FIELDS]
        case ("result",) if system == "flowrt":
            return [Variable(name, about) for name, about in _RESULT.items()]
        case ("result",) if system == "AgentsFlow":
            kinds = {node.kind for node in graph.nodes if node.name == cel.edge.source}
            known = _GIVEN.get(kinds.pop(), {}) if len(kinds) == 1 else {}
            return [Variable(name, about) for name, about in known.items()]
        case _ if (declared := _declared(cel, path)) is not None:
            return [
                Variable(name, f"what it gives: {values.words}" if values else "what it gives")
                for name, values in declared.fields or ()
            ]
    written = _written(graph) if path == ("state",) else {}
    return [
        Variable(name, f"written by `{written[name]}`" if name in written else _ELSEWHERE)
        for name in dict.fromkeys([*written, *_fields_used(cel, path)])
    ]


def about(cel: CelText, path: tuple[str, ...]) -> str | None:
    """What a variable or field is; None where nothing is known of it."""
    found = next((one for one in variables(cel, path[:-1]) if one.name == path[-1]), None)
    return found.about or None if found is not None else None


def constants(cel: CelText, path: tuple[str, ...]) -> list[Constant]:
    """What something may be, or is compared with elsewhere in the flow."""
    name = ".".join(path)
    if cel.graph.semantics.system == "flowrt":
        if name == "result.outcome":
            return list(OUTCOMES)
        if name == "result.node":
            return [cel.edge.source]
    values = _values_at(cel, path)
    if values is not None and (values.choices or values.type == "boolean"):
        return list(values.choices) or [True, False]
    found: dict[tuple[type, object], Constant] = {}
    for tree in _trees(cel):
        for value in _compared(tree, name):
            found.setdefault((type(value), value), value)
    return list(found.values())


def _declared(cel: CelText, path: tuple[str, ...]) -> Output | None:
    """What the node is declared to give of which a path is the output."""
    found = _looked_at(cel, path)
    return found[0] if found is not None and not found[1] else None


def _values_at(cel: CelText, path: tuple[str, ...]) -> Values | None:
    """What the output of a node, or a field of it, is declared to be."""
    found = _looked_at(cel, path)
    return found[0].of(found[1]) if found is not None else None


def _looked_at(cel: CelText, path: tuple[str, ...]) -> tuple[Output, tuple[str, ...]] | None:
    system, source = cel.graph.semantics.system, cel.edge.source
    found: Iterable[tuple[str, tuple[str, ...]]] = ()
    if system == "flowrt":
        found = [(name, fields) for _, name, fields in looks((path,), source)]
    elif system == "AgentsFlow" and path[:1] == ("result",):
        found = [(source, path[1:])]
    for name, fields in found:
        declared = [node.gives for node in cel.graph.nodes if node.name == name]
        if len(declared) == 1 and declared[0] is not None:
            return declared[0], fields
    return None


def _compared(tree: Tree, name: str) -> Iterator[Constant]:
    """What the parts of a condition compare a path with."""
    pending = [tree]
    while pending:
        part = pending.pop()
        match part:
            case Binary("==" | "!=" | "in", left, right):
                if path_of(left) == name:
                    held = right.items if isinstance(right, ListOf) else (right,)
                    yield from (one.value for one in held if isinstance(one, Literal))
                else:
                    pending += [right, left]
            case Binary(left=left, right=right):
                pending += [right, left]
            case Negated(operand):
                pending.append(operand)
            case Other(parts):
                pending += reversed(parts)


def _written(graph: FlowGraph) -> dict[str, str]:
    """The keys of the state that code surely or maybe writes, with the node that does first."""
    found: dict[str, str] = {}
    for node in graph.nodes:
        for write in node.code.writes if node.code is not None else ():
            if write.key.isidentifier():
                found.setdefault(write.key, node.name)
    return found


def _fields_used(cel: CelText, path: tuple[str, ...]) -> Iterator[str]:
    """The fields that other conditions of the flow read of something."""
    for tree in _trees(cel):
        for one in mentions(tree):
            if isinstance(one, tuple) and one[: len(path)] == path and len(one) > len(path):
                yield one[len(path)]


def _trees(cel: CelText) -> Iterator[Tree]:
    """The other conditions of the flow."""
    for edge in cel.graph.edges:
        if edge.guard is not None and edge.guard.span != cel.span:
            tree = parsed(edge.guard.text)
            if not isinstance(tree, CelError):
                yield tree
