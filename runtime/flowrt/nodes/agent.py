"""Prompts to agents that speak the Agent Client Protocol."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, MutableMapping, Sequence
from time import monotonic
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel, ConfigDict, Field, model_validator

from flowrt.authoring import Node
from flowrt.durations import Duration
from flowrt.engine.context import Kind, NodeContext, Output
from flowrt.errors import FlowError, NodeCancelledError
from flowrt.extras import CURE
from flowrt.nodes.agent_commands import agent_command, missing_agent
from flowrt.nodes.configs import NodeConfig, ParseRef, TextRef, checked, config_of, parsed
from flowrt.nodes.values import call, fill, fill_all, scope_of, where
from flowrt.registry import register_kind

if TYPE_CHECKING:
    from flowrt.nodes.acp_pool import AgentCommand, AgentPool

POOL = "agent_pool"
"""The service that keeps a run's agents; made when first needed, closed with the run."""
SESSIONS = "agent_sessions"
"""The service that keeps sessions with the run: a mutable mapping (see `SessionTable`)."""
FRESH = "fresh_sessions"
"""Whether sessions that cannot be gone on with are begun anew."""
MODE = "permission_mode"
"""The service that says what agents may do: deny-all (default), approve-reads, approve-all."""
APPROVER = "approver"
"""The service asked, in mode approve-reads, about what is no read."""

START_TIMEOUT = 60.0
"""Seconds for an agent's handshake where neither its node nor `start_timeout` says."""

BEAT_EVERY = 1.0
"""Seconds between two signs of life while an agent talks."""

_STOPS = {
    "refusal": "refused to answer",
    "max_tokens": "stopped at its token limit, the answer is not whole",
    "max_turn_requests": "stopped at its limit of requests in one turn, the answer is not whole",
}


