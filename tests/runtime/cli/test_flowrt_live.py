"""The live view, seen through a pseudo-terminal."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import struct
import sys
import termios
from pathlib import Path

import pytest
from flowrt_program import PROGRAM, environment, ran, write_flow

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")

RETRIED = """
class Tries:
    made = 0


async def waits(state):
    Tries.made += 1
    print(f"try {Tries.made}")
    await asyncio.sleep(0.5)
    if Tries.made < 2:
        raise ConnectionError("try again")
    return state


async def blocks(state):
    import time
    time.sleep(0.6)
    return state


async def tells(context):
    context.heartbeat("half way")
    await asyncio.sleep(0.5)
"""


def on_terminal(*arguments: str, cwd: Path, columns: int = 100, lines: int = 24) -> tuple[int, str]:
    """Run `flowrt` on a terminal; its exit code and everything it wrote."""
    process, terminal = pty.fork()
    if process == 0:  # pragma: no cover
        os.chdir(cwd)
        fcntl.ioctl(1, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))
        os.execve(PROGRAM, [str(PROGRAM), *arguments], environment(TERM="xterm-256color"))
    written = b""
    while True:
        try:
            piece = os.read(terminal, 65536)
        except OSError:
            break
        if not piece:
            break
        written += piece
    os.close(terminal)
    return os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]), written.decode()


def screen(written: str) -> list[str]:
    """The lines that a terminal shows in the end."""
    lines, row, column = [""], 0, 0
    written = re.sub(r"\x1b\[[\d;]*m", "", written)
    for part in re.findall(r"\x1b\[\d*[A-Z]|\r|\n|[^\x1b\r\n]+", written):
        if part == "\r":
            column = 0
        elif part == "\n":
            row += 1
            if row == len(lines):
                lines.append("")
        elif part.endswith("A") and part.startswith("\x1b"):
            row -= int(part[2:-1])
        elif part == "\x1b[J":
            lines = [*lines[:row], lines[row][:column]]
        else:
            lines[row] = lines[row][:column].ljust(column) + part + lines[row][column + len(part) :]
            column += len(part)
    return [line.rstrip() for line in lines]


def test_node_attempt_and_time_are_shown_while_it_runs(tmp_path: Path) -> None:
    write_flow(
        tmp_path,
        "flow.py",
        nodes='Node("a", a), Node("waits", waits, retry=Retry(attempts=2, delay=0.3))',
        edges='Edge("a", "waits")',
        functions=RETRIED,
    )
    code, written = on_terminal("run", "flow.py", "--run-id", "r1", cwd=tmp_path)
    assert code == 0
    assert re.search(r"  waits  attempt 1  \d+ ms", written)
    assert re.search(r"  waits  attempt 2 soon, waiting for \d+ ms", written)
    assert re.search(r"  waits  attempt 2  \d+ ms", written)
    assert re.search(r"demo  \d+ ms  1 node done, 1 running", written)
    shown = screen(written)
    assert shown[0] == "run r1 of flow demo"
    assert shown[1] == "started at a"
    assert shown[2].startswith("a completed")
    assert shown[3:5] == [
        "try 1",
        "waits: attempt 1 failed: ConnectionError: try again; again in 300 ms",
    ]
    assert shown[5] == "try 2"
    assert shown[7] == "completed: a -> waits"
    assert shown[8] == "{"
    assert not any("running" in line for line in shown)


def test_regions_are_indented_and_details_shown(tmp_path: Path) -> None:
    body = 'Region([Node("tells", tells, kind="compute")], [], "tells")'
    node = f'Node("each", kind="repeat", config={{"over": [1]}}, regions={{"body": {body}}})'
    write_flow(tmp_path, "flow.py", nodes=node, functions=RETRIED)
    code, written = on_terminal("run", "flow.py", cwd=tmp_path)
    assert code == 0
    plain = re.sub(r"\x1b\[[\d;]*m", "", written)
    assert re.search(r"\n  each  attempt 1  .*\n    loop-body of each, iteration 0\r?\n", plain)
    assert re.search(r"\n      tells  attempt 1  \d+ ms  heartbeat \d+ ms ago  half way", plain)


def test_a_node_that_blocks_the_loop_is_shown(tmp_path: Path) -> None:
    write_flow(tmp_path, "flow.py", nodes='Node("blocks", blocks)', functions=RETRIED)
    code, written = on_terminal("run", "flow.py", "--no-store", cwd=tmp_path)
    assert code == 0
    assert re.search(r"  blocks  attempt 1  [2345]\d\d ms", written)


def test_lines_fit_the_terminal(tmp_path: Path) -> None:
    name = "x" * 200
    write_flow(
        tmp_path, "flow.py", nodes=f'Node("{name}", waits)', functions=RETRIED.replace("< 2", "< 1")
    )
    code, written = on_terminal("run", "flow.py", cwd=tmp_path, columns=40, lines=10)
    assert code == 0
    drawn = [line for line in written.splitlines() if line.startswith("  x")]
    assert drawn
    assert all(len(line) <= 39 and line.endswith("…") for line in drawn)
    _, written = on_terminal("run", "flow.py", cwd=tmp_path)
    assert re.search(r"  x{39}…  attempt 1  \d+ ms", written)


def test_a_terminal_that_cannot_redraw_gets_lines(tmp_path: Path) -> None:
    write_flow(tmp_path, "flow.py", nodes='Node("a", a)')
    code, written = on_terminal("run", "flow.py", "--format", "plain", cwd=tmp_path)
    assert code == 0
    assert "\x1b" not in written
    assert ran(tmp_path) == ["a"]
