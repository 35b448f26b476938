"""The names, codes and categories of all rules, without importing a single one of our own.

Settings name rules, and every run reads settings: to import the rules for that would cost more
than sifting a thousand files.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from functools import cache

import flowlint
from flowlint.plugins.installed import RULES, installed

_STATED = re.compile(rb"^RULE = RuleInfo\(([^)]*)\)", re.MULTILINE)
_FIELD = re.compile(rb"(\w+)=\"([^\"]*)\"")


@cache
def rule_terms() -> tuple[tuple[str, str, str], ...]:
    """The name, code and category of every rule, in lower case: our own, then those of plugins."""
    if not installed(RULES):
        return built_in_terms()
    from flowlint.rules.plugins import plugin_rules

    infos = [rule.info for rule in plugin_rules().rules]
    return (*built_in_terms(), *((one.name, one.code.lower(), one.category) for one in infos))


@cache
def built_in_terms() -> tuple[tuple[str, str, str], ...]:
    """The same of the rules that are flowlint's own, ordered by code."""
    rules = os.path.join(os.path.dirname(flowlint.__file__), "rules")
    found = (_stated(os.path.join(folder, file)) for folder, file in _modules(rules))
    return tuple(sorted((terms for terms in found if terms), key=lambda terms: terms[1]))


def _modules(rules: str) -> Iterator[tuple[str, str]]:
    for category in os.listdir(rules):
        folder = os.path.join(rules, category)
        if os.path.isdir(folder) and category != "__pycache__":
            for file in os.listdir(folder):
                if file.endswith(".py") and not file.startswith("_"):
                    yield folder, file


def _stated(path: str) -> tuple[str, str, str] | None:
    with open(path, "rb") as file:
        found = _STATED.search(file.read())
    if found is None:
        return None
    fields = {key.decode(): value.decode().lower() for key, value in _FIELD.findall(found[1])}
    return fields["name"], fields["code"], fields["category"]
