"""acpx §b and §g: what a run leaves behind, and that a replay only reads it."""

from __future__ import annotations

import json
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest
from flowrt import Edge, Flow, Node, Permissions, Switch
from flowrt.errors import NodeTimeoutError, PermissionRefusedError
from flowrt.stores.folder import FolderStore
from flowrt.stores.projections import run_view, steps

AGENT = [sys.executable, str(Path(__file__).parents[1] / "agents" / "echo_agent.py")]


def node(name: str, kind: str = "compute", run: Any = None, **config: Any) -> Node:
    if kind == "compute" and run is None:
        run = gives_its_name
    return Node(name, run, kind, config=config)


def gives_its_name(context: Any) -> Any:
    return context.node.name


def fails(context: Any) -> Any:
    raise ValueError("boom")


def read(path: Path) -> Any:
    return json.loads(path.read_text())


async def test_acpx_g_a_run_leaves_a_bundle(tmp_path: Path) -> None:
    flow = Flow(
        name="PR Triage",
        title="Look at pull requests",
        nodes=[node("a"), node("b")],
        edges=[Switch("a", "$result.outcome", {"ok": "b"})],
        entry="a",
        permissions=Permissions(reason="it looks around"),
    )
    store = FolderStore(tmp_path)
    result = await flow.run({"x": 1}, store=store)
    assert result.run_id is not None
    assert "-pr-triage-" in result.run_id
    folder = tmp_path / result.run_id
    assert {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()} == {
        "manifest.json",
        "definition.json",
        "input.json",
        "trace.ndjson",
        "projections/run.json",
        "projections/live.json",
        "projections/steps.json",
    }
    manifest = read(folder / "manifest.json")
    assert (manifest["flow"], manifest["title"], manifest["status"]) == (
        "PR Triage",
        "Look at pull requests",
        "completed",
    )
    assert manifest["created_at"] <= manifest["updated_at"]
    definition = read(folder / "definition.json")
    assert definition["entry"] == "a"
    assert [(each["name"], each["kind"]) for each in definition["nodes"]] == [
        ("a", "compute"),
        ("b", "compute"),
    ]
    assert definition["edges"][0]["switch"]["cases"] == {"ok": "b"}
    assert read(folder / "input.json")["state"] == {"x": 1}


async def test_acpx_g_events_come_in_order_and_carry_outcome_and_output(tmp_path: Path) -> None:
    flow = Flow(
        nodes=[node("a", run=fails), node("b")],
        edges=[Switch("a", "$result.outcome", {"failed": "b"})],
        entry="a",
    )
    store = FolderStore(tmp_path)
    await flow.run({}, store=store, run_id="r")
    lines = [json.loads(line) for line in (tmp_path / "r/trace.ndjson").read_text().splitlines()]
    assert [line["seq"] for line in lines] == [1, 2, 3, 4]
    assert [(line["type"], line.get("node")) for line in lines] == [
        ("run_started", None),
        ("node_failed", "a"),
        ("node_completed", "b"),
        ("run_completed", None),
    ]
    failed, completed = lines[1]["data"], lines[2]["data"]
    assert (failed["outcome"], failed["error"]) == ("failed", "ValueError: boom")
    assert completed["output"] == "b"
    assert completed["took"] >= 0


async def test_acpx_b_files_are_replaced_whole(tmp_path: Path) -> None:
    """Whoever has the old one open reads it to its end, and no name is ever half a file."""
    before = tmp_path / "before.json"

    def looks(context: Any) -> None:
        before.hardlink_to(tmp_path / "runs/r/manifest.json")

    flow = Flow(nodes=[node("a", run=looks)], edges=[], entry="a")
    await flow.run({}, store=FolderStore(tmp_path / "runs"), run_id="r")
    assert read(before)["status"] == "running"
    assert read(tmp_path / "runs/r/manifest.json")["status"] == "completed"
    left = [path.name for path in (tmp_path / "runs").rglob("*") if path.name.startswith(".")]
    assert left == []


@pytest.mark.parametrize(
    ("last", "status"), [(node("z"), "completed"), (node("z", run=fails), "failed")]
)
async def test_acpx_g_the_last_event_says_how_the_run_ended(
    last: Node, status: str, tmp_path: Path
) -> None:
    store = FolderStore(tmp_path)
    flow = Flow(nodes=[node("a"), last], edges=[Edge("a", "z")], entry="a")
    if status == "failed":
        with pytest.raises(ValueError, match="boom"):
            await flow.run({}, store=store, run_id="r")
    else:
        await flow.run({}, store=store, run_id="r")
    assert store.trace("r").events[-1].type == f"run_{status}"
    assert store.manifest("r").status == status


