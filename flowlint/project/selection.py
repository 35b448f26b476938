"""Which rules a run reports, chosen by name, code, category or the beginning of codes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeVar

from flowlint.project.rule_names import rule_terms

T = TypeVar("T")

_DIGITS = "0123456789"


@dataclass(frozen=True, slots=True)
class Choice:
    """What one place states: `select` starts anew from these rules, None: from what was chosen."""

    select: tuple[str, ...] | None = None
    extend: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()


def chosen(choices: Iterable[Choice]) -> frozenset[str] | None:
    """The codes of the rules to report by what is stated, the last word last; None: all rules.

    Within one place the selector that stands for fewer rules wins, and `ignore` at a tie.
    """
    choices = [choice for choice in choices if choice != Choice()]
    if not choices:
        return None
    codes = codes_of("all")
    for choice in choices:
        if choice.select is not None:
            codes = frozenset()
        wanted = _reach((*(choice.select or ()), *choice.extend))
        unwanted = _reach(choice.ignore)
        codes |= wanted.keys()
        codes -= {code for code, size in unwanted.items() if size <= wanted.get(code, size)}
    return codes


def by_code(stated: Mapping[str, T]) -> dict[str, T]:
    """What is stated for selectors, by the codes of the rules they stand for; narrow ones win."""
    found: dict[str, T] = {}
    for selector in sorted(stated, key=lambda selector: -len(codes_of(selector))):
        found.update(dict.fromkeys(codes_of(selector), stated[selector]))
    return found


def _reach(selectors: Iterable[str]) -> dict[str, int]:
    """For each code that is spoken of, how many rules the narrowest selector stands for."""
    found: dict[str, int] = {}
    for selector in selectors:
        codes = codes_of(selector)
        for code in codes:
            found[code] = min(found.get(code, len(codes)), len(codes))
    return found


@lru_cache(maxsize=1024)
def codes_of(selector: str) -> frozenset[str]:
    """The codes of the rules that a selector stands for, none when it fits no rule."""
    word = selector.lower()
    return frozenset(
        code.upper()
        for name, code, category in rule_terms()
        if word in ("all", name, category) or _begins(word, code)
    )


def _begins(word: str, code: str) -> bool:
    """Whether a word is all letters of a code and some of its digits."""
    return code.startswith(word) and code.rstrip(_DIGITS) == word.rstrip(_DIGITS)


def suggest(word: str) -> str:
    """The rule, category or code that `word` may have been meant to be, as a question, or ''."""
    near = nearest(word, [term for rule in rule_terms() for term in rule])
    if near is None:
        return ""
    is_code = any(near == code for _, code, _ in rule_terms())
    return f"; did you mean `{near.upper() if is_code else near}`?"


def nearest(word: str, known: Iterable[str]) -> str | None:
    """The known word that `word` may have been meant to be."""
    from difflib import get_close_matches

    near = get_close_matches(word.lower(), list(known), n=1, cutoff=0.6)
    return near[0] if near else None
