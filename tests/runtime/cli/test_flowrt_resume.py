"""`flowrt resume`: after an answer, a failure, a killed process."""

from __future__ import annotations

import signal
from pathlib import Path

import pytest
from flowrt_program import Flowrt, ran, start_flowrt, until, write_flow

APPROVE = 'Node("ok", kind="checkpoint", config={"summary": "Is it good?", "into": "answer"})'
ASK = (
    'Node("who", kind="ask", config={"question": "Who?", "options": ["Ann", "Bob"], "into": "who"})'
)
STORES = ["runs", "runs.db"]


def test_an_answer_lets_it_go_on(flowrt: Flowrt, tmp_path: Path) -> None:
    write_flow(tmp_path, "flow.py", nodes=f'Node("a", a), {APPROVE}', edges='Edge("a", "ok")')
    run = flowrt("run", "flow.py", "--run-id", "r1")
    assert (run.code, run.out) == (3, "")
    assert run.err.endswith(
        "waits for\n  ok: Is it good?\n    answer: flowrt resume r1 --signal ok\n"
    )
    unanswered = flowrt("resume", "r1")
    assert unanswered.code == 3
    assert "answer: flowrt resume r1 --signal ok" in unanswered.err
    answered = flowrt("resume", "r1", "--signal", 'ok={"by": "Ann"}')
    assert answered.code == 0
    assert answered.state == {"a": 1, "answer": {"by": "Ann"}}
    assert ran(tmp_path) == ["a"]
    ended = flowrt("resume", "r1")
    assert (ended.code, ended.err) == (2, "error: run `r1` has ended: completed\n")


def test_the_options_of_a_question_are_told(flowrt: Flowrt, tmp_path: Path) -> None:
    write_flow(tmp_path, "flow.py", nodes=ASK)
    run = flowrt("run", "flow.py", "--run-id", "r1")
    assert run.code == 3
    assert "    options: Ann, Bob\n" in run.err
    assert "answer: flowrt resume r1 --signal 'who=\"Ann\"'\n" in run.err
    wrong = flowrt("resume", "r1", "--signal", 'who="Eve"')
    assert wrong.code == 3
    assert "the answer before was wrong" in wrong.err
    assert flowrt("resume", "r1", "--signal", 'who="Bob"').state["who"] == "Bob"


@pytest.mark.parametrize(
    ("signal_", "says"),
    [
        ("nothing=1", "the run does not wait for `nothing`; it waits for `ok`"),
        ("ok=yes", "--signal 'ok=\"yes\"'"),
        ("=1", "write KEY=JSON"),
    ],
)
def test_an_answer_that_is_none(flowrt: Flowrt, tmp_path: Path, signal_: str, says: str) -> None:
    write_flow(tmp_path, "flow.py", nodes=APPROVE)
    flowrt("run", "flow.py", "--run-id", "r1")
    run = flowrt("resume", "r1", "--signal", signal_)
    assert run.code == 2
    assert says in run.err
    assert "status   waiting" in flowrt("show", "r1").out


def test_a_key_may_have_an_equals_sign(flowrt: Flowrt, tmp_path: Path) -> None:
    node = 'Node("hold", kind="wait", config={"signal": "go=1", "into": "said"})'
    write_flow(tmp_path, "flow.py", nodes=node)
    assert flowrt("run", "flow.py", "--run-id", "r1").code == 3
    assert "--signal go=1=JSON" in flowrt("show", "r1").out
    run = flowrt("resume", "r1", "--signal", 'go=1={"a": "b=c"}')
    assert (run.code, run.state["said"]["payload"]) == (0, {"a": "b=c"}), run.err


@pytest.mark.parametrize("store", STORES)
def test_a_killed_run_goes_on_in_another_process(
    flowrt: Flowrt, tmp_path: Path, store: str
) -> None:
    write_flow(
        tmp_path,
        "flow.py",
        nodes='Node("a", a), Node("slow", slow), Node("b", b)',
        edges='Edge("a", "slow"), Edge("slow", "b")',
    )
    process = start_flowrt("run", "flow.py", "--run-id", "r1", "--store", store, cwd=tmp_path)
    until(lambda: ran(tmp_path) == ["a", "slow"])
    process.kill()
    process.communicate(timeout=30)
    assert process.returncode == -signal.SIGKILL
    shown = flowrt("show", "r1", "--store", store).out
    assert "status   interrupted: the process that ran it is gone" in shown
    assert f"go on with: flowrt resume r1 --store {store}" in shown
    (tmp_path / "fast").touch()
    run = flowrt("resume", "r1", "--store", store)
    assert run.code == 0
    assert run.state == {"a": 1, "slow": True, "b": 2}
    assert ran(tmp_path) == ["a", "slow", "slow", "b"]
    assert "resumed: it had been broken off" in flowrt("replay", "r1", "--store", store).out


