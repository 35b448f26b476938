"""A lambda of a flow becomes a function with a name."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from flowlint.graph.model import FlowGraph
from flowlint.source import Edit, Span
from flowls.session.offers import Made, Offer
from flowls.session.refactoring.place import At
from flowls.session.refactoring.writing import Writing


def extractions(at: At, graph: FlowGraph) -> Iterator[Offer]:
    """Guards, routers and steps of a flow that are written in place."""
    found: dict[Span, tuple[str, str]] = {}
    for edge in graph.edges:
        if edge.guard is not None:
            found.setdefault(edge.guard.span, ("guard", f"{edge.source} to {edge.target}"))
    for router in graph.routers:
        found.setdefault(router.span, ("router", f"after {router.source}"))
    for node in graph.nodes:
        if node.runs is not None and node.runs.span is not None:
            found.setdefault(node.runs.span, ("step", node.name))
    for span, (what, name) in found.items():
        if at.touches(span):
            made = _extracted(at.writing, span, name)
            if made is not None:
                title = f"Extract the {what} to a function"
                yield Offer(title, "refactor.extract", lambda made=made: made)  # type: ignore[misc]


def _extracted(writing: Writing, span: Span, wanted: str) -> Made | None:
    way = writing.way_to(span)
    if not way or not isinstance(way[-1], ast.Lambda):
        return None
    statement = writing.statement(way)
    # What a default is worth is found out before the rest of the statement from then on.
    given = [one for one in (*way[-1].args.defaults, *way[-1].args.kw_defaults) if one is not None]
    if statement is None or not all(isinstance(one, ast.Constant | ast.Name) for one in given):
        return None
    name = writing.free_name(wanted)
    indent = writing.indent(statement)
    body = writing.text(way[-1].body)
    if "\n" in body:
        body = f"({body})"
    head = f"{indent}def {name}({ast.unparse(way[-1].args)}):\n"
    text = f"{head}{indent}    return {body}"
    return Made((writing.function_before(statement, text), Edit(span, name)))
