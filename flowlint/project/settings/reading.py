"""Settings out of files and command lines."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from typing import Any

from flowlint.project.files import read_bytes
from flowlint.project.selection import nearest
from flowlint.project.settings.files import PYPROJECT, SettingsError
from flowlint.project.settings.keys import BY_NAME, EXTEND, Key
from flowlint.project.settings.model import DeclaredSystem
from flowlint.project.settings.stated import Layer, Origin, Stated, shown_path
from flowlint.project.settings.toml_lines import line_of
from flowlint.project.settings.values import RuleTable, Table, WrongValueError, checked

_SECTION = ("tool", "flowlint")
COMMAND_LINE = "-c"


def read_layers(path: str, *, is_named: bool = False) -> tuple[Layer, ...] | None:
    """What a file states, after what it extends; None when it states nothing of ours.

    `is_named` tells that somebody asks for this very file. Raises SettingsError.
    """
    layers: list[Layer] = []
    seen: list[str] = []
    while True:
        layer = _read(path, is_named=is_named)
        if layer is None:
            return None
        layers.append(layer)
        seen.append(os.path.realpath(path))
        further = layer.values.get(EXTEND)
        if further is None:
            return tuple(reversed(layers))
        path = os.path.normpath(os.path.join(further.origin.base, str(further.value)))
        is_named = True
        if not os.path.isfile(path):
            raise SettingsError(f"{further.origin}: there is no file `{further.value}` to extend")
        if os.path.realpath(path) in seen:
            raise SettingsError(f"{further.origin}: files extend each other in a loop: end it here")


def _read(path: str, *, is_named: bool) -> Layer | None:
    try:
        data = read_bytes(path)
    except OSError as error:
        raise SettingsError(f"{shown_path(path)}: cannot be read: {error.strerror}") from None
    in_section = os.path.basename(path) == PYPROJECT
    if in_section and b"flowlint" not in data and not is_named:
        return None
    text = data.decode("utf-8", "replace")
    found: Any = _parse(path, text)
    section = _SECTION if in_section else ()
    for name in section:
        found = found.get(name) if isinstance(found, dict) else None
    if found is None:
        if is_named:
            raise SettingsError(f"{shown_path(path)}: has no table [tool.flowlint]: add it")
        return None
    return _layer(path, text, section, found)


def _parse(path: str, text: str) -> dict[str, Any]:
    import tomllib

    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        message, _, place = str(error).rpartition(" (at ")
        line = place.removeprefix("line ").partition(",")[0]
        where = f":{line}" if message and line.isdigit() else ""
        reason = message or str(error)
        raise SettingsError(f"{shown_path(path)}{where}: is not TOML: {reason}") from None


def _layer(path: str, text: str, section: tuple[str, ...], found: object) -> Layer:
    base = os.path.dirname(os.path.abspath(path))
    source = shown_path(os.path.abspath(path))

    def origin(*keys: str, word: str | None = None) -> Origin:
        return Origin(source, line_of(text, (*section, *keys), word), base)

    if not isinstance(found, dict):
        raise SettingsError(f"{origin()}: `tool.flowlint` has to be a table")
    return _checked(found, origin)


def _checked(found: Mapping[str, Any], origin: Any) -> Layer:
    values: dict[str, Stated] = {}
    tables: dict[str, dict[str, Stated]] = {}
    for name, given in found.items():
        key = BY_NAME.get(name)
        if key is None:
            raise SettingsError(f"{origin(name)}: {_unknown(name)}")
        try:
            value = checked(key, given)
        except WrongValueError as error:
            keys = (name, *error.entries)
            raise SettingsError(f"{origin(*keys, word=error.word)}: {error}") from None
        if isinstance(value, Table):
            entries = tables[name] = {}
            for entry, one, place in _entries(value):
                at = origin(name, *place)
                if entry in entries:
                    raise SettingsError(f"{at}: {_again(entry, entries[entry])}")
                entries[entry] = Stated(one, at)
        else:
            values[name] = Stated(value, origin(name))
    return Layer(values, tables)


def _entries(table: Table) -> Iterator[tuple[str, object, tuple[str, ...]]]:
    """The entries of a table by the key that others state them by too, each with its place."""
    for entry, one in table.entries.items():
        if isinstance(one, DeclaredSystem):
            yield entry, one, (str(one.index), "name")
        elif isinstance(one, RuleTable):
            for option, value in one.options.items():
                yield f"{one.rule}.{option}", value, (entry, option)
        else:
            yield entry, one, (entry,)


def _again(entry: str, before: Stated) -> str:
    """What is wrong where a rule is named in two ways and both state an option."""
    rule, _, option = entry.partition(".")
    return f"`{option}` of `{rule}` is stated already at {before.origin}: state it once"


def _unknown(name: str) -> str:
    near = nearest(name.replace("_", "-"), BY_NAME)
    cure = f"did you mean `{near}`?" if near else "`flowlint check --show-settings` lists all"
    return f"unknown setting `{name}`; {cure}"


def layer_of_words(source: str, values: Mapping[str, object]) -> Layer:
    """What options of the command line state. Raises SettingsError."""
    here = Origin(source, None, os.getcwd())
    return _checked(values, lambda *_, **__: here)


def layer_of_pair(pair: str) -> Layer:
    """What `KEY=VALUE` states: TOML, or a bare word, or words between commas."""
    import tomllib

    name, _, text = pair.partition("=")
    source = f"{COMMAND_LINE} {pair}"
    key = BY_NAME.get(name.strip().partition(".")[0])
    if key is not None and key.name == EXTEND:
        raise SettingsError(f"{source}: only files extend others: name one with --config FILE")
    try:
        found = tomllib.loads(pair)
    except tomllib.TOMLDecodeError:
        is_list = key is not None and _is_list(key, name)
        words = [word.strip() for word in text.split(",")] if is_list else text.strip()
        found = _with_value(name, words, source)
    else:
        if key is not None and key.kind in ("versions", "path") and _is_number(found):
            found = _with_value(name, text.strip(), source)
    return layer_of_words(source, found)


def _is_list(key: Key, name: str) -> bool:
    """Whether what the command line states by a dotted name is a list."""
    if key.kind != "options":
        return key.kind in ("rules", "patterns", "rules by pattern")
    from flowlint.project.rule_options import options_of_rule

    _, _, path = name.partition(".")
    rule, _, option = path.partition(".")
    known = options_of_rule(rule.strip())
    found = known.named(option.strip()) if known is not None else None
    return found is not None and found.kind == "patterns"


def _with_value(name: str, value: object, source: str) -> dict[str, Any]:
    import tomllib

    try:
        found = tomllib.loads(f"{name} = 0")
    except tomllib.TOMLDecodeError:
        raise SettingsError(f"{source}: is no setting: write KEY=VALUE") from None
    holder: Any = found
    while isinstance(next(iter(holder.values())), dict):
        holder = next(iter(holder.values()))
    holder[next(iter(holder))] = value
    return found


def _is_number(found: Mapping[str, Any]) -> bool:
    """Whether what TOML found is a number, as 0.6 is, in whatever tables."""
    one: Any = found
    while isinstance(one, dict) and len(one) == 1:
        one = next(iter(one.values()))
    return isinstance(one, int | float) and not isinstance(one, bool)