@pytest.mark.parametrize("store", STORES)
def test_a_second_resume_at_once_is_refused(flowrt: Flowrt, tmp_path: Path, store: str) -> None:
    write_flow(
        tmp_path, "flow.py", nodes=f'{APPROVE}, Node("slow", slow)', edges='Edge("ok", "slow")'
    )
    flowrt("run", "flow.py", "--run-id", "r1", "--store", store)
    arguments = ("resume", "r1", "--signal", "ok", "--store", store)
    first = start_flowrt(*arguments, cwd=tmp_path)
    try:
        until(lambda: ran(tmp_path) == ["slow"])
        second = flowrt(*arguments)
        assert second.code == 2
        assert second.err == "error: run `r1` is open in another place\n"
        assert "status   running" in flowrt("show", "r1", "--store", store).out
    finally:
        first.kill()
        first.communicate(timeout=30)
    assert ran(tmp_path) == ["slow"]


def test_a_failed_run_tries_the_node_again(flowrt: Flowrt, tmp_path: Path) -> None:
    source = """
async def needs(state):
    noted("needs")
    return {**state, "found": Path("wanted").read_text()}
"""
    write_flow(
        tmp_path,
        "flow.py",
        nodes='Node("a", a), Node("needs", needs)',
        edges='Edge("a", "needs")',
        functions=source,
    )
    assert flowrt("run", "flow.py", "--run-id", "r1").code == 1
    (tmp_path / "wanted").write_text("here")
    assert flowrt("resume", "r1").state == {"a": 1, "found": "here"}
    assert ran(tmp_path) == ["a", "needs", "needs"]


def test_the_run_remembers_its_file_and_options(flowrt: Flowrt, tmp_path: Path) -> None:
    (tmp_path / "inner").mkdir()
    write_flow(
        tmp_path / "inner",
        "flow.py",
        nodes=f'{APPROVE}, Node("a", a), Node("b", b)',
        edges='Edge("ok", "a"), Edge("a", "b")',
    )
    target = "inner/flow.py:flow"
    assert flowrt("run", target, "--run-id", "r1", "--max-steps", "2").code == 3
    shown = flowrt("show", "r1").out
    assert f"file     {tmp_path / target}\n" in shown
    run = flowrt(
        "resume",
        "r1",
        "--signal",
        "ok",
        cwd=tmp_path.parent,
        env={"FLOWRT_STORE": str(tmp_path / ".flowrt/runs")},
    )
    assert run.code == 1
    assert "took its 2 steps (max_steps)" in run.err


def test_the_file_has_to_be_there_and_hold_the_same_flow(flowrt: Flowrt, tmp_path: Path) -> None:
    write_flow(tmp_path, "flow.py", nodes=APPROVE)
    flowrt("run", "flow.py", "--run-id", "r1")
    (tmp_path / "flow.py").rename(tmp_path / "moved.py")
    gone = flowrt("resume", "r1", "--signal", "ok")
    assert gone.code == 2
    assert "flow.py, which is not there any more: give the file, as in" in gone.err
    (tmp_path / "other.py").write_text(
        (tmp_path / "moved.py").read_text().replace('name="demo"', 'name="other"')
    )
    other = flowrt("resume", "r1", "other.py", "--signal", "ok")
    assert other.code == 2
    assert other.err == "error: run `r1` is one of the flow `demo`, but other.py has `other`\n"
    assert flowrt("resume", "r1", "moved.py", "--signal", "ok").code == 0


def test_a_flow_that_changed_is_gone_on_with_and_said(flowrt: Flowrt, tmp_path: Path) -> None:
    write_flow(tmp_path, "flow.py", nodes=APPROVE)
    flowrt("run", "flow.py", "--run-id", "r1")
    write_flow(tmp_path, "flow.py", nodes=f'{APPROVE}, Node("b", b)', edges='Edge("ok", "b")')
    run = flowrt("resume", "r1", "--signal", "ok")
    assert run.code == 0
    assert "warning: the flow `demo` has changed since run `r1` began" in run.err
    assert ran(tmp_path) == ["b"]


def test_which_run_is_meant(flowrt: Flowrt, tmp_path: Path) -> None:
    write_flow(tmp_path, "flow.py", nodes=APPROVE)
    for run_id in ("monday-1", "monday-2", "friday"):
        flowrt("run", "flow.py", "--run-id", run_id)
    assert "run      friday" in flowrt("show", "last").out
    assert "run      monday-2" in flowrt("show", "day-2").out
    several = flowrt("show", "monday")
    assert several.code == 2
    assert "is part of several runs" in several.err
    near = flowrt("resume", "firday")
    assert (near.code, near.err) == (
        2,
        "error: there is no run `firday`; did you mean `friday`?\n",
    )
    assert flowrt("show", "../x").code == 2
