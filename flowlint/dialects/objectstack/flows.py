"""What starts a flow, as whom it runs, and what becomes of its failures."""

from __future__ import annotations

import re
from collections.abc import Sequence

from flowlint.changes import Rename
from flowlint.dialects.objectstack.kinds import DATA_KINDS
from flowlint.dialects.objectstack.objects import Obj, expression_of, is_absent
from flowlint.dialects.objectstack.parts import NodePart, Scope
from flowlint.dialects.objectstack.shape_checks import shown
from flowlint.dialects.objectstack.sweeps import check_sweep
from flowlint.graph.names import NearNames
from flowlint.graph.reference_faults import near
from flowlint.source import Span
from flowlint.values.model import Const, Mapped, Value
from flowlint.values.model import Sequence as List

_EVENTS = tuple(
    f"record-{when}-{what}"
    for when in ("before", "after")
    for what in ("create", "insert", "update", "delete", "write")
)
_NEVER = "the flow never fires, and nothing says so"
_TIMES = "daysFromNow|daysAgo|today|now|date|datetime"
_MOMENT = re.compile(rf"(?:(?:{_TIMES})\s*\([^)]*\)\s*(?:==|!=))|(?:(?:==|!=)\s*(?:{_TIMES})\s*\()")


class _Trigger:
    """What the start node says about what fires the flow."""

    def __init__(self, flow: Obj, start: NodePart) -> None:
        self.config = start.config
        self.type = flow.text("type")
        self.event = self.config.text("triggerType")
        self.is_known = not self.config.is_open and not self.config.unsure

    @property
    def is_record(self) -> bool:
        """Whether a change of a record fires it."""
        return self.event is not None and self.event.startswith("record-")

    def has(self, name: str) -> bool:
        """Whether the start node has a key with a value other than null."""
        value = self.config.get(name)
        return value is not None and not (isinstance(value, Const) and value.value is None)

    @property
    def listed(self) -> List | None:
        """Several events in a list, where one is a change of a record."""
        value = self.config.get("triggerType")
        if not isinstance(value, List):
            return None
        texts = [item.value.value for item in value.items if isinstance(item.value, Const)]
        return value if any(str(text).startswith("record-") for text in texts) else None

    @property
    def fires_by_itself(self) -> bool:
        """Whether something else than a user fires it."""
        is_timed = isinstance(self.config.get("timeRelative"), Mapped) or self.has("schedule")
        return (
            self.is_record
            or is_timed
            or "api" in (self.event, self.type)
            or (self.type == "schedule")
        )

    @property
    def without_user(self) -> str | None:
        """The kind of trigger that brings no user along, None where there may be one."""
        if self.type == "schedule" or self.event == "schedule" or self.has("schedule"):
            return "on a schedule"
        if self.has("timeRelative") or self.event == "time_relative":
            return "at a time"
        return "by a call of the API" if "api" in (self.type, self.event) else None


def check_start(scope: Scope, start: NodePart | None) -> None:
    """Note what keeps the start node from ever firing the flow."""
    if start is None or start.presence:
        return
    trigger = _Trigger(scope.flow, start)
    _event(trigger, start, scope)
    _sweep(trigger, start, scope)
    _unroutable(trigger, start, scope)
    _exact_moment(trigger, start, scope)
    _draft(trigger, scope)


def _event(trigger: _Trigger, start: NodePart, scope: Scope) -> None:
    given = trigger.config.fields.get("triggerType")
    if given is None:
        return
    if trigger.listed is not None:
        scope.notes.add(
            given.span,
            f"`triggerType` of `{start.id}` is a list, where one event belongs: {_NEVER}",
            "write `record-after-write` for both, or a flow for each event",
            node=start.id,
            severity="error",
        )
    elif trigger.is_record and trigger.event is not None and trigger.event.strip() not in _EVENTS:
        meant = NearNames(list(_EVENTS)).only(trigger.event)
        scope.notes.add(
            given.span,
            f"`triggerType` of `{start.id}` is `{trigger.event}`, which is no event: {_NEVER}",
            near(
                trigger.event,
                _EVENTS,
                "write `record-`, `before-` or `after-`, then `create`, `update`, `delete` or "
                "`write`",
            ),
            node=start.id,
            severity="error",
            rename=Rename(given.span, trigger.event, meant) if meant else None,
        )


