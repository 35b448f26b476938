"""Flows from definitions run as those from Python do, and every field counts (agentsflow §b)."""

from __future__ import annotations

import json
import logging
from typing import Any

import pytest
from agentsflow_flows import State, fails, fails_times, writes
from flowrt import Flow, FlowValidationError, register_callable
from flowrt.definition.export import to_dict
from flowrt.definition.load import from_dict, from_json
from flowrt.registry import find_callable

Data = dict[str, Any]


def named(name: str, function: Any) -> str:
    """Register a function once, under a name of these tests."""
    full = f"agentsflow_b.{name}"
    if find_callable(full) is None:
        register_callable(full, function)
    return full


FAILS = named("fails", fails)
WRITES = {name: named(name, writes(name)) for name in "abcd"}


def defined(nodes: list[Data], edges: list[Data], **more: Any) -> Flow:
    data = {"flowrt": 1, "name": "defined", "entry": nodes[0]["name"], "routing": "all"}
    return from_json(json.dumps({**data, "nodes": nodes, "edges": edges, **more}))


def steps(names: str, **runs: str) -> list[Data]:
    return [{"name": name, "run": runs.get(name) or WRITES[name]} for name in names]


async def test_agentsflow_b_edges_after_failures_fire_in_flows_from_definitions() -> None:
    """Consequence 1: there they never do."""
    edges = [{"from": "a", "to": "b"}, {"from": "a", "to": "c", "outcome": "failed"}]
    result = await defined(steps("abc", a=FAILS), edges).run({})
    assert (result.path, result.blocked, result.status) == (["c"], ["b"], "completed")


async def test_agentsflow_b_exclusive_branches_are_joined_in_flows_from_definitions() -> None:
    """Consequence 2."""
    edges = [
        {"from": "a", "to": "b", "when": "state.go == 'b'"},
        {"from": "a", "to": "c", "when": "state.go != 'b'"},
        {"from": "b", "to": "d"},
        {"from": "c", "to": "d"},
    ]
    result = await defined(steps("abcd"), edges).run({"go": "b"})
    assert (result.path, result.skipped) == (["a", "b", "d"], ["c"])
    nodes = steps("abcd")
    nodes[3]["join"] = "all"
    result = await defined(nodes, edges).run({"go": "b"})
    assert (result.path, result.skipped) == (["a", "b"], ["c", "d"])


async def test_agentsflow_b_loops_run_in_flows_from_definitions() -> None:
    """Consequence 3: there the head of a loop never runs."""

    async def dev(state: State) -> State:
        return {**state, "tries": state.get("tries", 0) + 1}

    nodes = [
        {"name": "dev", "run": named("dev", dev)},
        {"name": "qa", "kind": "gate"},
        {"name": "c", "run": WRITES["c"]},
    ]
    edges = [
        {"from": "dev", "to": "qa"},
        {"from": "qa", "to": "dev", "when": "state.tries < 3"},
        {"from": "qa", "to": "c", "when": "state.tries >= 3"},
    ]
    result = await defined(nodes, edges, routing="first").run({})
    assert result.path == ["dev", "qa"] * 3 + ["c"]


async def test_agentsflow_b_a_flow_written_as_data_and_read_again_runs_the_same() -> None:
    """Consequence 9: there a loaded flow runs every edge, and a handler on success."""
    edges = [
        {"from": "a", "to": "b", "when": "state.go == 'b'"},
        {"from": "a", "to": "c", "when": "state.go == 'c'"},
        {"from": "a", "to": "d", "outcome": "failed"},
    ]
    made = defined(steps("abcd"), edges)
    again = from_dict(to_dict(made))
    for flow in (made, again):
        result = await flow.run({"go": "c"})
        assert (result.path, result.skipped) == (["a", "c"], ["b", "d"])


