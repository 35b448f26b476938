"""Where the parts of a definition stand in its text, looked for once a finding asks."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from flowlint.graph.config_rules import Place
from flowlint.graph.reference import case_label
from flowlint.source import Span
from flowrt.definition.json_places import parts_of, text_of

_LINE_END = re.compile(r"\r\n|\n|\r")
_MERGE = "tag:yaml.org,2002:merge"

Stretch = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Mark:
    """Where a value stands, its key, and the values in it, by key or number."""

    value: Stretch
    key: Stretch | None
    inner: Mapping[str | int, Mark]


class Source:
    """A definition as plain data, and where it comes from.

    `mark` gives where its parts stand in `text`, and is only asked when that is needed.
    """

    def __init__(self, data: Any, path: str, text: str, mark: Callable[[], Mark]) -> None:
        self.data = data
        self.path = path
        self._text = text
        self._mark = mark
        self._root: Mark | None = None
        self._starts: list[int] = []

    def span_of(self, place: Place, of_key: bool = False) -> Span:
        """Where something stands, or its key, as near as that can be told."""
        if self._root is None:
            self._root = self._mark()
            self._starts = [0, *(found.end() for found in _LINE_END.finditer(self._text))]
        mark = self._root
        for number, part in enumerate(place):
            inner = mark.inner.get(part if isinstance(part, int) else case_label(part))
            if inner is None:
                return self._span(mark.value)
            if of_key and number == len(place) - 1:
                return self._span(inner.key or inner.value)
            mark = inner
        return self._span(mark.value)

    def _span(self, stretch: Stretch) -> Span:
        (line, column), (end_line, end_column) = map(self._counted, stretch)
        return Span(self.path, line, column, end_line, end_column)

    def _counted(self, offset: int) -> tuple[int, int]:
        line = bisect_right(self._starts, offset)
        return line, offset - self._starts[line - 1] + 1


def unwritten(data: Any, name: str) -> Source:
    """The source of data that was made by code: each part has a line of its own in no file."""
    lines = 0

    def mark(value: Any, key: Stretch | None = None) -> Mark:
        begin = line()[0]
        inner: dict[str | int, Mark] = {}
        if isinstance(value, Mapping):
            inner = {case_label(part): mark(held, line()) for part, held in value.items()}
        elif isinstance(value, list):
            inner = {number: mark(held) for number, held in enumerate(value)}
        return Mark((begin, lines), key, inner)

    def line() -> Stretch:
        nonlocal lines
        lines += 1
        return lines - 1, lines

    root = mark(data)
    return Source(data, f"<flow {name}>", "\n" * lines, lambda: root)


def json_mark(text: str) -> Mark:
    """Where the parts of a text in JSON stand, which has been read already."""
    parts = parts_of(text)
    return _json_mark(next(parts), parts, None)


def _json_mark(first: re.Match[str], parts: Iterator[re.Match[str]], key: Stretch | None) -> Mark:
    """The mark of a value from its first part on."""
    if not first["sign"]:
        return Mark(first.span("text" if first["text"] else "word"), key, {})
    inner: dict[str | int, Mark] = {}
    for part in parts:
        if part["sign"] in ("}", "]"):
            return Mark((first.start(), part.end()), key, inner)
        if first["sign"] == "{":
            name = text_of(part["text"])
            inner[name] = _json_mark(next(parts), parts, part.span("text"))
        else:
            inner[len(inner)] = _json_mark(part, parts, None)
    raise ValueError("a text that ends within a value has been read")


def yaml_mark(root: Any, label: Callable[[Any], str]) -> Mark:
    """Where the parts of a document of YAML stand. `label` gives the text of a key."""
    import yaml

    known: dict[int, Mark] = {}

    def mark(node: Any, key: Any = None) -> Mark:
        found = known.get(id(node))
        if found is None:
            found = known[id(node)] = Mark(_stretch(node), None, inner(node))
        return found if key is None else Mark(found.value, _stretch(key), found.inner)

    def inner(node: Any) -> dict[str | int, Mark]:
        if isinstance(node, yaml.SequenceNode):
            return {number: mark(child) for number, child in enumerate(node.value)}
        if not isinstance(node, yaml.MappingNode):
            return {}
        own: dict[str | int, Mark] = {}
        merged: dict[str | int, Mark] = {}
        for key, value in node.value:
            if isinstance(key, yaml.ScalarNode) and key.tag == _MERGE:
                several = value.value if isinstance(value, yaml.SequenceNode) else [value]
                for single in several:
                    merged = {**mark(single).inner, **merged}
            else:
                own[label(key)] = mark(value, key)
        return {**merged, **own}

    return mark(root)


def _stretch(node: Any) -> Stretch:
    return node.start_mark.index, node.end_mark.index
