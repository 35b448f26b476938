"""The settings that hold for the files of a folder."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import cast

from flowlint.project.patterns import Patterns
from flowlint.project.selection import Choice, by_code, chosen, codes_of
from flowlint.project.settings.keys import BY_NAME
from flowlint.project.settings.stated import Layer, Stated

OFF = "off"


@dataclass(frozen=True, slots=True)
class Located:
    """Patterns with the folder that they are stated for."""

    base: str
    patterns: Patterns

    def covers(self, path: str) -> bool:
        """Whether a file, or a folder around it, is among them. The path has to be absolute."""
        return self.patterns.covers(inner_path(path, self.base))


@dataclass(frozen=True, slots=True)
class _FileIgnores:
    where: Located
    negated: bool
    codes: frozenset[str]


@dataclass(frozen=True, slots=True)
class Settings:
    """What holds, and where it was stated.

    `codes` are the rules to report, None: all. `include` and `exclude` are None where nobody
    states any, so that walking need not look further than at names.
    """

    values: Mapping[str, Stated] = field(default_factory=dict)
    tables: Mapping[str, Mapping[str, Stated]] = field(default_factory=dict)
    codes: frozenset[str] | None = None
    severities: Mapping[str, str] = field(default_factory=dict)
    file_ignores: tuple[_FileIgnores, ...] = ()
    include: tuple[Located, ...] | None = None
    exclude: tuple[Located, ...] | None = None

    def value(self, name: str) -> object:
        """What is stated for a key, else its default."""
        stated = self.values.get(name)
        return stated.value if stated is not None else BY_NAME[name].default

    def allows(self, code: str) -> bool:
        """Whether findings of this rule are reported in files that say nothing else."""
        return self.codes is None or code in self.codes

    def ignored_in(self, path: str) -> frozenset[str]:
        """The codes of the rules that are not reported in one file."""
        if not self.file_ignores:
            return frozenset()
        path = os.path.abspath(path)
        found: frozenset[str] = frozenset()
        for ignores in self.file_ignores:
            if ignores.where.covers(path) != ignores.negated:
                found |= ignores.codes
        return found

    @property
    def left_alone(self) -> frozenset[str]:
        """The systems whose flows are not looked at."""
        stated = self.tables.get("dialects", {})
        return frozenset(name for name, one in stated.items() if one.value is False)

    @property
    def versions(self) -> dict[str, str]:
        """The versions that are stated, by distribution."""
        return {name: str(one.value) for name, one in self.tables.get("versions", {}).items()}

    @property
    def respects_gitignore(self) -> bool:
        """Whether what git ignores is left out."""
        return bool(self.value("respect-gitignore"))

    @property
    def jobs(self) -> int | None:
        """In how many processes to work, where it is stated."""
        return cast("int | None", self.value("jobs"))

    @property
    def output_format(self) -> str | None:
        """How to show findings, where it is stated."""
        stated = self.values.get("output-format")
        return None if stated is None or stated.value == "auto" else str(stated.value)

    @property
    def cache_dir(self) -> str | None:
        """The folder of the cache, where it is stated."""
        stated = self.values.get("cache-dir")
        if stated is None:
            return None
        return os.path.normpath(os.path.join(stated.origin.base, str(stated.value)))


DEFAULTS = Settings()


def resolved(layers: Sequence[Layer]) -> Settings:
    """The settings that layers come to, later ones over earlier ones."""
    if not layers:
        return DEFAULTS
    values: dict[str, Stated] = {}
    tables: dict[str, dict[str, Stated]] = {}
    for layer in layers:
        values.update(layer.values)
        for name, entries in layer.tables.items():
            tables.setdefault(name, {}).update(entries)
    severities = {word: str(one.value) for word, one in tables.get("severity", {}).items()}
    return Settings(
        values,
        tables,
        chosen([_choice(layer, tables.get("severity", {})) for layer in layers]),
        {code: grade for code, grade in by_code(severities).items() if grade != OFF},
        tuple(map(_file_ignores, *_pairs(tables.get("per-file-ignores", {})))),
        _located(values, "include"),
        _excluded(layers, values),
    )


def inner_path(path: str, base: str) -> str:
    """An absolute path from a folder on, with slashes; with `..` where it is not below."""
    inside = os.path.join(base, "")
    inner = path[len(inside) :] if path.startswith(inside) else os.path.relpath(path, base)
    return inner.replace(os.sep, "/")


def _pairs(table: Mapping[str, Stated]) -> tuple[list[str], list[Stated]]:
    return list(table), list(table.values())


def _file_ignores(pattern: str, stated: Stated) -> _FileIgnores:
    words = cast("tuple[str, ...]", stated.value)
    negated = pattern.startswith("!")
    where = Located(stated.origin.base, Patterns([pattern.removeprefix("!")]))
    return _FileIgnores(where, negated, frozenset().union(*map(codes_of, words)))


def _choice(layer: Layer, severities: Mapping[str, Stated]) -> Choice:
    own = layer.tables.get("severity", {})
    # A severity that a later place states takes an `off` back.
    off = [word for word, one in own.items() if one.value == OFF and severities[word] is one]
    select = layer.values.get("select")
    return Choice(
        cast("tuple[str, ...]", select.value) if select is not None else None,
        _words(layer, "extend-select"),
        (*_words(layer, "ignore"), *_words(layer, "extend-ignore"), *off),
    )


def _words(layer: Layer, name: str) -> tuple[str, ...]:
    stated = layer.values.get(name)
    return cast("tuple[str, ...]", stated.value) if stated is not None else ()


def _located(values: Mapping[str, Stated], name: str) -> tuple[Located, ...] | None:
    stated = values.get(name)
    if stated is None:
        return None
    return (Located(stated.origin.base, Patterns(cast("tuple[str, ...]", stated.value))),)


def _excluded(layers: Sequence[Layer], values: Mapping[str, Stated]) -> tuple[Located, ...] | None:
    more = [layer.values["extend-exclude"] for layer in layers if "extend-exclude" in layer.values]
    stated = _located(values, "exclude")
    if stated is None and not more:
        return None
    defaults = cast("tuple[str, ...]", BY_NAME["exclude"].default)
    first = stated or (Located(os.sep, Patterns(f"{name}/" for name in defaults)),)
    located = [
        Located(one.origin.base, Patterns(cast("tuple[str, ...]", one.value))) for one in more
    ]
    return (*first, *located)
