"""What holds for a file and who says so, and which files a run would take."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence

import click

from flowlint.cli.group import fail
from flowlint.cli.main import FAILURE, OK
from flowlint.project.discovery import discover
from flowlint.project.settings.finding import Configuration
from flowlint.project.settings.keys import KEYS, Key
from flowlint.project.settings.model import Settings
from flowlint.project.settings.stated import Stated


def show_settings(paths: Sequence[str], configuration: Configuration) -> int:
    """Print the settings that hold for each path, a folder for the files in it."""
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
        for line in lines_of(settings):
            click.echo(line)
    return OK


def show_files(paths: Sequence[str], configuration: Configuration, *, force_exclude: bool) -> int:
    """Print the files that a run would look at, ordered."""
    found = discover(paths, configuration, force_exclude=force_exclude)
    for file in sorted(found.files):
        click.echo(file)
    for problem in found.problems:
        fail(str(problem))
    return FAILURE if found.problems else OK


def lines_of(settings: Settings) -> Iterator[str]:
    """The settings as TOML, each with the place that it comes from."""
    tables: list[tuple[str, str]] = []
    for key in KEYS:
        entries = settings.tables.get(key.name)
        if key.kind == "options":
            tables += _options(key.name, entries or {})
        elif entries is not None:
            rows = [
                (_key(entry), _value(one.value), str(one.origin)) for entry, one in entries.items()
            ]
            tables.append((key.name, "\n".join(_aligned(rows))))
    yield from _aligned(
        _row(key, settings.values.get(key.name)) for key in KEYS if not _is_table(key)
    )
    for name, text in tables:
        yield ""
        yield f"[{name}]"
        yield text


def _options(table: str, entries: Mapping[str, Stated]) -> Iterator[tuple[str, str]]:
    """What is stated for rules, as a table for each of them."""
    rows: dict[str, list[tuple[str, str, str]]] = {}
    for name, stated in entries.items():
        rule, _, option = name.partition(".")
        row = (_key(option), _value(stated.value), str(stated.origin))
        rows.setdefault(rule, []).append(row)
    for rule, found in rows.items():
        yield f"{table}.{rule}", "\n".join(_aligned(found))


def _is_table(key: Key) -> bool:
    return key.kind in ("rules by pattern", "severities", "options", "flags by dialect", "versions")


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
