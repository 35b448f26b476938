"""The file of a trace: opened, read, and its end made such that a line can follow."""

from __future__ import annotations

import os

from flowrt.stores import files
from flowrt.stores.base import Trace
from flowrt.stores.lines import read_trace


def open_trace(path: str) -> int:
    """Open a trace to read it and to add to its end; made when missing."""
    return os.open(path, os.O_RDWR | os.O_APPEND | os.O_CREAT | files.BINARY, 0o600)


def mend(fd: int) -> tuple[Trace, tuple[str, ...]]:
    """Read a trace, and make its end such that the next line stands by itself.

    A last line without its end is an event that lacks only that, or a part of one: of the
    first kind `append` may not have returned, but it is whole and kept.
    """
    os.lseek(fd, 0, os.SEEK_SET)
    content = b"".join(iter(lambda: os.read(fd, 1 << 20), b""))
    end = content.rfind(b"\n") + 1
    if end == len(content):
        return read_lines(content), ()
    number = content.count(b"\n") + 1
    if not read_trace([("", content[end:])]).events:
        os.ftruncate(fd, end)
        cut = f"line {number} was cut short and is taken away"
        return read_lines(content[:end]), (cut,)
    files.write_all(fd, b"\n")
    return read_lines(content + b"\n"), ()


def read_lines(content: bytes | None) -> Trace:
    """The events in the content of a trace; None: there is no such file."""
    if content is None:
        return Trace((), ("the trace is missing",))
    lines = content.split(b"\n")
    last = lines.pop()
    named = [(f"line {number}", line) for number, line in enumerate(lines, 1)]
    if last:
        named.append((f"line {len(named) + 1} (cut short)", last))
    return read_trace(named)
