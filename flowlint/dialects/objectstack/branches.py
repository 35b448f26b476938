"""Edges that look as if they chose, and do not."""

from __future__ import annotations

from flowlint.dialects.objectstack.conditions import check_condition
from flowlint.dialects.objectstack.kinds import KINDS
from flowlint.dialects.objectstack.objects import expression_of
from flowlint.dialects.objectstack.parts import EdgePart, NodePart, Scope
from flowlint.dialects.objectstack.routers import labels_of
from flowlint.graph.cel_names import parsed
from flowlint.graph.cel_syntax import CelError


def check_branches(scope: Scope) -> None:
    """Note what is wrong with the edges."""
    nodes = scope.by_id()
    for edge in scope.edges:
        what = f"Condition of {edge.shown}"
        check_condition(edge.condition, what, scope.notes, edge.source, is_alone=False)
        _fault_condition(edge, scope)
        _default_condition(edge, scope)
        node = nodes.get(edge.source)
        if node is not None:
            _conditional(edge, node, scope)
    _ids(scope)
    for node in nodes.values():
        _defaults(node, scope)
        _inert_condition(node, scope)


def _fault_condition(edge: EdgePart, scope: Scope) -> None:
    if not edge.is_fault or edge.condition is None:
        return
    said = f'The condition of {edge.shown} has no effect: edges of type "fault" ask for none'
    cure = "remove it, and ask in a `decision` that the edge leads to"
    scope.notes.add(
        edge.condition.span,
        said,
        cure,
        rule="ineffective-field",
        node=edge.source,
        severity="warning",
    )


def _default_condition(edge: EdgePart, scope: Scope) -> None:
    if not edge.is_default or edge.condition is None or edge.is_fault:
        return
    said = f"`isDefault` of {edge.shown} has no effect, as the edge has a `condition` as well"
    scope.notes.add(
        edge.obj.fields["isDefault"].key,
        said,
        "remove the condition, or `isDefault`",
        rule="ineffective-field",
        node=edge.source,
        severity="error",
    )


def _conditional(edge: EdgePart, node: NodePart, scope: Scope) -> None:
    """An edge that is called conditional and has no condition, so that it is always taken."""
    if edge.type != "conditional" or edge.condition is not None or not edge.is_sure:
        return
    # Its label may be what it is taken by, or that of an edge beside it.
    if edge.is_default or labels_of(node, ()) or node.runs_as not in KINDS:
        return
    if node.facts.pauses != "no" or not edge.obj.lacks("condition"):
        return
    if node.kind == "decision" and not node.config.lacks("conditions"):
        return
    said = f'Type "conditional" of {edge.shown} has no effect without a condition'
    scope.notes.add(
        edge.obj.fields["type"].span,
        f"{said}: the edge is always taken",
        "write the `condition` on which it is taken",
        rule="ineffective-field",
        node=edge.source,
        severity="warning",
    )


def _ids(scope: Scope) -> None:
    seen: dict[str, EdgePart] = {}
    for edge in scope.edges:
        name = edge.obj.text("id")
        if name is None or edge.presence:
            continue
        first = seen.setdefault(name, edge)
        if first is not edge and first.obj is not edge.obj:
            scope.notes.add(
                edge.obj.fields["id"].span,
                f"Two edges have the id `{name}`: the log of a run cannot tell which was skipped",
                "give each edge an id of its own",
                node=edge.source,
                severity="warning",
                related=((f"`{name}` is used here first", first.obj.fields["id"].span),),
            )


def _defaults(node: NodePart, scope: Scope) -> None:
    defaults = [
        edge
        for edge in scope.leaving(node.id)
        if edge.is_default and edge.condition is None and not edge.presence
    ]
    if len(defaults) < 2:
        return
    names = " and ".join(f"`{edge.target}`" for edge in defaults[:3])
    scope.notes.add(
        defaults[1].obj.fields["isDefault"].key,
        f"Several edges out of `{node.id}` are the default one: {names} all follow at once",
        "mark one of them, and give the others conditions",
        rule="multiple-outgoing-edges",
        node=node.id,
        severity="warning",
        related=(("this edge is the default one too", defaults[0].obj.span),),
    )


_INERT = frozenset(KINDS) - {
    *("start", "approval_revise", "parallel_gateway", "join_gateway", "boundary_event")
}


def _inert_condition(node: NodePart, scope: Scope) -> None:
    given = node.config.fields.get("condition")
    if given is None or node.runs_as not in _INERT or node.facts.closed or node.facts.strict:
        return
    source = expression_of(given.value).source
    # That it is no condition at all is told as such.
    if source is None or not source.strip() or isinstance(parsed(source), CelError):
        return
    cure = "move it to the edge that leads here"
    if node.kind == "decision":
        cure = "move it to the edges that leave the decision, and mark the other `isDefault: true`"
    scope.notes.add(
        given.key,
        f"`condition` of node `{node.id}` has no effect: only that of the start node is asked",
        cure,
        rule="ineffective-field",
        node=node.id,
        severity="warning",
    )
