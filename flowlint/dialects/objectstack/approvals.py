"""Approvals: who approves, and where the run goes on."""

from __future__ import annotations

from collections.abc import Sequence

from flowlint.changes import Rename
from flowlint.dialects.objectstack.notes import NODE_FAILS
from flowlint.dialects.objectstack.objects import Obj, object_of
from flowlint.dialects.objectstack.parts import EdgePart, NodePart, Scope
from flowlint.graph.cel_names import parsed
from flowlint.graph.cel_syntax import CelError, free_names
from flowlint.graph.reference_faults import near, near_rename, one_of
from flowlint.values.model import Const, Mapped
from flowlint.values.model import Sequence as List

_REVISE = "revise"
APPROVERS = (
    *("manager", "position", "department", "team", "field", "expression"),
    *("org_membership_level", "role", "user", "queue"),
)
_RENAMED = {"role": "org_membership_level"}
_MEANT = {"business_unit": "department", "bu": "department"}
_LEVELS = ("owner", "admin", "member")
_ROOTS = ("current", "trigger", "vars")
_GROUPS = frozenset({"position", "team", "department"})
_HAVE_DIRECTORY = frozenset(
    {"org_membership_level", "role", "position", "department", "expression"}
)
_RESERVED = ("decision", "requestId")


def check_approvals(scope: Scope) -> None:
    """Note what is wrong with the approvals of a flow or region."""
    for node in scope.nodes:
        if node.kind != "approval":
            continue
        approvers = [object_of(v) for v in node.config.items("approvers") if isinstance(v, Mapped)]
        for approver in approvers:
            _approver(approver, node, scope)
        _slate(approvers, node, scope)
        _outputs(node, scope)
        _escalation(node, scope)
        if scope.is_whole:
            _same_way(node, scope)
            _revision(node, scope)


def _approver(approver: Obj, node: NodePart, scope: Scope) -> None:
    kind, value = approver.text("type"), approver.text("value")
    given = approver.fields.get("type")
    if kind is None or given is None:
        return
    notes = scope.notes
    if kind not in APPROVERS:
        meant = _MEANT.get(kind)
        said = f"Approver type `{kind}` of `{node.id}` is none that ObjectStack has"
        notes.add(
            given.span,
            f"{said}: nobody is asked, and the run waits for ever",
            f"did you mean `{meant}`?" if meant else near(kind, APPROVERS, one_of(APPROVERS)),
            node=node.id,
            severity="warning",
            rename=Rename(given.span, kind, meant)
            if meant
            else near_rename(given.span, kind, APPROVERS),
        )
        return
    canonical = _RENAMED.get(kind, kind)
    if canonical == "expression":
        _expression(approver, value, node, scope)
    elif "resolveAs" in approver.fields:
        said = f"`resolveAs` of an approver of `{node.id}` has no effect: only expressions have it"
        place = approver.fields["resolveAs"].key
        cure = 'remove it, or say `type: "expression"`'
        notes.add(place, said, cure, rule="ineffective-field", node=node.id, severity="info")
    if canonical == "org_membership_level" and value and value.lower() not in _LEVELS:
        said = f"Approver `{value}` of `{node.id}` is no level of membership"
        notes.add(
            approver.fields["value"].span,
            f"{said}: nobody is asked, and the run waits for ever",
            f'say `type: "position"` if it is a position; levels are {", ".join(_LEVELS)}',
            node=node.id,
            severity="warning",
        )
    elif kind in _RENAMED:
        notes.add(
            given.span,
            f"Approver type `{kind}` of `{node.id}` is called `{canonical}` now: it works until "
            "the next release",
            f"write `{canonical}`",
            rule="removed-api",
            node=node.id,
            severity="warning",
            rename=Rename(given.span, kind, canonical),
        )
    elif kind == "queue":
        notes.add(
            given.span,
            f"Approver type `queue` of `{node.id}` is not there yet: nobody is asked, and the "
            "run waits for ever",
            "ask a team, a department or a position",
            node=node.id,
            severity="warning",
        )
    organization = approver.text("organization")
    if organization and organization.strip() and canonical not in _HAVE_DIRECTORY:
        said = f"An approver of `{node.id}` of type `{kind}` belongs to no organization"
        notes.add(
            approver.fields["organization"].key,
            f"{said}, so `organization` is refused: {NODE_FAILS}",
            "remove `organization`",
            node=node.id,
            severity="error",
        )


def _expression(approver: Obj, value: str | None, node: NodePart, scope: Scope) -> None:
    notes = scope.notes
    if value is None and not approver.lacks("value"):
        return
    place = approver.fields["value"].span if "value" in approver.fields else approver.span
    cure = "write an expression such as `current.reviewer`"
    if not (value or "").strip():
        said = f"An approver of `{node.id}` is an expression without text: {NODE_FAILS}"
        notes.add(place, said, cure, rule="invalid-expression", node=node.id, severity="error")
        return
    tree = parsed(value or "")
    if isinstance(tree, CelError):
        said = (
            f"Approver `{value}` of `{node.id}` is no CEL expression: {tree.message}: {NODE_FAILS}"
        )
        notes.add(place, said, cure, rule="invalid-expression", node=node.id, severity="error")
        return
    strange = [name for name in free_names(tree) if name not in _ROOTS]
    if strange:
        said = f"Approver `{value}` of `{node.id}` looks at `{strange[0]}`, which is not there"
        cure = one_of(tuple(f"{root}.…" for root in _ROOTS))
        if strange[0] in ("record", "previous"):
            cure = "write `current.…` for the record as it is, `trigger.…` for what it was"
        notes.add(
            place,
            f"{said}: {NODE_FAILS}",
            cure,
            rule="unknown-variable",
            node=node.id,
            severity="error",
        )


