"""A file of JSON or YAML and what is to change in it in, edits out."""

from __future__ import annotations

import json
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field

from flowlint.changes import Change, Remove, Rename, Reorder, SetField
from flowlint.languages.again import read_again
from flowlint.languages.edits import Made, quoted
from flowlint.languages.places import Piece, Place, Text
from flowlint.source import Edit, Span
from flowlint.suffixes import JSON_SUFFIXES
from flowlint.values.model import Const, Mapped, Origin, Sequence, Value

_SPACE = " \t\r\n"
_AT_ONE_PLACE = 3
"""How many parts of one list may begin where others do: what is empty, and aliases."""


@dataclass(slots=True)
class _Holder:
    """A list or mapping, with where each of its parts begins and ends."""

    place: Place
    parts: list[tuple[int, int]] = field(default_factory=list)


@dataclass(slots=True)
class _Part:
    """What stands at a place, and which part it is of what holds it."""

    value: Value
    place: Place
    holder: _Holder | None = None
    number: int = 0


def data_changer(path: str, data: bytes) -> Callable[[Change], Made | None]:
    """What makes edits of changes to one file of data."""
    changer = _Changer(read_again(path, data).values, is_json=path.endswith(JSON_SUFFIXES))

    def edits(change: Change) -> Made | None:
        match change:
            case Rename():
                return changer.rename(change)
            case Remove(span):
                return changer.remove(span)
            case Reorder():
                return changer.reorder(change)
            case SetField():
                return changer.set_field(change)
            case _:
                return None

    return edits


class _Changer:
    def __init__(self, values: Iterable[Value], *, is_json: bool) -> None:
        self.is_json = is_json
        self._known: dict[int, list[_Part]] = {}
        self.documents = [_Part(v, v.origin) for v in values if isinstance(v.origin, Place)]

    def at(self, span: Span) -> _Part | None:
        """The one thing that stands exactly there."""
        found = [part for document in self.documents for part in self._at(document, span)]
        return found[0] if len(found) == 1 else None

    def _at(self, document: _Part, span: Span) -> Iterator[_Part]:
        """Everything that stands there; what is there twice by an alias is so twice."""
        whole = document.place.text
        start, end = whole.offset_of(span.line, span.column), whole.offset_of(*_end(span))
        pending = [document]
        while pending:
            part = pending.pop()
            if (part.place.start, part.place.end) == (start, end):
                yield part
            inside = self._inside(part, whole)
            last = bisect_right(inside, start, key=_start_of)
            pending += [
                inner
                for inner in inside[max(last - _AT_ONE_PLACE, 0) : last]
                if inner.place.start <= start and end <= inner.place.end
            ]

    def _inside(self, part: _Part, whole: Text) -> list[_Part]:
        """The parts of a part, in the order of the text."""
        if id(part.value) not in self._known:
            self._known[id(part.value)] = sorted(_inside(part, whole), key=_start_of)
        return self._known[id(part.value)]

    def rename(self, change: Rename) -> Made | None:
        """Another text in the same place."""
        part = self.at(change.span)
        if part is None or not isinstance(part.value, Const) or part.value.value != change.old:
            return None
        text = self._scalar(change.new, _source(part.place), change.old)
        return None if text is None else Made((_edit(part.place, text),))

    def _scalar(self, new: str, source: str, old: str) -> str | None:
        """A text written like the one before, None where that was written in some special way."""
        if source[:1] in ('"', "'"):
            plain = source == f"{source[0]}{old}{source[0]}"
            return quoted(new, source[0]) if plain else None
        if self.is_json or source != old:
            return None
        return new if _is_plain(new) else quoted(new)

    def remove(self, span: Span) -> Made | None:
        """Without a part of a list or mapping."""
        part = self.at(span)
        if part is None or part.holder is None:
            return None
        text, parts, at = part.place.text, part.holder.parts, part.number
        start, end = parts[at]
        if not self.is_json:
            if "&" in text.text[start:end]:
                return None
            if text.text[part.holder.place.start] not in "[{":
                return _without_lines(part.holder, at)
        if at + 1 < len(parts):
            stop = parts[at + 1][0]
        else:
            stop = end
            start = parts[at - 1][1] if at else start
        between = text.text[end:stop] + text.text[start : parts[at][0]]
        has_comment = any(mark in between for mark in (("//", "/*") if self.is_json else "#"))
        return Made((Edit(text.span(start, stop), ""),), has_comment)

    def reorder(self, change: Reorder) -> Made | None:
        """Elements of one list in another order."""
        parts = [self.at(span) for span in change.spans]
        known = [part for part in parts if part is not None and part.holder is not None]
        if len(known) < len(parts) or len({id(part.holder) for part in known}) != 1:
            return None
        sources = [_source(part.place) for part in known]
        if not self.is_json and any("&" in source or "#" in source for source in sources):
            return None
        return Made(
            tuple(
                _edit(part.place, sources[number])
                for part, number in zip(known, change.order, strict=True)
                if sources[number] != _source(part.place)
            )
        )

    def set_field(self, change: SetField) -> Made | None:
        """A key with a text, in the place of the one there or behind the others."""
        part = self.at(change.span)
        if part is None or not isinstance(part.value, Mapped) or not part.value.entries:
            return None
        for entry in part.value.entries:
            if isinstance(entry.key, Const) and entry.key.value == change.name:
                old = entry.value.value if isinstance(entry.value, Const) else None
                if not isinstance(old, str):
                    return None
                return self.rename(Rename(entry.value.origin.span(), old, change.value))
        holder = _Holder(part.place)
        _inside(part, part.place.text, holder)
        text, (start, end) = part.place.text, holder.parts[-1]
        if self.is_json:
            said = f"{json.dumps(change.name)}: {json.dumps(change.value)}"
        else:
            value = change.value if _is_plain(change.value) else json.dumps(change.value)
            said = f"{change.name}: {value}"
        if not self.is_json and text.text[part.place.start] != "{":
            column = text.span(start, start).column
            return Made((Edit(text.span(end, end), f"\n{' ' * (column - 1)}{said}"),))
        line = text.text[text.text.rfind("\n", 0, start) + 1 : start]
        before = f"\n{line}" if len(holder.parts) > 1 and not line.strip() else " "
        return Made((Edit(text.span(end, end), f",{before}{said}"),))


