"""Nodes that go on by the label of an edge: decisions and approvals."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from flowlint.dialects.objectstack.conditions import guards_of
from flowlint.dialects.objectstack.kinds import DEFAULT_LABEL
from flowlint.dialects.objectstack.objects import Obj, expression_of, is_whole, object_of
from flowlint.dialects.objectstack.parts import EdgePart, NodePart, Scope
from flowlint.graph.cells import uncovered
from flowlint.graph.code import Route, Router
from flowlint.source import Span
from flowlint.values import model as values

_DECIDED = ("approve", "reject")


def labels_of(node: NodePart, onward: Sequence[EdgePart]) -> frozenset[str]:
    """The labels that a node may route by, as far as they are known."""
    if node.facts.labels:
        return frozenset(node.facts.labels)
    if node.kind != "decision":
        return frozenset()
    declared = [label for label, _ in _declared(node)]
    return frozenset([*declared, DEFAULT_LABEL]) if declared else frozenset()


def _conditions(node: NodePart) -> list[Obj]:
    return [object_of(v) for v in node.config.items("conditions") if isinstance(v, values.Mapped)]


def _declared(node: NodePart) -> list[tuple[str, Span]]:
    """The labels of a decision's own conditions, with their places."""
    found = []
    for condition in _conditions(node):
        given, label = condition.fields.get("label"), condition.text("label")
        if given is not None and label:
            found.append((label, given.span))
    return found


def routers_of(scope: Scope) -> Iterator[Router]:
    """What chooses by labels, where it is known what may be chosen."""
    for node in scope.nodes:
        onward = scope.leaving(node.id)
        if not onward or not scope.is_whole or node.presence:
            continue
        if any(edge.presence or not edge.is_sure for edge in onward):
            continue
        if node.kind == "approval":
            if any(edge.label for edge in onward):
                yield _router(node, onward, _decisions(node, onward))
        elif node.kind == "decision" and _declared(node):
            yield _router(node, onward, *_routes(node))


def _router(
    node: NodePart, onward: Sequence[EdgePart], routes: Sequence[Route], more: str | None = None
) -> Router:
    cases: dict[str, str] = {}
    spans: dict[str, Span] = {}
    for edge in onward:
        label = DEFAULT_LABEL if edge.is_default and edge.condition is None else edge.label
        if label:
            given = edge.obj.fields.get("label")
            cases.setdefault(label, edge.target)
            spans.setdefault(label, given.span if given is not None else edge.obj.span)
            if edge.label:
                cases.setdefault(edge.label, edge.target)
                spans.setdefault(edge.label, given.span if given is not None else edge.obj.span)
    return Router(node.id, "", node.name_span, node.id, tuple(routes), more, cases, spans)


def _decisions(node: NodePart, onward: Sequence[EdgePart]) -> list[Route]:
    labels = [edge.label for edge in onward]
    decided = [*_DECIDED, *(["revise"] if "revise" in labels else [])]
    return [
        Route(
            label,
            label,
            node.name_span,
            cure=f"give the label `{label}` to the edge that is to be taken then",
        )
        for label in decided
    ]


def _routes(node: NodePart) -> tuple[list[Route], str | None]:
    """The labels that a decision routes by, and why there may be others."""
    routes = [Route(label, label, span) for label, span in _declared(node)]
    value = node.config.get("conditions")
    is_known = isinstance(value, values.Sequence) and is_whole(value)
    if not is_known or len(routes) < len(node.config.items("conditions")):
        return routes, "a condition's label is not known"
    may_be_none = _may_be_none(node)
    if may_be_none:
        cure = "mark the edge that is to be taken otherwise with `isDefault: true`"
        routes.append(Route(DEFAULT_LABEL, DEFAULT_LABEL, node.name_span, sure=False, cure=cure))
    more = "it cannot be told whether one of its conditions is always true"
    return routes, more if may_be_none is None else None


def _may_be_none(node: NodePart) -> bool | None:
    """Whether some state makes none of a decision's conditions true; None: it cannot be told."""
    expressions = [condition.get("expression") for condition in _conditions(node)]
    written = [expression_of(value) for value in expressions if value is not None]
    if len(written) < len(expressions):
        return None
    witness = uncovered([guard.formula for guard in guards_of(written)])
    return None if witness is None else bool(witness)
