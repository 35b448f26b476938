"""What becomes of runs of builders: rounds, failures, what agents are told, and what is kept."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from flowlint.dialects.agentsflow.circles import in_order
from flowlint.dialects.agentsflow.records import Field, is_null
from flowlint.dialects.agentsflow.ways import after, before
from flowlint.dialects.reading import relative, written
from flowlint.graph.model import Edge, Node, Violation
from flowlint.values.model import Built, Const, Function

UNREGISTERED = "DecisionFlowNode"
"""A class of nodes that definitions have no type for."""


def deadlocks(
    nodes: Sequence[Node], edges: Sequence[Edge], closing: Sequence[Edge]
) -> Iterator[Violation]:
    """A loop whose nodes wait for each other, as its edges were met in another order."""
    names = list(dict.fromkeys(node.name for node in nodes))
    back = {id(edge) for edge in closing}
    forward = [edge for edge in edges if id(edge) not in back]
    if len(in_order(names, [edge for edge in edges if not edge.back])) < len(names):
        return
    circular = set(names).difference(in_order(names, forward))
    for edge in forward:
        if edge.presence or not {edge.source, edge.target} <= circular or not edge.back:
            continue
        if edge.source not in after(edge.target, forward):
            continue
        yield Violation(
            edge.span,
            f"`{edge.target}` waits for `{edge.source}`, which comes after it: AgentsFlow looks "
            f"for edges that lead back in the order of the nodes, and `{edge.source}` was added "
            "before what leads to it, so neither ever runs, and the run reports success",
            f"add the nodes in the order in which they run: `{edge.target}` before `{edge.source}`",
            edge.target,
            "join-never-completes",
        )
        return


def run_once(closing: Sequence[Edge], edges: Sequence[Edge]) -> Iterator[Violation]:
    """Nodes beside a loop, which only run after its first round."""
    told: set[str] = set()
    for edge in closing:
        repeated = after(edge.target, edges) & before(edge.source, edges)
        for other in edges:
            if other.source not in repeated or other.target in repeated | told:
                continue
            if other.kind != "always" or other.presence or edge.presence:
                continue
            told.add(other.target)
            yield Violation(
                other.span,
                f"`{other.target}` runs once, after the first round of the loop from "
                f"`{edge.target}` to `{edge.source}`, and not with what later rounds give",
                f"give the edge a predicate that holds in the last round, or lead on from "
                f"`{edge.source}`",
                other.target,
                "loop-never-repeats",
                severity="info",
            )


def timeouts_twice(edges: Sequence[Edge]) -> Iterator[Violation]:
    """Edges for a timeout beside such for any failure: a timeout takes both."""
    failing = {edge.source: edge for edge in reversed(edges) if edge.after == "error"}
    for edge in edges:
        other = failing.get(edge.source)
        if edge.after != "timeout" or other is None or other.target == edge.target:
            continue
        yield Violation(
            edge.span,
            f"When `{edge.source}` times out, `{edge.target}` and `{other.target}` both run: "
            "`on_error` counts for a timeout as well",
            "let one node handle both, or tell them apart in there",
            edge.source,
            "overlapping-guards",
            (("taken for a timeout as well", other.span),),
            severity="info",
        )


def unheard(
    nodes: Sequence[Node], edges: Sequence[Edge], plain: Mapping[str, Built]
) -> Iterator[Violation]:
    """The first agent that is to go on from what another one gave, and is never told that.

    `plain` are the nodes of the class `AgentNode` itself.
    """
    for node in nodes:
        made = plain.get(node.name)
        if made is None or made.arguments.find("dependencies") or made.arguments.spread:
            continue
        source = next((e.source for e in edges if e.target == node.name and e.after == "ok"), None)
        if source is None or source not in plain:
            continue
        yield Violation(
            node.name_span,
            f"What `{source}` gives does not come to `{node.name}`: in a flow that is built by "
            "`add_edge` an AgentNode is told nothing but the task of the run",
            f'state `dependencies={{"{source}"}}`, or build its prompt in a class of your own',
            node.name,
            "ineffective-field",
            severity="info",
        )
        return


def keeping_faults(
    built: Built, edges: Sequence[Edge], nodes: Sequence[Node]
) -> Iterator[Violation]:
    """Flows that keep checkpoints, and cannot, or that go on otherwise from one."""
    stated = built.arguments.find("checkpoint")
    if stated is None or not isinstance(stated.value, Const) or stated.value.value is not True:
        return
    raises = "run_flow() raises FlowNotExportableError"
    for operation in built.operations:
        given = operation.arguments.find("predicate") if operation.method == "add_edge" else None
        if given is None or is_null(given.value) or not isinstance(given.value, Function):
            continue
        if relative(operation, built):
            continue
        said = f"A flow with checkpoints cannot have a function as a predicate: {raises}"
        cure = "write the predicate as a text in CEL, or leave out `checkpoint`"
        yield Violation(written(given), said, cure)
        return
    for node in nodes:
        if node.kind == UNREGISTERED and not node.presence:
            said = f"Node `{node.name}` is of a class that no definition has: {raises}"
            cure = "use `DecisionNode`, or leave out `checkpoint`"
            yield Violation(node.name_span, said, cure, node.name)
            return
    decided = next((edge for edge in edges if edge.kind != "always" and not edge.presence), None)
    if decided is not None:
        yield Violation(
            written(stated),
            "The conditions of this flow count for nothing once it is resumed: all that follows "
            "what was completed runs, and joins wait for all ways",
            "resume only flows whose edges have no conditions, or run them anew",
            decided.source,
            "ineffective-field",
            ((f"`{decided.label}` is one of them", decided.span),),
            severity="info",
        )


def predicate_faults(predicate: Field | None, source: str, target: str) -> Iterator[Violation]:
    """Functions that cannot be called with the result of a node alone."""
    value = predicate.value if predicate is not None else None
    if predicate is None or not isinstance(value, Function) or value.decorators:
        return
    if value.is_async or value.wrapped is not None:
        return
    wanted = value.reader.arguments(value.receiver)
    is_enough = wanted.positional is None or wanted.positional >= 1
    if is_enough and len(wanted.required) <= 1 and not wanted.named:
        return
    said = (
        f"The predicate of the edge from `{source}` to `{target}` cannot be called with one "
        "argument, the result of the node, so it never holds"
    )
    cure = "take the result, and nothing else"
    yield Violation(predicate.place, said, cure, source, "wrong-callable")