class SessionConfig(BaseModel):
    """Which conversation a prompt belongs to."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    handle: str = Field(default="main", min_length=1, description="The session's name in the run.")
    isolated: bool = Field(
        default=False, description="Whether the prompt gets a session of its own, used once."
    )

    @model_validator(mode="after")
    def _one_of_them(self) -> SessionConfig:
        if self.isolated and "handle" in self.model_fields_set:
            raise ValueError("an isolated session has no handle")
        return self


class AgentConfig(NodeConfig):
    """Who is prompted, where, with what, and what is made of the answer."""

    agent: str | tuple[str, ...] | None = Field(
        default=None,
        description="An agent of the service `agents` by name, or its command as a list; the "
        "default agent unless given.",
    )
    prompt: TextRef | list[dict[str, Any]] | None = Field(
        default=None,
        description="A text or ACP content blocks, in which `{state.x}`, `{outputs.node.x}` and "
        "`{input.x}` are filled in; in Python also a function of the context that gives either. "
        "Without, the prompt is what the edge that led here carries.",
    )
    cwd: TextRef | None = Field(
        default=None,
        description="The folder the agent works in, relative to the current one; templates are "
        "filled in; in Python also a function of the context.",
    )
    env: dict[str, str] = Field(default_factory=dict, description="Variables added for the agent.")
    session: SessionConfig = Field(
        default_factory=SessionConfig, description="The conversation the prompt belongs to."
    )
    start_timeout: Duration | None = Field(
        default=None,
        ge=0,
        description="How long the agent may take to answer when it is started; 0: any time. "
        f"{START_TIMEOUT:g} s unless given, or what the node's `timeout` leaves.",
    )
    parse: ParseRef | None = Field(
        default=None,
        description="What the output is made of: `text` (default), JSON in the answer (strict, "
        "fenced, forgiving), or a function of (text, context).",
    )


async def run_agent_node(context: NodeContext) -> Output:
    """Prompt an agent; the output is its answer, or what `parse` makes of it.

    Raises AgentError when it crashes or stops early, SessionLostError when the session others
    talked in cannot be had, ParseError when the answer is not the JSON it should be.
    """
    config = config_of(context, AgentConfig)
    blocks = await _blocks(config, context)
    text = await _prompted(
        context,
        blocks,
        agent_command(config.agent, config.env, context.services, where(context)),
        await _cwd(config, context),
        None if config.session.isolated else config.session.handle,
        config.start_timeout,
    )
    return Output(await parsed(config.parse, text, text, context))


async def prompt_agent(
    context: NodeContext,
    prompt: str,
    *,
    agent: str | Sequence[str] | None = None,
    handle: str | None = None,
    cwd: str | None = None,
) -> str:
    """The text an agent answers, in a session used once or that of a handle."""
    named = agent if agent is None or isinstance(agent, str) else tuple(agent)
    block = {"type": "text", "text": prompt}
    folder = os.path.abspath(cwd or os.getcwd())
    command = agent_command(named, {}, context.services, where(context))
    return await _prompted(context, [block], command, folder, handle)


async def _prompted(
    context: NodeContext,
    blocks: Sequence[Mapping[str, Any]],
    command: AgentCommand,
    cwd: str,
    handle: str | None,
    start_timeout: float | None = None,
) -> str:
    last = 0.0
    if start_timeout is None and not context.node.timeout:
        start_timeout = START_TIMEOUT

    def heard(update: Any) -> None:
        nonlocal last
        title = getattr(update, "title", None)
        if title or monotonic() - last >= BEAT_EVERY:
            last = monotonic()
            context.heartbeat(str(title) if title else None)

    context.keep("prompt", *_readable(blocks))
    reply = await pool_of(context).prompt(
        command, blocks, cwd=cwd, handle=handle, heard=heard, start_within=start_timeout or None
    )
    context.keep("answer", reply.text)
    if reply.stop_reason == "cancelled":
        raise NodeCancelledError(f"{where(context)}: agent `{command.shown}` was cancelled")
    if reply.stop_reason != "end_turn":
        from flowrt.nodes.acp_client import AgentError

        how = _STOPS.get(reply.stop_reason, f"stopped with `{reply.stop_reason}`")
        raise AgentError(f"{where(context)}: agent `{command.shown}` {how}")
    return reply.text


def _readable(blocks: Sequence[Mapping[str, Any]]) -> tuple[str, str]:
    """A prompt to be kept: its text where it is only text, else JSON; and what it ends in."""
    if all(block.get("type") == "text" for block in blocks):
        return "\n\n".join(str(block.get("text", "")) for block in blocks), ".txt"
    return json.dumps(list(blocks), default=str, ensure_ascii=False), ".json"


def pool_of(context: NodeContext) -> AgentPool:
    """The agents of this run. Raises FlowError when the ACP package is not installed."""
    services = context.services
    pool: AgentPool | None = services.get(POOL)
    if pool is not None:
        return pool
    try:
        import acp  # noqa: F401
    except ImportError as error:
        raise FlowError(f"agent nodes need the package `agent-client-protocol`: {CURE}") from error
    from flowrt.nodes.acp_pool import AgentPool

    if not isinstance(services, MutableMapping):
        raise FlowError(f"{where(context)} cannot keep its agents: give the service `{POOL}`")
    mode: Any = services.get(MODE) or "deny-all"
    pool = AgentPool(
        mode,
        services.get(APPROVER),
        services.get(SESSIONS),
        fresh_sessions=bool(services.get(FRESH)),
    )
    services[POOL] = pool
    return pool


async def _blocks(config: AgentConfig, context: NodeContext) -> list[dict[str, Any]]:
    """The prompt of the node, then the instruction of the edge, as content blocks."""
    parts: list[dict[str, Any]] = []
    edge = context.incoming
    for prompt in (config.prompt, edge.prompt if edge is not None else None):
        if prompt is None:
            continue
        if callable(prompt):
            parts += _as_blocks(await call(prompt, context), context)
        else:
            parts += _as_blocks(fill_all(prompt, scope_of(context), strict=False), context)
    if not parts:
        raise FlowError(f"{where(context)} has no prompt, and the edge that led here carries none")
    if all(part.get("type") == "text" and set(part) == {"type", "text"} for part in parts):
        return [{"type": "text", "text": "\n\n".join(part["text"] for part in parts)}]
    return parts


def _as_blocks(prompt: Any, context: NodeContext) -> list[dict[str, Any]]:
    if isinstance(prompt, str):
        return [{"type": "text", "text": prompt}]
    blocks = [
        block.model_dump(mode="json", by_alias=True, exclude_none=True)
        if isinstance(block, BaseModel)
        else block
        for block in (prompt if isinstance(prompt, list | tuple) else ())
    ]
    if not blocks or not all(isinstance(block, dict) and "type" in block for block in blocks):
        raise FlowError(
            f"the prompt of {where(context)} has to be a text or a list of content blocks, not "
            f"{type(prompt).__name__}"
        )
    return blocks


async def _cwd(config: AgentConfig, context: NodeContext) -> str:
    folder = config.cwd
    if callable(folder):
        folder = await call(folder, context)
    elif folder is not None:
        folder = fill(folder, scope_of(context), strict=False)
    return os.path.abspath(folder or os.getcwd())


def _missing(node: Node, services: Mapping[str, Any], who: str) -> str | None:
    """Why the agent of a node cannot be started, where that can be known before a run."""
    config = checked(AgentConfig, node.config, f"the config of {who}")
    return missing_agent(config.agent, config.env, services, who)


register_kind(
    Kind("agent", run_agent_node, "Prompts an agent over ACP.", AgentConfig, missing=_missing)
)
