"""The subcommands, each imported only when it is asked for."""

from __future__ import annotations

import errno
import io
import os
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import IO, cast

import click

from flowlint.cli.main import FAILURE, INTERRUPTED, OK
from flowlint.project.settings.files import SettingsError

COMMANDS = ("check", "graph", "rule", "dialect", "init", "clean", "completion")
"""Each is a module of this package that defines a command of its own name."""

_WRITING = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.EBADF)
"""What goes wrong when output is written."""


class LazyGroup(click.Group):
    """A group that imports a subcommand when it is used."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names of all subcommands."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The subcommand of this name, if there is one."""
        if cmd_name not in COMMANDS:
            return None
        module = import_module(f"flowlint.cli.{cmd_name}")
        return cast(click.Command, getattr(module, cmd_name))


def _print_version(ctx: click.Context, _: click.Parameter, wanted: bool) -> None:
    if not wanted:
        return
    from importlib.metadata import PackageNotFoundError, version

    try:
        click.echo(f"flowlint {version('flowls')}")
    except PackageNotFoundError:
        click.echo("flowlint (not installed)")
    ctx.exit()


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_print_version,
    help="Show the version and exit.",
)
def flowlint() -> None:
    """Find faults in flow definitions without running them."""


def run(arguments: Sequence[str]) -> int:
    """Run a command line and give its exit code: usage errors are one sentence on stderr."""
    _hold_standard_streams()
    if sys.stdout is None:
        fail("standard output is closed")
        return FAILURE
    for stream in (sys.stdout, sys.stderr):
        # Names of files may hold what no encoding can print.
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    try:
        return _run(arguments)
    except (BrokenPipeError, SystemExit):
        # Whoever read our output has seen enough.
        _mute(sys.stdout)
        return OK
    except OSError as error:
        reason = error.strerror or str(error)
        what = error.filename
        if what is None and error.errno in _WRITING:
            _mute(sys.stdout)
            what = "the output cannot be written"
        fail(f"{what}: {reason}" if what else reason)
    return FAILURE


def _run(arguments: Sequence[str]) -> int:
    try:
        code = flowlint.main(list(arguments), prog_name="flowlint", standalone_mode=False)
        sys.stdout.flush()
    except click.exceptions.NoArgsIsHelpError as error:
        error.show()
        return FAILURE
    except click.ClickException as error:
        fail(_with_hint(error))
        return FAILURE
    except SettingsError as error:
        fail(str(error))
        _tell_refused()
        return FAILURE
    except (click.Abort, KeyboardInterrupt):
        return INTERRUPTED
    return code if isinstance(code, int) else OK


def _tell_refused() -> None:
    """Tell which plugins cannot be used: settings may name what they would bring."""
    from flowlint.project.plugins import load_plugins

    for reason in load_plugins():
        fail(reason)


def fail(message: str) -> None:
    """Tell one error on stderr, if somebody is there to read it."""
    tell(f"error: {message}")


def tell(sentence: str) -> None:
    """Say something on stderr, if somebody is there to read it."""
    try:
        click.echo(sentence, err=True)
    except OSError:
        _mute(sys.stderr)


def _hold_standard_streams() -> None:
    """Take the places of standard streams that are closed, so that no file that we open does."""
    if None in (sys.stdin, sys.stdout, sys.stderr):
        while (descriptor := os.open(os.devnull, os.O_RDWR)) < 3:
            pass
        os.close(descriptor)


def _mute(stream: IO[str]) -> None:
    """Let what is left to write go nowhere, so that nothing complains about it at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def _with_hint(error: click.ClickException) -> str:
    # Click puts choices into lines of their own.
    message = " ".join(error.format_message().split())
    if not isinstance(error, click.UsageError) or error.ctx is None:
        return message
    return f"{message.rstrip('.')} (see `{error.ctx.command_path} --help`)"
