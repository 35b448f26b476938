"""Which name was meant by a name that nothing bears."""

from __future__ import annotations

import difflib
import re
from collections.abc import Collection, Iterator

_ALPHABET = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_- "
_SCAN_LIMIT = 1_000
_COMPARED = 200
"""Names that are compared one by one; of more, those are looked up that may be meant."""

_CLOSE = 0.8
_SHORTEST = 3
_SHORTEST_SCANNED = 6
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_TOKEN = re.compile(r"[^\W\d_]+|\d+")


class NearNames:
    """Finds among many names the one that a wrong name was meant to be."""

    def __init__(self, names: Collection[str]) -> None:
        self._names = names
        self._known = frozenset(names)
        self._by_letters: dict[str, str] | None = None

    def of(self, name: str, preferred: Collection[str] = ()) -> str | None:
        """The name that was meant; None where that is not plain. Strict on purpose.

        Where several are equally near, one of `preferred` is taken.
        """
        near = self.all_of(name)
        return next((other for other in near if other in preferred), next(iter(near), None))

    def only(self, name: str) -> str | None:
        """The one name that it can have been meant to be; None where there are several."""
        near = self.all_of(name)
        return near[0] if len(near) == 1 else None

    def all_of(self, name: str) -> list[str]:
        """The names that it may have been meant to be, the likeliest first."""
        if self._by_letters is None:
            self._by_letters = {letters(other): other for other in reversed(list(self._names))}
        same = self._by_letters.get(letters(name))
        if same is not None and letters(name):
            return [same]
        if len(name) < _SHORTEST:
            return []
        near = self._one_edit_away(name)
        if not near and len(name) >= _SHORTEST_SCANNED and len(self._names) <= _SCAN_LIMIT:
            near = difflib.get_close_matches(name, self._names, cutoff=_CLOSE)
        return [other for other in dict.fromkeys(near) if not are_numbered(name, other)]

    def _one_edit_away(self, name: str) -> list[str]:
        """The names that one slip of a finger makes of it; some may be there twice."""
        known: Collection[str] = self._known
        if len(known) <= _COMPARED:
            known = [other for other in known if _is_one_edit_away(name, other)]
        return [other for other in _edited_once(name) if other in known] if known else []


def letters(name: str) -> str:
    """The name without case and separators."""
    return "".join(filter(str.isalnum, name)).casefold()


def _is_one_edit_away(name: str, other: str) -> bool:
    """Whether two names are alike but for one letter, or two that changed places."""
    if abs(len(name) - len(other)) > 1:
        return False
    same = 0
    while name[same : same + 1] == other[same : same + 1] != "":
        same += 1
    rest, left = name[same:], other[same:]
    swapped = rest[1::-1] + rest[2:]
    return rest[1:] == left or rest == left[1:] or rest[1:] == left[1:] or swapped == left


def _edited_once(name: str) -> Iterator[str]:
    for at in range(len(name) + 1):
        before, after = name[:at], name[at:]
        if after:
            yield before + after[1:]
        if len(after) > 1:
            yield before + after[1] + after[0] + after[2:]
        for letter in _ALPHABET:
            if after:
                yield before + letter + after[1:]
            yield before + letter + after


def are_numbered(first: str, second: str) -> bool:
    """Whether two names only differ in a counting part: `step_1` is no slip for `step_2`, and
    `nodeA` none for `nodeB`."""
    tokens, others = (_TOKEN.findall(_HUMP.sub(" ", name)) for name in (first, second))
    if len(tokens) != len(others):
        return False
    differing = [pair for pair in zip(tokens, others, strict=True) if pair[0] != pair[1]]
    return all(len(token) <= 2 and len(other) <= 2 for token, other in differing)
