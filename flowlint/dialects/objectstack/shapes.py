"""Which fields the parts of a flow have and what these may hold, as data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Literal

NAME = r"[a-z_][a-z0-9_]*"
"""What names of flows and objects look like."""

What = Literal[
    "text",
    "name",
    "number",
    "whole",
    "flag",
    "record",
    "list",
    "text or list",
    "any",
    "choice",
    "condition",
]


@dataclass(frozen=True, slots=True)
class Holds:
    """What a field may hold.

    `least` and `most` bound a number, or how long a text or list has to be. `part` is the shape
    of a record, of the elements of a list, or, with `by_name`, of the values of a record.
    """

    what: What
    required: bool = False
    least: float | None = None
    most: float | None = None
    choices: tuple[str, ...] = ()
    part: str | None = None
    by_name: bool = False


@dataclass(frozen=True, slots=True)
class Shape:
    """A part of a flow. `meant` are names that other systems use for its fields, `gone` fields
    that it had once, each with what to do instead."""

    fields: Mapping[str, Holds]
    meant: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    gone: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    hints: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    """What to do about names that are fields of something else."""


TEXT = Holds("text")
FLAG = Holds("flag")
ANY = Holds("any")
RECORD = Holds("record")
_NEEDED = Holds("text", required=True)
_FILLED = Holds("text", required=True, least=1)
_MILLISECONDS = Holds("whole", least=0)

_RETRY: Mapping[str, Holds] = {
    "maxRetries": Holds("whole", least=0, most=10),
    "backoffMs": _MILLISECONDS,
    "backoffMultiplier": Holds("number", least=1),
    "maxRetryDelayMs": _MILLISECONDS,
    "jitter": FLAG,
}
_RENAME_DELAY = {"retryDelayMs": "write `backoffMs`, which is the same"}

CONVERTED = frozenset({"retryDelayMs", "timeoutMs"})
"""Fields that are gone and still understood when a flow is registered."""

_INTERNAL = dict.fromkeys(
    (
        *("protection", "_lock", "_lockReason", "_lockSource", "_provenance", "_packageId"),
        *("_packageVersion", "_lockDocsUrl"),
    ),
    ANY,
)

STATUSES = ("draft", "active", "obsolete", "invalid")
TYPES = ("autolaunched", "record_change", "schedule", "screen", "api")
EDGE_TYPES = ("default", "fault", "conditional", "back")

_AUTOMATIC_START = "say it in the config of the start node"

SHAPES: Mapping[str, Shape] = MappingProxyType(
    {
        "flow": Shape(
            {
                "name": Holds("name", required=True),
                "label": _NEEDED,
                "description": TEXT,
                "successMessage": TEXT,
                "errorMessage": TEXT,
                "version": Holds("whole"),
                "status": Holds("choice", choices=STATUSES),
                "type": Holds("choice", required=True, choices=TYPES),
                "variables": Holds("list", part="variable"),
                "nodes": Holds("list", required=True),
                "edges": Holds("list", required=True),
                "runAs": Holds("choice", choices=("system", "user")),
                "errorHandling": Holds("record", part="error handling"),
                **_INTERNAL,
            },
            {
                "steps": "nodes",
                "connections": "edges",
                "transitions": "edges",
                "links": "edges",
                "trigger": "type",
                "triggertype": "type",
                "title": "label",
            },
            {
                "active": 'say `status: "active"`, or `status: "obsolete"` to switch it off',
                "template": "remove it: a flow is called by its name from a `subflow` node",
            },
            {
                "object": _AUTOMATIC_START,
                "objectName": _AUTOMATIC_START,
                "schedule": _AUTOMATIC_START,
            },
        ),
        "variable": Shape(
            {
                "name": _NEEDED,
                "type": _NEEDED,
                "isInput": FLAG,
                "isOutput": FLAG,
                "defaultValue": ANY,
            },
            {
                "input": "isInput",
                "output": "isOutput",
                "default": "defaultValue",
                "initialValue": "defaultValue",
            },
        ),
        "error handling": Shape(
            {"strategy": Holds("choice", choices=("fail", "retry", "continue")), **_RETRY},
            {
                "initialDelayMs": "backoffMs",
                "maxDelayMs": "maxRetryDelayMs",
                "retries": "maxRetries",
                "attempts": "maxRetries",
                "onError": "strategy",
            },
            {
                "fallbackNodeId": 'draw an edge of type "fault" from the node that may fail',
                **_RENAME_DELAY,
            },
            {
                "maxAttempts": "write `maxRetries`, which does not count the first attempt",
                "fallback": 'draw an edge of type "fault" from the node that may fail',
                "fallbackNode": 'draw an edge of type "fault" from the node that may fail',
            },
        ),
        "node": Shape(
            {
                "id": _NEEDED,
                "type": _FILLED,
                "label": _NEEDED,
                "config": RECORD,
                "connectorConfig": Holds("record", part="connector"),
                "position": Holds("record", part="position"),
                "timeoutMs": _MILLISECONDS,
                "inputSchema": Holds("record", part="input", by_name=True),
                "waitEventConfig": Holds("record", part="wait"),
                "boundaryConfig": Holds("record", part="boundary"),
            },
            dict.fromkeys(
                (
                    *("configuration", "settings", "properties", "options", "params"),
                    "parameters",
                ),
                "config",
            ),
            {"outputSchema": "remove it: nothing ever looked at it"},
            {"inputs": "write it into the node's `config`"},
        ),
        "connector": Shape(
            {"connectorId": _NEEDED, "actionId": _NEEDED, "input": RECORD},
            dict.fromkeys(("params", "parameters", "arguments", "payload"), "input"),
        ),
        "position": Shape(
            {"x": Holds("number", required=True), "y": Holds("number", required=True)}
        ),
        "input": Shape(
            {
                "type": Holds(
                    "choice",
                    required=True,
                    choices=("string", "number", "boolean", "object", "array"),
                ),
                "required": FLAG,
                "description": TEXT,
            },
            hints={"optional": "write `required`, which says the opposite"},
        ),
        "wait": Shape(
            {
                "eventType": Holds(
                    "choice",
                    required=True,
                    choices=("timer", "signal", "webhook", "manual", "condition"),
                ),
                "timerDuration": TEXT,
                "signalName": TEXT,
            },
            {
                "event": "eventType",
                "signal": "signalName",
                "duration": "timerDuration",
                "delay": "timerDuration",
            },
            {
                "timeoutMs": "write `timerDuration` with the milliseconds as a text",
                "onTimeout": "remove it: a wait has no limit of time, and nothing ever read it",
            },
            {"timeout": "write `timerDuration` with the milliseconds as a text"},
        ),
        "boundary": Shape(
            {
                "attachedToNodeId": _NEEDED,
                "eventType": Holds(
                    "choice", required=True, choices=("error", "timer", "signal", "cancel")
                ),
                "interrupting": FLAG,
                "errorCode": TEXT,
                "timerDuration": TEXT,
                "signalName": TEXT,
            },
            {
                "attachedToRef": "attachedToNodeId",
                "attachedTo": "attachedToNodeId",
                "hostNodeId": "attachedToNodeId",
                "cancelActivity": "interrupting",
                "event": "eventType",
                "signal": "signalName",
                "duration": "timerDuration",
            },
        ),
        "edge": Shape(
            {
                "id": _NEEDED,
                "source": _NEEDED,
                "target": _NEEDED,
                "condition": Holds("condition"),
                "type": Holds("choice", choices=EDGE_TYPES),
                "label": TEXT,
                "isDefault": FLAG,
            },
            {
                "from": "source",
                "to": "target",
                "sourceid": "source",
                "targetid": "target",
                "sourceId": "source",
                "targetId": "target",
                "expression": "condition",
                "when": "condition",
                "guard": "condition",
            },
        ),
        "region": Shape({"nodes": Holds("list", required=True), "edges": Holds("list")}),
        "branch": Shape(
            {"name": TEXT, "nodes": Holds("list", required=True), "edges": Holds("list")},
            {"label": "name"},
        ),
        "retry": Shape(_RETRY, gone=_RENAME_DELAY),
        "screen field": Shape(
            {
                "name": _NEEDED,
                "label": TEXT,
                "type": TEXT,
                "required": FLAG,
                "options": Holds("list", part="screen option"),
                "defaultValue": ANY,
                "placeholder": TEXT,
                "visibleWhen": TEXT,
            },
            {"visible": "visibleWhen", "showWhen": "visibleWhen"},
        ),
        "screen option": Shape({"value": ANY, "label": _NEEDED}),
        "approver": Shape(
            {
                "type": _NEEDED,
                "value": TEXT,
                "resolveAs": Holds("choice", choices=("user", "department", "position", "team")),
                "group": TEXT,
                "organization": TEXT,
            },
            {
                "approver": "value",
                "userid": "value",
                "org": "organization",
                "grouplabel": "group",
                "expandas": "resolveAs",
            },
        ),
        "escalation": Shape(
            {
                "enabled": FLAG,
                "timeoutHours": Holds("number", required=True, least=1),
                "action": Holds(
                    "choice", choices=("reassign", "auto_approve", "auto_reject", "notify")
                ),
                "escalateTo": TEXT,
                "notifySubmitter": FLAG,
            },
            {
                **dict.fromkeys(("timeout", "hours", "sla"), "timeoutHours"),
                **dict.fromkeys(("to", "target"), "escalateTo"),
            },
        ),
        "sweep": Shape(
            {
                "object": Holds("name", required=True),
                "dateField": Holds("name", required=True),
                "withinDays": Holds("whole"),
                "offsetDays": Holds("list", least=1),
                "filter": RECORD,
                "maxRecords": Holds("whole", least=1),
            },
            {
                **dict.fromkeys(("objectName", "objectApiName"), "object"),
                **dict.fromkeys(("filters", "where"), "filter"),
                **dict.fromkeys(("field", "dateFieldName", "targetField"), "dateField"),
                **dict.fromkeys(("limit", "batchSize"), "maxRecords"),
            },
            hints={
                "schedule": "write it beside `timeRelative`",
                "runAs": "write it beside `nodes`, in the flow itself",
            },
        ),
    }
)
"""The parts of a flow whose shape is checked when it is parsed."""
