"""Commands: run without a shell unless asked for, bounded in time and output."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Callable, Mapping
from time import monotonic
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from flowlint.graph.cel_names import holes
from flowrt.durations import Duration
from flowrt.engine.context import Kind, NodeContext, Output
from flowrt.errors import FlowError, NodeTimeoutError
from flowrt.nodes.configs import CallableRef, NodeConfig, ParseRef, checked, config_of, parsed
from flowrt.nodes.processes import (
    DRAIN_GRACE,
    Captured,
    end_group,
    environment,
    exited,
    feed,
    let_go,
    read_into,
)
from flowrt.nodes.values import ROOTS, call, fill_all, named, scope_of, where
from flowrt.registry import register_kind

DEFAULT_MAX_BUFFER_BYTES = 10 * 1024 * 1024


class Execution(BaseModel):
    """One command and how it is run."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    command: str | None = Field(
        default=None,
        description="The program; with `shell`, a command line.",
        json_schema_extra={"pattern": r"\S"},
    )
    args: tuple[str, ...] = Field(default=(), description="Its arguments, passed as they are.")
    cwd: str | None = Field(default=None, description="The directory it runs in.")
    env: dict[str, str] = Field(default_factory=dict, description="Variables added for it.")
    inherit: Literal["all", "minimal", "none"] | tuple[str, ...] = Field(
        default="minimal",
        description="Variables passed on: all, none, minimal (PATH, HOME and the like), or the "
        "names of those passed on beside the minimal ones.",
    )
    stdin: str | None = Field(default=None, description="What it reads; without, nothing.")
    shell: bool | str = Field(
        default=False, description="Whether `command` is given to a shell, or to which one."
    )
    timeout: Duration | None = Field(
        default=None, ge=0, description="How long it may take; 0: any time."
    )
    max_buffer_bytes: int = Field(
        default=DEFAULT_MAX_BUFFER_BYTES, ge=0, description="How much of each output is kept."
    )
    on_overflow: Literal["truncate", "fail"] = Field(
        default="truncate", description="What happens when it prints more than is kept."
    )
    allow_nonzero_exit: bool = Field(
        default=False, description="Whether a failing command still completes the node."
    )


class ShellConfig(NodeConfig, Execution):
    """A command, or a function that gives one."""

    exec: CallableRef | None = Field(
        default=None,
        description="A function of the context that gives the command: a mapping with the same "
        "fields, which win over those of the config.",
    )
    templates: bool = Field(
        default=False,
        description="Whether `{state.x}`, `{outputs.node.x}` and `{input.x}` are filled in, in "
        "command, args, cwd, env and stdin.",
    )
    parse: ParseRef | None = Field(
        default=None,
        description="What the output is made of: JSON on stdout (strict, fenced, forgiving), "
        "`text` for stdout itself, or a function of (result, context).",
    )


_FIELDS = frozenset(Execution.model_fields)


async def run_shell_node(context: NodeContext) -> Output:
    """Run the node's command; the output is its result, or what `parse` makes of it.

    Raises FlowError when it exits with another code than 0 or by a signal (unless allowed), cannot
    be started, or printed too much to be parsed; NodeTimeoutError when it takes too long.
    """
    config = config_of(context, ShellConfig)
    given: dict[str, Any] = {name: getattr(config, name) for name in _FIELDS}
    if config.exec is not None:
        answer = await call(named(config.exec, context), context)
        if not isinstance(answer, Mapping | Execution):
            raise FlowError(
                f"`exec` of {where(context)} returned a {type(answer).__name__}: it has to give a "
                "mapping with `command` and, if need be, `args`, `cwd`, …"
            )
        given.update(answer if isinstance(answer, Mapping) else answer.model_dump())
    if config.templates:
        if given["shell"] and any(hole[0] in ROOTS for hole in holes(str(given["command"]))):
            raise FlowError(
                f"{where(context)}: the shell would run what the templates in its command hold: "
                'pass the values in `args`, and write "$1" in the command'
            )
        scope = scope_of(context)
        for name in ("command", "args", "cwd", "env", "stdin"):
            given[name] = fill_all(given[name], scope, strict=False)
    execution = checked(Execution, given, f"the command of {where(context)}")
    result = await run_command(execution, where(context), context.keep)
    context.heartbeat()
    if config.parse is None:
        return Output(result)
    if result["truncated"]:
        raise FlowError(
            f"{where(context)} cannot parse an output that was cut at "
            f"{execution.max_buffer_bytes} bytes: raise `max_buffer_bytes`"
        )
    return Output(await parsed(config.parse, result["stdout"], _subject(config, result), context))


