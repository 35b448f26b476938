"""Child processes: started in a group of their own, read within limits, ended for certain."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

TERM_GRACE = 1.0
"""Seconds that a process group has after SIGTERM before SIGKILL follows."""

KILL_GRACE = 0.2
"""Seconds to wait until what was killed is gone."""

DRAIN_GRACE = 0.5
"""Seconds to go on reading after a command ended whose children still hold its output."""

_MINIMAL = ("PATH", "HOME", "USER", "LOGNAME", "SHELL", "LANG", "LC_ALL", "TERM", "TMPDIR", "TZ")
_CHUNK = 65536


def environment(inherit: str | Sequence[str], extra: Mapping[str, str]) -> dict[str, str]:
    """The environment of a child.

    `inherit` is `all`, `minimal` (what programs need to find their way), `none`, or the names to
    pass on beside the minimal ones.
    """
    if inherit == "all":
        base = dict(os.environ)
    elif inherit == "none":
        base = {}
    else:
        names = _MINIMAL if isinstance(inherit, str) else (*_MINIMAL, *inherit)
        base = {name: os.environ[name] for name in names if name in os.environ}
    return {**base, **extra}


@dataclass(slots=True)
class Captured:
    """What a stream gave, up to a limit."""

    limit: int
    content: bytearray = field(default_factory=bytearray)
    truncated: bool = False

    def add(self, chunk: bytes) -> None:
        """Keep what still fits."""
        room = self.limit - len(self.content)
        if len(chunk) > room:
            self.truncated = True
            chunk = chunk[:room]
        self.content += chunk

    def text(self) -> str:
        """The content as text; bytes that are not UTF-8 are replaced."""
        return self.content.decode("utf-8", "replace")


async def read_into(
    stream: asyncio.StreamReader | None, captured: Captured, *, whole: bool = True
) -> None:
    """Read a stream to its end, or unless `whole`, until more came than is kept."""
    while stream is not None and (chunk := await stream.read(_CHUNK)):
        captured.add(chunk)
        if captured.truncated and not whole:
            return


async def feed(stream: asyncio.StreamWriter | None, content: bytes) -> None:
    """Write to a child; one that closes its input early is no error."""
    if stream is None:
        return
    with suppress(BrokenPipeError, ConnectionResetError):
        if content:
            stream.write(content)
            await stream.drain()
    with suppress(BrokenPipeError, ConnectionResetError):
        stream.close()


async def exited(process: asyncio.subprocess.Process) -> int:
    """Wait for a process alone, and give its code: `wait` also waits until nobody holds its pipes
    any more, its children included."""
    waiting = asyncio.ensure_future(process.wait())
    try:
        while process.returncode is None:
            await asyncio.wait([waiting], timeout=0.05)
    finally:
        waiting.cancel()
    return process.returncode


def let_go(process: asyncio.subprocess.Process) -> None:
    """Close the pipes to a process that somebody else may still hold."""
    transport: Any = getattr(process, "_transport", None)
    if transport is not None:
        transport.close()


async def end_group(process: asyncio.subprocess.Process) -> None:
    """End a process and all of its group: SIGTERM, and SIGKILL for what is left a second later."""
    group = process.pid
    try:
        _signal(group, signal.SIGTERM)
        await _emptied(process, TERM_GRACE)
    finally:
        _signal(group, signal.SIGKILL)
    await exited(process)
    await _emptied(process, KILL_GRACE)
    let_go(process)


async def _emptied(process: asyncio.subprocess.Process, most: float) -> None:
    """Wait until nobody is left in a group, but not for ever."""
    with suppress(TimeoutError):
        async with asyncio.timeout(most):
            await exited(process)
            while _signal(process.pid, 0):
                await asyncio.sleep(0.02)


def _signal(group: int, number: int) -> bool:
    """Send a signal to a group; False when nobody is left in it."""
    try:
        os.killpg(group, number)
    except (ProcessLookupError, PermissionError):
        return False
    return True
