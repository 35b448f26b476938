"""The functions, methods and macros of CEL that flowrt has, with what they take and give."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal

Form = Literal["function", "method", "macro"]
Kind = Literal["bool", "int", "double", "text", "null", "list", "map", "bytes"]
"""What a value is, where that is known."""


@dataclass(frozen=True, slots=True)
class Function:
    """What CEL can call under one name. `forms` are the ways, each with how it is written and how
    many values it takes in the parentheses."""

    name: str
    forms: tuple[tuple[Form, str, frozenset[int]], ...]
    about: str
    gives: Kind | None = None

    @property
    def signatures(self) -> tuple[str, ...]:
        """How it is written, in each of its ways."""
        return tuple(written for _, written, _ in self.forms)

    def takes(self, form: Form) -> frozenset[int]:
        """How many values it takes when it is called in a way; none where it cannot be."""
        counts = (given for known, _, given in self.forms if known == form)
        return frozenset[int]().union(*counts)


def _function(name: str, value: str, about: str, gives: Kind | None = None) -> Function:
    return Function(name, (("function", f"{name}({value})", frozenset({1})),), about, gives)


def _method(name: str, of: str, value: str, about: str, gives: Kind) -> Function:
    count = frozenset({1 if value else 0})
    return Function(name, (("method", f"{of}.{name}({value})", count),), about, gives)


def _macro(name: str, about: str, gives: Kind) -> Function:
    written = f"list.{name}(x, {'value' if name == 'map' else 'condition'})"
    counts = frozenset({2, 3} if name == "map" else {2})
    return Function(name, (("macro", written, counts),), about, gives)


_SIZE = Function(
    "size",
    (
        ("function", "size(value)", frozenset({1})),
        ("method", "value.size()", frozenset({0})),
    ),
    "How many characters a text has, or items a list or map.",
    "int",
)
_HAS = Function(
    "has",
    (("macro", "has(value.field)", frozenset({1})),),
    "Whether a field is there.",
    "bool",
)
_ALL = (
    _SIZE,
    _HAS,
    _method("contains", "text", "part", "Whether a text has another in it.", "bool"),
    _method("startsWith", "text", "part", "Whether a text begins with another.", "bool"),
    _method("endsWith", "text", "part", "Whether a text ends with another.", "bool"),
    _method("matches", "text", "pattern", "Whether a regular expression is met.", "bool"),
    _function("type", "value", "The name of the type of a value.", "text"),
    _function("dyn", "value", "The value itself, of which the type is not known."),
    _function("string", "value", "The value as a text.", "text"),
    _function("bytes", "text", "The bytes of a text in UTF-8.", "bytes"),
    _function("double", "value", "The value as a number with a fraction.", "double"),
    _function("int", "value", "The value as a whole number.", "int"),
    _function("uint", "value", "The value as a whole number without a sign."),
    _function("duration", "text", 'A length of time, such as `duration("90s")`.'),
    _function("timestamp", "text", "A moment, written as in RFC 3339."),
    _macro("all", "Whether a condition holds for all items.", "bool"),
    _macro("exists", "Whether a condition holds for some item.", "bool"),
    _macro("exists_one", "Whether a condition holds for just one item.", "bool"),
    _macro("existsOne", "Whether a condition holds for just one item.", "bool"),
    _macro("map", "What becomes of each item, as a list.", "list"),
    _macro("filter", "The items for which a condition holds.", "list"),
    *(
        _method(name, "time", "", f"The {part} of a moment, in UTC.", "int")
        for name, part in (
            ("getFullYear", "year"),
            ("getMonth", "month, from 0,"),
            ("getDate", "day of the month, from 1,"),
            ("getDayOfYear", "day of the year, from 0,"),
            ("getDayOfMonth", "day of the month, from 0,"),
            ("getDayOfWeek", "day of the week, from 0 (Sunday),"),
            ("getHours", "hours"),
            ("getMinutes", "minutes"),
            ("getSeconds", "seconds"),
            ("getMilliseconds", "milliseconds"),
        )
    ),
)

FUNCTIONS: Mapping[str, Function] = MappingProxyType({one.name: one for one in _ALL})
MACROS = frozenset(one.name for one in _ALL if one is not _HAS and one.forms[0][0] == "macro")
"""Those that bring a variable along."""
