"""The page of all commands, from what reads them."""

from __future__ import annotations

import inspect
from collections.abc import Iterator

import click

from flowlint.cli.group import flowlint

_INTRODUCTION = """\
# Commands

`flowlint --version` tells which one you have, `flowlint COMMAND --help` what a command takes.

| exit code | when |
|---|---|
| 0 | nothing was found that counts |
| 1 | something was found |
| 2 | the command line or a setting is wrong, or something could not be checked |
| 130 | interrupted with Ctrl-C |
"""


def commands_page() -> str:
    """All commands with their arguments and options."""
    context = click.Context(flowlint, info_name="flowlint")
    parts = [_INTRODUCTION]
    for name in flowlint.list_commands(context):
        command = flowlint.get_command(context, name)
        assert command is not None
        parts.append("\n".join(_command(command, click.Context(command, context, name))))
    return "\n".join(parts)


def _command(command: click.Command, context: click.Context) -> Iterator[str]:
    yield f"## {context.command_path}"
    yield ""
    yield "```text"
    yield " ".join([context.command_path, *command.collect_usage_pieces(context)])
    yield "```"
    yield ""
    yield from _help(command.help or "")
    options = [one for one in command.params if isinstance(one, click.Option) and not one.hidden]
    if options:
        yield "| option | what it does |"
        yield "|---|---|"
        yield from (_row(option, context) for option in options)
        yield ""


def _help(text: str) -> Iterator[str]:
    """Paragraphs; one that click is not to wrap is a list of lines."""
    for paragraph in inspect.cleandoc(text).split("\n\n"):
        if paragraph.startswith("\b"):
            yield from ("```text", *paragraph.splitlines()[1:], "```", "")
        else:
            yield from (" ".join(paragraph.split()), "")


def _row(option: click.Option, context: click.Context) -> str:
    names, told = option.get_help_record(context) or ("", "")
    variable = f" Also `${option.envvar}`." if isinstance(option.envvar, str) else ""
    return f"| `{names}` | {_cell(told)}{variable} |"


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")
