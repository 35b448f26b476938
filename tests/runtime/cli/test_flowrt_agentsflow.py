"""How the program tells of flows that take all edges (agentsflow §b)."""

from __future__ import annotations

from pathlib import Path

import pytest
from flowrt_program import Flowrt, ran, write_flow


def test_agentsflow_b_a_run_with_a_failure_has_an_exit_code_of_its_own(
    flowrt: Flowrt, tmp_path: Path
) -> None:
    """There it is called partial, and one in which nothing ran completed."""
    write_flow(
        tmp_path,
        "flow.py",
        nodes='Node("a", a), Node("fails", fails), Node("b", b), Node("after", b)',
        edges='Edge("a", "fails"), Edge("a", "b"), Edge("fails", "after")',
        more='routing="all"',
    )
    run = flowrt("run", "flow.py", "--run-id", "r1")
    assert run.code == 1
    assert "no luck today" in run.err
    assert ran(tmp_path) == ["a", "fails", "b"]
    shown = flowrt("show", "r1").out
    assert "status   failed" in shown
    assert "after" in shown and "blocked" in shown


def test_agentsflow_b_a_failed_run_goes_on_behind_what_failed(
    flowrt: Flowrt, tmp_path: Path
) -> None:
    source = """
async def until_mended(state):
    noted("until_mended")
    if not Path("mended").exists():
        raise ValueError("not yet")
    return state
"""
    write_flow(
        tmp_path,
        "flow.py",
        nodes='Node("a", a), Node("shaky", until_mended), Node("one", one), Node("b", b)',
        edges='Edge("a", "shaky"), Edge("a", "one"), Edge("shaky", "b")',
        more='routing="all"',
        functions=source,
    )
    assert flowrt("run", "flow.py", "--run-id", "r1").code == 1
    (tmp_path / "mended").touch()
    again = flowrt("resume", "r1")
    assert (again.code, again.state) == (0, {"a": 1, "n": 1, "b": 2})
    assert ran(tmp_path) == ["a", "until_mended", "one", "until_mended", "b"]


COMPUTE = 'Node("c", kind="compute", config={"expression": "%d"})'


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ('Node("c", a)', 'Node("c", a, retry=Retry(5))'),
        ('Node("c", a)', 'Node("c", a, after=[{"type": "log", "message": "done"}])'),
        (COMPUTE % 1, COMPUTE % 2),
    ],
)
def test_agentsflow_g_a_change_of_retries_configs_or_actions_is_told_on_resume(
    flowrt: Flowrt, tmp_path: Path, before: str, after: str
) -> None:
    """What a run keeps of its definition there has none of these."""
    for node in (before, after):
        nodes = f'Node("ok", kind="checkpoint"), {node}'
        write_flow(tmp_path, "flow.py", nodes=nodes, edges='Edge("ok", "c")')
        if node == before:
            assert flowrt("run", "flow.py", "--run-id", "r1").code == 3
    run = flowrt("resume", "r1", "--signal", "ok")
    assert (run.code, "has changed since run `r1` began" in run.err) == (0, True)


def test_agentsflow_g_a_secret_in_a_config_is_not_taken_for_a_change(
    flowrt: Flowrt, tmp_path: Path
) -> None:
    secret = "sk-abcdefghijklmnopqrstuvwxyz"
    action = f'{{"type": "log", "message": "by {secret}"}}'
    write_flow(tmp_path, "flow.py", nodes=f'Node("ok", kind="checkpoint", after=[{action}])')
    assert flowrt("run", "flow.py", "--run-id", "r1").code == 3
    kept = "".join(path.read_text() for path in (tmp_path / ".flowrt").rglob("*.*"))
    assert secret not in kept
    run = flowrt("resume", "r1", "--signal", "ok", "--max-steps", "9")
    assert run.code == 0
    assert "has changed" not in run.err
