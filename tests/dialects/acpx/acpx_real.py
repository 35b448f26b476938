"""The real acpx beside ours: what it says of flow modules.

FLOWLINT_ACPX names a folder `node_modules` in which acpx 0.19.1 is installed.
"""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest

VALIDATOR = Path(__file__).with_name("acpx_validator.mjs")


def modules() -> Path:
    """The folder of the installed packages; the test is skipped where there is none."""
    named = os.environ.get("FLOWLINT_ACPX")
    if not named or not (Path(named) / "acpx" / "dist").is_dir():
        pytest.skip("FLOWLINT_ACPX names no node_modules with acpx")
    return Path(named)


def verdicts(sources: Sequence[str], folder: Path) -> list[str | None]:
    """What acpx says of each of these modules, None: it accepts the flow."""
    installed = modules()
    (folder / "node_modules").symlink_to(installed.resolve())
    files = []
    for number, source in enumerate(sources):
        file = folder / f"flow{number}.mjs"
        file.write_text(source)
        files.append(file.name)
    done = subprocess.run(
        ["node", str(VALIDATOR), "node_modules", *files],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    told: list[str | None] = json.loads(done.stdout)
    return told
