"""Compares flows read from code with graphs that the real LangGraph made of the same code."""

from __future__ import annotations

import importlib.metadata
import itertools
import json
import os
import subprocess
import sys
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from flowlint.graph.code import StateSchema
from flowlint.graph.model import END, START, FlowGraph, Presence

RECORDER = Path(__file__).with_name("langgraph_recorder.py")
OUTCOMES = Path(__file__).with_name("langgraph_outcomes.py")
MAX_TESTS = 12
"""Unknown tests in one flow whose every combination of outcomes is tried."""


@cache
def interpreter() -> str | None:
    """An interpreter that has langgraph, None when there is none."""
    named = os.environ.get("FLOWLINT_LANGGRAPH_PYTHON")
    if named:
        return named
    try:
        importlib.metadata.distribution("langgraph")
    except importlib.metadata.PackageNotFoundError:
        return None
    return sys.executable


def record(folders: list[Path], python: str | None = None) -> list[dict[str, Any]]:
    """What the real system makes of the programs in these folders; skips where it is missing."""
    python = python or interpreter()
    if python is None or not hasattr(os, "fork"):
        pytest.skip("langgraph cannot be imported; FLOWLINT_LANGGRAPH_PYTHON may name a Python")
    done = subprocess.run(
        [python, str(RECORDER)],
        input=json.dumps([str(folder.resolve()) for folder in folders]),
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
        env={**os.environ, "LANGSMITH_TRACING": "false"},
    )
    assert done.returncode == 0, done.stderr[-2000:]
    records: list[dict[str, Any]] = json.loads(done.stdout)
    return records


def outcomes(programs: list[str]) -> list[dict[str, Any]]:
    """How programs end with the real system; skips where it is missing."""
    python = interpreter()
    if python is None:
        pytest.skip("langgraph cannot be imported; FLOWLINT_LANGGRAPH_PYTHON may name a Python")
    done = subprocess.run(
        [python, str(OUTCOMES)],
        input=json.dumps(programs),
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
        env={**os.environ, "LANGSMITH_TRACING": "false"},
    )
    assert done.returncode == 0, done.stderr[-2000:]
    records: list[dict[str, Any]] = json.loads(done.stdout)
    return records


def differences(ours: tuple[FlowGraph, ...], real: list[dict[str, Any]]) -> list[str]:
    """How the flows of one file differ from the graphs that were really made.

    Every real graph must be one that some flow read at its place allows, and every flow that is
    said to be complete must be one of the real ones.
    """
    found: list[str] = []
    for graph in real:
        here = [flow for flow in ours if _place(flow) == graph["place"]]
        problems = [_contradiction(flow, graph) for flow in here]
        if None not in problems:
            found.append(f"{graph['place']}: {problems or 'no flow was read'}: {graph}")
    for flow in ours:
        same = [graph for graph in real if graph["place"] == _place(flow)]
        if not same:
            found.append(f"{_place(flow)}: a flow was read that nothing built")
        elif flow.complete and all(_contradiction(flow, graph) for graph in same):
            found.append(f"{_place(flow)}: said to be complete, but {same}")
    return found


def _place(flow: FlowGraph) -> str:
    return f"{flow.path}:{flow.span.line}"


def _contradiction(flow: FlowGraph, real: dict[str, Any]) -> str | None:
    """Why a flow cannot be the real graph, None when it can be.

    The outcome of every unknown test may be chosen, but each only once.
    """
    tests = sorted({t for part in _parts(flow) for t, _ in part})
    if len(tests) > MAX_TESTS:
        return "too many tests to try"
    reason = None
    for outcomes in itertools.product((True, False), repeat=len(tests)):
        reason = _differs(flow, dict(zip(tests, outcomes, strict=True)), real)
        if reason is None:
            return None
    return reason


def _parts(flow: FlowGraph) -> list[Presence]:
    return [part.presence for part in (*flow.nodes, *flow.edges, *flow.entries)]


