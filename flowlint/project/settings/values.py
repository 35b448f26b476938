"""Which values a setting may have."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from flowlint.project.selection import codes_of, nearest, suggest
from flowlint.project.settings.keys import (
    DATA_DIALECTS,
    DIALECTS,
    FORMATS,
    SEVERITIES,
    Key,
    dialect_names,
    distribution_names,
)
from flowlint.project.settings.model import DeclaredSystem
from flowlint.rules.options import OptionValue

if TYPE_CHECKING:
    from flowlint.dialects.declared.declaration import System


class WrongValueError(ValueError):
    """A value that a setting must not have. `entries` and `word` help to find it in its file."""

    def __init__(self, message: str, *entries: str, word: str | None = None) -> None:
        super().__init__(message)
        self.entries = entries
        self.word = word


@dataclass(frozen=True, slots=True)
class Table:
    """The value of a setting that has entries of its own."""

    entries: Mapping[str, object]


@dataclass(frozen=True, slots=True)
class RuleTable:
    """The options that are stated for one rule, by its name."""

    rule: str
    options: Mapping[str, OptionValue]


def checked(key: Key, value: object) -> object:
    """The value in the form that others rely on. Raises WrongValueError."""
    match key.kind:
        case "flag":
            return _flag(key.name, value)
        case "count":
            if isinstance(value, bool) or not isinstance(value, int) or value < 1:
                raise WrongValueError(f"`{key.name}` has to be a whole number above 0")
            return value
        case "format":
            return _choice(f"`{key.name}`", value, FORMATS)
        case "path":
            if not isinstance(value, str) or not value:
                raise WrongValueError(f"`{key.name}` has to be a path in quotes")
            return value
        case "rules":
            return _rules(key.name, value)
        case "patterns":
            return _texts(key.name, value, "patterns")
        case "rules by pattern":
            return _table(key.name, value, _rules)
        case "severities":
            return _table(key.name, value, _severity)
        case "options":
            return _table(key.name, value, _options)
        case "flags by dialect":
            return _table(key.name, value, _dialect)
        case "dialects by pattern":
            return _table(key.name, value, _document)
        case "versions":
            return _table(key.name, value, _version)
        case "systems":
            return _systems(value)


def _flag(name: str, value: object) -> bool:
    if not isinstance(value, bool):
        raise WrongValueError(f"`{name}` has to be true or false")
    return value


def _texts(name: str, value: object, what: str) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(one, str) and one for one in value):
        raise WrongValueError(f"`{name}` has to be a list of {what} in quotes")
    return tuple(value)


def _rules(name: str, value: object) -> tuple[str, ...]:
    words = _texts(name, value, "rules")
    for word in words:
        _known_rule(word)
    return words


def _known_rule(word: str) -> None:
    if not codes_of(word):
        raise WrongValueError(f"unknown rule `{word}`{suggest(word)}", word=word)


def _table(name: str, value: object, check: object) -> Table:
    if not isinstance(value, dict):
        raise WrongValueError(f"`{name}` has to be a table")
    assert callable(check)
    entries: dict[str, object] = {}
    for entry, given in value.items():
        try:
            entries[entry] = check(entry, given)
        except WrongValueError as error:
            raise WrongValueError(str(error), entry, *error.entries, word=error.word) from None
    return Table(entries)


def _severity(name: str, value: object) -> str:
    _known_rule(name)
    return _choice(f"the severity of `{name}`", value, SEVERITIES)


def _options(name: str, value: object) -> RuleTable:
    from flowlint.project.rule_options import options_of_rule

    _known_rule(name)
    known = options_of_rule(name)
    if known is None:
        raise WrongValueError(f"`{name}` is no single rule: state options by the name of one")
    rule = known.rule
    if not isinstance(value, dict):
        raise WrongValueError(f"`{name}` has to be a table of options")
    entries: dict[str, OptionValue] = {}
    for word, given in value.items():
        option = known.named(word)
        if option is None:
            names = [option.name for option in known.options]
            raise WrongValueError(_no_option(rule, word, names), word)
        try:
            entries[word] = option.read(given)
        except ValueError as error:
            raise WrongValueError(f"`{word}` of `{rule}` {error}", word) from None
    return RuleTable(rule, entries)


def _no_option(rule: str, word: str, names: list[str]) -> str:
    if not names:
        return f"the rule `{rule}` has no options: remove `{word}`"
    near = nearest(word.replace("_", "-"), names)
    cure = (
        f"did you mean `{near}`?" if near else f"there is {' and '.join(f'`{n}`' for n in names)}"
    )
    return f"the rule `{rule}` has no option `{word}`; {cure}"


def _systems(value: object) -> Table:
    """The systems that are declared, by their names."""
    from flowlint.dialects.declared.parsing import DeclarationError, system_of

    if not isinstance(value, list) or not all(isinstance(one, dict) for one in value):
        raise WrongValueError(
            "`systems` has to be a list of tables: write [[systems]], "
            "or [[tool.flowlint.systems]] in pyproject.toml"
        )
    entries: dict[str, object] = {}
    taken: dict[str, str] = {}
    for index, table in enumerate(value):
        try:
            system = system_of(table)
        except DeclarationError as error:
            near = nearest(error.unknown.replace("_", "-"), error.known) if error.unknown else None
            listed = f"there are {', '.join(error.known)}"
            cure = f"did you mean `{near}`?" if near else listed
            message = f"{error}; {cure}" if error.unknown else str(error)
            raise WrongValueError(message, str(index), *error.keys) from None
        if system.name in entries:
            message = f"the system `{system.name}` is declared twice: give one another name"
            raise WrongValueError(message, str(index), "name")
        if system.name in dialect_names():
            message = f"there is a system `{system.name}` already: choose another name"
            raise WrongValueError(message, str(index), "name")
        _check_names(system, index, taken)
        entries[system.name] = DeclaredSystem(system, table, index)
    return Table(entries)


def _check_names(system: System, index: int, taken: dict[str, str]) -> None:
    """Each name belongs to one system. `taken` are the names of those before, with their owners."""
    from flowlint.dialects.declared.parsing import qualified_names
    from flowlint.dialects.registry import dialect_of, models

    known = models().type_of
    for name, keys in qualified_names(system):
        owner = taken.get(name)
        if owner is None and name in known:
            entry = dialect_of(known[name])
            owner = entry.name if entry is not None else None
        if owner is not None:
            message = (
                f"`{name}` is read already, as {owner}: declare what is to be read in one place"
            )
            raise WrongValueError(message, str(index), *keys)
    taken.update((name, system.name) for name, _ in qualified_names(system))


def _document(pattern: str, value: object) -> str:
    if not isinstance(value, str):
        raise WrongValueError(f"the system of `{pattern}` has to be a name in quotes")
    if value in dialect_names() and value not in DATA_DIALECTS and value in DIALECTS:
        raise WrongValueError(f"`{value}` has no flows in files of data", word=value)
    return _choice(f"the system of `{pattern}`", value, _with_data())


def _with_data() -> tuple[str, ...]:
    return (*DATA_DIALECTS, *(name for name in dialect_names() if name not in DIALECTS))


def _dialect(name: str, value: object) -> bool:
    return _flag(name, value)


def check_dialects(names: Iterable[str], declared: Iterable[str]) -> None:
    """Whether there are the systems that are named. Raises WrongValueError."""
    known = (*dialect_names(), *declared)
    for name in names:
        try:
            _known("system", name, known)
        except WrongValueError as error:
            raise WrongValueError(str(error), name) from None


def _version(name: str, value: object) -> str:
    from flowlint.project.version_ranges import version_of

    _known("distribution", name, distribution_names())
    if not isinstance(value, str) or version_of(value) is None:
        raise WrongValueError(f'the version of `{name}` has to be written like "1.2"')
    return value


def _choice(what: str, value: object, allowed: Iterable[str]) -> str:
    allowed = tuple(allowed)
    if isinstance(value, str) and value in allowed:
        return value
    near = nearest(value, allowed) if isinstance(value, str) else None
    listed = f"{', '.join(allowed[:-1])} or {allowed[-1]}"
    question = f"; did you mean `{near}`?" if near else ""
    raise WrongValueError(f"{what} has to be {listed}{question}")


def _known(what: str, name: str, known: Iterable[str]) -> None:
    known = tuple(known)
    if name not in known:
        near = nearest(name, known)
        cure = f"did you mean `{near}`?" if near else f"there are {', '.join(known)}"
        raise WrongValueError(f"unknown {what} `{name}`; {cure}")
