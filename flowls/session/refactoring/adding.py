"""What a flow lacks is added: a default edge, a node that an edge names."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from flowlint.graph.cells import is_total
from flowlint.graph.model import END, Edge, FlowGraph, Node
from flowlint.languages.edits import quoted
from flowlint.source import Edit, Span
from flowls.session.offers import Hole, Made, Offer
from flowls.session.refactoring.place import At
from flowls.session.refactoring.writing import Writing


def default_edges(at: At, graph: FlowGraph) -> Iterator[Offer]:
    """An edge that is taken where no condition of a node's edges holds."""
    if graph.semantics.routing != "first" or graph.hides("edges") or graph.hides("targets"):
        return
    for name in dict.fromkeys(edge.source for edge in graph.edges):
        edges = [edge for edge in graph.edges if edge.source == name and edge.after == "ok"]
        nodes = [node for node in graph.nodes if node.name == name]
        is_here = any(at.touches(edge.span) for edge in edges) or any(
            at.touches(node.name_span) for node in nodes
        )
        if is_here and edges and not any(node.routes_itself != "no" for node in nodes):
            made = _default_edge(at.writing, graph, edges)
            if made is not None:
                title = f"Add an edge for when no condition after `{name}` holds"
                yield Offer(title, "refactor.rewrite", lambda made=made: made)  # type: ignore[misc]


def _default_edge(writing: Writing, graph: FlowGraph, edges: list[Edge]) -> Made | None:
    if any(edge.kind != "when" or not edge.certain for edge in edges):
        return None
    if is_total([edge.guard.formula if edge.guard else None for edge in edges]):
        return None
    calls = [writing.element(edge.span) for edge in edges]
    last = calls[-1]
    if last is None or not last.args or any(one is None or _ranks(one) for one in calls):
        return None
    target = _likely_target(graph, edges)
    text = quoted(target) if target is not None else None
    if target is None or text is None:
        return None
    added = writing.add_behind(
        last, f"{writing.text(last.func)}({writing.text(last.args[0])}, {text})"
    )
    others = [node.name for node in graph.nodes if node.name != edges[0].source]
    choices = tuple(dict.fromkeys([target, *others]))
    return Made((added,), Hole(added, target, choices if len(choices) > 1 else ()))


def _ranks(call: ast.Call) -> bool:
    """Whether an edge has a rank of its own, so that its place in the list is not all."""
    return any(word.arg in (None, "priority") for word in call.keywords)


def _likely_target(graph: FlowGraph, edges: list[Edge]) -> str | None:
    """The next node in the order of the declarations that no edge of these leads to."""
    names = list(dict.fromkeys(node.name for node in graph.nodes))
    source = edges[0].source
    at = names.index(source) if source in names else 0
    others = [name for name in (*names[at + 1 :], *names[:at]) if name != source]
    taken = {edge.target for edge in edges}
    return next((name for name in others if name not in taken), next(iter(others), None))


def missing_nodes(at: At, graph: FlowGraph) -> Iterator[Offer]:
    """The node of a name that an edge or the entry of a flow mentions and no node bears."""
    if graph.hides("nodes") or not graph.nodes:
        return
    known = {node.name for node in graph.nodes} | {END}
    mentions: list[tuple[str, Span]] = [(entry.name, entry.span) for entry in graph.entries]
    for edge in graph.edges:
        mentions += [(edge.target, edge.target_span), (edge.source, edge.source_span)]
    offered: set[str] = set()
    for name, span in mentions:
        if name in known or name in offered or not at.touches(span) or name.startswith("__"):
            continue
        offered.add(name)
        made = _node(at.writing, graph, name)
        if made is not None:
            title = f"Add the node `{name}`"
            yield Offer(title, "quickfix", lambda made=made: made)  # type: ignore[misc]


def _node(writing: Writing, graph: FlowGraph, name: str) -> Made | None:
    last = graph.nodes[-1]
    found, text = writing.call(last.span), quoted(name)
    if found is None or text is None:
        return None
    way, call = found
    top = writing.top(way)
    if top is None:
        return None
    edits: list[Edit] = []
    plain = name if name.isidentifier() and writing.function(name) else writing.free_name(name)
    if not writing.function(plain):
        edits.append(writing.function_before(top, _stub(plain, graph, last)))
    said = f"{writing.text(call.func)}({text}, {plain})"
    if writing.element(last.span) is not None:
        edits.append(writing.add_behind(call, said))
        return Made(tuple(edits))
    statement = way[-2]
    if not isinstance(statement, ast.Expr) or writing.statement(way) is not statement:
        return None
    span = writing.span(statement)
    rest = writing.lines[span.end_line - 1][span.end_column - 1 :].strip()
    if rest and not rest.startswith("#"):
        return None
    at = len(writing.lines[span.end_line - 1].rstrip("\r\n")) + 1
    end = Span(span.path, span.end_line, at, span.end_line, at, span.cell)
    edits.append(Edit(end, f"\n{writing.indent(statement)}{said}"))
    return Made(tuple(edits))


def _stub(name: str, graph: FlowGraph, like: Node) -> str:
    is_async = like.runs is not None and like.runs.is_async
    # Where nodes return what is to be put into the state, nothing is.
    result = "{}" if graph.semantics.odd_update_error else "state"
    return f"{'async ' if is_async else ''}def {name}(state):\n    return {result}"
