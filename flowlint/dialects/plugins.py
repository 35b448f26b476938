"""Dialects that other distributions bring, and why some of them are left out."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from types import ModuleType
from typing import Any

from flowlint.dialects import needles
from flowlint.dialects.registry import DialectEntry, built_in_dialects
from flowlint.graph.model import Semantics
from flowlint.plugins.importing import Refusal, RefusedError, imported
from flowlint.plugins.installed import DIALECTS, installed
from flowlint.plugins.model import Plugin
from flowlint.values.following import TypeModel

_NAME = re.compile(r"[a-z][a-z0-9]*([-_][a-z0-9]+)*")


@dataclass(frozen=True, slots=True)
class PluginDialects:
    """The dialects of all plugins, and the plugins that are left out."""

    entries: tuple[DialectEntry, ...] = ()
    refused: tuple[Refusal, ...] = ()


@cache
def plugin_dialects() -> PluginDialects:
    """Import the dialects of all plugins and let files be sifted for them. Never raises."""
    taken = _Taken()
    for entry in built_in_dialects():
        taken.add(entry, "flowlint")
    found: list[DialectEntry] = []
    refused: list[Refusal] = []
    for plugin in installed(DIALECTS):
        try:
            entry = _entry(imported(plugin), plugin, taken)
        except RefusedError as error:
            refused.append(Refusal(plugin, str(error)))
            continue
        taken.add(entry, plugin.origin)
        found.append(entry)
        needles.NEEDLES.extend(_rows(entry.dialect, "needles"))
        needles.SCRIPT_NEEDLES.extend(_rows(entry.dialect, "script_needles"))
        needles.DATA_NEEDLES.extend(_rows(entry.dialect, "data_needles"))
    return PluginDialects(tuple(found), tuple(refused))


class _Taken:
    """What belongs to some dialect already: names, types and constants, each with its owner."""

    def __init__(self) -> None:
        self.names: dict[str, str] = {}
        self.types: dict[str, str] = {}
        self.constants: dict[str, str] = {}

    def add(self, entry: DialectEntry, owner: str) -> None:
        whose = f"the dialect `{entry.name}` of {owner}"
        self.names[entry.name] = whose
        for model in entry.dialect.types:
            self.types.update(dict.fromkeys((model.key, *model.qualified), whose))
        self.constants.update(dict.fromkeys(entry.dialect.constants, whose))


def _entry(module: ModuleType, plugin: Plugin, taken: _Taken) -> DialectEntry:
    """The dialect that a module states. Raises RefusedError."""
    dialect: Any = getattr(module, "DIALECT", None)
    if dialect is None:
        raise RefusedError(f"`{plugin.module}` states no `DIALECT`")
    name = getattr(dialect, "name", None)
    if name != plugin.name or not _NAME.fullmatch(plugin.name):
        raise RefusedError(
            f"its entry point has to bear the name of the dialect, which is `{name}`"
        )
    if name in taken.names:
        raise RefusedError(f"there is {taken.names[name]} already")
    _check_types(dialect)
    _check_taken(dialect, taken)
    _check_needles(dialect)
    docs = (module.__doc__ or "").strip()
    if not docs:
        raise RefusedError(f"`{plugin.module}` has no docstring to explain the dialect with")
    return DialectEntry(dialect, docs, plugin.origin)


def _check_types(dialect: Any) -> None:
    types = getattr(dialect, "types", None)
    if not isinstance(types, tuple) or not all(isinstance(one, TypeModel) for one in types):
        raise RefusedError("`types` of the dialect is no tuple of `TypeModel`")
    semantics = getattr(dialect, "semantics", None)
    if not isinstance(semantics, tuple) or not all(isinstance(s, Semantics) for s in semantics):
        raise RefusedError("`semantics` of the dialect is no tuple of `Semantics`")
    constants = getattr(dialect, "constants", None)
    if not isinstance(constants, Mapping):
        raise RefusedError("`constants` of the dialect is no mapping")
    if not callable(getattr(dialect, "graph", None)):
        raise RefusedError("the dialect has no method `graph`")
    if not types and not callable(getattr(dialect, "document", None)):
        raise RefusedError("the dialect neither follows `types` nor has a method `document`")


def _check_taken(dialect: Any, taken: _Taken) -> None:
    for model in dialect.types:
        for name in (model.key, *sorted(model.qualified)):
            if name in taken.types:
                raise RefusedError(f"its type `{name}` belongs to {taken.types[name]}")
    for name in dialect.constants:
        if name in taken.constants:
            raise RefusedError(f"its constant `{name}` belongs to {taken.constants[name]}")


def _check_needles(dialect: Any) -> None:
    """A file is only read for what it must hold: a row that fits all would cost every run."""
    has_scripts = bool(_rows(dialect, "script_needles"))
    for what, is_needed in (
        ("needles", bool(dialect.types) and not has_scripts),
        ("script_needles", False),
        ("data_needles", hasattr(dialect, "document")),
    ):
        found = _rows(dialect, what)
        if is_needed and not found:
            raise RefusedError(f"`{what}` of the dialect says of no file that it may hold a flow")
        for row in found:
            if not row or not all(isinstance(one, bytes) and one for one in row):
                raise RefusedError(f"`{what}` of the dialect has to hold rows of bytes, none empty")


def _rows(dialect: Any, what: str) -> tuple[tuple[bytes, ...], ...]:
    rows = getattr(dialect, what, ())
    if not isinstance(rows, tuple) or not all(isinstance(row, tuple) for row in rows):
        raise RefusedError(f"`{what}` of the dialect is no tuple of tuples")
    return rows
