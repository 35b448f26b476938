"""Plans, blueprints and configs of decisions, each changed in a way in which people err."""

from __future__ import annotations

import copy
import random
from collections.abc import Callable, Iterator
from typing import Any

Data = dict[str, Any]
Change = Callable[[Data, random.Random], str]

PLAN: Data = {
    "name": "sweep",
    "objective": "Look at what came in",
    "metadata": {"max_parallel_tasks": 16, "checkpoint": True},
    "nodes": [
        {
            "id": "list",
            "tool": "list_reports",
            "args": {"prefix": "x/"},
            "store_as": "listing",
            "facets": {"counts": {"n": "keys[]"}, "paths": {"who": "meta.owner"}},
        },
        {
            "id": "fetch",
            "tool": "get_report",
            "args": {"key": "{item}", "deep": ["{nodes.list.output}"]},
            "store_as": "report_{index}",
            "depends_on": ["list"],
            "when": "ctx.artifacts.list.n > 0",
            "for_each": {"source": "{artifacts.list}", "select": "keys[]", "max_concurrency": 4},
            "retry": {"max_attempts": 3, "backoff_seconds": 0.5},
            "timeout": 30,
        },
        {
            "id": "sum-up",
            "tool": "sum_up",
            "args": {"all": "{artifacts.fetch}"},
            "store_as": "sum",
            "depends_on": ["fetch"],
            "when": 'ctx.status.fetch == "ok" && ctx.errors == 0',
        },
        {"id": "tell", "tool": "tell", "store_as": "told", "depends_on": ["list", "fetch"]},
    ],
}
BLUEPRINT: Data = {
    "name": "Triage",
    "description": "Sort what comes in",
    "engine": "flow",
    "nodes": [
        {"id": "read", "kind": "agent", "agent_ref": "reader", "purpose": "Reads"},
        {
            "id": "choose",
            "kind": "decision",
            "config": {"mode": "cio", "decision_type": "binary", "agent_refs": ["boss"]},
        },
        {"id": "answer", "kind": "agent", "agent_ref": "writer", "tools": ["search"]},
        {"id": "ask", "kind": "interactive_decision", "config": {"question": "Which one?"}},
    ],
    "transitions": [
        {"source": "read", "target": "choose"},
        {
            "source": "choose",
            "target": "answer",
            "condition": "on_condition",
            "predicate": 'result.final_decision == "YES"',
        },
        {
            "source": ["choose"],
            "target": ["ask"],
            "condition": "on_condition",
            "predicate": 'result.final_decision == "NO"',
            "instruction": "Ask",
        },
    ],
}
CREW: Data = {
    "name": "Writers",
    "engine": "crew",
    "nodes": [
        {"id": "look", "kind": "tool", "tool": "search", "kwargs": {"q": "{input}"}},
        {"id": "write", "kind": "agent", "system_prompt": "You write."},
        {"id": "check", "kind": "agent", "agent_class": "Agent", "system_prompt": "You check."},
    ],
    "transitions": [{"source": "look", "target": "write"}, {"source": "write", "target": "check"}],
}
CONFIG: Data = {
    "mode": "consensus",
    "decision_type": "multi_choice",
    "vote_weight_strategy": "custom",
    "custom_weights": {"a": 2.0},
    "minimum_votes": 1,
    "coordinator_agent_name": "a",
    "cross_pollination_rounds": 1,
    "agent_refs": ["a", "b"],
    "options": [{"id": "x"}],
    "escalation_policy": {"enabled": True, "timeout_seconds": 60, "target_humans": ["h"]},
}

_VALUES: list[Any] = [None, "", "x", "3", 0, 3, -1, 2.5, 200, True, [], ["x"], {}, {"x": "y"}]
_GUARDS = (
    *("ctx.artifacts.list.m > 0", "ctx.artifacts.nobody.n > 0", "ctx.artifacts.tell.n == 1"),
    *('ctx.status.lst == "ok"', "ctx.errors = 1", "ctx.errors > 1"),
)
_PREDICATES = ("results.x == 1", "result.x ==", 'error == "e"', "result.a.exists(f, f.b == 1)")


def mutated(base: Data, count: int, seed: int) -> Iterator[tuple[str, Data]]:
    """Changed documents, each with what was changed."""
    choose = random.Random(seed)
    changes: list[Change] = [_set, _set, _drop, _misspell]
    if "nodes" in base:
        changes += [_node_twice, _cross] * 2
    for _ in range(count):
        data = copy.deepcopy(base)
        what = [choose.choice(changes)(data, choose) for _ in range(choose.choice((1, 1, 1, 2)))]
        yield "; ".join(what), data


def _records(value: object, name: str = "document") -> Iterator[tuple[str, Data]]:
    if isinstance(value, dict):
        yield name, value
        for key, held in value.items():
            if key not in ("args", "kwargs", "custom_weights"):
                yield from _records(held, key)
    for held in value if isinstance(value, list) else ():
        yield from _records(held, name)


def _record(data: Data, choose: random.Random) -> tuple[str, Data]:
    return choose.choice([(name, record) for name, record in _records(data) if record])


def _set(data: Data, choose: random.Random) -> str:
    name, record = _record(data, choose)
    field, value = choose.choice(sorted(record)), choose.choice(_VALUES)
    record[field] = copy.deepcopy(value)
    return f"{name}.{field} = {value!r}"


def _drop(data: Data, choose: random.Random) -> str:
    name, record = _record(data, choose)
    field = choose.choice(sorted(record))
    del record[field]
    return f"{name} without {field}"


def _misspell(data: Data, choose: random.Random) -> str:
    name, record = _record(data, choose)
    field = choose.choice(sorted(record))
    record[f"{field}s"] = record.pop(field)
    return f"{name}.{field} as {field}s"


def _node_twice(data: Data, choose: random.Random) -> str:
    nodes = data.get("nodes")
    if not isinstance(nodes, list) or not nodes:
        return "nothing"
    nodes.append(copy.deepcopy(choose.choice(nodes)))
    return "a node twice"


def _cross(data: Data, choose: random.Random) -> str:
    """Something that is wrong only together with something else."""
    nodes, edges = data.get("nodes"), data.get("transitions")
    if not isinstance(nodes, list) or not all(isinstance(one, dict) for one in nodes) or not nodes:
        return "nothing"
    names = [str(one.get("id")) for one in nodes] + ["nobody"]
    node = choose.choice(nodes)
    if isinstance(edges, list):
        edge: Data = {"source": choose.choice(names), "target": choose.choice(names)}
        if choose.random() < 0.5:
            edge |= {"condition": "on_condition", "predicate": choose.choice(_PREDICATES)}
        elif choose.random() < 0.3:
            edge["condition"] = choose.choice(("on_error", "always"))
        edges.append(edge)
        return f"transition {edge}"
    field, value = choose.choice(
        [
            ("depends_on", [choose.choice(names)]),
            ("when", choose.choice(_GUARDS)),
            ("store_as", choose.choice(("sum", "x_{index}", "y"))),
            ("args", {"x": "{artifacts." + choose.choice(names) + "}"}),
            ("facets", {"counts": {"n": choose.choice(("keys", "keys[]", "a..b"))}}),
            ("id", choose.choice(("2x", "list", "a.b"))),
        ]
    )
    node[field] = value
    return f"{node.get('id')}.{field} = {value!r}"