@pytest.mark.parametrize("kind", ["step", "compute", "action"])
async def test_agentsflow_b_retries_of_a_definition_count_for_every_kind(kind: str) -> None:
    """Consequence 9: some ways of loading drop them there."""
    shaky = fails_times(1)
    name = named(f"flaky_{kind}", shaky if kind == "step" else lambda context: shaky({}))
    retry = {"attempts": 2, "delay": 0}
    result = await defined([{"name": "a", "kind": kind, "run": name, "retry": retry}], []).run({})
    assert (result.status, result.results["a"].attempts) == ("completed", 2)


async def test_agentsflow_b_actions_of_a_definition_run(caplog: pytest.LogCaptureFixture) -> None:
    """There they do by one way of loading only, and never around start and end."""
    caplog.set_level(logging.INFO, "flowrt.actions")

    def around(name: str) -> Data:
        return {
            "before": [{"type": "log", "message": f"before {name}"}],
            "after": [{"type": "log", "message": f"after {name}"}],
        }

    nodes = [
        {"name": "start", "kind": "start", **around("start")},
        {"name": "a", "run": WRITES["a"], **around("a")},
        {"name": "end", "kind": "end", **around("end")},
    ]
    edges = [{"from": "start", "to": "a"}, {"from": "a", "to": "end"}]
    assert (await defined(nodes, edges).run({})).status == "completed"
    told = [record.getMessage() for record in caplog.records if record.name == "flowrt.actions"]
    assert told == [
        *("before start", "after start"),
        *("before a", "after a"),
        *("before end", "after end"),
    ]


async def test_agentsflow_b_priority_and_instructions_of_a_definition_count() -> None:
    """They are declared and have no effect there."""

    async def prompted(context: Any) -> str:
        return str(context.incoming.prompt)

    nodes = [
        {"name": "a", "kind": "gate"},
        {"name": "b", "kind": "compute", "run": named("prompted", prompted)},
        {"name": "c", "run": WRITES["c"]},
    ]
    edges = [
        {"from": "a", "to": "c", "when": "state.n > 0"},
        {"from": "a", "to": "b", "when": "state.n > 5", "priority": 1, "prompt": "be quick"},
    ]
    result = await defined(nodes, edges, routing="first").run({"n": 9})
    assert result.outputs["b"] == "be quick"


@pytest.mark.parametrize(
    ("place", "field"),
    [
        ("flow", "metadata"),
        ("flow", "execution_timeout"),
        ("flow", "default_max_retries"),
        ("flow", "version"),
        ("node", "label"),
        ("node", "position"),
        ("node", "max_retries"),
        ("node", "instruction"),
        ("node", "pre_actions"),
        ("edge", "label"),
        ("edge", "id"),
        ("edge", "instruction"),
        ("edge", "condition"),
    ],
)
def test_agentsflow_b_fields_without_effect_are_refused(place: str, field: str) -> None:
    """There they are taken and do nothing when the flow runs."""
    nodes, edges = steps("ab"), [{"from": "a", "to": "b"}]
    {"flow": {}, "node": nodes[0], "edge": edges[0]}[place][field] = "x"
    more = {field: "x"} if place == "flow" else {}
    with pytest.raises(FlowValidationError, match=f"field `{field}`, which flowrt does not know"):
        defined(nodes, edges, **more)


def test_agentsflow_b_an_edge_leads_to_one_node() -> None:
    """There `to` may be a list."""
    with pytest.raises(FlowValidationError, match=r"Field `to` of `edges\[0\]` is to be a text"):
        defined(steps("abc"), [{"from": "a", "to": ["b", "c"]}])


async def test_agentsflow_b_a_definition_without_edges_or_with_an_empty_graph_never_ends_well() -> (
    None
):
    """There an empty definition is completed, though nothing ran."""
    with pytest.raises(FlowValidationError, match="FL103"):
        from_dict({"flowrt": 1, "name": "x", "entry": "a", "nodes": [], "edges": []})
    with pytest.raises(FlowValidationError, match="FL106"):
        defined(steps("ab"), [])
