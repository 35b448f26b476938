"""What is found while a file of data is read, and which parts of it can be read again alone."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from flowlint.languages.places import Documents, Fault, Piece, Place, Repeat, Text
from flowlint.values.model import Mapped, Sequence, Value

_KEY = r"""(?:^|[\s{,])["']?%s["']?\s*:"""
_FLOWRT = re.compile(_KEY % "flowrt" + r"\s*1\b", re.MULTILINE)
_AGENTSFLOW = [re.compile(_KEY % name, re.MULTILINE) for name in ("agent_ref", "nodes", "edges")]

TOO_LARGE = "this file is too large to be read: it has more than {} million characters"
MAX_DEPTH = 200
MOST_TOLD = 20
"""Faults that are told of one text, and keys written twice."""


@dataclass(slots=True)
class Found:
    """What is wrong with a text or a part of it, and the parts that are read alone.

    `in_parts` tells whether somebody wants these: otherwise all places are those of the whole text.
    """

    in_parts: bool = False
    faults: list[tuple[Place, str]] = field(default_factory=list)
    repeats: list[tuple[str, Place, Place]] = field(default_factory=list)
    parts: list[Part] = field(default_factory=list)

    def tell(self, place: Place, message: str) -> None:
        """Note a fault."""
        if len(self.faults) < MOST_TOLD:
            self.faults.append((place, message))

    def tell_at(self, text: Text, offset: int, message: str) -> None:
        """Note a fault at an offset of the whole text."""
        self.tell(Place(text, offset, min(offset + 1, len(text.text))), message)

    def forget(self) -> None:
        """The text is read again: what was found so far does not count."""
        self.faults.clear()
        self.repeats.clear()
        self.parts.clear()

    def repeat(self, name: str, before: Place, again: Place) -> None:
        """Note a key that is written twice."""
        if len(self.repeats) < MOST_TOLD:
            self.repeats.append((name, before, again))

    def all_faults(self) -> tuple[Fault, ...]:
        """All faults by their places, those of the parts as well."""
        told = [*self.faults, *(fault for part in self.parts for fault in part.found.faults)]
        found = [Fault(place.span(), message) for place, message in told]
        return tuple(sorted(found, key=lambda fault: fault.span)[:MOST_TOLD])

    def all_repeats(self) -> tuple[Repeat, ...]:
        """All keys that are written twice, those of the parts as well."""
        told = [*self.repeats, *(one for part in self.parts for one in part.found.repeats)]
        found = [Repeat(again.span(), name, before.span()) for name, before, again in told]
        return tuple(sorted(found, key=lambda repeat: repeat.span)[:MOST_TOLD])

    def documents(self, values: tuple[Value, ...], text: Text) -> Documents:
        """The documents of a text."""
        faults = self.all_faults()
        return Documents(values, faults, bool(faults) and says_flow(text), self.all_repeats())


@dataclass(slots=True)
class Part:
    """An element of a list in the root: it is read alone when only something in it changes.

    It reaches from `start` to `end` in the whole text, and is the element `number` of `holder`.
    """

    text: Piece
    holder: Sequence
    number: int
    start: int
    end: int
    found: Found = field(default_factory=Found)


def says_flow(text: Text) -> bool:
    """Whether a text was to be a flow, however broken it is."""
    if _FLOWRT.search(text.text) is not None:
        return True
    return all(found.search(text.text) is not None for found in _AGENTSFLOW)


def part_at(text: Text, start: int, end: int, holder: Sequence) -> Part:
    """The part of a text that becomes the next element of a list."""
    span = text.span(start, start)
    piece = Piece(text.path, text.text[start:end], start, span.line, span.column)
    return Part(piece, holder, len(holder.items), start, end)


def remembering(value: Mapped, text: Text) -> Mapped:
    """The mapping, with a memory where it stands in a part."""
    if isinstance(text, Piece):
        value.memory = text.memory
    return value


def places_of(value: Value, text: Text) -> Iterator[Place]:
    """The places in the whole text, of everything that is not in a part."""
    place = value.origin
    if not isinstance(place, Place) or place.text is not text:
        return
    yield place
    if isinstance(value, Sequence):
        for item in value.items:
            held = item.value.origin
            if isinstance(held, Place) and held.text is text:
                yield from places_of(item.value, text)
    elif isinstance(value, Mapped):
        for entry in value.entries:
            yield from places_of(entry.key, text)
            yield from places_of(entry.value, text)
