"""Options that several commands share."""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import wraps
from typing import Any, Literal

import click

from flowrt.cli.secrets import secrets_of

Decorator = Callable[[Callable[..., int]], Callable[..., int]]
Format = Literal["auto", "live", "plain", "json"]

STORE_VARIABLE = "FLOWRT_STORE"
GRANT_VARIABLE = "FLOWRT_PERMISSIONS"
AGENT_VARIABLE = "FLOWRT_AGENT"
MODES = ("deny-all", "approve-reads", "approve-all")

store_option = click.option(
    "--store",
    metavar="SPEC",
    envvar=STORE_VARIABLE,
    help="Where runs are kept: folder:PATH, sqlite:PATH or a path.  "
    f"[default: .flowrt/runs, or ${STORE_VARIABLE}]",
)

progress_option = click.option(
    "--format",
    "format_",
    type=click.Choice(["auto", "live", "plain", "json"]),
    default="auto",
    show_default=True,
    help="How to show progress: redrawn on a terminal, line by line, or as one JSON object for "
    "each event (on stdout).",
)

report_option = click.option(
    "--format",
    "format_",
    type=click.Choice(["plain", "json"]),
    default="plain",
    show_default=True,
    help="How to write it.",
)

traceback_option = click.option(
    "--traceback", "with_traceback", is_flag=True, help="Show the whole traceback of a failure."
)

max_steps_option = click.option(
    "--max-steps",
    type=click.IntRange(min=1),
    metavar="N",
    help="Fail after N nodes, in place of what the flow says.",
)

agent_option = click.option(
    "--agent",
    "agents",
    multiple=True,
    metavar="[NAME=]COMMAND",
    help="How an agent is started that speaks ACP: the default one, or the one that nodes call "
    f"NAME. Can be given several times.  [default: ${AGENT_VARIABLE}]",
)

secret_option = click.option(
    "--secret",
    "secrets",
    multiple=True,
    metavar="NAME=VALUE",
    help="A secret that nodes may use and that is written nowhere; on resume, one that was hidden. "
    "Can be given several times.  [default: $FLOWRT_SECRET_NAME]",
)

secrets_file_option = click.option(
    "--secrets-file", metavar="PATH", help="A JSON object with secrets by their names."
)

fresh_sessions_option = click.option(
    "--fresh-sessions",
    is_flag=True,
    help="Begin new sessions where those of the run cannot be gone on with.",
)

module_option = click.option(
    "--module",
    "modules",
    multiple=True,
    metavar="NAME",
    help="Import a module, looked for beside FILE first; a definition in JSON or YAML may name "
    "its functions. Can be given several times.",
)

file_argument = click.argument("file", metavar="FILE[:NAME]")
run_argument = click.argument("run_id", metavar="RUN_ID")


@dataclass(frozen=True, slots=True)
class Grant:
    """Which permission a run is given, and whether for this very run."""

    mode: str | None
    explicit: bool

    def as_arguments(self) -> str:
        """The options that give the same grant again."""
        return f" --{self.mode}" if self.explicit and self.mode else ""


@dataclass(frozen=True, slots=True)
class RunOptions:
    """What `run` and `resume` both can be told."""

    store: str | None
    grant: Grant
    agents: Mapping[str, str]
    """Commands by the name of the agent; the default one has none."""
    max_steps: int | None
    format: Format
    with_traceback: bool
    secrets: Mapping[str, Any] = field(default_factory=dict, repr=False)

    def remembered(self) -> dict[str, Any]:
        """What the run goes on with when it is resumed and nothing else is said."""
        limit = {} if self.max_steps is None else {"max_steps": self.max_steps}
        return {**limit, **({"agents": dict(self.agents)} if self.agents else {})}

    def recalling(self, remembered: Mapping[str, Any]) -> RunOptions:
        """These options, with what was remembered in place of what is not said."""
        from flowrt.stores.markers import BEGIN

        limit, agents = remembered.get("max_steps"), remembered.get("agents")
        known = agents if isinstance(agents, Mapping) else {}
        # A command with a secret in it was not written down as it is.
        usable = {name: text for name, text in known.items() if BEGIN not in str(text)}
        return replace(
            self,
            max_steps=limit
            if self.max_steps is None and isinstance(limit, int)
            else self.max_steps,
            agents={**usable, **self.agents},
        )

    def services(self) -> dict[str, Any]:
        """What nodes are given for the run."""
        given: dict[str, Any] = {"permission_mode": self.grant.mode or "deny-all"}
        if self.secrets:
            given["secrets"] = dict(self.secrets)
        default = self.agents.get("") or os.environ.get(AGENT_VARIABLE)
        if default:
            given["agent"] = default
        named = {name: command for name, command in self.agents.items() if name}
        return {**given, "agents": named} if named else given


def run_options(command: Callable[..., int]) -> Callable[..., int]:
    """Add the options of RunOptions; the command gets them as `options`."""

    @wraps(command)
    def called(**given: Any) -> int:
        modes = {mode: given.pop(mode.replace("-", "_")) for mode in MODES}
        options = RunOptions(
            given.pop("store"),
            grant_of(modes),
            _agents_of(given.pop("agents")),
            given.pop("max_steps"),
            given.pop("format_"),
            given.pop("with_traceback"),
            secrets_of(given.pop("secrets"), given.pop("secrets_file")),
        )
        return command(options=options, **given)

    wrapped: Callable[..., int] = called
    shared: list[Decorator] = [traceback_option, progress_option, max_steps_option]
    shared += [_grant_option(mode) for mode in MODES]
    shared += [secrets_file_option, secret_option, agent_option, store_option]
    for option in shared:
        wrapped = option(wrapped)
    return wrapped


def _grant_option(mode: str) -> Decorator:
    what = {
        "deny-all": "Grant nothing to what the flow starts.",
        "approve-reads": "Grant what only reads.",
        "approve-all": "Grant everything the flow asks for.",
    }[mode]
    return click.option(f"--{mode}", mode.replace("-", "_"), is_flag=True, help=what)


def _agents_of(given: Iterable[str]) -> dict[str, str]:
    agents: dict[str, str] = {}
    for text in given:
        match = re.match(r"([A-Za-z_][\w.-]*)=", text)
        name = match[1] if match else ""
        command = text[match.end() :] if match else text
        if not command.strip():
            raise click.UsageError(f"--agent {text!r} has no command")
        try:
            shlex.split(command)
        except ValueError as error:
            said = str(error).lower()
            raise click.UsageError(f"--agent {text!r} cannot be read: {said}") from error
        if name in agents:
            raise click.UsageError(f"--agent is given twice for {name or 'the default agent'}")
        agents[name] = command
    return agents


def grant_of(modes: Mapping[str, bool]) -> Grant:
    """The most generous grant that was chosen, else the one of the environment.

    Raises click.UsageError for a word in the environment that is no permission mode.
    """
    for mode in reversed(MODES):
        if modes.get(mode):
            return Grant(mode, True)
    by_default = os.environ.get(GRANT_VARIABLE)
    if not by_default:
        return Grant(None, False)
    if by_default not in MODES:
        raise click.UsageError(
            f"${GRANT_VARIABLE} is `{by_default}`, which is none of {', '.join(MODES)}"
        )
    return Grant(by_default, False)
