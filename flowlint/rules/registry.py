"""The rules: one file each, found by walking this folder."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from types import ModuleType
from typing import Literal, cast

import flowlint.rules
from flowlint.findings.model import Finding, Severity
from flowlint.graph.model import FlowGraph
from flowlint.plugins.installed import RULES, installed
from flowlint.rules.context import RuleContext
from flowlint.rules.options import RuleOption

Check = Callable[[FlowGraph, RuleContext], Iterator[Finding]]
FixAvailability = Literal["none", "sometimes", "always"]


@dataclass(frozen=True, slots=True)
class RuleInfo:
    """The fixed facts of a rule. `name` is primary, `code` its alias.

    `severity` is the gravest that the rule gives; a finding may be milder where the system's
    consequence is. `related` names rules that report something near; it holds both ways.
    `options` are what users may state for it.
    """

    name: str
    code: str
    category: str
    severity: Severity
    since: str
    preview: bool = False
    fix: FixAvailability = "none"
    related: tuple[str, ...] = ()
    options: tuple[RuleOption[object], ...] = ()


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule: its facts, its documentation (Markdown with fixed headings) and its check.

    `check` is None for rules that the front end itself reports (a syntax error has no graph).
    `origin` is the distribution that brings the rule, with its version; None: flowlint itself.
    """

    info: RuleInfo
    docs: str
    check: Check | None
    origin: str | None = None


@cache
def built_in_rules() -> tuple[Rule, ...]:
    """Every rule of flowlint, ordered by code.

    A rule module defines `RULE`, a docstring and `check`.
    """
    rules = [_rule(module) for module in _modules() if hasattr(module, "RULE")]
    return tuple(sorted(rules, key=lambda rule: rule.info.code))


@cache
def all_rules() -> tuple[Rule, ...]:
    """Every rule of flowlint, then those of plugins."""
    if not installed(RULES):
        return built_in_rules()
    from flowlint.rules.plugins import plugin_rules

    return (*built_in_rules(), *plugin_rules().rules)


@cache
def find_rule(name_or_code: str) -> Rule | None:
    """The rule of this name or code, in any case; None when there is none."""
    wanted = name_or_code.lower()
    for rules in (built_in_rules, all_rules):
        for rule in rules():
            if wanted in (rule.info.name, rule.info.code.lower()):
                return rule
    return None


def built_in_options(name: str, category: str) -> tuple[RuleOption[object], ...]:
    """The options of one rule of flowlint, whose module is the only one that is imported."""
    module = importlib.import_module(f"flowlint.rules.{category}.{name.replace('-', '_')}")
    return cast(RuleInfo, module.RULE).options


def related_rules(rule: Rule) -> tuple[Rule, ...]:
    """The rules that report something near, ordered by code."""
    name = rule.info.name
    return tuple(
        other
        for other in all_rules()
        if other.info.name in rule.info.related or name in other.info.related
    )


def _modules() -> Iterator[ModuleType]:
    for found in pkgutil.walk_packages(flowlint.rules.__path__, "flowlint.rules."):
        if found.name.count(".") > 2:
            yield importlib.import_module(found.name)


def _rule(module: ModuleType) -> Rule:
    info = cast(RuleInfo, module.RULE)
    return Rule(info, (module.__doc__ or "").strip(), getattr(module, "check", None))
