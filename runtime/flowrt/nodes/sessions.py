"""Which sessions a run has with agents."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from hashlib import sha256
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from flowrt.nodes.acp_pool import AgentCommand


class RecordedSessions(dict[str, Any]):
    """A session table that starts with what was recorded and records each change."""

    def __init__(
        self, known: Mapping[str, Any], record: Callable[[str, Mapping[str, Any]], None]
    ) -> None:
        super().__init__(known)
        self._record = record

    def __setitem__(self, key: str, value: Any) -> None:
        self._record(key, value)
        super().__setitem__(key, value)


def session_parts(key: str) -> tuple[list[str], str, str] | None:
    """Command, cwd and handle of the session that a key means; None for what is no key."""
    try:
        command, cwd, handle = json.loads(key)[:3]
        return [*map(str, command)], str(cwd), str(handle)
    except (ValueError, TypeError):
        return None


def told_session(key: str) -> str:
    """What the key of a session tells: its handle, the command and the folder."""
    parts = session_parts(key)
    if parts is None:
        return key
    command, cwd, handle = parts
    return f"`{handle}` with `{' '.join(command)}` in {cwd}"


def session_key(agent: AgentCommand, cwd: str, handle: str) -> str:
    """What tells sessions apart: command, cwd and handle; and, hashed, the variables added."""
    parts: list[Any] = [list(agent.command), cwd, handle]
    if agent.env:
        parts.append(sha256(json.dumps(agent.env).encode()).hexdigest()[:8])
    return json.dumps(parts)
