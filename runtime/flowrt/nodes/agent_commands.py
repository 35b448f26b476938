"""How agents are started: what the services of a run say, and whether it can be found."""

from __future__ import annotations

import os
import shlex
from collections.abc import Mapping
from shutil import which
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from flowrt.errors import FlowError
from flowrt.nodes.acp_pool import AgentCommand
from flowrt.nodes.configs import checked

AGENT = "agent"
"""The service that says how the default agent is started: a command line or a list."""
AGENTS = "agents"
"""The service with agents by name, each as the default one or {command, env}."""


class _Profile(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)

    command: str | tuple[str, ...]
    env: dict[str, str] = Field(default_factory=dict)


def agent_command(
    agent: str | tuple[str, ...] | None,
    env: Mapping[str, str],
    services: Mapping[str, Any],
    who: str,
) -> AgentCommand:
    """The command of an agent: of a name, of the default one (None), or as it is given.

    Raises FlowError, which names `who` needs it, when the services do not say or are wrong.
    """
    given: Any = agent
    if not isinstance(agent, tuple):
        profiles = services.get(AGENTS) or {}
        given = services.get(AGENT) if agent is None else profiles.get(agent)
        if given is None:
            raise FlowError(f"{who} needs {_unknown(agent)}")
    profile = checked(
        _Profile,
        given if isinstance(given, Mapping) else {"command": given},
        f"the agent of {who}",
    )
    words = words_of(profile.command, f"the agent of {who}")
    if not words:
        raise FlowError(f"the agent of {who} has no command")
    variables = tuple(sorted({**profile.env, **env}.items()))
    role = None if isinstance(agent, tuple) else agent or ""
    return AgentCommand(words, variables, agent if isinstance(agent, str) else "", role)


def words_of(command: str | tuple[str, ...], whose: str) -> tuple[str, ...]:
    """The words of a command line. Raises FlowError for one with a quote that is left open."""
    if not isinstance(command, str):
        return command
    try:
        return tuple(shlex.split(command))
    except ValueError as error:
        said = str(error)
        raise FlowError(
            f"the command `{command}` of {whose} cannot be read: {said[:1].lower()}{said[1:]}"
        ) from error


def missing_agent(
    agent: str | tuple[str, ...] | None,
    env: Mapping[str, str],
    services: Mapping[str, Any],
    who: str,
) -> str | None:
    """Why an agent cannot be started, as far as that can be known before it is."""
    try:
        command = agent_command(agent, env, services, who)
    except FlowError as error:
        return str(error)
    program = command.command[0]
    path = dict(command.env).get("PATH") or os.environ.get("PATH")
    if which(program, path=path) is not None:
        return None
    return f"{who} needs the agent `{command.shown}`, but there is no program `{program}` to start"


def _unknown(agent: str | None) -> str:
    if agent is None:
        return (
            "the default agent: give its command with `--agent COMMAND` or FLOWRT_AGENT, in Python "
            f"with the service `{AGENT}`"
        )
    return (
        f"the agent `{agent}`: give its command with `--agent {agent}=COMMAND`, in Python with the "
        f"service `{AGENTS}`"
    )
