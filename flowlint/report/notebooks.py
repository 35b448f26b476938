"""Where the lines of notebook cells stand in the notebook's own file.

Services that show files, not notebooks, count the lines of the JSON text.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from flowlint.source import Files, Span

if TYPE_CHECKING:
    from flowlint.values.model import Value


class RawPlaces:
    """Places in files as they are on the disk; each notebook is read once."""

    __slots__ = ("_sources",)

    def __init__(self, files: Files) -> None:
        self._sources = cache(lambda path: _sources(path, files))

    def of(self, span: Span) -> Span:
        """The lines of the file that a place in a cell is written in; other places as they are."""
        if span.cell is None:
            return span
        lines = self._sources(span.path).get(span.cell)
        if not lines:
            return Span(span.path, 1, 1, 1, 1)
        first = lines[min(span.line, len(lines)) - 1]
        last = lines[min(span.end_line, len(lines)) - 1]
        return Span(span.path, first.line, first.column, last.end_line, last.end_column)


def where(span: Span) -> str:
    """What to say of a place before a message whose place is a line of JSON."""
    return "" if span.cell is None else f"cell {span.cell}, line {span.line}: "


def _sources(path: str, files: Files) -> dict[int, list[Span]]:
    """For each cell, the JSON strings that hold its lines."""
    from flowlint.languages.json.frontend import read_json
    from flowlint.values.model import Sequence

    try:
        documents = read_json(path, files.read(path))
    except OSError:
        return {}
    cells = _member(documents.values[0], "cells") if documents.values else None
    if not isinstance(cells, Sequence):
        return {}
    found: dict[int, list[Span]] = {}
    for index, item in enumerate(cells.items):
        source = _member(item.value, "source")
        if isinstance(source, Sequence):
            found[index] = [line.value.origin.span() for line in source.items]
        elif source is not None:
            found[index] = [source.origin.span()]
    return found


def _member(value: Value, key: str) -> Value | None:
    from flowlint.values.model import Const, Mapped

    if isinstance(value, Mapped):
        for entry in value.entries:
            if isinstance(entry.key, Const) and entry.key.value == key:
                return entry.value
    return None
