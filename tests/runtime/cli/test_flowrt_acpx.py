"""acpx §b and §g: what the command line takes, loads, grants and gives back."""

from __future__ import annotations

from pathlib import Path

import pytest
from flowrt_program import Flowrt, ran, write_flow


def test_acpx_b_without_input_a_run_begins_with_an_empty_object(flowrt: Flowrt, flow: str) -> None:
    assert flowrt("run", flow).state == {"a": 1, "b": 2}
    assert flowrt("run", flow, "--input-json", '{"x": 1}').state == {"x": 1, "a": 1, "b": 2}


@pytest.mark.parametrize(
    ("needed", "granted", "code"),
    [
        ("deny-all", (), 0),
        ("approve-reads", (), 2),
        ("approve-reads", ("--deny-all",), 2),
        ("approve-reads", ("--approve-reads",), 0),
        ("approve-reads", ("--approve-all",), 0),
        ("approve-all", ("--approve-reads",), 2),
        ("approve-all", ("--approve-all",), 0),
        ("approve-all", ("--deny-all", "--approve-all"), 0),
    ],
)
def test_acpx_g_a_grant_covers_what_is_below_it(
    flowrt: Flowrt, tmp_path: Path, needed: str, granted: tuple[str, ...], code: int
) -> None:
    write_flow(
        tmp_path, "flow.py", nodes='Node("a", a)', more=f'permissions=Permissions("{needed}")'
    )
    assert flowrt("run", "flow.py", *granted).code == code
    assert ran(tmp_path) == ([] if code else ["a"])


def test_acpx_b_an_explicit_grant_has_to_be_typed(flowrt: Flowrt, tmp_path: Path) -> None:
    more = 'permissions=Permissions("approve-all", explicit=True)'
    write_flow(tmp_path, "flow.py", nodes='Node("a", a)', more=more)
    env = {"FLOWRT_PERMISSIONS": "approve-all"}
    assert flowrt("run", "flow.py", env=env).code == 2
    assert flowrt("run", "flow.py", "--approve-all").code == 0


@pytest.mark.parametrize(
    ("nodes", "code"),
    [('Node("a", a)', 0), ('Node("ok", kind="checkpoint")', 3), ('Node("fails", fails)', 1)],
)
def test_acpx_g_waiting_is_told_from_completed_by_the_exit_code(
    flowrt: Flowrt, tmp_path: Path, nodes: str, code: int
) -> None:
    """In acpx both are 0."""
    write_flow(tmp_path, "flow.py", nodes=nodes)
    assert flowrt("run", "flow.py").code == code


def test_acpx_b_a_flow_may_import_what_lies_beside_it(flowrt: Flowrt, tmp_path: Path) -> None:
    (tmp_path / "helpers.py").write_text("async def helped(state):\n    return {'helped': True}\n")
    write_flow(
        tmp_path,
        "flow.py",
        nodes='Node("helped", helped)',
        functions="from helpers import helped",
    )
    assert flowrt("run", str(tmp_path / "flow.py")).state == {"helped": True}


def test_acpx_b_only_what_was_made_as_a_flow_is_run(flowrt: Flowrt, tmp_path: Path) -> None:
    source = "from flowrt import Node\nflow = {'nodes': [], 'edges': [], 'entry': 'a'}\n"
    (tmp_path / "flow.py").write_text(source)
    run = flowrt("run", "flow.py")
    assert run.code == 2
    assert "`flow` is a dict" in run.err


def test_acpx_b_the_whole_graph_is_checked_before_a_file_is_run(
    flowrt: Flowrt, tmp_path: Path
) -> None:
    write_flow(tmp_path, "flow.py", nodes='Node("a", a)', edges='Edge("a", "ghost")')
    run = flowrt("run", "flow.py")
    assert run.code == 2
    assert "FL105" in run.err
    assert ran(tmp_path) == []


def test_acpx_g_a_replay_runs_nothing(flowrt: Flowrt, flow: str, tmp_path: Path) -> None:
    assert flowrt("run", flow, "--run-id", "r1").code == 0
    before = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    (tmp_path / flow).unlink()
    replay = flowrt("replay", "r1")
    assert replay.code == 0
    assert "a completed" in replay.out
    after = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    assert after == {path: held for path, held in before.items() if path.name != flow}