def _subject(config: ShellConfig, result: dict[str, Any]) -> Any:
    return result["stdout"] if config.parse == "text" else result


async def run_command(
    execution: Execution, who: str = "a command", keep: Callable[[str, str], None] | None = None
) -> dict[str, Any]:
    """Run a command to its end and give its result as plain data.

    The result has command, args, cwd, stdout, stderr, exit_code (None after a signal), signal
    (its name), duration (seconds) and truncated (the streams that were cut). On a timeout and on
    cancellation its whole process group is ended. `keep` is given what it printed, however it
    ended, by the name of the stream. Raises as `run_shell_node` says.
    """
    if not execution.command:
        raise FlowError(f"{who} has no command to run")
    cwd = os.path.abspath(execution.cwd or os.getcwd())
    started = monotonic()
    out, err = Captured(execution.max_buffer_bytes), Captured(execution.max_buffer_bytes)
    process = await _started(execution, cwd, who)
    try:
        async with asyncio.timeout(execution.timeout or None):
            await _attended(process, execution, out, err)
    except TimeoutError as error:
        await end_group(process)
        raise NodeTimeoutError(
            f"{who}: `{_shown(execution)}` took longer than its {execution.timeout:g} s"
        ) from error
    except BaseException:
        await end_group(process)
        raise
    finally:
        if keep is not None:
            keep("stdout", out.text())
            keep("stderr", err.text())
    return _judged(execution, cwd, process.returncode or 0, monotonic() - started, out, err, who)


async def _started(execution: Execution, cwd: str, who: str) -> asyncio.subprocess.Process:
    command, args = execution.command or "", execution.args
    if execution.shell:
        shell = execution.shell if isinstance(execution.shell, str) else "/bin/sh"
        command, args = shell, ("-c", command, "sh", *args)
    try:
        return await asyncio.create_subprocess_exec(
            command,
            *args,
            stdin=asyncio.subprocess.PIPE if execution.stdin else asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
            cwd=cwd,
            env=environment(execution.inherit, execution.env),
            start_new_session=True,
        )
    except (OSError, ValueError) as error:
        raise FlowError(f"{who}: `{_shown(execution)}` cannot be started: {error}") from error


async def _attended(
    process: asyncio.subprocess.Process, execution: Execution, out: Captured, err: Captured
) -> None:
    """Feed and read a command until it ends, or is ended as it printed more than it may.

    What it left running in the background may hold its output open; that is not waited for.
    """
    content = (execution.stdin or "").encode()
    whole = execution.on_overflow == "truncate"
    streams = [
        asyncio.ensure_future(read_into(process.stdout, out, whole=whole)),
        asyncio.ensure_future(read_into(process.stderr, err, whole=whole)),
        asyncio.ensure_future(feed(process.stdin, content)),
    ]
    ending = asyncio.ensure_future(exited(process))
    waiting = {ending, *streams}
    try:
        while not ending.done():
            _, waiting = await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
            if not whole and (out.truncated or err.truncated):
                await end_group(process)
                return
        _, open_still = await asyncio.wait(streams, timeout=DRAIN_GRACE)
        if open_still:
            let_go(process)
    finally:
        for task in (ending, *streams):
            task.cancel()
        await asyncio.gather(ending, *streams, return_exceptions=True)


def _judged(
    execution: Execution,
    cwd: str,
    code: int,
    duration: float,
    out: Captured,
    err: Captured,
    who: str,
) -> dict[str, Any]:
    truncated = [name for name, stream in (("stdout", out), ("stderr", err)) if stream.truncated]
    if truncated and execution.on_overflow == "fail":
        raise FlowError(
            f"{who}: `{_shown(execution)}` printed more than {execution.max_buffer_bytes} bytes on "
            f"{' and '.join(truncated)}"
        )
    if code and not execution.allow_nonzero_exit:
        how = f"exit code {code}" if code > 0 else f"signal {_signal_name(-code)}"
        said = err.text().strip()
        raise FlowError(
            f"{who}: `{_shown(execution)}` ended with {how}" + (f": {said[-2000:]}" if said else "")
        )
    return {
        "command": execution.command,
        "args": list(execution.args),
        "cwd": cwd,
        "stdout": out.text(),
        "stderr": err.text(),
        "exit_code": code if code >= 0 else None,
        "signal": _signal_name(-code) if code < 0 else None,
        "duration": duration,
        "truncated": truncated,
    }


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return str(number)


def _shown(execution: Execution) -> str:
    text = " ".join((execution.command or "", *execution.args))
    return text if len(text) <= 200 else f"{text[:197]}..."


register_kind(Kind("shell", run_shell_node, "Runs a command.", ShellConfig))
