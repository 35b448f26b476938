"""Edits of notebook cells become edits of the JSON that holds them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from flowlint.source import Edit

_MARK = "\ufeff"
_CHARACTER = re.compile(r'\\u[dD][89abAB]..\\u[dD][c-fC-F]..|\\u....|\\.|[^\\"]')
_LINE = re.compile(r"[^\n]*\n|[^\n]+")


@dataclass(frozen=True, slots=True)
class _Piece:
    """A text of the JSON with where it stands, quotes included."""

    text: str
    start: int
    end: int


def edited_notebook(data: bytes, edits: Sequence[Edit]) -> bytes | None:
    """The bytes of a notebook with edits made that are in order; None where that cannot be done.

    Only the texts of the lines that are changed are written anew, and of these only what is.
    """
    try:
        whole = data.decode("utf-8")
    except UnicodeError:
        return None
    mark = _MARK if whole.startswith(_MARK) else ""
    raw = whole.removeprefix(_MARK)
    sources = _sources(raw)
    parts: list[tuple[int, int, str]] = []
    for cell, group in groupby(edits, key=lambda edit: edit.span.cell):
        pieces = sources.get(cell) if cell is not None else None
        if not pieces:
            return None
        parts += _changes(raw, pieces, [*group])
    for start, end, new in sorted(parts, reverse=True):
        raw = raw[:start] + new + raw[end:]
    return (mark + raw).encode("utf-8")


def _sources(raw: str) -> dict[int, list[_Piece]]:
    """The pieces of the source of every cell."""
    from flowlint.languages.json.frontend import read_json
    from flowlint.languages.places import Place
    from flowlint.values.model import Const, Mapped, Value
    from flowlint.values.model import Sequence as Listed

    def inside(value: Value | None, key: str) -> Value | None:
        if not isinstance(value, Mapped):
            return None
        for entry in value.entries:
            if isinstance(entry.key, Const) and entry.key.value == key:
                return entry.value
        return None

    def pieces(value: Value | None) -> Iterator[_Piece]:
        held = [item.value for item in value.items] if isinstance(value, Listed) else [value]
        for part in held:
            if isinstance(part, Const) and isinstance(part.value, str):
                if isinstance(part.origin, Place):
                    yield _Piece(part.value, part.origin.start, part.origin.end)

    documents = read_json("", raw.encode("utf-8")).values
    cells = inside(documents[0], "cells") if documents else None
    if not isinstance(cells, Listed):
        return {}
    sources = enumerate(inside(cell.value, "source") for cell in cells.items)
    return {index: [*pieces(source)] for index, source in sources}


def _changes(raw: str, pieces: list[_Piece], edits: list[Edit]) -> Iterator[tuple[int, int, str]]:
    """What of the JSON gives way to what, for the edits of one cell."""
    from flowlint.project.edits import edited_text

    before = [piece.text for piece in pieces]
    text = edited_text("".join(before), edits)
    after = _LINE.findall(text) if len(pieces) > 1 else [text]
    first, room = 0, min(len(before), len(after))
    while first < room and before[first] == after[first]:
        first += 1
    last = 0
    while last < room - first and before[-1 - last] == after[-1 - last]:
        last += 1
    old, new = pieces[first : len(pieces) - last], after[first : len(after) - last]
    if len(old) == len(new):
        for piece, line in zip(old, new, strict=True):
            yield from _within(raw, piece, line)
    elif not new:
        yield _left_out(pieces, first, len(pieces) - last)
    else:
        comma = raw[pieces[0].end : pieces[1].start] if len(pieces) > 1 else ", "
        written = [_written(line, raw) for line in new]
        if old:
            yield old[0].start, old[-1].end, comma.join(written)
        elif first:
            at = pieces[first - 1].end
            yield at, at, "".join(f"{comma}{line}" for line in written)
        else:
            yield pieces[0].start, pieces[0].start, "".join(f"{line}{comma}" for line in written)


def _left_out(pieces: list[_Piece], first: int, stop: int) -> tuple[int, int, str]:
    """The pieces of a list from one to before another, with a comma."""
    if stop < len(pieces):
        return pieces[first].start, pieces[stop].start, ""
    if first:
        return pieces[first - 1].end, pieces[stop - 1].end, ""
    return pieces[0].start, pieces[-1].end, ""


def _within(raw: str, piece: _Piece, line: str) -> Iterator[tuple[int, int, str]]:
    """A line with another text in between, written as before where it stays."""
    old = piece.text
    if old == line:
        return
    characters = _CHARACTER.finditer(raw, piece.start + 1, piece.end - 1)
    places = [piece.start + 1, *(found.end() for found in characters)]
    if len(places) != len(old) + 1:
        yield piece.start, piece.end, _written(line, raw)
        return
    room = min(len(old), len(line))
    first = 0
    while first < room and old[first] == line[first]:
        first += 1
    last = 0
    while last < room - first and old[-1 - last] == line[-1 - last]:
        last += 1
    inner = _written(line[first : len(line) - last], raw)[1:-1]
    yield places[first], places[len(old) - last], inner


def _written(text: str, raw: str) -> str:
    return json.dumps(text, ensure_ascii=raw.isascii())
