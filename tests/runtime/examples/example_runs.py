"""Running examples, and reading what their runs told."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from flowrt_program import Flowrt, Run, environment

ROOT = Path(__file__).parents[3]
EXAMPLES = ROOT / "examples" / "flowrt"


def run_example(flowrt: Flowrt, file: str, state: Any, *arguments: str, **more: Any) -> Run:
    """Run an example, named below the folder of examples, and keep it as run `r1`."""
    given = ("--run-id", "r1", "--format", "json", "--input-json", json.dumps(state))
    return flowrt("run", str(EXAMPLES / file), *given, *arguments, **more)


def resume_example(flowrt: Flowrt, *arguments: str, **more: Any) -> Run:
    """Go on with the run `r1`."""
    return flowrt("resume", "r1", "--format", "json", *arguments, **more)


def result(run: Run) -> dict[str, Any]:
    """How a run ended."""
    last: dict[str, Any] = run.lines[-1]
    assert last["type"] == "result", run.err
    return last


def events(run: Run, *types: str) -> list[dict[str, Any]]:
    """What a run told, of some types only."""
    return [line for line in run.lines if line["type"] in types]


def regions(run: Run) -> list[tuple[str, str, int | None]]:
    """The regions that were entered: kind, node and iteration."""
    return [
        (event["data"]["kind"], event["data"]["parent"], event["data"].get("iteration"))
        for event in events(run, "region_started")
    ]


def inside(run: Run, scope: str) -> list[str]:
    """The nodes that completed in the scope whose name ends so."""
    done = events(run, "node_completed")
    return [event["node"] for event in done if event.get("scope", "").endswith(scope)]


def findings(folder: str) -> list[Any]:
    """What flowlint finds in a folder of examples."""
    program = Path(sys.executable).with_name("flowlint")
    done = subprocess.run(
        [program, "check", EXAMPLES / folder, "--output-format", "json"],
        cwd=ROOT,
        capture_output=True,
        encoding="utf-8",
        env=environment(),
        check=False,
    )
    found: list[Any] = json.loads(done.stdout)
    return found


def names(lines: Iterable[str]) -> list[str]:
    """The nodes of a file that `jsonl_checkpoint` wrote."""
    return [json.loads(line)["node"] for line in lines]
