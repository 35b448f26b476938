"""What an agent prints: its messages, told from what is none before the ACP library sees them."""

from __future__ import annotations

import asyncio
import json
import logging
import sys
from collections.abc import Callable

_SHOWN = 120


class MessageLines(asyncio.StreamReader):
    """The lines of an agent as long as each is a JSON-RPC message; then they are at their end.

    `refuse` is given the beginning of the first that is none. A message that breaks off where the
    stream ends is left out.
    """

    def __init__(self, source: asyncio.StreamReader, refuse: Callable[[str], None]) -> None:
        super().__init__()
        self._source = source
        self._refuse = refuse

    async def readuntil(self, separator: bytes = b"\n") -> bytes:  # type: ignore[override]
        """The next message. Raises IncompleteReadError at the end."""
        try:
            line = await self._source.readuntil(separator)
        except asyncio.LimitOverrunError as error:
            line = await self._source.readexactly(min(error.consumed, 4 * _SHOWN))
        except asyncio.IncompleteReadError as error:
            line = b"" if error.partial.lstrip().startswith(b"{") else error.partial
        if _is_message(line):
            return line
        if line.strip():
            self._refuse(_shown(line))
        raise asyncio.IncompleteReadError(b"", None)


def _is_message(line: bytes) -> bool:
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        return line.isspace() and line.endswith(b"\n")
    return isinstance(found, dict) and ("method" in found or "id" in found)


def _shown(line: bytes) -> str:
    text = line[: 4 * _SHOWN].replace(b"\0", b" ").decode("utf-8", "replace")
    text = " ".join(text.split()) or "a line of zeros"
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"


class _ForDevelopers:
    """Stands for the module `logging`, of which the ACP library only uses `exception`.

    It calls that for the root logger, which makes tracebacks of an agent's faults for users; what
    they need to know is in the errors of nodes.
    """

    @staticmethod
    def exception(message: str, *arguments: object, exc_info: object = True) -> None:
        logging.getLogger("flowrt.acp").debug(message, *arguments, exc_info=exc_info)  # type: ignore[arg-type]


def silence_library() -> None:
    """Let what the ACP library logs go to the logger `flowrt.acp`, as details."""
    for name, module in list(sys.modules.items()):
        if name.startswith("acp.") and getattr(module, "logging", None) is logging:
            module.logging = _ForDevelopers  # type: ignore[attr-defined]
