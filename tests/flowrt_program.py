"""Running `flowrt` as a user does, and small flows for it."""

from __future__ import annotations

import json
import os
import subprocess
import sysconfig
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

PROGRAM = Path(sysconfig.get_path("scripts")) / "flowrt"
PATIENCE = 30.0

FUNCTIONS = """
import asyncio
from pathlib import Path

from flowrt import Edge, Flow, Node, Permissions, Region, Retry, Switch


def noted(name):
    with open("ran.txt", "a") as file:
        file.write(name + "\\n")


async def a(state):
    noted("a")
    return {**state, "a": 1}


async def b(state):
    noted("b")
    return {**state, "b": state.get("a", 0) + 1}


async def fails(state):
    noted("fails")
    raise ValueError("no luck today")


async def slow(state):
    noted("slow")
    await asyncio.sleep(0.05 if Path("fast").exists() else 60)
    return {**state, "slow": True}


async def one(state):
    noted("one")
    return {**state, "n": state.get("n", 0) + 1}


class Failing:
    left = 2


async def flaky(state):
    noted("flaky")
    if Failing.left:
        Failing.left -= 1
        raise ConnectionError("try again")
    return state


async def talks(context):
    context.heartbeat("reading page 7")
    await asyncio.sleep(60)
"""


@dataclass(frozen=True)
class Run:
    """One finished run of the program."""

    code: int
    out: str
    err: str

    @property
    def state(self) -> Any:
        """The state that the flow ended with."""
        return json.loads(self.out)

    @property
    def lines(self) -> list[dict[str, Any]]:
        """What `--format json` wrote."""
        return [json.loads(line) for line in self.out.splitlines()]


Flowrt = Callable[..., Run]


def environment(**more: str) -> dict[str, str]:
    """The environment of a run: nothing that a developer's own settings would change."""
    kept = {key: value for key, value in os.environ.items() if not key.startswith("FLOWRT_")}
    return {**kept, "PYTHONUTF8": "1", "TZ": "UTC", **more}


def run_flowrt(
    *arguments: str, cwd: Path, env: dict[str, str] | None = None, stdin: str = ""
) -> Run:
    """Run `flowrt` in a process of its own."""
    done = subprocess.run(
        [PROGRAM, *arguments],
        cwd=cwd,
        capture_output=True,
        encoding="utf-8",
        env=environment(**(env or {})),
        timeout=120,
        input=stdin,
        check=False,
    )
    return Run(done.returncode, done.stdout, done.stderr)


def start_flowrt(*arguments: str, cwd: Path) -> subprocess.Popen[str]:
    """Start `flowrt` and leave it running."""
    return subprocess.Popen(
        [PROGRAM, *arguments],
        cwd=cwd,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
        env=environment(),
    )


def write_flow(
    folder: Path,
    name: str,
    *,
    nodes: str,
    edges: str = "",
    entry: str | None = None,
    more: str = "",
    functions: str = "",
) -> str:
    """Write a module with one flow; its entry is the first node unless said."""
    if entry is None:
        entry = nodes.split('"')[1]
    (folder / name).write_text(
        f"{FUNCTIONS}\n{functions}\n\n"
        f'flow = Flow(name="demo", nodes=[{nodes}], edges=[{edges}], entry="{entry}", {more})\n'
    )
    return name


def until(found: Callable[[], object]) -> None:
    """Wait until something is so."""
    end = time.monotonic() + PATIENCE
    while not found():
        assert time.monotonic() < end, "it did not come to that in time"
        time.sleep(0.02)


def ran(folder: Path) -> list[str]:
    """The names that nodes noted when they ran."""
    file = folder / "ran.txt"
    return file.read_text().split() if file.exists() else []
