"""Flows of ObjectStack, and faults that are put into them by a seeded chance."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Callable, Iterator
from typing import Any

Flow = dict[str, Any]


def node(name: str, kind: str, **more: Any) -> Flow:
    """A node with a label."""
    return {"id": name, "type": kind, "label": name.title(), **more}


def edges(*ways: str, **more: Flow) -> list[Flow]:
    """Edges such as `a>b`; what stands behind `#` names further fields, given by `more`."""
    made = []
    for number, way in enumerate(ways, start=1):
        ends, _, name = way.partition("#")
        source, target = ends.split(">")
        made.append({"id": f"e{number}", "source": source, "target": target, **more.get(name, {})})
    return made


def seeds() -> list[Flow]:
    """Flows that are right."""
    return [
        {
            "name": "review_expense",
            "label": "Review an expense",
            "type": "record_change",
            "status": "active",
            "version": 2,
            "variables": [{"name": "note", "type": "text", "isInput": True}],
            "nodes": [
                node(
                    "start",
                    "start",
                    config={
                        "objectName": "expense",
                        "triggerType": "record-after-update",
                        "condition": 'record.state == "sent"',
                    },
                ),
                node("size", "decision"),
                node(
                    "lead",
                    "approval",
                    config={"approvers": [{"type": "manager"}], "maxRevisions": 2},
                ),
                node("revise", "approval_revise"),
                node(
                    "told",
                    "notify",
                    config={"recipients": "{record.owner}", "title": "Done", "severity": "info"},
                ),
                node("end", "end"),
            ],
            "edges": edges(
                "start>size",
                "size>lead#large",
                "size>told#other",
                "lead>told#approve",
                "lead>end#reject",
                "lead>revise#revise",
                "revise>lead#back",
                "told>end",
                large={"condition": "record.amount > 1000", "label": "large"},
                other={"isDefault": True, "label": "small"},
                approve={"label": "approve"},
                reject={"label": "reject"},
                revise={"label": "revise"},
                back={"label": "resubmit", "type": "back"},
            ),
        },
        {
            "name": "remind_owners",
            "label": "Remind owners",
            "type": "schedule",
            "status": "active",
            "runAs": "system",
            "errorHandling": {"strategy": "retry", "maxRetries": 2, "backoffMs": 500},
            "nodes": [
                node("start", "start", config={"schedule": "0 8 * * *"}),
                node(
                    "find",
                    "get_record",
                    config={
                        "objectName": "task",
                        "filter": {"state": "open"},
                        "limit": 50,
                        "outputVariable": "tasks",
                    },
                    timeoutMs=5000,
                ),
                node(
                    "each",
                    "loop",
                    config={
                        "collection": "{tasks}",
                        "iteratorVariable": "task",
                        "maxIterations": 100,
                        "body": {
                            "nodes": [
                                node(
                                    "remind",
                                    "notify",
                                    config={"recipients": "{task.owner}", "title": "{task.name}"},
                                ),
                                node(
                                    "mark",
                                    "update_record",
                                    config={
                                        "objectName": "task",
                                        "filter": {"id": "{task.id}"},
                                        "fields": {"reminded": True},
                                    },
                                ),
                            ],
                            "edges": edges("remind>mark"),
                        },
                    },
                ),
                node("end", "end"),
            ],
            "edges": edges("start>find", "find>each", "each>end"),
        },
        {
            "name": "push_order",
            "label": "Push an order",
            "type": "autolaunched",
            "nodes": [
                node("start", "start"),
                node(
                    "both",
                    "parallel",
                    config={
                        "branches": [
                            {"nodes": [node("left", "assignment", config={"x": 1})]},
                            {
                                "name": "right",
                                "nodes": [
                                    node(
                                        "other",
                                        "script",
                                        config={"function": "count", "inputs": {"a": 1}},
                                    )
                                ],
                            },
                        ]
                    },
                ),
                node(
                    "careful",
                    "try_catch",
                    config={
                        "try": {"nodes": [node("call", "http", config={"url": "https://x.test"})]},
                        "catch": {"nodes": [node("log", "assignment", config={"y": 2})]},
                        "retry": {"maxRetries": 3, "backoffMs": 10},
                    },
                ),
                node(
                    "ask",
                    "screen",
                    config={
                        "title": "Well?",
                        "fields": [
                            {"name": "ok", "type": "boolean", "visibleWhen": "amount > 3"},
                        ],
                    },
                ),
                node(
                    "choose",
                    "decision",
                    config={
                        "conditions": [
                            {"label": "yes", "expression": "ok == true"},
                            {"label": "no", "expression": "ok == false"},
                        ]
                    },
                ),
                node(
                    "later",
                    "wait",
                    waitEventConfig={"eventType": "timer", "timerDuration": "PT1H"},
                ),
                node(
                    "call_other",
                    "connector_action",
                    connectorConfig={"connectorId": "rest", "actionId": "get", "input": {}},
                ),
                node("failed", "subflow", config={"flowName": "repair"}),
                node("end", "end", position={"x": 1, "y": 2}),
            ],
            "edges": edges(
                "start>both",
                "both>careful",
                "careful>ask",
                "ask>choose",
                "choose>later#yes",
                "choose>call_other#no",
                "later>end",
                "call_other>end",
                "call_other>failed#fault",
                yes={"label": "yes"},
                no={"label": "no"},
                fault={"type": "fault"},
            ),
        },
    ]


Place = tuple[Any, Any]
"""A container and a key of it."""


def _places(value: Any) -> Iterator[Place]:
    """Every place in a flow."""
    items = value.items() if isinstance(value, dict) else enumerate(value)
    for key, held in list(items):
        yield value, key
        if isinstance(held, dict | list):
            yield from _places(held)


def _pick(flow: Flow, chance: random.Random, test: Callable[[Any, Any], bool]) -> Place | None:
    found = [place for place in _places(flow) if test(*place)]
    return chance.choice(found) if found else None


def _drop(flow: Flow, chance: random.Random) -> str:
    place = _pick(flow, chance, lambda held, key: True)
    assert place is not None
    held, key = place
    del held[key]
    return f"drop {key}"


def _misspell(flow: Flow, chance: random.Random) -> str:
    place = _pick(flow, chance, lambda held, key: isinstance(key, str) and len(key) > 3)
    assert place is not None
    held, key = place
    at = chance.randrange(1, len(key) - 1)
    new = key[:at] + key[at + 1 :]
    held[new] = held.pop(key)
    return f"misspell {key} as {new}"


def _other_type(flow: Flow, chance: random.Random) -> str:
    place = _pick(flow, chance, lambda held, key: not isinstance(held[key], dict | list))
    assert place is not None
    held, key = place
    held[key] = chance.choice([1, -1, 0, 1.5, True, "", "zz", None, [], {}, "Yes"])
    return f"{key} becomes {held[key]!r}"


def _other_container(flow: Flow, chance: random.Random) -> str:
    place = _pick(flow, chance, lambda held, key: isinstance(held[key], dict | list))
    assert place is not None
    held, key = place
    held[key] = chance.choice(["x", 3, [], {}, None])
    return f"{key} becomes {held[key]!r}"


def _lead_elsewhere(flow: Flow, chance: random.Random) -> str:
    place = _pick(flow, chance, lambda held, key: key in ("source", "target"))
    if place is None:
        return "nothing"
    held, key = place
    names = [one["id"] for one in flow.get("nodes", ()) if isinstance(one, dict) and "id" in one]
    held[key] = chance.choice([*names, "nowhere"])
    return f"{key} becomes {held[key]}"


def _expression(flow: Flow, chance: random.Random) -> str:
    place = _pick(flow, chance, lambda held, key: key in ("condition", "expression", "visibleWhen"))
    if place is None:
        return "nothing"
    held, key = place
    held[key] = chance.choice(
        [
            "{record.a} > 1",
            "a >",
            "a === 1",
            "a = 1",
            "a && ",
            "a and b",
            "f(",
            "1 +* 2",
            "'x",
            "true",
            "today() == record.due",
            'a == "x" || b in ["y"]',
            "has(a.b) && a.b > 1",
            "a ? b : c",
            "!a",
            "a.b[0] != null",
        ]
    )
    return f"{key} becomes {held[key]}"


def _edge_field(flow: Flow, chance: random.Random) -> str:
    made = [one for one in flow.get("edges", ()) if isinstance(one, dict)]
    if not made:
        return "nothing"
    edge = chance.choice(made)
    more = chance.choice(
        [
            {"isDefault": True},
            {"condition": "x > 1"},
            {"type": "conditional"},
            {"type": "fault"},
            {"type": "back"},
            {"label": "Error"},
            {"label": "Approve"},
            {"label": "YES"},
            {"when": "x"},
            {"type": "fallback"},
            {"condition": {"dialect": "cel", "source": "x >"}},
            {"condition": {"dialect": "js", "source": "x"}},
            {"condition": {"source": "x"}},
        ]
    )
    edge.update(more)
    return f"edge gets {more}"


def _field(flow: Flow, chance: random.Random) -> str:
    more = chance.choice(
        [
            {"active": True},
            {"template": False},
            {"steps": []},
            {"status": "draft"},
            {"runAs": "user"},
            {"errorHandling": {"strategy": "continue"}},
            {"errorHandling": {"strategy": "retry"}},
            {"errorHandling": {"strategy": "fail", "retryDelayMs": 3}},
            {"type": "api"},
            {"type": "record_change"},
            {"variables": [{"name": "x"}]},
            {"variables": [{"name": "x", "type": "text", "input": True}]},
        ]
    )
    flow.update(more)
    return f"flow gets {more}"


def _config(flow: Flow, chance: random.Random) -> str:
    held = [
        one for one, key in _places(flow) if key == "config" and isinstance(one["config"], dict)
    ]
    if not held:
        return "nothing"
    config = chance.choice(held)["config"]
    more = chance.choice(
        [
            {"objectNam": "x"},
            {"filters": {}},
            {"multi": True},
            {"condition": "x > 1"},
            {"groupBy": "x"},
            {"title": "{{record.name}}"},
            {"message": "$record.name"},
            {"filter": {}},
            {"body": "x"},
            {"to": "x"},
            {"triggerType": "record-changed"},
            {"triggerType": ["record-after-update"]},
            {"timeRelative": "daily"},
            {"timeRelative": {"object": "task", "dateField": "due"}},
            {"maxRevisions": 0},
            {"actionType": "email"},
            {"approvers": [{"type": "role", "value": "boss"}]},
            {"approvers": [{"type": "queue", "value": "q"}]},
            {"approvers": [{"type": "expression", "value": "record.x"}]},
            {"decisionOutputs": ["decision"]},
            {"escalation": {"enabled": True, "timeoutHours": 2, "action": "reassign"}},
            {"branches": []},
        ]
    )
    config.update(copy.deepcopy(more))
    return f"config gets {more}"


def _node(flow: Flow, chance: random.Random) -> str:
    made = [one for one, key in _places(flow) if key == "type" and "label" in one and "id" in one]
    if not made:
        return "nothing"
    one = chance.choice(made)
    more = chance.choice(
        [
            {"type": "approval"},
            {"type": "wait"},
            {"type": "end"},
            {"type": "start"},
            {"type": "parallel_gateway"},
            {"type": "http_request"},
            {"type": "notfy"},
            {"outputSchema": {}},
            {"timeoutMs": -1},
            {"timeoutMs": 1.5},
            {"settings": {}},
            {"waitEventConfig": {"eventType": "timer", "timeoutMs": 3}},
            {"id": "start"},
            {"boundaryConfig": {"eventType": "error"}},
            {"inputSchema": {"a": {"type": "text"}}},
            {"connectorConfig": {"connectorId": "x"}},
            {"position": {"x": 1}},
        ]
    )
    one.update(copy.deepcopy(more))
    return f"node gets {more}"


_MUTATIONS = (
    _drop,
    _misspell,
    _other_type,
    _other_container,
    _lead_elsewhere,
    _expression,
    _edge_field,
    _field,
    _config,
    _node,
)


def mutants(count: int, seed: int = 7) -> list[tuple[str, Flow]]:
    """So many different flows with a fault each, with what was done to them."""
    chance = random.Random(seed)
    made: dict[str, tuple[str, Flow]] = {}
    while len(made) < count:
        flow = copy.deepcopy(chance.choice(seeds()))
        done = chance.choice(_MUTATIONS)(flow, chance)
        made.setdefault(json.dumps(flow, sort_keys=True), (done, flow))
    return list(made.values())
