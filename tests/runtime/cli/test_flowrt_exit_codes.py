"""0 completed, 1 failed, 2 nothing was run, 3 waiting, 4 halted, 5 cancelled, 130 interrupted."""

from __future__ import annotations

import json
import signal
from pathlib import Path

import pytest
from flowrt_program import Flowrt, ran, start_flowrt, until, write_flow

CANCELS = """
async def cancels(state):
    noted("cancels")
    asyncio.current_task().cancel()
    await asyncio.sleep(0)


async def gives_up(state):
    raise asyncio.CancelledError
"""
EXPLICIT = 'permissions=Permissions("approve-reads", explicit=True, reason="it looks around")'


@pytest.mark.parametrize(
    ("nodes", "more", "code", "status"),
    [
        ('Node("a", a)', "", 0, "completed"),
        ('Node("fails", fails)', "", 1, "failed"),
        ('Node("slow", slow, timeout=0.1)', "", 1, "timed_out"),
        ('Node("ok", kind="checkpoint")', "", 3, "waiting"),
        ('Node("a", a)', "kill_switch=lambda: True", 4, "halted"),
        ('Node("cancels", cancels)', "", 5, "cancelled"),
        ('Node("gives_up", gives_up)', "", 1, "failed"),
    ],
)
def test_each_status_has_its_code(
    flowrt: Flowrt, tmp_path: Path, nodes: str, more: str, code: int, status: str
) -> None:
    write_flow(tmp_path, "flow.py", nodes=nodes, more=more, functions=CANCELS)
    run = flowrt("run", "flow.py", "--run-id", "r1", "--format", "json")
    assert run.code == code, run.err
    assert run.lines[-1]["status"] == status
    assert f"status   {status.replace('_', ' ')}" in flowrt("show", "r1").out


@pytest.mark.parametrize(
    ("file", "source", "says"),
    [
        ("nowhere.py", None, "`nowhere.py` is not there"),
        ("flow.txt", "x", "`flow.txt` is neither Python, JSON nor YAML"),
        ("flow.py", "x = 1\n", "`flow.py` has no flow"),
        ("flow.py", "flow = {'nodes': []}\n", "`flow.py` has no flow"),
        ("flow.py", "\n1 / 0\n", "ZeroDivisionError: division by zero (at flow.py:2 in <module>)"),
        ("flow.py", "def (\n", "`flow.py` cannot be imported: SyntaxError"),
        ("flow.py", "import sys\nsys.exit(0)\n", "flow.py ends the program when it is imported"),
        ("flow.py:nothing", "x = 1\n", "`flow.py` has no `nothing`"),
        ("flow.json", "{}", "`flow.json` is no flow definition"),
        ("flow.yaml", "- 1\n- 2\n", "`flow.yaml` is no flow definition"),
    ],
)
@pytest.mark.parametrize("command", ["run", "check", "graph"])
def test_what_is_no_flow_is_refused(
    flowrt: Flowrt, tmp_path: Path, command: str, file: str, source: str | None, says: str
) -> None:
    if source is not None:
        (tmp_path / file.partition(":")[0]).write_text(source)
    run = flowrt(command, file)
    assert run.code == 2
    assert says in run.err
    assert run.err.startswith("error: ")
    assert "Traceback" not in run.err


def test_a_wrong_flow_is_refused_with_every_finding(flowrt: Flowrt, tmp_path: Path) -> None:
    write_flow(
        tmp_path, "flow.py", nodes='Node("a", a), Node("a", b)', edges='Edge("a", "nowhere")'
    )
    run = flowrt("run", "flow.py")
    assert (run.code, run.out) == (2, "")
    assert run.err.startswith("error: flow.py: flow `demo` has 2 errors:\n")
    assert "FL104 duplicate-node" in run.err
    assert "FL105 dangling-edge" in run.err
    assert ran(tmp_path) == []
    assert not (tmp_path / ".flowrt").exists()


@pytest.mark.parametrize(
    ("arguments", "default", "says"),
    [
        ((), "", "it was granted `nothing`"),
        (("--deny-all",), "", "it was granted `deny-all`"),
        ((), "approve-all", "to be granted for this very run: it looks around"),
        ((), "everything", "$FLOWRT_PERMISSIONS is `everything`, which is none of deny-all"),
    ],
)
def test_a_permission_that_is_missing(
    flowrt: Flowrt, tmp_path: Path, arguments: tuple[str, ...], default: str, says: str
) -> None:
    write_flow(tmp_path, "flow.py", nodes='Node("a", a)', more=EXPLICIT)
    run = flowrt("run", "flow.py", *arguments, env={"FLOWRT_PERMISSIONS": default})
    assert (run.code, run.out) == (2, "")
    assert says in run.err
    assert ran(tmp_path) == []
    assert not (tmp_path / ".flowrt").exists()


