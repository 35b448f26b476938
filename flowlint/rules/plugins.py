"""Rules that other distributions bring, and why some of them are left out."""

from __future__ import annotations

import pkgutil
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from types import ModuleType
from typing import get_args

from flowlint.findings.model import Severity
from flowlint.plugins.importing import Refusal, RefusedError, import_module, imported
from flowlint.plugins.installed import RULES, installed
from flowlint.plugins.model import Plugin
from flowlint.rules.options import OptionKind, RuleOption
from flowlint.rules.registry import FixAvailability, Rule, RuleInfo, built_in_rules

_CODE = re.compile(r"(?P<prefix>[A-Z]{2,})[0-9]{1,4}")
_NAME = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
_OURS = "FL"
_ALL = "all"


@dataclass(frozen=True, slots=True)
class PluginRules:
    """The rules of all plugins, ordered by code, and the plugins that are left out."""

    rules: tuple[Rule, ...] = ()
    refused: tuple[Refusal, ...] = ()


@cache
def plugin_rules() -> PluginRules:
    """Import the rules of all plugins. Never raises for what a plugin does."""
    terms: dict[str, str] = {_ALL: "the word for all rules"}
    for rule in built_in_rules():
        _note(terms, rule, "flowlint")
    found: list[Rule] = []
    refused: list[Refusal] = []
    for plugin in installed(RULES):
        try:
            rules = _rules_of(plugin, terms)
        except RefusedError as error:
            refused.append(Refusal(plugin, str(error)))
            continue
        for rule in rules:
            _note(terms, rule, plugin.origin)
        found += rules
    return PluginRules(tuple(sorted(found, key=lambda rule: rule.info.code)), tuple(refused))


def _note(terms: dict[str, str], rule: Rule, owner: str) -> None:
    """Remember which words are taken, and for what."""
    terms[rule.info.name] = f"a rule of {owner}"
    terms[rule.info.code.lower()] = f"the code of `{rule.info.name}` of {owner}"
    terms.setdefault(rule.info.category, "a category")


def _rules_of(plugin: Plugin, terms: dict[str, str]) -> list[Rule]:
    """The rules of one plugin, all or none. Raises RefusedError."""
    terms = dict(terms)
    rules: list[Rule] = []
    for module in _modules(imported(plugin)):
        rule = _rule(module, plugin, terms)
        _note(terms, rule, plugin.origin)
        rules.append(rule)
    if not rules:
        raise RefusedError(f"`{plugin.module}` states no `RULE`")
    return rules


def _modules(module: ModuleType) -> Iterator[ModuleType]:
    """The module, or those in it, that state a rule."""
    if hasattr(module, "RULE"):
        yield module
        return
    for found in pkgutil.walk_packages(getattr(module, "__path__", ()), f"{module.__name__}."):
        inner = import_module(found.name)
        if hasattr(inner, "RULE"):
            yield inner


def _rule(module: ModuleType, plugin: Plugin, terms: dict[str, str]) -> Rule:
    info = module.RULE
    where = f"`{module.__name__}`"
    if not isinstance(info, RuleInfo):
        raise RefusedError(f"`RULE` of {where} is no `RuleInfo`")
    _check_info(info, where)
    _check_terms(info, terms)
    if not callable(getattr(module, "check", None)):
        raise RefusedError(f"{where} has no function `check`")
    docs = (module.__doc__ or "").strip()
    if not docs:
        raise RefusedError(f"{where} has no docstring to explain the rule with")
    return Rule(info, docs, module.check, plugin.origin)


def _check_info(info: RuleInfo, where: str) -> None:
    for field, allowed in (("severity", Severity), ("fix", FixAvailability)):
        if getattr(info, field) not in get_args(allowed):
            listed = ", ".join(f"`{word}`" for word in get_args(allowed))
            raise RefusedError(f"`{field}` of {where} is none of {listed}")
    for field in ("name", "category"):
        word = getattr(info, field)
        if not isinstance(word, str) or not _NAME.fullmatch(word):
            raise RefusedError(f"`{field}` of {where} has to be words in small letters, by hyphens")
    if not isinstance(info.code, str) or not _CODE.fullmatch(info.code):
        raise RefusedError(f"the code of {where} has to be like `AB001`")
    if not isinstance(info.options, tuple):
        raise RefusedError(f"`options` of {where} has to be a tuple")
    for option in info.options:
        _check_option(option, where)
    names = [option.name for option in info.options]
    if len(set(names)) < len(names):
        raise RefusedError(f"two options of {where} have one name")


def _check_option(option: object, where: str) -> None:
    if not isinstance(option, RuleOption):
        raise RefusedError(f"an option of {where} is no `RuleOption`")
    if not isinstance(option.name, str) or not _NAME.fullmatch(option.name):
        raise RefusedError(
            f"the name of an option of {where} has to be words in small letters, by hyphens"
        )
    what = f"the option `{option.name}` of {where}"
    if option.kind not in get_args(OptionKind):
        listed = ", ".join(f"`{word}`" for word in get_args(OptionKind))
        raise RefusedError(f"the kind of {what} is none of {listed}")
    if not isinstance(option.text, str) or not option.text:
        raise RefusedError(f"{what} does not say what it does")
    for value in (option.example, option.default):
        if value is None and option.kind == "count":
            continue
        try:
            option.read(list(value) if isinstance(value, tuple) else value)
        except ValueError as error:
            raise RefusedError(f"a value of {what} {error}") from None


def _check_terms(info: RuleInfo, terms: dict[str, str]) -> None:
    """Every word has to keep the one meaning that it has in settings and comments."""
    found = _CODE.fullmatch(info.code)
    assert found is not None
    prefix = found["prefix"]
    if taken := terms.get(info.code.lower()):
        raise RefusedError(f"its code `{info.code}` is {taken}")
    if prefix == _OURS:
        raise RefusedError(f"its code is `{info.code}`, but {_OURS} is for rules of flowlint")
    if taken := terms.get(prefix.lower()):
        raise RefusedError(f"its codes begin with `{prefix}`, which is {taken}")
    if taken := terms.get(info.name):
        raise RefusedError(f"its name `{info.name}` is {taken}")
    if terms.get(info.category, "a category") != "a category":
        raise RefusedError(f"its category `{info.category}` is {terms[info.category]}")
