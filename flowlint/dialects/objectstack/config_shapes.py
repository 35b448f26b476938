"""What the configs of nodes may hold: what a node refuses to run with, as data."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from flowlint.dialects.objectstack.shapes import FLAG, RECORD, TEXT, Holds, Shape

_FILLED = Holds("text", least=1)
_TEXTS = Holds("text or list")
_NUMBER = Holds("number")
_OBJECT = {"objectName": _FILLED}
_FILTERED = {**_OBJECT, "filter": RECORD}
_OUTPUT = {"outputVariable": TEXT}

CONFIGS: Mapping[str, Shape] = MappingProxyType(
    {
        "get_record": Shape({**_FILTERED, "fields": Holds("list"), "limit": _NUMBER, **_OUTPUT}),
        "create_record": Shape({**_OBJECT, "fields": RECORD, **_OUTPUT}),
        "update_record": Shape({**_FILTERED, "fields": RECORD, "multi": FLAG}),
        "delete_record": Shape({**_FILTERED, "multi": FLAG}),
        "screen": Shape(
            {
                "title": TEXT,
                "description": TEXT,
                "fields": Holds("list", part="screen field"),
                "waitForInput": FLAG,
                "objectName": TEXT,
                "idVariable": TEXT,
                "mode": Holds("choice", choices=("create", "edit")),
                "recordId": TEXT,
                "defaults": RECORD,
            }
        ),
        "notify": Shape(
            {
                "recipients": _TEXTS,
                **dict.fromkeys(("title", "template", "message", "topic", "actorId"), TEXT),
                **dict.fromkeys(("sourceObject", "sourceId", "actionUrl"), TEXT),
                "templateData": RECORD,
                "channels": _TEXTS,
                "severity": Holds("choice", choices=("info", "warning", "critical")),
                "payload": RECORD,
            }
        ),
        "http": Shape(
            {
                "url": _FILLED,
                "method": TEXT,
                "headers": RECORD,
                "durable": FLAG,
                "timeoutMs": _NUMBER,
                "signingSecret": TEXT,
            }
        ),
        "script": Shape({"function": _FILLED, "inputs": RECORD, **_OUTPUT}),
        "subflow": Shape({"flowName": _FILLED, "input": RECORD, **_OUTPUT}),
        "map": Shape(
            {
                "collection": _TEXTS,
                "flowName": _FILLED,
                **dict.fromkeys(("iteratorVariable", "indexVariable", "itemObject"), TEXT),
                "input": RECORD,
                **_OUTPUT,
            }
        ),
        "loop": Shape(
            {
                "collection": Holds("text or list", least=1),
                "iteratorVariable": _FILLED,
                "indexVariable": TEXT,
                "maxIterations": Holds("whole", least=1, most=100_000),
            }
        ),
        "approval": Shape(
            {
                "approvers": Holds("list", least=1, part="approver"),
                "behavior": Holds(
                    "choice", choices=("first_response", "unanimous", "quorum", "per_group")
                ),
                "minApprovals": Holds("whole", least=1),
                "lockRecord": FLAG,
                "approvalStatusField": TEXT,
                "onEmptyApprovers": Holds(
                    "choice", choices=("admin_rescue", "fail", "auto_approve")
                ),
                "decisionOutputs": Holds("list"),
                "escalation": Holds("record", part="escalation"),
                "maxRevisions": Holds("whole", least=0),
            }
        ),
        "parallel": Shape({"branches": Holds("list")}),
        "try_catch": Shape({"errorVariable": TEXT, "retry": Holds("record", part="retry")}),
    }
)
"""The configs by the kinds of nodes; keys that are not here are told apart."""
