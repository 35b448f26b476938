"""The subcommands, each imported only when it is asked for."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import cast

import click

from flowrt.cli.codes import INTERRUPTED, INVALID, OK, TABLE
from flowrt.cli.streams import open_streams
from flowrt.errors import FlowError
from flowrt.extras import CURE

COMMANDS = {
    "run": "run",
    "resume": "resume",
    "show": "show",
    "list": "listing",
    "replay": "replay",
    "graph": "graph",
    "check": "check",
    "schema": "schema",
    "definitions": "definitions",
}
"""Subcommands, each with the module of this package that defines a command of that name."""

_EXTRA = frozenset({"pydantic", "pydantic_core", "cel", "acp", "yaml", "jsonschema_rs"})


class LazyGroup(click.Group):
    """A group that imports a subcommand when it is used."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names of all subcommands."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The subcommand of this name, if there is one."""
        name = COMMANDS.get(cmd_name)
        if name is None:
            return None
        return cast(click.Command, getattr(import_module(f"flowrt.cli.{name}"), name))


def _print_version(ctx: click.Context, _: click.Parameter, wanted: bool) -> None:
    if not wanted:
        return
    from importlib.metadata import PackageNotFoundError, version

    try:
        click.echo(f"flowrt {version('flowls')}")
    except PackageNotFoundError:
        click.echo("flowrt (not installed)")
    ctx.exit()


@click.group(
    cls=LazyGroup,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog=TABLE,
)
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_print_version,
    help="Show the version and exit.",
)
def flowrt() -> None:
    """Run flows, go on with interrupted ones, and look at what they did."""


def run(arguments: Sequence[str]) -> int:
    """Run a command line and give its exit code: wrong use is one sentence on stderr."""
    open_streams()
    try:
        code = flowrt.main(list(arguments), prog_name="flowrt", standalone_mode=False)
        sys.stdout.flush()
    except click.exceptions.NoArgsIsHelpError as error:
        error.show()
        return INVALID
    except click.ClickException as error:
        fail(_with_hint(error))
        return INVALID
    except (click.Abort, KeyboardInterrupt):
        return INTERRUPTED
    except BrokenPipeError:
        # Whoever read our output has gone; what is left to flush must not complain at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return INVALID
    except FlowError as error:
        fail(str(error))
        return INVALID
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in _EXTRA:
            raise
        fail(f"`{error.name}` is not installed: {CURE}")
        return INVALID
    except OSError as error:
        what = f"{error.filename}: " if error.filename is not None else ""
        fail(f"{what}{(error.strerror or str(error)).lower()}")
        return INVALID
    return code if isinstance(code, int) else OK


def fail(message: str) -> None:
    """Tell one error on stderr."""
    click.echo(f"error: {message}", err=True)


def _with_hint(error: click.ClickException) -> str:
    message = error.format_message()
    if not isinstance(error, click.UsageError) or error.ctx is None:
        return message
    return f"{message.rstrip('.')} (see `{error.ctx.command_path} --help`)"
