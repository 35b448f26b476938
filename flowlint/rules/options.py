"""What users may state for single rules: each option has one kind of value and a default."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Generic, Literal, TypeVar

OptionKind = Literal["flag", "count", "patterns"]
OptionValue = bool | int | tuple[str, ...]

V_co = TypeVar("V_co", covariant=True)
D = TypeVar("D", int, None)

StatedOptions = Mapping[str, Mapping[str, OptionValue]]
"""What is stated for some file: values by the name of the rule and of the option."""

NONE_STATED: StatedOptions = {}


@dataclass(frozen=True, slots=True, eq=False)
class RuleOption(Generic[V_co]):
    """One option of one rule, which is what the rule asks its context by.

    `flag`, `count` and `patterns` make them, so that the kind and the type of the value agree.
    `text` says in one sentence what the option does; `example` is a value to show.
    """

    name: str
    kind: OptionKind
    default: V_co
    text: str
    example: OptionValue

    def read(self, given: object) -> OptionValue:
        """A value as settings state it. Raises ValueError, which says what it has to be."""
        match self.kind:
            case "flag":
                if isinstance(given, bool):
                    return given
                raise ValueError("has to be true or false")
            case "count":
                if isinstance(given, int) and not isinstance(given, bool) and given > 0:
                    return given
                raise ValueError("has to be a whole number above 0")
            case "patterns":
                if isinstance(given, list) and all(isinstance(one, str) and one for one in given):
                    return tuple(given)
                raise ValueError("has to be a list of patterns in quotes")


def flag(name: str, text: str, *, default: bool) -> RuleOption[bool]:
    """An option that is true or false."""
    return RuleOption(name, "flag", default, text, not default)


def count(name: str, text: str, *, default: D, example: int) -> RuleOption[int | D]:
    """An option that is a whole number above 0; None as its default: there is no such number."""
    found: RuleOption[int | D] = RuleOption(name, "count", default, text, example)
    return found


def patterns(name: str, text: str, *, example: tuple[str, ...]) -> RuleOption[tuple[str, ...]]:
    """An option that lists patterns of names, none by default. `fits` tells what they mean."""
    return RuleOption(name, "patterns", (), text, example)


def fits(name: str, among: Iterable[str]) -> bool:
    """Whether one of the patterns stands for a name: `*`, `?` and `[…]` do for what is any."""
    return any(fnmatchcase(name, pattern) for pattern in among)
