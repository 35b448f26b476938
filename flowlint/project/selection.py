"""Which rules a run reports, chosen by name, code, category or the beginning of codes."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

_PREFIX = re.compile(r"FL\d*", re.IGNORECASE)


class UnknownRuleError(ValueError):
    """A selector that fits no rule; the message says so, and which one may have been meant."""


@dataclass(frozen=True, slots=True)
class Selection:
    """The codes of the rules to report; None: every rule."""

    codes: frozenset[str] | None = None

    @classmethod
    def of(cls, select: Iterable[str] = (), ignore: Iterable[str] = ()) -> Selection:
        """The rules of `select` (all when empty) without those of `ignore`.

        Each may hold several selectors between commas. Raises UnknownRuleError.
        """
        wanted, unwanted = _split("--select", select), _split("--ignore", ignore)
        if not wanted and not unwanted:
            return cls()
        chosen = _codes(wanted) if wanted else _codes(["all"])
        return cls(chosen - _codes(unwanted))

    def allows(self, code: str) -> bool:
        """Whether findings of this code are reported."""
        return self.codes is None or code in self.codes


@lru_cache(maxsize=1024)
def codes_of(selector: str) -> frozenset[str]:
    """The codes of the rules that a selector stands for, none when it fits no rule."""
    word = selector.lower()
    return frozenset(
        code.upper()
        for name, code, category in _terms()
        if word in ("all", name, category) or (_PREFIX.fullmatch(word) and code.startswith(word))
    )


def suggest(word: str) -> str:
    """The rule, category or code that `word` may have been meant to be, as a question, or ''."""
    from difflib import get_close_matches

    known = [term for rule in _terms() for term in rule]
    near = get_close_matches(word.lower(), known, n=1, cutoff=0.6)
    if not near:
        return ""
    return f"; did you mean `{near[0].upper() if _PREFIX.fullmatch(near[0]) else near[0]}`?"


def _codes(selectors: Iterable[str]) -> frozenset[str]:
    codes: set[str] = set()
    for selector in selectors:
        found = codes_of(selector)
        if not found:
            raise UnknownRuleError(f"unknown rule `{selector}`{suggest(selector)}")
        codes |= found
    return frozenset(codes)


def _terms() -> list[tuple[str, str, str]]:
    from flowlint.rules.registry import all_rules

    return [(rule.info.name, rule.info.code.lower(), rule.info.category) for rule in all_rules()]


def _split(option: str, selectors: Iterable[str]) -> list[str]:
    words: list[str] = []
    for text in selectors:
        found = [word.strip() for word in text.split(",") if word.strip()]
        if not found:
            raise UnknownRuleError(f"{option} names no rule")
        words += found
    return words
