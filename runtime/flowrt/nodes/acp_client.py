"""One agent process that speaks the Agent Client Protocol over stdio, and this end of it."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeVar, cast

import acp
from acp import schema
from acp.client.connection import ClientSideConnection

from flowrt.errors import FlowError
from flowrt.nodes.acp_lines import MessageLines, silence_library
from flowrt.nodes.acp_pool import PermissionMode
from flowrt.nodes.processes import end_group, exited
from flowrt.nodes.values import call

Approver = Callable[..., Any]
"""Asked, in mode approve-reads, about what is no read: (tool call, session id) → bool."""

READS = frozenset({"read", "search"})
LONGEST_LINE = 64 * 1024 * 1024
CANCEL_GRACE = 2.0
_STDERR_KEPT = 4000

Answer = TypeVar("Answer")

silence_library()


class AgentError(FlowError):
    """An agent did not do what it was asked; the message names it."""


class AgentCrashedError(AgentError):
    """An agent's process ended, or spoke no ACP, while something was asked of it."""


class _Client:
    """What the agent may ask of us: permissions and, within them, files under the session's cwd."""

    def __init__(self, mode: PermissionMode, approver: Approver | None) -> None:
        self.mode = mode
        self.approver = approver
        self.cwds: dict[str, str] = {}
        self.listeners: dict[str, Callable[[Any], None]] = {}

    def on_connect(self, conn: Any) -> None:
        """Nothing to do yet."""

    async def session_update(self, session_id: str, update: Any, **_: Any) -> None:
        """Hand on what a session says to who prompted it; replayed history is not listened to."""
        listener = self.listeners.get(session_id)
        if listener is not None:
            listener(update)

    async def request_permission(
        self, session_id: str, tool_call: Any, options: Sequence[Any], **_: Any
    ) -> schema.RequestPermissionResponse:
        """Answer by the permission mode of the run."""
        kinds = ("allow_once", "allow_always")
        if not await self._allowed(tool_call, session_id):
            kinds = ("reject_once", "reject_always")
        for kind in kinds:
            for option in options:
                if option.kind == kind:
                    return schema.RequestPermissionResponse(
                        outcome=schema.AllowedOutcome(
                            outcome="selected", option_id=option.option_id
                        )
                    )
        return schema.RequestPermissionResponse(outcome=schema.DeniedOutcome(outcome="cancelled"))

    async def _allowed(self, tool_call: Any, session_id: str) -> bool:
        if self.mode != "approve-reads":
            return self.mode == "approve-all"
        if tool_call.kind in READS:
            return True
        return self.approver is not None and bool(await call(self.approver, tool_call, session_id))

    async def read_text_file(
        self,
        session_id: str,
        path: str,
        line: int | None = None,
        limit: int | None = None,
        **_: Any,
    ) -> schema.ReadTextFileResponse:
        """Read a file under the session's cwd, where reads are approved."""
        if self.mode == "deny-all":
            raise acp.RequestError.invalid_params({"reason": "this run allows no reads"})
        text = await asyncio.to_thread(self._inside(session_id, path).read_text, "utf-8")
        if line is not None or limit is not None:
            first = max(0, (line or 1) - 1)
            lines = text.splitlines(keepends=True)[first:]
            text = "".join(lines if limit is None else lines[:limit])
        return schema.ReadTextFileResponse(content=text)

    async def write_text_file(self, session_id: str, path: str, content: str, **_: Any) -> None:
        """Write a file under the session's cwd, where everything is approved."""
        if self.mode != "approve-all":
            raise acp.RequestError.invalid_params({"reason": "this run allows no writes"})
        await asyncio.to_thread(self._inside(session_id, path).write_text, content, "utf-8")

    def _inside(self, session_id: str, path: str) -> Path:
        root = Path(self.cwds.get(session_id, os.devnull)).resolve()
        target = (root / path).resolve()
        if not target.is_relative_to(root):
            raise acp.RequestError.invalid_params({"reason": f"{path} is outside of {root}"})
        return target


