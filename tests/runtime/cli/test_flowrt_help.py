"""`flowrt --help` and wrong command lines."""

from __future__ import annotations

import subprocess
import sys

import pytest
from flowrt_program import Flowrt

HEAVY = ("pydantic", "cel", "acp", "yaml", "libcst", "networkx", "asyncio", "jsonschema_rs")


def test_help_names_every_command_and_exit_code(flowrt: Flowrt) -> None:
    run = flowrt("--help")
    assert (run.code, run.err) == (0, "")
    for command in ("run", "resume", "show", "list", "replay", "graph", "check", "schema"):
        assert f"\n  {command} " in run.out
    for code in ("0 ", "1 ", "2 ", "3 ", "4 ", "5 ", "130 "):
        assert f"\n    {code}" in run.out


def test_help_loads_nothing_heavy() -> None:
    program = (
        "import sys; from flowrt.cli.main import main; main(['--help']);"
        f"print([name for name in {HEAVY} if name in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, encoding="utf-8", check=True
    )
    assert done.stdout.endswith("\n[]\n")


def test_version(flowrt: Flowrt) -> None:
    run = flowrt("--version")
    assert run.code == 0
    assert run.out.startswith("flowrt ")


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("nothing",), "No such command 'nothing'"),
        (("run",), "Missing argument 'FILE[:NAME]'"),
        (("run", "flow.py", "--format", "xml"), "'xml' is not one of"),
        (("run", "flow.py", "--max-steps", "0"), "0 is not in the range"),
        (("replay", "x", "--speed", "1", "--step"), "give --speed or --step, not both"),
        (("run", "flow.py", "--no-store", "--store", "x"), "--no-store keeps nothing"),
    ],
)
def test_wrong_use_is_one_sentence(
    flowrt: Flowrt, flow: str, arguments: tuple[str, ...], says: str
) -> None:
    run = flowrt(*arguments)
    assert (run.code, run.out) == (2, "")
    assert run.err.startswith("error: ")
    assert run.err.count("\n") == 1
    assert says in run.err