def _sweep(trigger: _Trigger, start: NodePart, scope: Scope) -> None:
    value = trigger.config.get("timeRelative")
    if value is None or is_absent(value):
        return
    if isinstance(value, Mapped):
        check_sweep(value, start, scope)
    elif isinstance(value, Const) and value.value is not None:
        scope.notes.add(
            value.origin.span(),
            f"`timeRelative` of `{start.id}` is {shown(value)}, where an object belongs: no "
            "records are looked for",
            "write `{ object: …, dateField: …, withinDays: … }`",
            node=start.id,
            severity="error",
        )


def _unroutable(trigger: _Trigger, start: NodePart, scope: Scope) -> None:
    if trigger.type != "record_change" or not trigger.is_known or trigger.fires_by_itself:
        return
    value = trigger.config.get("triggerType")
    if trigger.listed is not None or not (value is None or isinstance(value, Const)):
        return
    said = f"`{start.id}` has no `triggerType`"
    place = start.name_span
    if trigger.event is not None:
        said = f"`triggerType` of `{start.id}` is `{trigger.event}`"
        place = trigger.config.fields["triggerType"].span
    scope.notes.add(
        place,
        f"{said}, but the flow is of type `record_change`: {_NEVER}",
        "write `triggerType`, such as `record-after-update`, or another type of flow",
        node=start.id,
        severity="error",
    )


def _exact_moment(trigger: _Trigger, start: NodePart, scope: Scope) -> None:
    value = trigger.config.get("condition")
    source = expression_of(value).source if value is not None else None
    if not trigger.is_record or value is None or source is None or not _MOMENT.search(source):
        return
    scope.notes.add(
        value.origin.span(),
        f"Condition of `{start.id}` asks for a day: it is only true if somebody happens to change "
        "the record on that very day",
        "start the flow by `timeRelative`, which looks for the records day by day",
        rule="guard-never-true",
        node=start.id,
        severity="warning",
    )


def _draft(trigger: _Trigger, scope: Scope) -> None:
    flow = scope.flow
    status = flow.text("status")
    if not trigger.fires_by_itself or not (status == "draft" or flow.lacks("status")):
        return
    said = "Status `draft` has no effect"
    if status is None:
        said = "The flow has no `status`, which makes it a draft"
    place = flow.fields["status"].span if status else _name_span(flow)
    scope.notes.add(
        place,
        f"{said}: drafts fire like active flows",
        'write `status: "active"`, or `status: "obsolete"` to switch it off',
        rule="ineffective-field",
        severity="warning",
    )


def _name_span(flow: Obj) -> Span:
    given = flow.fields.get("name")
    return given.span if given is not None else flow.span


def check_identity(scope: Scope, start: NodePart | None, inner: Sequence[Scope]) -> None:
    """Note a flow that reads or writes records as nobody."""
    flow = scope.flow
    if start is None or start.presence:
        return
    how = _Trigger(flow, start).without_user
    as_user = flow.lacks("runAs") or flow.text("runAs") == "user"
    if how is None or not as_user:
        return
    for part in (scope, *inner):
        for node in part.nodes:
            if node.kind in DATA_KINDS and not node.presence:
                given = flow.fields.get("runAs")
                scope.notes.add(
                    given.span if given is not None else _name_span(flow),
                    f"The flow runs as its user, but it starts {how}, where there is none: "
                    f"`{node.id}` is refused",
                    'write `runAs: "system"`, if it is to see every record',
                    node=node.id,
                    severity="error",
                    related=((f"`{node.id}` is a `{node.kind}`", node.name_span),),
                )
                return


def check_handling(scope: Scope) -> None:
    """Note failures that are not handled as it says."""
    handling = scope.flow.object("errorHandling")
    if handling is None:
        return
    strategy = handling.text("strategy")
    given = handling.fields.get("strategy")
    if given is None:
        return
    if strategy == "retry" and _is_none(handling, "maxRetries"):
        said = "Strategy `retry` without `maxRetries` tries nothing again"
        place = handling.fields.get("maxRetries", given).span
        scope.notes.refuse(place, said, "write `maxRetries: 3`, for example", rule="bad-limit")
    elif strategy == "continue":
        scope.notes.add(
            given.span,
            "Strategy `continue` has no effect: the run fails as with `fail`",
            'draw an edge of type "fault" from each node that may fail',
            rule="ineffective-field",
            severity="warning",
        )


def _is_none(obj: Obj, name: str) -> bool:
    value: Value | None = obj.get(name)
    if value is None:
        return obj.lacks(name)
    number = value.value if isinstance(value, Const) else None
    return isinstance(number, int) and not isinstance(number, bool) and number == 0