def _slate(approvers: Sequence[Obj], node: NodePart, scope: Scope) -> None:
    kinds = [approver.text("type") for approver in approvers]
    value = node.config.get("approvers")
    if not kinds or None in kinds or not isinstance(value, List) or value.rest is not None:
        return
    place = node.config.fields["approvers"].key
    if all(kind in _GROUPS for kind in kinds) and node.config.lacks("onEmptyApprovers"):
        locked = "" if node.config.get("lockRecord") is not None else ", and the record is locked"
        scope.notes.add(
            place,
            f"All approvers of `{node.id}` are groups: where these have no members, the run waits "
            f"for ever{locked}",
            "add an approver who is always there, or say what is to be done by `onEmptyApprovers`",
            node=node.id,
            severity="info",
        )
    if "expression" in kinds and node.config.lacks("onEmptyApprovers"):
        scope.notes.add(
            place,
            f"Approvers of `{node.id}` are worked out: where there are none, only an "
            "administrator can go on",
            "say what is to be done then by `onEmptyApprovers`",
            node=node.id,
            severity="info",
        )


def _outputs(node: NodePart, scope: Scope) -> None:
    for value in node.config.items("decisionOutputs"):
        key = value.value if isinstance(value, Const) else None
        if isinstance(value, Mapped):
            key = object_of(value).text("key")
        if key in _RESERVED:
            scope.notes.add(
                value.origin.span(),
                f"Decision output `{key}` of `{node.id}` is a name that approvals keep for "
                "themselves: every decision with it is refused",
                "give it another name",
                node=node.id,
                severity="error",
            )


def _escalation(node: NodePart, scope: Scope) -> None:
    escalation = node.config.object("escalation")
    if escalation is None or escalation.text("action") != "reassign":
        return
    target = escalation.text("escalateTo")
    if (target or "").strip() or not (target == "" or escalation.lacks("escalateTo")):
        return
    scope.notes.add(
        escalation.fields["action"].span,
        f"Escalation of `{node.id}` is to reassign, but not to whom: it only notifies",
        "name a position or a user in `escalateTo`",
        rule="ineffective-field",
        node=node.id,
        severity="warning",
    )


def _same_way(node: NodePart, scope: Scope) -> None:
    """An approval whose decision changes nothing, as none of its edges has a label."""
    onward = scope.leaving(node.id)
    if not onward or any(edge.label or not edge.is_sure for edge in onward):
        return
    if any(edge.condition is not None or edge.is_default for edge in onward):
        return
    targets = " and ".join(f"`{edge.target}`" for edge in onward[:3])
    scope.notes.add(
        node.name_span,
        f"The run goes on from `{node.id}` to {targets} whether it is approved or rejected",
        "give the labels `approve` and `reject` to its edges",
        rule="unhandled-route",
        node=node.id,
        severity="warning",
    )


def _revision(node: NodePart, scope: Scope) -> None:
    nodes = scope.by_id()
    revising = [
        edge
        for edge in scope.all_leaving(node.id)
        if (edge.label or "").strip().lower() == _REVISE and edge.target in nodes
    ]
    if not revising:
        return
    for edge in revising:
        _revise_target(edge, nodes[edge.target], node, scope)
    most = node.config.get("maxRevisions")
    if isinstance(most, Const) and most.value == 0 and not isinstance(most.value, bool):
        scope.notes.add(
            most.origin.span(),
            f"`maxRevisions` of `{node.id}` is 0, so the edge `revise` is never taken: what is "
            "sent back is rejected",
            "write 1 or more, or remove the edge",
            rule="ineffective-field",
            node=node.id,
            severity="warning",
            related=(("this edge is never taken", revising[0].obj.span),),
        )
    if not _leads_back(node, revising, scope):
        scope.notes.add(
            revising[0].obj.span,
            f"What `{node.id}` sends back for revision never comes back to it",
            f'lead back to `{node.id}` by an edge of type "back" with the label `resubmit`',
            rule="dead-end",
            node=node.id,
            severity="warning",
        )


def _revise_target(edge: EdgePart, target: NodePart, node: NodePart, scope: Scope) -> None:
    if target.kind == "approval_revise" or target.obj.get("type") is None:
        return
    scope.notes.add(
        edge.target_span,
        f"Edge `revise` of `{node.id}` leads to `{target.id}`, which is no `approval_revise` node: "
        "sending back for revision is refused",
        f'make `{target.id}` a node of type "approval_revise"',
        node=node.id,
        severity="error",
        related=((f"`{target.id}` is a `{target.kind}`", target.obj.fields["type"].span),),
    )


def _leads_back(node: NodePart, revising: Sequence[EdgePart], scope: Scope) -> bool:
    seen = {edge.target for edge in revising}
    pending = list(seen)
    for name in pending:
        for edge in scope.all_leaving(name):
            if edge.target == node.id:
                return True
            if edge.target not in seen:
                seen.add(edge.target)
                pending.append(edge.target)
    return False
