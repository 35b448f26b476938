"""The edges of a flow or region."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from flowlint.dialects.objectstack.conditions import guards_of
from flowlint.dialects.objectstack.kinds import DEFAULT_LABEL
from flowlint.dialects.objectstack.objects import (
    Expression,
    Obj,
    expression_of,
    object_of,
    single_alternatives,
)
from flowlint.dialects.objectstack.parts import EdgePart, Scope
from flowlint.dialects.objectstack.routers import labels_of
from flowlint.dialects.objectstack.shape_checks import check_shape, shown
from flowlint.graph.guards import Guard
from flowlint.graph.model import Edge, EdgeKind, Presence
from flowlint.values.model import Const, Function, Mapped, Sequence, Value

if TYPE_CHECKING:
    from flowlint.dialects.objectstack.reading import Sight

_AFTER_END = "an `end` node ends this way of the run"
_FIRST_FAULT = 'of several edges of type "fault" the first one is taken'
_UNLABELLED = "the run goes on by the label that is decided on, and this edge has none"


class EdgeReader:
    """Collects the edges of one scope."""

    def __init__(self, sight: Sight, scope: Scope) -> None:
        self.sight = sight
        self.scope = scope

    def read(self, value: Value, presence: Presence) -> None:
        """Read one edge, which is there under `presence`."""
        if not isinstance(value, Mapped):
            if isinstance(value, Const | Sequence | Function):
                said = f"One of the edges is {shown(value)}, which is no object"
                cure = "write an object with `source` and `target`"
                self.scope.notes.refuse(value.origin.span(), said, cure)
                self.sight.hide(value.origin.span(), said, "edges", is_told=True)
            else:
                self.sight.gap(value, "one of the edges is not known", "edges", value.origin.span())
            return
        base = self.sight.base
        obj = object_of(value, base | presence)
        source, target = obj.get("source"), obj.get("target")
        check_shape(obj, "edge", self._owner(obj), self.scope.notes, obj.text("source"))
        if source is None or target is None:
            is_told = obj.lacks("source") or obj.lacks("target")
            reason = "an end of an edge is not known"
            self.sight.hide(obj.span, reason, "edges", is_told=is_told)
            return
        for under, first in single_alternatives(source, presence, base):
            for both, last in single_alternatives(target, under, base):
                if not (isinstance(first, Const) and isinstance(last, Const)):
                    unknown = last if isinstance(first, Const) else first
                    self.sight.gap(unknown, "an end of an edge is not known", "edges", obj.span)
                elif isinstance(first.value, str) and isinstance(last.value, str):
                    self.sight.texts.note(first, source.origin.span())
                    self.sight.texts.note(last, target.origin.span())
                    self._add(obj, first, last, (source, target), both)
                else:
                    reason = "an end of an edge is no name"
                    self.sight.hide(obj.span, reason, "edges", is_told=True)

    def _owner(self, obj: Obj) -> str:
        source, target = obj.text("source"), obj.text("target")
        if source and target:
            return f"The edge from `{source}` to `{target}`"
        name = obj.text("id")
        return f"Edge `{name}`" if name else f"Edge {len(self.scope.edges) + 1}"

    def _add(
        self, obj: Obj, first: Const, last: Const, ends: tuple[Value, Value], presence: Presence
    ) -> None:
        condition = obj.get("condition")
        decides = ("condition", "type", "label", "isDefault")
        is_sure = not obj.is_open and not any(name in obj.unsure for name in decides)
        unknown = [n for n in ("type", "isDefault") if n in obj.fields and not _is_const(obj, n)]
        label = obj.text("label")
        if "label" in obj.fields and label is None:
            unknown.append("label")
        self.scope.edges.append(
            EdgePart(
                str(first.value),
                str(last.value),
                obj.text("type"),
                label,
                _condition_of(condition) if condition is not None else None,
                obj.is_true("isDefault"),
                obj,
                ends[0].origin.span(),
                ends[1].origin.span(),
                presence,
                len(self.scope.edges),
                is_sure and not unknown,
            )
        )


def _is_const(obj: Obj, name: str) -> bool:
    return isinstance(obj.get(name), Const)


def _condition_of(value: Value) -> Expression | None:
    """The condition, None where none is surely written: `null` counts as none."""
    if isinstance(value, Const) and not isinstance(value.value, str):
        return None
    return expression_of(value)


def graph_edges(scope: Scope) -> tuple[Edge, ...]:
    """The edges as they are taken by the engine, in their order."""
    by_source: dict[str, list[EdgePart]] = {}
    for part in scope.edges:
        by_source.setdefault(part.source, []).append(part)
    made: list[Edge] = []
    for source, leaving in by_source.items():
        made += _leaving(source, leaving, scope)
    return tuple(sorted(made, key=lambda edge: edge.order))


def _leaving(source: str, leaving: list[EdgePart], scope: Scope) -> Iterator[Edge]:
    node = scope.by_id().get(source)
    onward = [part for part in leaving if not part.is_fault]
    labels = labels_of(node, onward) if node is not None else frozenset()
    is_routed = any(part.label in labels for part in onward)
    if node is not None and node.kind == "decision":
        # It always goes on by one of its labels, though no edge may have it.
        is_routed = bool(labels)
    guarded = [part for part in onward if part.condition is not None]
    guards = dict(
        zip(
            (part.order for part in guarded),
            guards_of([part.condition for part in guarded if part.condition is not None]),
            strict=True,
        )
    )
    is_choice = bool(guarded)
    first_fault: EdgePart | None = None
    for part in leaving:
        never = _AFTER_END if node is not None and node.kind == "end" else None
        kind: EdgeKind = "always"
        label = part.label
        guard: Guard | None = guards.get(part.order)
        choice = None
        if part.is_fault:
            kind, guard = "outcome", None
            label = label or "fault"
            never = never or (_FIRST_FAULT if first_fault is not None else None)
            if not part.presence and part.is_sure:
                first_fault = first_fault or part
        elif is_routed and (part.label in labels or part.is_default):
            kind, choice = "case", source
            label = part.label or DEFAULT_LABEL
        elif is_routed:
            kind = "case"
            if node is not None and node.kind == "approval" and part.label is None:
                never = never or _never_unlabelled(onward, part)
        elif guard is not None:
            kind = "when"
            label = part.label or guard.text
        elif (part.is_default and is_choice) or not part.is_sure:
            kind, label = "case", part.label or DEFAULT_LABEL
        yield Edge(
            part.source,
            part.target,
            part.obj.span,
            part.source_span,
            part.target_span,
            kind,
            label,
            guard,
            presence=part.presence,
            order=part.order,
            choice=choice,
            after="failed" if part.is_fault else "ok",
            back=part.type == "back",
            never=never,
        )


def _never_unlabelled(onward: list[EdgePart], part: EdgePart) -> str | None:
    """Why an edge of an approval without a label is not taken, None where it may be."""
    given = {other.label for other in onward if other.is_sure}
    is_decided = part.is_sure and {"approve", "reject"} <= given
    return _UNLABELLED if is_decided else None
