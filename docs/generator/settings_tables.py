"""Tables of the settings, from the one list that also reads them."""

from __future__ import annotations

from collections.abc import Callable

from flowlint.project.settings.keys import (
    DIALECTS,
    DISTRIBUTIONS,
    FORMATS,
    KEYS,
    SEVERITIES,
    Key,
    Kind,
)
from flowlint.report.rule_docs import described
from flowlint.rules.registry import built_in_rules

_VALUES: dict[Kind, str] = {
    "flag": "`true` or `false`",
    "count": "a whole number above 0",
    "format": "the name of a format",
    "path": "a path",
    "rules": "a list of rules",
    "patterns": "a list of patterns",
    "rules by pattern": "a table: lists of rules by pattern",
    "severities": "a table: severities by rule",
    "options": "a table: options by rule",
    "flags by dialect": "a table: `true` or `false` by dialect",
    "dialects by pattern": "a table: dialects by pattern",
    "versions": "a table: versions by distribution",
    "systems": "a list of tables, each a system",
}


def settings_table() -> str:
    """Every setting with its value, its default and what it does."""
    rows = [
        f"| `{key.name}` | {_VALUES[key.kind]} | {_default(key)} | {key.text} |" for key in KEYS
    ]
    return "\n".join(["| setting | value | default | what it does |", "|---|---|---|---|", *rows])


def options_table() -> str:
    """Every option of every rule of flowlint."""
    rows = [
        f"| [{rule.info.name}](rules/{rule.info.name}.md) | `{option.name}` | {described(option)} "
        f"| {option.text} |"
        for rule in built_in_rules()
        for option in rule.info.options
    ]
    return "\n".join(["| rule | option | value | what it does |", "|---|---|---|---|", *rows])


def values_table() -> str:
    """The words that values are made of."""
    words: dict[str, Callable[[], str]] = {
        "format": lambda: _listed(FORMATS),
        "severity": lambda: _listed(SEVERITIES),
        "dialect": lambda: f"{_listed(DIALECTS)}, and those of plugins",
        "distribution": lambda: _listed(DISTRIBUTIONS),
    }
    rows = [f"| {name} | {told()} |" for name, told in words.items()]
    return "\n".join(["| word | one of |", "|---|---|", *rows])


def _default(key: Key) -> str:
    if key.default is None:
        return ""
    if isinstance(key.default, tuple):
        return _listed(key.default)
    return f"`{str(key.default).lower() if isinstance(key.default, bool) else key.default}`"


def _listed(words: tuple[str, ...]) -> str:
    return ", ".join(f"`{word}`" for word in words)
