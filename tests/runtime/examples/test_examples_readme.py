"""What the READMEs show of flowrt is what the commands print."""

from __future__ import annotations

import os
import re
import subprocess
import sysconfig
from pathlib import Path

import pytest
from example_runs import EXAMPLES, ROOT
from flowrt_program import environment

README = (EXAMPLES.parent / "README.md").read_text("utf-8")
MAIN = (ROOT / "README.md").read_text("utf-8")
BLOCKS = re.findall(
    r"^```console\n(\$ (?:flowrt|python)(?s:.*?))^```$", README + MAIN, re.MULTILINE
)
COMMAND = re.compile(r"^\$ ((?:.*\\\n)*.*)\n", re.MULTILINE)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder in which the examples stand as in a checkout, and no runs are."""
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    return tmp_path


@pytest.mark.parametrize("block", BLOCKS)
def test_output_is_real(folder: Path, block: str) -> None:
    programs = sysconfig.get_path("scripts")
    path = f"{programs}{os.pathsep}{os.environ['PATH']}"
    _, *parts = COMMAND.split(block)
    for command, shown in zip(parts[::2], parts[1::2], strict=True):
        done = subprocess.run(
            ["/bin/sh", "-c", command],
            cwd=folder,
            env=environment(PATH=path),
            capture_output=True,
            encoding="utf-8",
            timeout=120,
            check=False,
        )
        assert done.stdout == shown, done.stderr


def test_there_is_something_to_see() -> None:
    assert len(BLOCKS) == 10


def test_every_flow_is_named() -> None:
    files = {path for kind in ("py", "yaml", "json") for path in EXAMPLES.glob(f"*/*.{kind}")}
    helpers = {"stopping.py", "workplace.py", "refund_answers.json"}
    for path in files:
        assert path.name in helpers or f"`{path.name}`" in README, path
