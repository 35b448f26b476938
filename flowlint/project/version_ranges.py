"""Which versions of a distribution a requirement allows, as pip and Poetry read it."""

from __future__ import annotations

import re
from dataclasses import dataclass

from flowlint.dialects.surroundings import NEWEST_OF_SERIES, Version

MAX_LENGTH = 500
"""Characters of a requirement that are looked at."""

_VERSION = re.compile(r"v?(?:\d+!)?(\d{1,9}(?:\.\d{1,9}){0,7})(?!\d)(\.\*)?")
_CLAUSE = re.compile(r"(===|==|~=|!=|>=|<=|>|<|\^|~|=)?\s*([^\s,<>=!~^]+)")


@dataclass(frozen=True, slots=True)
class Range:
    """The versions from `lowest` on and below `below`; None: any. `exact` is the only one."""

    lowest: Version = ()
    below: Version | None = None
    exact: Version | None = None

    def allows(self, version: Version) -> bool:
        """Whether a version is one of them."""
        if self.exact is not None:
            return _bare(version) == _bare(self.exact)
        is_below = self.below is None or _bare(version) < _bare(self.below)
        return is_below and _bare(version) >= _bare(self.lowest)

    @property
    def newest(self) -> Version | None:
        """The newest of them, or of the series that it is in; None: there is no limit."""
        if self.exact is not None or self.below is None:
            return self.exact
        *series, last = _bare(self.below) or (0,)
        return (*series, last - 1, NEWEST_OF_SERIES) if last else (0,)


def version_of(text: str) -> Version | None:
    """The version that a text is, None when it is none."""
    found = _VERSION.match(text.strip()[:MAX_LENGTH])
    return None if found is None or found[2] else _numbers(found[1])


def ranges_of(requirement: str) -> list[Range]:
    """What a requirement such as `>=0.2,<0.3`, `^0.2` or `0.2.*` allows, by its alternatives."""
    alternatives = requirement[:MAX_LENGTH].split("||")
    return [found for text in alternatives if (found := _range(text)) is not None]


def _range(text: str) -> Range | None:
    text = text.strip().strip("()").strip()
    if text in ("", "*"):
        return Range()
    lowest: Version = ()
    below: Version | None = None
    for clause in text.split(","):
        found = _CLAUSE.fullmatch(clause.strip())
        number = _VERSION.match(found[2]) if found is not None else None
        if found is None or number is None:
            return None
        one = _clause(found[1] or "", _numbers(number[1]), number[2] is not None)
        if one.exact is not None:
            return one
        lowest = max(lowest, one.lowest)
        if one.below is not None:
            below = one.below if below is None else min(below, one.below)
    return Range(lowest, below)


def _clause(operator: str, version: Version, is_series: bool) -> Range:
    if operator == "!=":
        return Range()
    if is_series:
        return Range(version, _next(version))
    match operator:
        case ">=" | ">":
            return Range(version)
        case "<":
            return Range(below=version)
        case "<=":
            return Range(below=(*version, 1))
        case "~=":
            return Range(version, _next(version[:-1] or version))
        case "~":
            return Range(version, _next(version[:2]))
        case "^":
            leading = next((i for i, number in enumerate(version) if number), len(version) - 1)
            return Range(version, _next(version[: leading + 1]))
        case _:
            return Range(exact=version)


def _next(series: Version) -> Version:
    return (*series[:-1], series[-1] + 1)


def _numbers(text: str) -> Version:
    return tuple(map(int, text.split(".")))


def _bare(version: Version) -> Version:
    """Without zeros at its end, so that 1.0 is 1.0.0."""
    end = len(version)
    while end and version[end - 1] == 0:
        end -= 1
    return version[:end]