def _differs(flow: FlowGraph, outcomes: dict[str, bool], real: dict[str, Any]) -> str | None:
    def there(presence: Presence) -> bool:
        return all(outcomes[test] == outcome for test, outcome in presence)

    nodes = Counter(node.name for node in flow.nodes if there(node.presence))
    deferred = {n.name for n in flow.nodes if n.deferred and there(n.presence)}
    plain: set[tuple[str, str]] = set()
    joins: dict[tuple[str, str], set[str]] = {}
    chosen: set[tuple[str, str]] = set()
    gotos: set[tuple[str, str]] = set()
    for edge in flow.edges:
        if not there(edge.presence) or not edge.checked:
            continue
        if edge.group is not None:
            joins.setdefault((edge.group, edge.target), set()).add(edge.source)
        else:
            kinds = {"always": plain, "case": chosen, "goto": gotos}
            kinds[edge.kind].add((edge.source, edge.target))
    for entry in flow.entries:
        if there(entry.presence):
            kinds = {"always": plain, "case": chosen}
            kinds[entry.kind].add((START, entry.name))
    waiting = {(tuple(sorted(sources)), target) for (_, target), sources in joins.items()}
    opaque = {source for source, ends in real["branches"] if ends is None}
    hidden = {gap.node for gap in flow.gaps if "targets" in gap.hides}
    if flow.hides("entry"):
        hidden.add(START)
        plain |= {(a, b) for a, b in real["edges"] if a == START}
    checks = (
        ("nodes", nodes, Counter(node["name"] for node in real["nodes"]), flow.hides("nodes")),
        (
            "deferred nodes",
            Counter(deferred),
            Counter(node["name"] for node in real["nodes"] if node["defer"]),
            flow.hides("nodes"),
        ),
        ("edges", Counter(plain), Counter((a, b) for a, b in real["edges"]), flow.hides("edges")),
        (
            "joins",
            Counter(waiting),
            Counter({(tuple(sources), target) for sources, target in real["joins"]}),
            flow.hides("edges"),
        ),
    )
    for what, have, want, open_ in checks:
        if have - want or (want - have and not open_):
            return f"{what}: {dict(have - want)} too many, {dict(want - have)} missing"
    if START in opaque:
        chosen = {(s, t) for s, t in chosen if s != START}
    want_chosen = {(s, t) for s, ends in real["branches"] for t in ends or ()}
    want_gotos = {(node["name"], end) for node in real["nodes"] for end in node["ends"]}
    for what, have, want in (("cases", chosen, want_chosen), ("gotos", gotos, want_gotos)):
        missing = {(s, t) for s, t in want - have if s not in hidden and not flow.hides("edges")}
        if have - want or missing:
            return f"{what}: {have - want} too many, {missing} missing"
    seen = {router.source for router in flow.routers if router.more is None}
    unseen = {s for s in opaque - seen if s not in hidden and not flow.hides("edges")}
    if unseen:
        return f"the routers of {unseen} lead anywhere"
    if END in nodes:
        return "END is a node"
    return None if flow.state is None else state_difference(flow.state, real, outcomes != {})


KINDS = {"LastValue": "last", "BinaryOperatorAggregate": "reducer", "DeltaChannel": "reducer"}


def state_difference(state: StateSchema, real: dict[str, Any], depends: bool = False) -> str | None:
    """How a state differs from the channels that were really made, None when it does not.

    Where the flow `depends` on something, it may name keys that were not made.
    """
    made = {key: KINDS.get(name, "other") for key, name in real["channels"].items()}
    made |= dict.fromkeys(real["managed"], "managed")
    for key, channel in state.channels.items():
        if key not in made and not depends:
            return f"the state has no key {key}"
        if key in made and channel.kind not in (made[key], "other"):
            return f"the state key {key} is {made[key]}, not {channel.kind}"
    missing = made.keys() - state.channels.keys()
    return f"the state has more keys: {missing}" if missing and state.more is None else None
