"""What the README shows is what the program prints."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest
from support import PROGRAM, run_flowlint

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text("utf-8")
SHOWN = re.findall(
    r"^```console\n\$ flowlint (.+)\n((?s:.*?))^```$",
    README,
    re.MULTILINE,
)


@pytest.mark.parametrize(("command", "output"), SHOWN)
def test_output_is_real(command: str, output: str) -> None:
    assert run_flowlint(*command.split(), cwd=ROOT).out == output


def test_there_is_something_to_see() -> None:
    assert len(SHOWN) == 6


def test_the_server_is_that_of_the_readme() -> None:
    shown = re.search(r"^\$ flowls --version\n(.*)\n", README, re.MULTILINE)
    assert shown is not None
    done = subprocess.run(
        [PROGRAM.with_name("flowls"), "--version"], capture_output=True, text=True, check=True
    )
    assert done.stdout == f"{shown[1]}\n"


def test_the_picture_is_real() -> None:
    flow = "examples/langgraph/broken_support_agent.py"
    picture = (ROOT / "docs" / "images" / "support_agent.svg").read_text("utf-8")
    assert run_flowlint("graph", flow, "--format", "svg", cwd=ROOT).out == picture