def _start_of(part: _Part) -> int:
    return part.place.start


def _end(span: Span) -> tuple[int, int]:
    return span.end_line, span.end_column


def _inside(part: _Part, whole: Text, holder: _Holder | None = None) -> list[_Part]:
    """The parts of a list or mapping, with their places in the whole text."""
    holder = holder or _Holder(part.place)
    found: list[_Part] = []
    value = part.value
    pairs: list[tuple[Value | None, Value]] = []
    if isinstance(value, Sequence):
        pairs = [(None, item.value) for item in value.items]
    elif isinstance(value, Mapped):
        pairs = [(entry.key, entry.value) for entry in value.entries]
    for key, held in pairs:
        place = _in_whole(held.origin, whole)
        begin = place if key is None else _in_whole(key.origin, whole)
        if place is None or begin is None:
            continue
        # What an alias or a merge brings in stands elsewhere.
        if not part.place.start <= begin.start <= place.end <= part.place.end:
            continue
        number = len(holder.parts)
        holder.parts.append((begin.start, place.end))
        found.append(_Part(held, place, holder, number))
        if key is not None:
            found.append(_Part(key, begin))
    return found


def _in_whole(origin: Origin, whole: Text) -> Place | None:
    """A place in the whole text, None for what stands in none."""
    if not isinstance(origin, Place) or origin.text is whole:
        return origin if isinstance(origin, Place) else None
    if not isinstance(origin.text, Piece):
        return None
    offset = origin.text.offset
    return Place(whole, origin.start + offset, origin.end + offset)


def _source(place: Place) -> str:
    return place.text.text[place.start : place.end]


def _edit(place: Place, new_text: str) -> Edit:
    return Edit(place.span(), new_text)


def _is_plain(text: str) -> bool:
    """Whether YAML reads a text as that text without quotes."""
    import yaml

    word = text.replace("-", "").replace("_", "").replace(".", "")
    try:
        return word.isalnum() and text[0].isalnum() and yaml.safe_load(text) == text
    except yaml.YAMLError:
        return False


def _without_lines(holder: _Holder, at: int) -> Made | None:
    """A block without the lines of one of its parts."""
    if len(holder.parts) == 1:
        return None
    text = holder.place.text.text
    start, end = holder.parts[at]
    line = text.rfind("\n", 0, start) + 1
    if text[line:start].strip(_SPACE) not in ("", "-"):
        return None
    stop = text.find("\n", end)
    stop = len(text) if stop < 0 else stop + 1
    rest = text[end:stop].strip()
    if rest and not rest.startswith("#"):
        return None
    return Made((Edit(holder.place.text.span(line, stop), ""),), bool(rest))
