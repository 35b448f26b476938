"""The extension in VS Code itself: code-server serves it, and Chromium shows it.

`make vscode` builds what is tested. Each test is skipped, and says so, where something is not
there: node, the built extension, code-server (on PATH or named by CODE_SERVER) or Chromium.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest
from vscode_workspace import write_workspace

EXTENSION = Path(__file__).resolve().parents[2] / "editors" / "vscode"
VSIX = Path(os.environ.get("FLOWLINT_VSIX", EXTENSION / "flowlint.vsix"))
PLAYWRIGHT = EXTENSION / "node_modules" / "playwright-core"
SECONDS = 400


def needed(program: str, variable: str) -> str:
    found = os.environ.get(variable) or shutil.which(program)
    if found is None:
        pytest.skip(f"{program} is not installed (nor named by {variable})")
    return found


def run_node(arguments: list[str], env: dict[str, str]) -> None:
    node = needed("node", "NODE")
    run = subprocess.run(
        [node, *arguments],
        cwd=EXTENSION,
        env=env,
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
    )
    assert run.returncode == 0, run.stdout + run.stderr
    print(run.stdout)


def build() -> None:
    if not PLAYWRIGHT.exists():
        pytest.skip("editors/vscode/node_modules is not there: make vscode")
    run_node(["esbuild.mjs", "--tests"], dict(os.environ))


def drive(script: str, tmp_path: Path, **more: object) -> None:
    """Run a script of test/browser in an empty VS Code with the extension."""
    program, chromium = needed("code-server", "CODE_SERVER"), needed("chromium", "CHROMIUM")
    build()
    if not VSIX.exists():
        pytest.skip("the extension is not built: make vscode")
    folder = tmp_path / "flows"
    write_workspace(folder)
    given = {"program": program, "vsix": str(VSIX), "home": str(tmp_path), "folder": str(folder)}
    # A path without this project's programs: VS Code finds what any user's would find.
    node = Path(needed("node", "NODE")).parent
    places = [str(node), f"{sys.base_prefix}/bin", "/usr/bin", "/bin"]
    env = {**os.environ, "CHROMIUM": chromium, "PATH": os.pathsep.join(places)}
    env.pop("VIRTUAL_ENV", None)
    run_node([f"test/browser/{script}", json.dumps({**given, **more})], env)


def test_parts_of_extension() -> None:
    build()
    run_node(["--test", "dist-test/unit/"], dict(os.environ))


def test_in_extension_host(tmp_path: Path) -> None:
    drive("host.mjs", tmp_path, flowls=str(Path(sysconfig.get_path("scripts"), "flowls")))


def test_as_new_user_sees_it(tmp_path: Path) -> None:
    drive("seen.mjs", tmp_path, images=os.environ.get("FLOWLINT_IMAGES", ""))