@pytest.mark.parametrize("grant", ["--approve-reads", "--approve-all"])
def test_a_permission_that_is_granted(flowrt: Flowrt, tmp_path: Path, grant: str) -> None:
    write_flow(tmp_path, "flow.py", nodes='Node("a", a)', more=EXPLICIT)
    assert flowrt("run", "flow.py", grant).code == 0


def test_ctrl_c_cancels_the_run(flowrt: Flowrt, tmp_path: Path) -> None:
    write_flow(tmp_path, "flow.py", nodes='Node("slow", slow)')
    process = start_flowrt("run", "flow.py", "--run-id", "r1", cwd=tmp_path)
    until(lambda: ran(tmp_path) == ["slow"])
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=30)
    assert (process.returncode, out) == (130, "")
    assert err.endswith("interrupted: the run is cancelled\n")
    assert "Traceback" not in err
    shown = flowrt("show", "r1").out
    assert "status   cancelled" in shown
    assert "\nwas under way\n  slow: running, attempt 1, since " in shown
    again = flowrt("resume", "r1")
    assert (again.code, again.err) == (2, "error: run `r1` has ended: cancelled\n")


FULL = """
import resource


async def fills(state):
    # Files cannot become larger than they are, as on a disk that is full.
    most = max(file.stat().st_size for file in Path(".").rglob("*") if file.is_file())
    resource.setrlimit(resource.RLIMIT_FSIZE, (most, resource.RLIM_INFINITY))
    return {**state, "much": "x" * 2 * most}
"""


@pytest.mark.parametrize("store", ["runs", "sqlite:runs.db"])
@pytest.mark.parametrize("format_", ["plain", "json"])
def test_a_store_that_cannot_be_written_to_says_why(
    flowrt: Flowrt, tmp_path: Path, store: str, format_: str
) -> None:
    write_flow(
        tmp_path,
        "flow.py",
        nodes='Node("fills", fills), Node("b", b)',
        edges='Edge("fills", "b")',
        functions=FULL,
    )
    run = flowrt("run", "flow.py", "--run-id", "r1", "--store", store, "--format", format_)
    assert run.code == 1
    (line,) = [line for line in run.err.splitlines() if line.startswith("error: ")]
    assert line.startswith("error: run `r1`: the trace cannot be written: ")
    assert "follow" not in run.err + run.out
    assert ran(tmp_path) == []
    again = flowrt("resume", "r1", "--store", store)
    assert again.code == 1, again.err
    assert "resumed: it had been broken off" in again.err


UNHEEDING = """
import time


async def busy(state):
    noted("busy")
    while not Path("go").exists():
        time.sleep(0.01)
    return state


async def stubborn(state):
    noted("stubborn")
    try:
        await asyncio.sleep(60)
    except asyncio.CancelledError:
        return {**state, "stubborn": True}
"""


@pytest.mark.parametrize("name", ["busy", "stubborn"])
@pytest.mark.parametrize("more", ["", 'routing="all"'])
@pytest.mark.parametrize("inside", [False, True])
def test_ctrl_c_is_heeded_after_a_node_that_does_not(
    flowrt: Flowrt, tmp_path: Path, name: str, more: str, inside: bool
) -> None:
    nodes, edges = f'Node("{name}", {name}), Node("b", b)', f'Edge("{name}", "b")'
    if inside:
        body = f'Region([{nodes}], [{edges}], "{name}")'
        nodes = f'Node("each", kind="repeat", config={{"over": [1]}}, regions={{"body": {body}}})'
        edges = ""
    write_flow(tmp_path, "flow.py", nodes=nodes, edges=edges, more=more, functions=UNHEEDING)
    process = start_flowrt("run", "flow.py", "--run-id", "r1", cwd=tmp_path)
    until(lambda: ran(tmp_path) == [name])
    process.send_signal(signal.SIGINT)
    (tmp_path / "go").touch()
    out, err = process.communicate(timeout=30)
    assert (process.returncode, out) == (130, "")
    assert err.endswith("interrupted: the run is cancelled\n")
    assert ran(tmp_path) == [name]
    assert "status   cancelled" in flowrt("show", "r1").out


