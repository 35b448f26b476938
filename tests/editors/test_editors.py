"""The settings for Neovim, Emacs and Vim, in these editors: a finding is shown, fixed and gone.

Each test is skipped where its editor is not installed. `NVIM` names another Neovim to test as well.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sysconfig
from pathlib import Path

import pytest

HERE = Path(__file__).parent
EDITORS = HERE.parents[1] / "editors"
FLOW = """from flows import Edge, Flow, Node


async def collect(state):
    return None


FLOW = Flow(
    nodes=[Node("collect", collect), Node("publish", collect)],
    edges=[Edge("collect", "publihs")],
    entry="collect",
)
"""
SECONDS = 60
ALE = Path("/usr/share/vim-ale")


TYPESCRIPT = """import { compute, defineFlow } from "acpx/flows";

const run = () => ({});

export default defineFlow({
  name: "collect",
  startAt: "collect",
  nodes: { collect: compute({ run }), publish: compute({ run }) },
  edges: [{ from: "collect", to: "publihs" }],
});
"""


def edit(
    command: list[str], folder: Path, settings: Path, name: str = "flow.py"
) -> subprocess.CompletedProcess[str]:
    (folder / "flowlint.toml").write_text("")
    (folder / name).write_text(FLOW if name == "flow.py" else TYPESCRIPT)
    scripts = sysconfig.get_path("scripts")
    env = {
        **os.environ,
        "PATH": f"{scripts}{os.pathsep}{os.environ['PATH']}",
        "HOME": str(folder),
        "FLOW": str(folder / name),
        "SETTINGS": str(settings),
        "SAID": str(folder / "said.txt"),
    }
    return subprocess.run(
        command,
        cwd=folder,
        env=env,
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
        stdin=subprocess.DEVNULL,
    )


@pytest.mark.parametrize("name", ["flow.py", "flow.ts", "flow.jsx"])
@pytest.mark.parametrize("program", ["nvim", os.environ.get("NVIM", "")])
def test_neovim(tmp_path: Path, program: str, name: str) -> None:
    nvim = shutil.which(program) if program else None
    if nvim is None:
        pytest.skip(f"{program or 'another Neovim, NVIM,'} is not installed")
    script = HERE / "editing.lua"
    command = [nvim, "--headless", "-u", "NONE", "-i", "NONE", "-n", "-c", f"luafile {script}"]
    run = edit(command, tmp_path, EDITORS / "neovim", name)
    assert (run.returncode, run.stderr.strip()[-2:]) == (0, "OK"), run.stderr


def test_emacs(tmp_path: Path) -> None:
    emacs = shutil.which("emacs")
    if emacs is None:
        pytest.skip("emacs is not installed")
    run = edit([emacs, "--batch", "-l", str(HERE / "editing.el")], tmp_path, EDITORS / "emacs")
    if "Cannot open load file" in run.stdout + run.stderr:
        pytest.skip("eglot is not installed")
    assert run.returncode == 0, run.stdout + run.stderr
    assert "OK" in run.stdout


def test_vim(tmp_path: Path) -> None:
    vim = shutil.which("vim")
    if vim is None or not ALE.exists():
        pytest.skip("vim or ALE is not installed")
    command = [vim, "-Nu", str(HERE / "editing.vim"), "-es", "-T", "dumb"]
    run = edit(command, tmp_path, EDITORS / "vim")
    said = (tmp_path / "said.txt").read_text().splitlines()
    assert said == ['"publihs"', "OK"], (said, run.stdout, run.stderr)
