"""What a flow leaves unsaid, and where one would look for it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from flowlint.graph.components import components
from flowlint.graph.index import index_graph
from flowlint.graph.model import Edge, FlowGraph, Node
from flowlint.source import Edit, Span
from flowls.session.sources import Sources

_UNMATCHED = {
    "raises": "otherwise: the run fails",
    "ends-silently": "otherwise: the run ends here",
    "takes-all": "otherwise: all of them",
}


@dataclass(frozen=True, slots=True)
class Hint:
    """A text to be shown at the beginning of a span, or at its end; `says` writes it out."""

    span: Span
    text: str
    help: str
    is_before: bool = False
    says: Edit | None = None


def hints(graphs: Iterable[FlowGraph], sources: Sources) -> list[Hint]:
    """All that flows and their regions leave unsaid, each once.

    Code that is followed several times may mean something else each time: then nothing is said.
    """
    found: dict[Span, dict[str, Hint]] = {}
    for graph in graphs:
        for hint in _of_graph(graph, sources):
            found.setdefault(hint.span, {}).setdefault(hint.text, hint)
    return [hint for several in found.values() if len(several) == 1 for hint in several.values()]


def _of_graph(graph: FlowGraph, sources: Sources) -> Iterator[Hint]:
    for node in graph.nodes:
        yield from _name(node, sources)
        for region in node.regions.values():
            yield from _of_graph(region, sources)
    yield from _otherwise(graph)
    yield from _limit(graph)


def _name(node: Node, sources: Sources) -> Iterator[Hint]:
    """The name of a node that is not written as such."""
    span = node.name_span
    written = sources.text(span)
    if not written or sources.literal(span) is not None or written[:1] in "\"'`[":
        return
    quoted = f'"{node.name}"'
    is_function = node.runs is not None and node.runs.name == written == node.name
    if is_function:
        text = f"{quoted}, "
        says = Edit(span.start(), text)
        yield Hint(span, text, "the node is called as its function", is_before=True, says=says)
    elif written.isidentifier():
        yield Hint(span, f"= {quoted}", "the name of the node")


def _otherwise(graph: FlowGraph) -> Iterator[Hint]:
    """What becomes of a run for which no condition of a node's edges holds."""
    if graph.hides("edges") or graph.semantics.routing == "single-switch":
        return
    leaving: dict[str, list[Edge]] = {}
    for edge in graph.edges:
        if edge.after == "ok" and edge.group is None:
            leaving.setdefault(edge.source, []).append(edge)
    may_go_on = {node.name for node in graph.nodes if node.routes_itself != "no"}
    for source, edges in leaving.items():
        guarded = [edge for edge in edges if edge.kind == "when"]
        others = [edge for edge in edges if edge.kind != "when"]
        if not guarded or source in may_go_on or any(not edge.certain for edge in edges):
            continue
        if not others:
            text = _UNMATCHED[graph.semantics.unmatched_route]
            yield Hint(guarded[-1].span, text, f"where no condition after `{source}` holds")
        elif graph.semantics.routing == "first" and [edge.kind for edge in others] == ["always"]:
            if others[0] is edges[-1]:
                yield Hint(others[0].span, "otherwise", f"no condition after `{source}` holds")


def _limit(graph: FlowGraph) -> Iterator[Hint]:
    """After how many steps the system itself stops a run that goes round in circles."""
    limit = graph.semantics.default_step_bound
    if limit is None or graph.bounded or graph.step_bound is not None:
        return
    if has_loop(graph):
        text = f"{graph.semantics.step_bound_name} = {limit}"
        yield Hint(graph.span, text, "what stops a run by default; this flow has a loop")


def has_loop(graph: FlowGraph) -> bool:
    """Whether a run may come to a node again."""
    successors = index_graph(graph).successors
    if any(vertex in following for vertex, following in enumerate(successors)):
        return True
    return any(len(one) > 1 for one in components(successors))
