"""Which options the rules have that settings name, importing no more rules than those."""

from __future__ import annotations

from dataclasses import dataclass

from flowlint.project.rule_names import built_in_terms, rule_terms
from flowlint.rules.options import RuleOption


@dataclass(frozen=True, slots=True)
class RuleOptions:
    """A rule by its name, with its options."""

    rule: str
    options: tuple[RuleOption[object], ...]

    def named(self, name: str) -> RuleOption[object] | None:
        """The option of this name, if the rule has one."""
        return next((option for option in self.options if option.name == name), None)


def options_of_rule(word: str) -> RuleOptions | None:
    """The options of the rule whose name or code this is; None: it is neither."""
    word = word.lower()
    for terms in (built_in_terms, rule_terms):
        for name, code, category in terms():
            if word in (name, code):
                return RuleOptions(name, _options(name, category, terms is built_in_terms))
    return None


def _options(name: str, category: str, is_built_in: bool) -> tuple[RuleOption[object], ...]:
    from flowlint.rules.registry import built_in_options, find_rule

    if is_built_in:
        return built_in_options(name, category)
    found = find_rule(name)
    assert found is not None
    return found.info.options
