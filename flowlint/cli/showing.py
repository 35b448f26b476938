"""What holds for a file and who says so, and which files a run would take."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import cast

import click
from click.core import ParameterSource

from flowlint.cli.group import fail
from flowlint.cli.main import FAILURE, OK
from flowlint.project.discovery import discover
from flowlint.project.settings.finding import Configuration
from flowlint.project.settings.keys import BY_NAME, KEYS, Key
from flowlint.project.settings.model import DeclaredSystem, Settings
from flowlint.project.settings.stated import Origin, Stated
from flowlint.report.formats import default_format

_OPTIONS = {"output_format": "output-format", "jobs": "jobs", "cache_dir": "cache-dir"}
"""Options of the command line, and the settings that they and their variables count before."""


def show_settings(
    paths: Sequence[str], configuration: Configuration, over: Mapping[str, Stated]
) -> int:
    """Print the settings that hold for each path, a folder for the files in it.

    `over` is what counts before all settings.
    """
    for number, path in enumerate(paths):
        is_folder = os.path.isdir(path)
        settings = (
            configuration.of_folder(os.path.abspath(path))
            if is_folder
            else configuration.of_file(path)
        )
        if number:
            click.echo()
        click.echo(f"# settings for {path}")
        for line in lines_of(settings, over):
            click.echo(line)
    return OK


def stated_by_options(context: click.Context) -> dict[str, Stated]:
    """What the command line and the environment state that is a setting, too."""
    found: dict[str, Stated] = {}
    for option in context.command.params:
        name = option.name or ""
        value = context.params.get(name)
        if name not in _OPTIONS or value is None:
            continue
        is_variable = context.get_parameter_source(name) is ParameterSource.ENVIRONMENT
        source = option.envvar if is_variable else max(option.opts, key=len)
        found[_OPTIONS[name]] = Stated(value, _origin(str(source)))
    return found


def _origin(source: str) -> Origin:
    return Origin(source, None, os.getcwd())


def show_files(paths: Sequence[str], configuration: Configuration, *, force_exclude: bool) -> int:
    """Print the files that a run would look at, ordered."""
    found = discover(paths, configuration, force_exclude=force_exclude)
    for file in sorted(found.files):
        click.echo(file)
    for problem in found.problems:
        fail(str(problem))
    return FAILURE if found.problems else OK


def lines_of(settings: Settings, over: Mapping[str, Stated]) -> Iterator[str]:
    """The settings as TOML, each with the place that it comes from."""
    values = {**_chosen_format(settings), **over}
    tables: list[tuple[str, str]] = []
    for key in KEYS:
        entries = settings.tables.get(key.name)
        if key.kind == "systems":
            tables += _systems(key.name, entries or {})
        elif key.kind == "options":
            tables += _options(key.name, entries or {})
        elif entries is not None:
            rows = [
                (_key(entry), _value(one.value), str(one.origin)) for entry, one in entries.items()
            ]
            tables.append((key.name, "\n".join(_aligned(rows))))
    yield from _aligned(_row(key, values.get(key.name)) for key in KEYS if not _is_table(key))
    for name, text in tables:
        yield ""
        yield name if name.startswith("[") else f"[{name}]"
        yield text


def _chosen_format(settings: Settings) -> Mapping[str, Stated]:
    """What the settings state, with the format that a service gets where they leave it open."""
    chosen = default_format(os.environ, None)
    if settings.output_format is not None or chosen == BY_NAME["output-format"].default:
        return settings.values
    return {**settings.values, "output-format": Stated(chosen, _origin("GITHUB_ACTIONS"))}


def _options(table: str, entries: Mapping[str, Stated]) -> Iterator[tuple[str, str]]:
    """What is stated for rules, as a table for each of them."""
    rows: dict[str, list[tuple[str, str, str]]] = {}
    for name, stated in entries.items():
        rule, _, option = name.partition(".")
        row = (_key(option), _value(stated.value), str(stated.origin))
        rows.setdefault(rule, []).append(row)
    for rule, found in rows.items():
        yield f"{table}.{rule}", "\n".join(_aligned(found))


def _systems(table: str, entries: Mapping[str, Stated]) -> Iterator[tuple[str, str]]:
    """The systems that are declared, each as the table that says so."""
    for stated in entries.values():
        declared = cast(DeclaredSystem, stated.value)
        rows = (f"{_key(name)} = {_toml(value)}" for name, value in declared.table.items())
        yield f"[[{table}]]  # {stated.origin}", "\n".join(rows)


def _toml(value: object) -> str:
    """A value of TOML on one line."""
    if isinstance(value, Mapping):
        inner = (f"{_key(name)} = {_toml(one)}" for name, one in value.items())
        return f"{{ {', '.join(inner)} }}"
    if isinstance(value, list):
        return f"[{', '.join(map(_toml, value))}]"
    return json.dumps(value, ensure_ascii=False)


def _is_table(key: Key) -> bool:
    return key.kind in (
        "rules by pattern",
        "severities",
        "options",
        "dialects by pattern",
        "flags by dialect",
        "versions",
        "systems",
    )


def _row(key: Key, stated: Stated | None) -> tuple[str, str, str]:
    if stated is not None:
        return key.name, _value(stated.value), str(stated.origin)
    if key.default is None:
        return f"# {key.name}", "", "not stated"
    return key.name, _value(key.default), "default"


def _aligned(rows: Iterable[tuple[str, str, str]]) -> Iterator[str]:
    for name, value, origin in rows:
        yield f"{name} = {value}  # {origin}" if value else f"{name}: {origin}"


def _key(name: str) -> str:
    return (
        name
        if name.replace("-", "").replace("_", "").isalnum() and name.isascii()
        else json.dumps(name)
    )


def _value(value: object) -> str:
    if isinstance(value, tuple):
        return f"[{', '.join(json.dumps(one, ensure_ascii=False) for one in value)}]"
    return json.dumps(value, ensure_ascii=False)
