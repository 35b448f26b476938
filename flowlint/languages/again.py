"""Reading a file of data again after a keystroke: only the part that changed.

The parts of a text are the elements of the lists in its root, such as nodes and edges. Where a new
text differs from the one before within one of them, and that one can be read on its own, the others
keep their values with all that was worked out of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from flowlint.languages.places import Documents, Fault, Piece, Place, Text, text_of_bytes
from flowlint.languages.reading_data import Found, Part, places_of
from flowlint.suffixes import JSON_SUFFIXES
from flowlint.values.model import Item, Value

_OF_FLOWS = (b"flowrt", b"agent_ref", b"on_condition")
"""Words that hardly stand anywhere but in flows: of files that are no text no more is known."""

_MOST_KNOWN = 4
"""Files that are kept, those that were read last."""


@dataclass(frozen=True, slots=True)
class Language:
    """How texts and parts of them are read."""

    whole: Callable[[Text, Found], tuple[Value, ...]]
    part: Callable[[Text, Found], Value | None]


@dataclass(slots=True)
class _Known:
    text: Text
    data: bytes
    values: tuple[Value, ...]
    found: Found

    def documents(self) -> Documents:
        return self.found.documents(self.values, self.text)


_known: dict[str, _Known] = {}


def read_again(path: str, data: bytes) -> Documents:
    """The documents of a file, most of them as they were when it was read before.

    What is given is changed when the file is read again: it is not to be kept.
    """
    known = _known.pop(path, None)
    if known is None or known.data != data:
        text = text_of_bytes(path, data)
        if isinstance(text, Fault):
            plain = data.replace(b"\0", b"")
            says_flow = any(word in plain for word in _OF_FLOWS)
            return Documents(faults=(text,), says_flow=says_flow)
        language = _language_of(path)
        if known is not None and _is_changed_in_part(known, text.text, language):
            known.data = data
        else:
            found = Found(in_parts=True)
            known = _Known(text, data, language.whole(text, found), found)
    _known[path] = known
    while len(_known) > _MOST_KNOWN:
        del _known[next(iter(_known))]
    return known.documents()


def _language_of(path: str) -> Language:
    if path.endswith(JSON_SUFFIXES):
        from flowlint.languages.json import frontend as json

        return Language(json.read_whole, json.read_part)
    from flowlint.languages.yaml import frontend as yaml

    return Language(yaml.read_whole, yaml.read_part)


def _is_changed_in_part(known: _Known, new: str, language: Language) -> bool:
    """Take over a change that lies within one part. False: it does not."""
    old = known.text.text
    if known.found.faults or len(known.values) != 1:
        return False
    first = _common(old, new)
    room = min(len(old), len(new)) - first
    last = _common_end(old, new, room)
    behind, grown = len(old) - last, len(new) - len(old)
    number = _part_around(known.found.parts, first, behind)
    if number is None:
        return False
    part = known.found.parts[number]
    if not _stands_alone(known.found.parts, number, old):
        return False
    source = new[part.start : part.end + grown]
    if _indent(source) != _indent(part.text.text):
        return False
    begun = part.text
    piece = Piece(begun.path, source, begun.offset, begun.line, begun.column)
    found = Found()
    value = language.part(piece, found)
    if value is None:
        return False
    lines = _lines(source) - _lines(begun.text)
    ended, ends = (
        part.start + _end_of(one) for one in (part.holder.items[part.number].value, value)
    )
    for place in _places(known):
        place.start += grown * (place.start >= behind)
        # Blocks end where the last thing in them does.
        place.end = ends if place.end == ended else place.end + grown * (place.end >= behind)
    part.text, part.found = piece, found
    part.end += grown
    part.holder.items[part.number] = Item(value)
    for later in known.found.parts[number + 1 :]:
        later.start += grown
        later.end += grown
        later.text.offset = later.start
        if lines:
            later.text.move(later.text.line + lines, later.text.column)
    known.text.change(new)
    return True


def _end_of(value: Value) -> int:
    return value.origin.end if isinstance(value.origin, Place) else 0


def _places(known: _Known) -> Iterator[Place]:
    """All places that are in no part, each once."""
    seen: set[int] = set()
    for value in known.values:
        for place in places_of(value, known.text):
            if id(place) not in seen:
                seen.add(id(place))
                yield place
    for _, before, again in known.found.repeats:
        for place in (before, again):
            if id(place) not in seen:
                seen.add(id(place))
                yield place


def _part_around(parts: list[Part], first: int, behind: int) -> int | None:
    """The part in which everything between two offsets lies, its own ends left out."""
    low, high = 0, len(parts)
    while low < high:
        middle = (low + high) // 2
        if parts[middle].start <= first:
            low = middle + 1
        else:
            high = middle
    if not low:
        return None
    part = parts[low - 1]
    return low - 1 if part.start < first and behind < part.end else None


def _stands_alone(parts: list[Part], number: int, text: str) -> bool:
    """Whether a part shares no line with those before and behind it.

    What is behind it would move along in its line, and only the first fault of a line is told.
    """
    part = parts[number]
    behind = parts[number + 1].start if number + 1 < len(parts) else len(text)
    before = parts[number - 1].end - 1 if number else 0
    is_last = number + 1 == len(parts)
    return "\n" in text[before : part.start] and (is_last or "\n" in text[part.end - 1 : behind])


def _indent(text: str) -> int:
    """How far in a part begins, which tells in YAML what it belongs to."""
    return len(text) - len(text.lstrip())


def _lines(text: str) -> int:
    return text.count("\n") + text.count("\r") - text.count("\r\n")


def _common(one: str, other: str) -> int:
    """How many characters two texts have in common at their beginnings."""
    low, high = 0, min(len(one), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        if one[low:middle] == other[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low


def _common_end(one: str, other: str, most: int) -> int:
    """How many characters, at most so many, two texts have in common at their ends."""
    low, high = 0, most
    while low < high:
        middle = (low + high + 1) // 2
        begin, end = len(one) - middle, len(one) - low
        if one[begin:end] == other[len(other) - middle : len(other) - low]:
            low = middle
        else:
            high = middle - 1
    return low
