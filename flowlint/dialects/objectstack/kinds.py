"""The kinds of nodes that ObjectStack brings along, as data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Literal

DEFAULT_LABEL = "default"
"""The label that a decision routes by where none of its conditions is true."""


@dataclass(frozen=True, slots=True)
class KindFacts:
    """What a kind demands of its nodes.

    `keys` are the keys of its config; `closed`: registering a flow refuses any other. `required`
    are those without which the node refuses to run. `renamed` are old names of keys, which are
    converted when a flow is registered. `labels` are the labels by which it routes.
    """

    keys: tuple[str, ...] = ()
    closed: bool = False
    required: tuple[str, ...] = ()
    renamed: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    pauses: Literal["no", "maybe", "always"] = "no"
    labels: tuple[str, ...] = ()
    strict: bool = False
    """Whether the node refuses to run with any other key."""
    runs: bool = True
    """Whether the engine can run it at all."""


_FILTER = {"filters": "filter", "object": "objectName"}
_OBJECT = {"object": "objectName"}

KINDS: Mapping[str, KindFacts] = MappingProxyType(
    {
        "start": KindFacts(
            ("objectName", "triggerType", "condition", "schedule", "timeRelative", "expand")
        ),
        "end": KindFacts(),
        "decision": KindFacts(("conditions",)),
        "assignment": KindFacts(("assignments",)),
        "get_record": KindFacts(
            ("objectName", "filter", "fields", "limit", "outputVariable"),
            True,
            ("objectName",),
            _FILTER,
        ),
        "create_record": KindFacts(
            ("objectName", "fields", "outputVariable"), True, ("objectName",), _OBJECT
        ),
        "update_record": KindFacts(
            ("objectName", "filter", "fields", "multi"), True, ("objectName",), _FILTER
        ),
        "delete_record": KindFacts(
            ("objectName", "filter", "multi"), True, ("objectName",), _FILTER
        ),
        "screen": KindFacts(
            (
                *("title", "description", "fields", "waitForInput", "objectName", "idVariable"),
                *("mode", "recordId", "defaults"),
            ),
            True,
            pauses="maybe",
        ),
        "notify": KindFacts(
            (
                *("recipients", "title", "template", "message", "templateData", "channels"),
                *("topic", "severity", "sourceObject", "sourceId", "actorId", "actionUrl"),
                "payload",
            ),
            True,
            ("recipients",),
            {
                "to": "recipients",
                "subject": "title",
                "body": "message",
                "url": "actionUrl",
                "source": "sourceObject",
            },
        ),
        "http": KindFacts(
            ("url", "method", "headers", "body", "durable", "timeoutMs", "signingSecret"),
            True,
            ("url",),
        ),
        "script": KindFacts(
            ("function", "inputs", "outputVariable"),
            required=("function",),
            renamed={"functionName": "function", "input": "inputs"},
            strict=True,
        ),
        "subflow": KindFacts(
            ("flowName", "input", "outputVariable"),
            required=("flowName",),
            renamed={"flow": "flowName"},
            pauses="maybe",
            strict=True,
        ),
        "map": KindFacts(
            (
                *("collection", "flowName", "iteratorVariable", "indexVariable", "itemObject"),
                *("input", "outputVariable"),
            ),
            True,
            ("collection", "flowName"),
            {"flow": "flowName"},
            "maybe",
        ),
        "wait": KindFacts(pauses="always"),
        "connector_action": KindFacts(),
        "loop": KindFacts(
            ("collection", "iteratorVariable", "indexVariable", "maxIterations", "body"),
            True,
            ("collection",),
        ),
        "parallel": KindFacts(("branches",), True, ("branches",)),
        "try_catch": KindFacts(("try", "catch", "errorVariable", "retry"), True, ("try",)),
        "approval": KindFacts(
            (
                *("approvers", "behavior", "minApprovals", "lockRecord", "approvalStatusField"),
                *("onEmptyApprovers", "decisionOutputs", "escalation", "maxRevisions"),
            ),
            required=("approvers",),
            pauses="always",
            labels=("approve", "reject", "revise"),
            strict=True,
        ),
        "approval_revise": KindFacts(pauses="always", labels=("resubmit",)),
        "parallel_gateway": KindFacts(runs=False),
        "join_gateway": KindFacts(runs=False),
        "boundary_event": KindFacts(runs=False),
    }
)
"""The kinds by their names. Plugins bring others."""

RENAMED_KINDS: Mapping[str, str] = MappingProxyType(
    {"http_request": "http", "http_call": "http", "webhook": "http"}
)
"""Old names of kinds, which are converted when a flow is registered."""

RETIRED_SCRIPT_KEYS = ("actionType", "template", "recipients", "variables", "script")
"""Keys of scripts that did nothing and are gone."""

REGIONS: Mapping[str, tuple[tuple[str, bool], ...]] = MappingProxyType(
    {
        "loop": (("body", False),),
        "parallel": (("branches", True),),
        "try_catch": (("try", False), ("catch", False)),
    }
)
"""The keys of a config that hold flows of their own; true: a list of them."""

DATA_KINDS = frozenset({"get_record", "create_record", "update_record", "delete_record"})
