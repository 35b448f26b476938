"""The commands that a page shows, run one after the other, and what they print.

Run as a program it writes what they print into the pages: python tests/docs/console_blocks.py
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGES = [*sorted((ROOT / "docs").rglob("*.md")), ROOT / "examples" / "plugin" / "README.md"]
INSTALLED = ("pip install '.[typescript]'",)
"""What has been done when the tests run."""

_OF_ITS_TIME = [
    (re.compile(r"\b\d{8}T\d{12}Z-(\w+)-[0-9a-f]{8}\b"), r"RUN-\1"),
    (re.compile(r"\b\d\d:\d\d:\d\d\b"), "TIME"),
    (re.compile(r"\b\d+ ms\b"), "N ms"),
]
"""What differs from run to run."""

_BLOCK = re.compile(
    r'^```(?:console\n(?P<session>.*?)|\w+ title="(?P<name>[^"]+)"\n(?P<file>.*?))^```$',
    re.MULTILINE | re.DOTALL,
)
_COMMAND = re.compile(r"^\$ (?P<command>(?:.*\\\n)*.*)\n(?P<shown>(?:(?!\$ ).*\n)*)", re.MULTILINE)


@dataclass(frozen=True)
class Shown:
    """A command with what the page says that it prints, and what it prints."""

    page: str
    line: int
    command: str
    shown: str
    printed: str
    code: int


def timeless(text: str) -> str:
    """A text without what differs from run to run."""
    for pattern, replacement in _OF_ITS_TIME:
        text = pattern.sub(replacement, text)
    return text


def ran(page: Path) -> list[Shown]:
    """Run all commands of a page in a folder of their own, in which the examples are."""
    with tempfile.TemporaryDirectory() as folder:
        left_out = shutil.ignore_patterns(".flowlint_cache", "__pycache__")
        shutil.copytree(ROOT / "examples", Path(folder, "examples"), ignore=left_out)
        return list(_ran(page, Path(folder)))


def _ran(page: Path, folder: Path) -> Iterator[Shown]:
    text = page.read_text("utf-8")
    for block in _BLOCK.finditer(text):
        if block["name"] is not None:
            path = folder / block["name"]
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(block["file"], "utf-8")
            continue
        for found in _COMMAND.finditer(block["session"]):
            line = text.count("\n", 0, block.start("session") + found.start()) + 1
            code, printed = _run(found["command"], folder)
            name = str(page.relative_to(ROOT))
            yield Shown(name, line, found["command"], found["shown"], printed, code)


def _run(command: str, folder: Path) -> tuple[int, str]:
    """What a terminal shows of a command."""
    if command in INSTALLED:
        return 0, ""
    if command.startswith("pip install "):
        offline = "--quiet --no-build-isolation --no-deps --no-index --upgrade --target site"
        install = f"{sys.executable} -m pip install {offline} --disable-pip-version-check"
        command = command.replace("pip install", install)
    programs = sysconfig.get_path("scripts")
    path = f"{programs}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        ["/bin/sh", "-c", command],
        cwd=folder,
        env={**os.environ, "PATH": path, "PYTHONPATH": str(folder / "site"), "PYTHONUTF8": "1"},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        timeout=300,
        check=False,
    )
    return done.returncode, done.stdout


def write_anew(page: Path) -> None:
    """Write what its commands print into a page."""
    results = iter(ran(page))

    def printed(found: re.Match[str]) -> str:
        result = next(results)
        is_same = timeless(result.printed) == timeless(result.shown)
        return f"$ {found['command']}\n{result.shown if is_same else result.printed}"

    def block(found: re.Match[str]) -> str:
        if found["session"] is None:
            return found[0]
        return f"```console\n{_COMMAND.sub(printed, found['session'])}```"

    page.write_text(_BLOCK.sub(block, page.read_text("utf-8")), "utf-8")


if __name__ == "__main__":
    for named in map(Path, sys.argv[1:]) if sys.argv[1:] else PAGES:
        write_anew(named.resolve())
