"""Definitions of AgentsFlow, each changed in a way in which people get them wrong."""

from __future__ import annotations

import copy
import random
from collections.abc import Callable, Iterator
from typing import Any

Data = dict[str, Any]

BASE: Data = {
    "flow": "sample",
    "version": "1.0",
    "metadata": {"max_parallel_tasks": 4, "checkpoint": False},
    "nodes": [
        {"id": "__start__", "type": "start"},
        {
            "id": "writer",
            "type": "agent",
            "agent_ref": "writer",
            "max_retries": 2,
            "pre_actions": [{"type": "log", "level": "info", "message": "begin"}],
        },
        {
            "id": "choose",
            "type": "decision",
            "config": {"mode": "cio", "decision_type": "binary", "agent_refs": ["boss"]},
        },
        {
            "id": "editor",
            "type": "agent",
            "agent_ref": "editor",
            "position": {"x": 1, "y": 2},
            "post_actions": [
                {"type": "webhook", "url": "https://example.org", "method": "POST"},
                {"type": "validate", "schema": {}, "on_failure": "skip"},
            ],
        },
        {"id": "__end__", "type": "end"},
    ],
    "edges": [
        {"from": "__start__", "to": "writer", "condition": "always"},
        {"from": "writer", "to": "choose"},
        {
            "from": "choose",
            "to": "editor",
            "condition": "on_condition",
            "predicate": 'result.final_decision == "yes"',
            "priority": 1,
        },
        {"from": "editor", "to": ["__end__"], "label": "done"},
    ],
}

VALUES: list[Any] = [None, "", "x", "3", 3, -1, 2.5, True, [], ["x"], {}, {"x": 1}, "true"]


def mutated(count: int, seed: int = 3) -> Iterator[tuple[str, Data]]:
    """Changed definitions, each with what was changed."""
    choose = random.Random(seed)
    for _ in range(count):
        data = copy.deepcopy(BASE)
        what = [choose.choice(CHANGES)(data, choose) for _ in range(choose.choice((1, 1, 1, 2)))]
        yield "; ".join(what), data


def _records(data: Data) -> list[tuple[str, Data]]:
    found: list[tuple[str, Data]] = [("flow", data)]
    found += [("metadata", data["metadata"])] if isinstance(data.get("metadata"), dict) else []
    for kind in ("nodes", "edges"):
        listed = data.get(kind)
        for one in listed if isinstance(listed, list) else ():
            if isinstance(one, dict):
                found.append((kind, one))
                for actions in ("pre_actions", "post_actions"):
                    held = one.get(actions)
                    found += (
                        [("action", a) for a in held or () if isinstance(a, dict)]
                        if (isinstance(held, list))
                        else []
                    )
    return found


def _set(data: Data, choose: random.Random) -> str:
    kind, record = choose.choice(_records(data))
    if not record:
        return "nothing"
    field, value = choose.choice(sorted(record)), choose.choice(VALUES)
    record[field] = copy.deepcopy(value)
    return f"{kind}.{field} = {value!r}"


def _drop(data: Data, choose: random.Random) -> str:
    kind, record = choose.choice(_records(data))
    if not record:
        return "nothing"
    field = choose.choice(sorted(record))
    del record[field]
    return f"{kind} without {field}"


def _misspell(data: Data, choose: random.Random) -> str:
    kind, record = choose.choice(_records(data))
    if not record:
        return "nothing"
    field = choose.choice(sorted(record))
    wrong = f"{field}s"
    record[wrong] = record.pop(field)
    return f"{kind}.{field} as {wrong}"


def _edge(data: Data, choose: random.Random) -> str:
    edges = data.get("edges")
    if not isinstance(edges, list):
        return "nothing"
    names = ("writer", "choose", "editor", "__end__", "nobody")
    edge = {"from": choose.choice(names[:4]), "to": choose.choice(names)}
    if choose.random() < 0.4:
        edge |= {
            "condition": "on_condition",
            "predicate": choose.choice(("result == 1", "", "a b")),
        }
    edges.append(edge)
    return f"edge {edge}"


def _condition(data: Data, choose: random.Random) -> str:
    edges = [one for kind, one in _records(data) if kind == "edges"]
    if not edges:
        return "nothing"
    edge = choose.choice(edges)
    edge["condition"] = choose.choice(
        ("always", "on_error", "on_condition", "on_timeout", "onSuccess", "never")
    )
    return f"condition {edge['condition']}"


def _type(data: Data, choose: random.Random) -> str:
    nodes = [one for kind, one in _records(data) if kind == "nodes"]
    if not nodes:
        return "nothing"
    node = choose.choice(nodes)
    node["type"] = choose.choice(("agent", "start", "dev_loop.qa", "synthesis", "anything"))
    return f"type {node['type']} of {node.get('id')}"


CHANGES: list[Callable[[Data, random.Random], str]] = [
    _set, _set, _drop, _misspell, _edge, _condition, _type,
]  # fmt: skip
