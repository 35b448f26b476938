"""What layers of settings come to."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import cast

from flowlint.project.patterns import Patterns
from flowlint.project.selection import Choice, by_code, chosen, codes_of
from flowlint.project.settings.files import SettingsError
from flowlint.project.settings.model import DEFAULTS, SYSTEMS, Settings, inner_path
from flowlint.project.settings.stated import Layer, Stated
from flowlint.project.settings.values import WrongValueError, check_dialects
from flowlint.rules.options import OptionValue, StatedOptions

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
class FileIgnores:
    """Rules that are not reported in some files."""

    where: Located
    negated: bool
    codes: frozenset[str]


@dataclass(frozen=True, slots=True)
class Documents:
    """Files of data that are flows of one system."""

    where: Located
    dialect: str


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
    _check_dialects(tables)
    severities = {word: str(one.value) for word, one in tables.get("severity", {}).items()}
    return Settings(
        values,
        tables,
        chosen([_choice(layer, tables.get("severity", {})) for layer in layers]),
        {code: grade for code, grade in by_code(severities).items() if grade != OFF},
        tuple(map(_file_ignores, *_pairs(tables.get("per-file-ignores", {})))),
        _located(values, "include"),
        _excluded(layers, values),
        _options(tables.get("rules", {})),
        tuple(map(_document, *_pairs(tables.get("documents", {})))),
    )


def _check_dialects(tables: Mapping[str, Mapping[str, Stated]]) -> None:
    """Systems may be declared in one place and left alone in another. Raises SettingsError.

    What the command line leaves alone may be declared for some folders only: see `check_overrides`.
    """
    stated = tables.get("dialects", {})
    named = {name: one for name, one in stated.items() if one.origin.line is not None}
    if not named:
        return
    _check_named(named, tables.get(SYSTEMS, ()))


def check_overrides(overrides: Iterable[Layer], settings: Iterable[Settings]) -> None:
    """Whether there are the systems that the command line names. Raises SettingsError."""
    named = {
        name: one for layer in overrides for name, one in layer.tables.get("dialects", {}).items()
    }
    if named:
        _check_named(named, [name for one in settings for name in one.tables.get(SYSTEMS, ())])


def _check_named(named: Mapping[str, Stated], declared: Iterable[str]) -> None:
    try:
        check_dialects(named, declared)
    except WrongValueError as error:
        raise SettingsError(f"{named[error.entries[0]].origin}: {error}") from None


def _options(table: Mapping[str, Stated]) -> StatedOptions:
    found: dict[str, dict[str, OptionValue]] = {}
    for name, stated in table.items():
        rule, _, option = name.partition(".")
        found.setdefault(rule, {})[option] = cast(OptionValue, stated.value)
    return found


def _pairs(table: Mapping[str, Stated]) -> tuple[list[str], list[Stated]]:
    return list(table), list(table.values())


def _file_ignores(pattern: str, stated: Stated) -> FileIgnores:
    words = cast("tuple[str, ...]", stated.value)
    negated = pattern.startswith("!")
    where = Located(stated.origin.base, Patterns([pattern.removeprefix("!")]))
    return FileIgnores(where, negated, frozenset().union(*map(codes_of, words)))


def _document(pattern: str, stated: Stated) -> Documents:
    return Documents(Located(stated.origin.base, Patterns([pattern])), str(stated.value))


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
    located = [
        Located(one.origin.base, Patterns(cast("tuple[str, ...]", one.value))) for one in more
    ]
    return (*(stated or ()), *located)
