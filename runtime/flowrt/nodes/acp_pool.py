"""The agents of a run: their processes, and the sessions that nodes share."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Mapping, MutableMapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, get_args

from flowrt.errors import FlowError
from flowrt.nodes.sessions import session_key, session_parts

if TYPE_CHECKING:
    from flowrt.nodes.acp_client import AgentProcess, Approver

PermissionMode = Literal["deny-all", "approve-reads", "approve-all"]

SessionTable = MutableMapping[str, Any]
"""Sessions by key: {"id": …, "prompts": how many were sent}. One that is kept with the run lets a
resumed run go on in the same sessions."""


_FRESH = "--fresh-sessions, or the service `fresh_sessions`, begins a new one"


class SessionLostError(FlowError):
    """A session that other nodes talked in cannot be taken up again, and no new one will do."""


@dataclass(frozen=True, slots=True)
class AgentCommand:
    """How an agent is started."""

    command: tuple[str, ...]
    env: tuple[tuple[str, str], ...] = ()
    name: str = ""
    role: str | None = field(default=None, compare=False)
    """What nodes call the agent, empty for the default one; None where the node itself says how
    it is started."""

    @property
    def shown(self) -> str:
        """How messages call it."""
        return self.name or " ".join(self.command)


@dataclass(frozen=True, slots=True)
class Reply:
    """What an agent answered, and why it stopped."""

    text: str
    stop_reason: str
    session_id: str


@dataclass(slots=True)
class _Session:
    id: str
    process: AgentProcess


class AgentPool:
    """The agent processes of one run, one for each command, and their open sessions.

    Prompts to one session wait for each other; sessions do not. `aclose` ends all processes.
    """

    def __init__(
        self,
        mode: PermissionMode = "deny-all",
        approver: Approver | None = None,
        sessions: SessionTable | None = None,
        *,
        fresh_sessions: bool = False,
    ) -> None:
        if mode not in get_args(PermissionMode):
            modes = ", ".join(get_args(PermissionMode))
            raise FlowError(f"`{mode}` is no permission mode: use one of {modes}")
        self.mode: PermissionMode = mode
        self.approver = approver
        self.sessions: SessionTable = {} if sessions is None else sessions
        self.fresh_sessions = fresh_sessions
        """Whether a session that cannot be gone on with is begun anew."""
        self._processes: dict[AgentCommand, AgentProcess] = {}
        self._open: dict[str, _Session] = {}
        self._locks: dict[Any, asyncio.Lock] = {}

    async def prompt(
        self,
        agent: AgentCommand,
        blocks: Sequence[Mapping[str, Any]],
        *,
        cwd: str,
        handle: str | None = "main",
        heard: Callable[[Any], None] = lambda update: None,
        start_within: float | None = None,
    ) -> Reply:
        """Prompt an agent in the session of this command, cwd and handle; None: one used once.

        One that has to be started may take `start_within` seconds for the handshake.
        Raises AgentError when the agent fails, SessionLostError when the session cannot be had.
        """
        if not os.path.isdir(cwd):
            raise FlowError(
                f"agent `{agent.shown}` cannot work in `{cwd}`: there is no such folder"
            )
        if handle is None:
            process = await self._process(agent, start_within)
            once = _Session(await process.new_session(cwd), process)
            return await self._ask(once, blocks, heard)
        key = session_key(agent, cwd, handle)
        async with self._locks.setdefault(key, asyncio.Lock()):
            session = await self._session(key, agent, cwd, handle, start_within)
            record = self.sessions.get(key) or {"id": session.id, "prompts": 0}
            self.sessions[key] = {**record, "prompts": record["prompts"] + 1}
            return await self._ask(session, blocks, heard)

    async def _ask(
        self, session: _Session, blocks: Sequence[Mapping[str, Any]], heard: Callable[[Any], None]
    ) -> Reply:
        text, reason = await session.process.prompt(session.id, blocks, heard)
        return Reply(text, reason, session.id)

    async def _session(
        self, key: str, agent: AgentCommand, cwd: str, handle: str, start_within: float | None
    ) -> _Session:
        """The open session of a key: as it is, loaded, or new where nothing was said in it yet."""
        known = self._open.get(key)
        if known is not None and known.process.alive:
            return known
        process = await self._process(agent, start_within)
        record = self.sessions.get(key)
        session = None
        if record is not None and record["prompts"] > 0:
            session = await self._taken_up(process, record["id"], agent, cwd, handle)
        elif record is None and not self.fresh_sessions:
            self._refuse_other(agent, cwd, handle)
        if session is None:
            session = _Session(await process.new_session(cwd), process)
            role = {} if agent.role is None else {"role": agent.role}
            self.sessions[key] = {"id": session.id, "prompts": 0, **role}
        self._open[key] = session
        return session

    async def _taken_up(
        self, process: AgentProcess, session_id: str, agent: AgentCommand, cwd: str, handle: str
    ) -> _Session | None:
        """A session of before; None where it is lost and a new one may be begun."""
        try:
            await self._load(process, session_id, agent, cwd, handle)
        except SessionLostError:
            if self.fresh_sessions:
                return None
            raise
        return _Session(session_id, process)

    def _refuse_other(self, agent: AgentCommand, cwd: str, handle: str) -> None:
        """Raise SessionLostError when this agent was started by another command before, and its
        session holds what was said."""
        if agent.role is None:
            return
        for key, record in self.sessions.items():
            told = session_parts(key)
            if told is None or record.get("role") != agent.role or not record["prompts"]:
                continue
            command, *where = told
            if where == [cwd, handle] and tuple(command) != agent.command:
                raise SessionLostError(
                    f"the session `{handle}` in `{cwd}` was begun with `{' '.join(command)}`, and "
                    f"`{' '.join(agent.command)}` knows nothing of it: give that command again, or "
                    "begin new sessions with --fresh-sessions (the service `fresh_sessions`)"
                )

    async def _load(
        self, process: AgentProcess, session_id: str, agent: AgentCommand, cwd: str, handle: str
    ) -> None:
        from flowrt.nodes.acp_client import AgentCrashedError, AgentError

        lost = (
            f"the session `{handle}` of agent `{agent.shown}` in `{cwd}` (id `{session_id}`) "
            "cannot be gone on with"
        )
        if not process.can_load:
            raise SessionLostError(
                f"{lost}: the agent cannot load sessions. A new session would know nothing of what "
                f"was said, so the flow does not begin one by itself ({_FRESH})"
            )
        try:
            await process.load_session(session_id, cwd)
        except AgentCrashedError:
            raise
        except AgentError as error:
            raise SessionLostError(f"{lost}: {error} ({_FRESH})") from error

    async def _process(self, agent: AgentCommand, start_within: float | None) -> AgentProcess:
        """The process of a command. It works for sessions in many folders, and so it is started
        in the current one, whichever session comes first: each session is told its own."""
        from flowrt.nodes.acp_client import AgentProcess

        async with self._locks.setdefault(agent, asyncio.Lock()):
            process = self._processes.get(agent)
            if process is not None:
                if process.alive:
                    return process
                await process.close()
            process = AgentProcess(agent.shown, agent.command, self.mode, self.approver)
            self._processes[agent] = process
            try:
                await process.start(dict(agent.env), start_within)
            except BaseException:
                await process.close()
                raise
            return process

    async def aclose(self) -> None:
        """End all agents. The pool can be used again after that."""
        processes = list(self._processes.values())
        self._processes.clear()
        self._open.clear()
        await asyncio.gather(*(process.close() for process in processes))

    close = aclose
