"""What is told where a run, or its result, cannot be written down."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
from flowrt_program import PROGRAM, Flowrt, environment, ran, start_flowrt, until, write_flow

WAITS = """
async def held(state):
    noted("held")
    while not Path("go").exists():
        await asyncio.sleep(0.02)
    return state
"""


def test_a_run_whose_store_is_gone_has_not_gone_well(tmp_path: Path) -> None:
    write_flow(tmp_path, "held.py", nodes='Node("held", held, heartbeat=0.05)', functions=WAITS)
    process = start_flowrt("run", "held.py", "--store", "runs", cwd=tmp_path)
    until(lambda: ran(tmp_path) == ["held"])
    until((tmp_path / "runs").is_dir)
    shutil.rmtree(tmp_path / "runs")
    assert process.stderr is not None
    told = ""
    while "WARNING" not in told:
        line = process.stderr.readline()
        assert line, told
        told += line
    (tmp_path / "go").touch()
    out, rest = process.communicate(timeout=30)
    assert process.returncode == 1
    assert out == ""
    assert "cannot be written" in rest
    # It is told in a sentence, once, and goes on.
    assert (told + rest).count("WARNING: what goes on now cannot be written down") == 1
    assert "Traceback" not in told + rest


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="has no disk that is always full")
def test_a_result_that_cannot_be_written_is_no_refusal(flowrt: Flowrt, flow: str) -> None:
    folder = Path(flowrt.keywords["cwd"])  # type: ignore[attr-defined]
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [PROGRAM, "run", flow],
            cwd=folder,
            stdout=full,
            stderr=subprocess.PIPE,
            encoding="utf-8",
            env=environment(),
            timeout=60,
            check=False,
        )
    # 2 would say that nothing was run.
    assert done.returncode == 1
    assert "error: the run is completed, but its result cannot be written to stdout" in done.stderr
    assert ran(folder) == ["a", "b"]
    assert flowrt("show", "last", "--format", "json").state["status"] == "completed"
