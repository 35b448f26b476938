"""What a run writes down, and what others add to it (objectstack §b and §g)."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from flowrt import Edge, FlowValidationError, Node, Retry, register_kind
from flowrt.engine.context import Kind, NodeContext, Output
from flowrt.stores.folder import FolderStore
from flowrt.stores.memory import MemoryStore
from objectstack_flows import State, chain, compute, events, failing, flow, region, step, steps
from pydantic import BaseModel, ConfigDict


@pytest.fixture
def store(tmp_path: Path) -> Iterator[FolderStore]:
    store = FolderStore(tmp_path)
    yield store
    store.close()


def projected(store: FolderStore, tmp_path: Path, run_id: str, name: str) -> Any:
    return json.loads((tmp_path / run_id / "projections" / f"{name}.json").read_text())


async def test_objectstack_b_a_step_of_the_log_says_what_when_and_how_it_ended(
    store: FolderStore, tmp_path: Path
) -> None:
    nodes = [step("a"), step("b", failing), step("c")]
    edges = [Edge("a", "b"), Edge("b", "c", outcome="failed")]
    await flow(nodes, edges).run({}, store=store, run_id="r")
    first, second, third = projected(store, tmp_path, "r", "steps")
    assert (first["node"], first["outcome"]) == ("a", "ok")
    assert (second["node"], second["outcome"]) == ("b", "failed")
    assert (second["error"], "error" in first) == ("ValueError: no luck", False)
    assert third["node"] == "c"
    for record in (first, second, third):
        assert record["scope"] == ""
        assert (record["visit"], record["attempt"]) == (1, 1)
        assert record["started_at"] <= record["ended_at"]


async def test_objectstack_b_each_try_is_a_step_with_its_number(
    store: FolderStore, tmp_path: Path
) -> None:
    tries: list[int] = []

    async def flaky(state: State) -> State:
        tries.append(1)
        return await failing(state) if len(tries) < 3 else state

    made = flow([step("a", flaky, retry=Retry(attempts=3, delay=0.001))], [])
    await made.run({}, store=store, run_id="r")
    found = projected(store, tmp_path, "r", "steps")
    assert [(each["attempt"], each["outcome"]) for each in found] == [
        (1, "failed"), (2, "failed"), (3, "ok")
    ]  # fmt: skip


REGIONS: dict[str, tuple[Node, list[tuple[str, int | None]]]] = {
    "loop": (
        Node("p", kind="repeat", config={"over": [5, 6]}, regions={"body": region(step("x"))}),
        [("loop-body", 0), ("loop-body", 1)],
    ),
    "parallel": (
        Node("p", kind="parallel", regions={n: region(step("x")) for n in ("l", "r")}),
        [("parallel-branch", 0), ("parallel-branch", 1)],
    ),
    "try": (
        Node(
            "p",
            kind="attempt",
            config={"retry": {"attempts": 2, "delay": 0.001}},
            regions={"try": region(step("x", failing)), "catch": region(step("x"))},
        ),
        [("try", 1), ("try", 2), ("catch", None)],
    ),
}


@pytest.mark.parametrize("name", REGIONS)
async def test_objectstack_b_steps_of_a_region_say_parent_iteration_and_kind(name: str) -> None:
    store = MemoryStore()
    node, expected = REGIONS[name]
    await flow([node], []).run({}, store=store, run_id="r")
    begun = {event.scope: event.data for event in events(store, "r", "region_started")}
    assert {data["parent"] for data in begun.values()} == {"p"}
    assert [(data["kind"], data["iteration"]) for data in begun.values()] == expected
    inner = events(store, "r", "node_completed", "node_failed")[:-1]
    assert [event.node for event in inner] == ["x"] * len(expected)
    assert [event.scope for event in inner] == list(begun)


async def test_objectstack_b_a_region_inside_a_region_stands_under_it() -> None:
    store = MemoryStore()
    inner = Node("inner", kind="repeat", config={"over": [0]}, regions={"body": region(step("x"))})
    outer = Node("outer", kind="attempt", regions={"try": region(inner)})
    await flow([outer], []).run({}, store=store, run_id="r")
    (leaf,) = [event for event in events(store, "r", "node_completed") if event.node == "x"]
    assert leaf.scope == "/outer#1:try[1]/inner#1:loop-body[0]"


@pytest.mark.parametrize(
    ("node", "status"),
    [
        (step("a"), "completed"),
        (Node("a", kind="checkpoint"), "waiting"),
        (step("a", failing), "failed"),
    ],
)
async def test_objectstack_b_a_run_is_completed_waiting_or_failed(
    store: FolderStore, tmp_path: Path, node: Node, status: str
) -> None:
    made = flow([node], [])
    if status == "failed":
        with pytest.raises(ValueError, match="no luck"):
            await made.run({}, store=store, run_id="r")
    else:
        assert (await made.run({}, store=store, run_id="r")).status == status
    assert store.manifest("r").status == status
    assert store.trace("r").events[-1].type == f"run_{status}"
    assert projected(store, tmp_path, "r", "run")["status"] == status


async def test_objectstack_g_the_summary_counts_the_steps_by_how_they_ended(
    store: FolderStore, tmp_path: Path
) -> None:
    nodes = [step("a"), step("b", failing), *steps("cd")]
    edges = [Edge("a", "b"), Edge("b", "c"), Edge("a", "d", when="false")]
    result = await flow(nodes, edges, routing="all").run({}, store=store, run_id="r")
    summary = projected(store, tmp_path, "r", "run")
    assert summary["steps"] == {"ok": 1, "failed": 1, "skipped": 1, "blocked": 1}
    assert summary["nodes"] == {"a": "ok", "b": "failed", "c": "blocked", "d": "skipped"}
    assert (result.failed, result.blocked, result.skipped) == (
        {"b": "ValueError: no luck"}, ["c"], ["d"]
    )  # fmt: skip


class RecordConfig(BaseModel):
    """Which rows are changed, and how; several only where that is said."""

    model_config = ConfigDict(extra="forbid")

    object: str
    where: dict[str, Any]
    fields: dict[str, Any]
    multi: bool = False


async def update_records(context: NodeContext) -> Output:
    config = RecordConfig.model_validate(dict(context.node.config))
    rows = context.services["records"][config.object]
    found = [row for row in rows if config.where.items() <= row.items()]
    if len(found) > 1 and not config.multi:
        raise LookupError(f"{len(found)} rows")
    for row in found:
        row.update(config.fields)
    return Output(len(found))


UPDATE = Kind("objectstack.update", update_records, "Updates rows.", RecordConfig)


@pytest.mark.parametrize(("multi", "done"), [(True, [1, 1]), (False, [0, 0])])
async def test_objectstack_g_data_nodes_are_kinds_that_somebody_registers(
    multi: bool, done: list[int]
) -> None:
    register_kind(UPDATE)
    rows = [{"id": 1, "state": "new", "done": 0}, {"id": 2, "state": "new", "done": 0}]
    config = {"object": "task", "where": {"state": "new"}, "fields": {"done": 1}, "multi": multi}
    made = chain(
        Node("set", kind="objectstack.update", config=config), compute("count", "outputs.set")
    )
    services = {"records": {"task": rows}}
    if multi:
        assert (await made.run({}, services=services)).outputs["count"] == 2
    else:
        with pytest.raises(LookupError, match="2 rows"):
            await made.run({}, services=services)
    assert [row["done"] for row in rows] == done
    with pytest.raises(FlowValidationError, match="`filter`"):
        flow([Node("set", kind="objectstack.update", config={**config, "filter": {}})], [])