async def test_acpx_b_a_waiting_run_says_so_at_its_end(tmp_path: Path) -> None:
    """In acpx nothing follows the end of the checkpoint."""
    store = FolderStore(tmp_path)
    await Flow(nodes=[node("ok", "checkpoint")], edges=[], entry="ok").run(
        {}, store=store, run_id="r"
    )
    assert [event.type for event in store.trace("r").events] == [
        "run_started",
        "node_started",
        "node_waiting",
        "run_waiting",
    ]


async def test_acpx_b_there_is_a_step_for_each_visit(tmp_path: Path) -> None:
    flow = Flow(
        nodes=[node("tick", run=lambda context: {"go": context.visit < 3}), node("z")],
        edges=[Switch("tick", "$.go", {"true": "tick", "false": "z"})],
        entry="tick",
    )
    await flow.run({}, store=FolderStore(tmp_path), run_id="r")
    told = read(tmp_path / "r/projections/steps.json")
    assert [(step["node"], step["visit"], step["outcome"]) for step in told] == [
        ("tick", 1, "ok"),
        ("tick", 2, "ok"),
        ("tick", 3, "ok"),
        ("z", 1, "ok"),
    ]


async def test_acpx_g_the_run_can_be_told_again_from_its_trace(tmp_path: Path) -> None:
    store = FolderStore(tmp_path)
    flow = Flow(
        nodes=[node("a", run=fails), node("b")],
        edges=[Switch("a", "$result.outcome", {"failed": "b"})],
        entry="a",
    )
    await flow.run({}, store=store, run_id="r")
    trace = store.trace("r")
    records = steps(trace.events)
    assert read(tmp_path / "r/projections/steps.json") == records
    written = read(tmp_path / "r/projections/run.json")
    assert written == run_view(store.manifest("r"), trace, records)
    (tmp_path / "r/manifest.json").unlink()
    told = asdict(store.manifest("r"))
    assert (told["status"], told["flow"]) == ("completed", "flow")


async def test_acpx_b_sessions_prompts_and_answers_are_in_the_trace(tmp_path: Path) -> None:
    store = FolderStore(tmp_path)
    flow = Flow(nodes=[node("a", "agent", prompt="say: hello")], edges=[], entry="a")
    await flow.run({}, store=store, run_id="r", services={"agent": AGENT})
    events = store.trace("r").events
    types = [event.type for event in events if event.type != "session_bound"]
    kept = ["artifact_written", "artifact_written"]
    ends = ["node_completed", "run_completed"]
    assert types == ["run_started", "node_started", *kept, *ends]
    assert [event.type for event in events].index("session_bound") == 3
    assert events[-2].data["output"] == "hello"
    texts = {
        event.data["label"]: store.artifact("r", event.data["artifact"])
        for event in events
        if event.type == "artifact_written"
    }
    assert texts == {"prompt": b"say: hello", "answer": b"hello"}


async def test_acpx_b_printed_text_is_kept_however_the_command_ends(tmp_path: Path) -> None:
    store = FolderStore(tmp_path)
    slow = {"command": "sh", "args": ["-c", "echo out; echo err >&2; sleep 30"], "timeout": 0.5}
    flow = Flow(nodes=[node("a", "shell", **slow)], edges=[], entry="a")
    with pytest.raises(NodeTimeoutError):
        await flow.run({}, store=store, run_id="r")
    kept = [event for event in store.trace("r").events if event.type == "artifact_written"]
    assert [(event.node, event.data["label"], event.data["size"]) for event in kept] == [
        ("a", "stdout", 4),
        ("a", "stderr", 4),
    ]
    assert store.artifact("r", kept[0].data["artifact"]) == b"out\n"


@pytest.mark.parametrize(
    ("granted", "explicit"), [(None, True), ("deny-all", True), ("approve-all", False)]
)
async def test_acpx_b_a_program_is_asked_for_permission_as_well(
    granted: str | None, explicit: bool, tmp_path: Path
) -> None:
    """In acpx only the command line looks at it."""
    needs = Permissions("approve-reads", explicit=True, reason="it looks around")
    flow = Flow(nodes=[node("a")], edges=[], entry="a", permissions=needs)
    with pytest.raises(PermissionRefusedError, match="it looks around"):
        await flow.run({}, store=FolderStore(tmp_path), granted=granted, explicit=explicit)
    assert list(tmp_path.iterdir()) == []
    assert (await flow.run({}, granted="approve-all", explicit=True)).path == ["a"]