def test_a_second_ctrl_c_ends_the_program_whatever_its_nodes_do(
    flowrt: Flowrt, tmp_path: Path
) -> None:
    source = """
async def deaf(state):
    noted("deaf")
    while not Path("go").exists():
        try:
            await asyncio.sleep(0.05)
        except asyncio.CancelledError:
            noted("asked")
    return state
"""
    nodes, edges = 'Node("deaf", deaf), Node("b", b)', 'Edge("deaf", "b")'
    write_flow(tmp_path, "flow.py", nodes=nodes, edges=edges, functions=source)
    process = start_flowrt("run", "flow.py", "--run-id", "r1", cwd=tmp_path)
    until(lambda: ran(tmp_path) == ["deaf"])
    process.send_signal(signal.SIGINT)
    until(lambda: "asked" in ran(tmp_path))
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=30)
    assert (process.returncode, out) == (130, "")
    assert err.endswith("interrupted: a node did not stop\n")
    (tmp_path / "go").touch()
    assert flowrt("resume", "r1").code == 0
    assert ran(tmp_path)[-2:] == ["deaf", "b"]


def test_ctrl_c_during_the_last_node_cancels(flowrt: Flowrt, tmp_path: Path) -> None:
    write_flow(tmp_path, "flow.py", nodes='Node("busy", busy)', functions=UNHEEDING)
    process = start_flowrt("run", "flow.py", "--run-id", "r1", cwd=tmp_path)
    until(lambda: ran(tmp_path) == ["busy"])
    process.send_signal(signal.SIGINT)
    (tmp_path / "go").touch()
    _, err = process.communicate(timeout=30)
    assert process.returncode == 130
    assert err.endswith("interrupted: the run is cancelled\n")
    assert "status   cancelled" in flowrt("show", "r1").out


def test_sigterm_halts_before_the_next_node(flowrt: Flowrt, tmp_path: Path) -> None:
    source = """
async def short(state):
    noted("short")
    await asyncio.sleep(1)
    return state
"""
    write_flow(
        tmp_path,
        "flow.py",
        nodes='Node("short", short), Node("b", b)',
        edges='Edge("short", "b")',
        functions=source,
    )
    process = start_flowrt("run", "flow.py", "--run-id", "r1", cwd=tmp_path)
    until(lambda: ran(tmp_path) == ["short"])
    process.terminate()
    _, err = process.communicate(timeout=30)
    assert process.returncode == 4
    assert "halted before b" in err
    assert err.endswith("go on with: flowrt resume r1\n")
    assert flowrt("resume", "r1").code == 0
    assert ran(tmp_path) == ["short", "b"]


@pytest.mark.parametrize("arguments", [(), ("--format", "json")])
def test_a_reader_that_goes_ends_no_run(
    flowrt: Flowrt, tmp_path: Path, arguments: tuple[str, ...]
) -> None:
    body = 'Region([Node("one", one)], [], "one")'
    node = f'Node("each", kind="repeat", config={{"over": [1] * 300}}, regions={{"body": {body}}})'
    write_flow(tmp_path, "flow.py", nodes=node)
    process = start_flowrt("run", "flow.py", "--run-id", "r1", *arguments, cwd=tmp_path)
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.close()
    process.stderr.close()
    assert process.wait(timeout=60) == 0
    assert "status   completed" in flowrt("show", "r1").out


@pytest.mark.parametrize("routing", ["first", "all"])
def test_what_was_cancelled_at_once_is_shown_with_its_region(
    flowrt: Flowrt, tmp_path: Path, routing: str
) -> None:
    (tmp_path / "flow.py").write_text(
        "import asyncio\n\nfrom flowrt import Edge, Flow, Node, Region\n\n\n"
        "async def done(state):\n    return state\n\n\n"
        "async def cut(state):\n"
        "    for task in asyncio.all_tasks():\n        task.cancel()\n"
        "    await asyncio.sleep(60)\n\n\n"
        f'body = Region([Node("done", done), Node("cut", cut)], [Edge("done", "cut")], "done", '
        f'"{routing}")\n'
        'each = Node("each", kind="repeat", config={"over": [1]}, regions={"body": body})\n'
        'flow = Flow(nodes=[each], edges=[], entry="each")\n'
    )
    flowrt("run", "flow.py", "--run-id", "r1")
    report = json.loads(flowrt("show", "r1", "--format", "json").out)
    assert report["status"] == "cancelled"
    assert [node["node"] for node in report["under_way"]] == ["each", "cut"]
    shown = flowrt("show", "r1").out
    assert "  cut, in loop-body of each, iteration 0: running, attempt 1, since " in shown
