"""Hiding the secrets of one run, each under a name, wherever they turn up."""

from __future__ import annotations

from bisect import insort
from collections.abc import Iterable, Mapping
from itertools import count
from typing import Any

from flowrt.stores.encoding import dump, quote
from flowrt.stores.markers import BEGIN, MARKER, as_name, marker
from flowrt.stores.scrub import COMMON_NAMES, Scrubber

SHORTEST = 6
"""A secret of fewer characters is hidden where it stands, but not looked for elsewhere: it could
not be told from other text."""

_Spelling = tuple[int, str, str]
"""How long it is (below 0, so that the longest comes first), how it is spelled, its marker."""


class RunScrubber(Scrubber):
    """Hides what `base` does, under names, and a secret it has seen everywhere.

    A secret is called as the key that it stood under. Of several values under one key the first
    has the key as its name, the others a number behind it.
    """

    __slots__ = ("_known", "_spellings", "_taken")

    def __init__(self, base: Scrubber) -> None:
        self._names = base._names
        self._values = base._values
        self._common = base._common
        self._hider = base._hider
        self._patterns = base._patterns
        self._suspicious = base._suspicious
        self._known: dict[tuple[bool, str], str] = {}
        """The name of each secret seen; the key is whether it is a text, and it as text."""
        self._taken: set[str] = set()
        self._spellings: list[_Spelling] = []

    def hide(self, secrets: Mapping[str, Any], taken: Iterable[str] = ()) -> None:
        """Hide these values under these names. `taken` names stand for others, not known here."""
        for name, value in secrets.items():
            self._add(as_name(name), value, spread=True)
        self._taken.update(taken)

    def suspects(self, encoded: str) -> bool:
        """Whether JSON text might hold a secret."""
        for _, spelling, _ in self._spellings:
            if spelling in encoded:
                return True
        return self._suspicious(encoded.lower()) is not None

    def encoded(self, value: Any) -> str:
        """JSON text of a value, without its secrets. Raises NotStorableError."""
        text = dump(value)
        if not self.suspects(text):
            return text
        cleaned = self._without(value)
        return text if cleaned is value else dump(cleaned)

    def encoded_together(self, values: Iterable[Any]) -> list[str]:
        """JSON texts of values, none with a secret that another one tells of."""
        together = list(values)
        seen = len(self._spellings)
        texts = [self.encoded(value) for value in together]
        if seen == len(self._spellings):
            return texts
        return [self.encoded(value) for value in together]

    def text(self, text: str) -> str:
        """A text without its secrets; the very same object where there are none."""
        text = self._without_known(text)
        seen = len(self._spellings)
        scrubbed = super().text(text)
        return scrubbed if seen == len(self._spellings) else self._without_known(scrubbed)

    def content(self, content: bytes, suffix: str) -> bytes:
        """The bytes of an artifact without their secrets, known ones also where it is no text."""
        try:
            content.decode()
        except UnicodeDecodeError:
            for _, spelling, mark in self._spellings:
                content = content.replace(spelling.encode("utf-8", "surrogatepass"), mark.encode())
            return content
        seen = len(self._spellings)
        scrubbed = super().content(content, suffix)
        return scrubbed if seen == len(self._spellings) else super().content(scrubbed, suffix)

    def _without(self, value: Any) -> Any:
        """A value without secrets. What is learned on the way may have stood before it, too."""
        seen = len(self._spellings)
        cleaned = self.clean(value)
        return cleaned if seen == len(self._spellings) else self.clean(cleaned)

    def _without_known(self, text: str) -> str:
        for _, spelling, mark in self._spellings:
            if spelling in text:
                text = _replaced(text, spelling, mark)
        return text

    def _mark(self, name: str, value: Any, *, known: bool) -> str:
        is_text = isinstance(value, str)
        found = self._known.get(_key(value))
        if found is None:
            found = self._add(self._free(as_name(name)), value, spread=known)
        return marker(found, is_text=is_text)

    def _add(self, name: str, value: Any, *, spread: bool) -> str:
        found = self._known.setdefault(_key(value), name)
        self._taken.add(name)
        if spread and isinstance(value, str) and _can_be_told(value):
            for spelling in {value, quote(value)[1:-1]}:
                known: _Spelling = (-len(spelling), spelling, marker(found))
                if known not in self._spellings:
                    insort(self._spellings, known)
        return found

    def _free(self, name: str) -> str:
        if name not in self._taken:
            return name
        return next(
            numbered for number in count(2) if (numbered := f"{name}-{number}") not in self._taken
        )


def _replaced(text: str, spelling: str, mark: str) -> str:
    """A text with a secret replaced, but not within what stands for one already."""
    if BEGIN not in text:
        return text.replace(spelling, mark)
    parts, end = [], 0
    for match in MARKER.finditer(text):
        parts += [text[end : match.start()].replace(spelling, mark), match[0]]
        end = match.end()
    return "".join([*parts, text[end:].replace(spelling, mark)])


def _key(value: Any) -> tuple[bool, str]:
    return (True, value) if isinstance(value, str) else (False, dump(value))


def _can_be_told(value: str) -> bool:
    return len(value) >= SHORTEST and value.lower() not in COMMON_NAMES