class AgentProcess:
    """A running agent. `name` is how messages call it."""

    def __init__(
        self, name: str, command: Sequence[str], mode: PermissionMode, approver: Approver | None
    ) -> None:
        self.name = name
        self.command = tuple(command)
        self._client = _Client(mode, approver)
        self._stderr = bytearray()
        self._tasks: list[asyncio.Task[Any]] = []
        self._process: asyncio.subprocess.Process | None = None
        self._conn: ClientSideConnection | None = None
        self._exit: asyncio.Task[int] | None = None
        self._no_message = ""
        self.can_load = False

    @property
    def alive(self) -> bool:
        """Whether something can be asked of it."""
        talks = self._conn is not None and not self._no_message
        return talks and self._exit is not None and not self._exit.done()

    async def start(self, env: Mapping[str, str], within: float | None = None) -> None:
        """Start the process and shake hands. Raises AgentError when either fails, or when the
        handshake takes longer than `within` seconds."""
        try:
            process = await asyncio.create_subprocess_exec(
                *self.command,
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.PIPE,
                env={**os.environ, **env},
                limit=LONGEST_LINE,
                start_new_session=True,
            )
        except (OSError, ValueError) as error:
            raise AgentError(f"agent `{self.name}` cannot be started: {error}") from error
        self._process = process
        self._exit = asyncio.create_task(exited(process))
        self._tasks.append(asyncio.create_task(self._listen(process.stderr)))
        assert process.stdout is not None
        lines = MessageLines(process.stdout, self._refuse)
        self._conn = ClientSideConnection(cast(Any, self._client), process.stdin, lines)
        answer = await self._shaken_hands(self._conn, within)
        if answer.protocol_version != acp.PROTOCOL_VERSION:
            raise AgentError(
                f"agent `{self.name}` speaks version {answer.protocol_version} of the protocol, "
                f"not {acp.PROTOCOL_VERSION}"
            )
        capabilities = answer.agent_capabilities
        self.can_load = bool(capabilities is not None and capabilities.load_session)

    async def _shaken_hands(
        self, connection: ClientSideConnection, within: float | None
    ) -> schema.InitializeResponse:
        files = schema.FileSystemCapabilities(
            read_text_file=self._client.mode != "deny-all",
            write_text_file=self._client.mode == "approve-all",
        )
        asked = connection.initialize(
            acp.PROTOCOL_VERSION,
            client_capabilities=schema.ClientCapabilities(fs=files),
            client_info=schema.Implementation(name="flowrt", version="0.1.0"),
        )
        what = "did not answer the handshake"
        try:
            async with asyncio.timeout(within) as deadline:
                return await self._ask(asked, what)
        except TimeoutError as error:
            if not deadline.expired():
                raise
            raise AgentError(
                f"agent `{self.name}` {what} within {within:g} s (`start_timeout`): does the "
                "command start an agent that speaks ACP over stdio?"
            ) from error

    async def new_session(self, cwd: str) -> str:
        """Begin a session and give its id."""
        answer = await self._ask(self._connected().new_session(cwd=cwd), "began no session")
        self._client.cwds[answer.session_id] = cwd
        return str(answer.session_id)

    async def load_session(self, session_id: str, cwd: str) -> None:
        """Take up a session that was begun by another process."""
        self._client.cwds[session_id] = cwd
        await self._ask(
            self._connected().load_session(cwd=cwd, session_id=session_id),
            f"could not load session `{session_id}`",
        )

    async def prompt(
        self, session_id: str, blocks: Sequence[Mapping[str, Any]], heard: Callable[[Any], None]
    ) -> tuple[str, str]:
        """Prompt a session; its answer's text and the reason why it stopped.

        When this is cancelled, so is the prompt; an agent that goes on nevertheless is ended.
        """
        request = schema.PromptRequest.model_validate(
            {"sessionId": session_id, "prompt": [dict(block) for block in blocks]}
        )
        said: list[str] = []

        def listen(update: Any) -> None:
            if getattr(update, "session_update", "") == "agent_message_chunk":
                said.append(getattr(update.content, "text", ""))
            heard(update)

        self._client.listeners[session_id] = listen
        connection = self._connected()
        asked = asyncio.ensure_future(
            connection.prompt(session_id=session_id, prompt=request.prompt)
        )
        try:
            answer = await self._ask(asked, "did not answer the prompt", keep=True)
        except asyncio.CancelledError:
            await self._cancel(session_id, asked)
            raise
        finally:
            self._client.listeners.pop(session_id, None)
            asked.cancel()
        return "".join(said), str(answer.stop_reason)

    async def _cancel(self, session_id: str, asked: asyncio.Future[Any]) -> None:
        """Tell the agent to stop; end it when it does not, as its session is in the middle."""
        with suppress(Exception):
            async with asyncio.timeout(CANCEL_GRACE):
                await self._connected().cancel(session_id=session_id)
                await asyncio.wait([asked])
        if not asked.done():
            await self.close()

    async def _ask(self, work: Awaitable[Answer], what: str, keep: bool = False) -> Answer:
        """Wait for an answer, or for the process to end. `keep` leaves the work running when this
        is cancelled."""
        asked = asyncio.ensure_future(work)
        assert self._exit is not None
        try:
            await asyncio.wait([asked, self._exit], return_when=asyncio.FIRST_COMPLETED)
            if not asked.done():
                await asyncio.wait([asked], timeout=0.2)
            if not asked.done():
                raise self._crashed(what)
            return asked.result()
        except acp.RequestError as error:
            raise AgentError(f"agent `{self.name}` {what}: {error} (code {error.code})") from error
        except (ConnectionError, EOFError) as error:
            await asyncio.wait([self._exit], timeout=1.0)
            raise self._crashed(what) from error
        finally:
            if not keep:
                asked.cancel()

    def _refuse(self, line: str) -> None:
        """End an agent that talks something else than the protocol."""
        self._no_message = line
        if self._process is not None:
            self._tasks.append(asyncio.create_task(end_group(self._process)))

    def _crashed(self, what: str) -> AgentCrashedError:
        assert self._exit is not None
        if self._no_message:
            why = f"it does not speak ACP, its output `{self._no_message}` is no JSON-RPC message"
        elif self._exit.done():
            why = f"its process ended with code {self._exit.result()}"
        else:
            why = "its process hung up"
        said = self._stderr.decode("utf-8", "replace").strip()
        return AgentCrashedError(
            f"agent `{self.name}` {what}: {why}" + (f": {said}" if said else "")
        )

    def _connected(self) -> ClientSideConnection:
        if self._conn is None:
            raise AgentCrashedError(f"agent `{self.name}` is not running")
        return self._conn

    async def _listen(self, stream: asyncio.StreamReader | None) -> None:
        while stream is not None and (chunk := await stream.read(65536)):
            self._stderr += chunk
            del self._stderr[:-_STDERR_KEPT]

    async def close(self) -> None:
        """End the process and what it started."""
        connection, self._conn = self._conn, None
        if connection is not None:
            with suppress(Exception):
                await connection.close()
        if self._process is not None:
            await end_group(self._process)
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
