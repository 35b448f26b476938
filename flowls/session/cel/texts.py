"""Where conditions in CEL stand in a document, character by character."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from flowlint.graph.model import Edge, FlowGraph
from flowlint.source import Span
from flowls.session.mentions import Mentions
from flowls.session.sources import Sources

SYSTEMS = frozenset({"flowrt", "AgentsFlow", "ExecutionPlan", "ObjectStack"})
"""Those whose guards are in CEL."""
_OPENING = re.compile(r"""([rRuU]?)("|'|`)""")
_OVER_LINES = re.compile(r"""[|>][^\n]*\n|[rRuUbB]?("{3}|'{3}|["'`])|(?=[^\s"'`])""")
"""How a text over several lines begins: the sign of a block, quotes, or itself."""
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", '"': '"', "'": "'", "\\": "\\", "/": "/", "`": "`"}


@dataclass(frozen=True, slots=True)
class CelText:
    """A condition on an edge. `places` has the line and column of each of its characters, and of
    its end. `quote` is what stands around it, empty for none."""

    text: str
    span: Span
    places: tuple[tuple[int, int], ...]
    quote: str
    edge: Edge
    graph: FlowGraph

    def offset(self, place: Span) -> int | None:
        """The character that a place is before; None where it is not within."""
        at = (place.line, place.column)
        is_here = (place.path, place.cell) == (self.span.path, self.span.cell)
        if not is_here or not self.places[0] <= at <= self.places[-1]:
            return None
        return next(number for number, known in enumerate(self.places) if known >= at)

    def part(self, start: int, end: int) -> Span:
        """Where some of its characters stand."""
        (line, column), (end_line, end_column) = self.places[start], self.places[end]
        if end > start and end_line > line:
            # What ends a line does so before the break.
            end_line, end_column = self.places[end - 1][0], self.places[end - 1][1] + 1
        span = replace(self.span, line=line, column=column)
        return replace(span, end_line=end_line, end_column=end_column)


def cel_texts(mentions: Mentions, sources: Sources, path: str) -> Iterator[CelText]:
    """All conditions in CEL of a file whose characters can be told, each once."""
    seen: set[Span] = set()
    for graphs in list(mentions.graphs.values()):
        for graph in graphs:
            if graph.semantics.system not in SYSTEMS:
                continue
            for edge in graph.edges:
                guard = edge.guard
                if guard is None or guard.span.path != path or guard.span in seen:
                    continue
                seen.add(guard.span)
                found = _written(guard.text, guard.span, edge, graph, sources)
                if found is not None:
                    yield found


def cel_text_at(mentions: Mentions, sources: Sources, place: Span) -> tuple[CelText, int] | None:
    """The condition around a place, and the character that the place is before."""
    for graphs in list(mentions.graphs.values()):
        for graph in graphs:
            if graph.semantics.system not in SYSTEMS:
                continue
            for edge in graph.edges:
                guard = edge.guard
                if guard is None:
                    continue
                blanks = _blanks_between(guard.span, place, sources)
                if blanks is None:
                    continue
                found = _written(guard.text, guard.span, edge, graph, sources)
                if found is not None and blanks:
                    found = _with_blanks(found, blanks)
                offset = found.offset(place) if found is not None else None
                if found is not None and offset is not None:
                    return found, offset
    return None


def _blanks_between(span: Span, place: Span, sources: Sources) -> str | None:
    """What stands between a text and a place: nothing where it is within, blanks where a plain
    text of YAML does not have those that were typed behind it; None for all else."""
    if span.contains(place):
        return ""
    is_behind = (span.path, span.cell, span.line, span.end_line) == (
        place.path,
        place.cell,
        place.line,
        place.line,
    )
    if not is_behind or not span.path.endswith((".yaml", ".yml")):
        return None
    line = sources.lines(span)[span.line - 1]
    between = line[span.end_column - 1 : place.column - 1]
    return between if between and not between.strip(" ") else None


def _with_blanks(cel: CelText, blanks: str) -> CelText | None:
    if cel.quote:
        return None
    line, last = cel.places[-1]
    more = ((line, column) for column in range(last + 1, last + 1 + len(blanks)))
    return replace(cel, text=cel.text + blanks, places=(*cel.places, *more))


def _written(
    text: str, span: Span, edge: Edge, graph: FlowGraph, sources: Sources
) -> CelText | None:
    if span.line != span.end_line:
        return _over_lines(text, span, edge, graph, sources)
    source = sources.text(span)
    opening = _OPENING.match(source)
    is_yaml = span.path.endswith((".yaml", ".yml"))
    if opening is None:
        if not is_yaml or source != text:
            return None
        plain = range(span.column, span.column + len(text) + 1)
        return CelText(text, span, _in_line(span, plain), "", edge, graph)
    quote = opening[2]
    if len(source) < opening.end() + 1 or not source.endswith(quote):
        return None
    is_raw = opening[1].lower() == "r" or (is_yaml and quote == "'")
    said = _said(source, opening.end(), len(source) - 1, is_raw=is_raw)
    if said is None:
        return None
    characters, places = said
    # Some systems leave out the blanks around.
    start = characters.find(text)
    if start < 0 or characters.strip() != text.strip():
        return None
    columns = (span.column + at for at in places[start : start + len(text) + 1])
    return CelText(text, span, _in_line(span, columns), quote, edge, graph)


def _in_line(span: Span, columns: Iterable[int]) -> tuple[tuple[int, int], ...]:
    return tuple((span.line, column) for column in columns)


def _over_lines(
    text: str, span: Span, edge: Edge, graph: FlowGraph, sources: Sources
) -> CelText | None:
    """A condition over several lines: a block of YAML, or what stands between quotes.

    What is written of it is the same but for blanks and breaks; escapes are not followed.
    """
    lines = sources.lines(span)
    if span.end_line > len(lines):
        return None
    source = [
        (lines[number - 1][at], (number, at + 1))
        for number in range(span.line, span.end_line + 1)
        for at in range(len(lines[number - 1]))
        if (number, at + 1) >= (span.line, span.column)
        and (number, at + 1) < (span.end_line, span.end_column)
    ]
    written = "".join(character for character, _ in source)
    opening = _OVER_LINES.match(written)
    quote = opening[1] if opening is not None and opening[1] else ""
    if opening is None or "\\" in written or (quote == "`" and "${" in written):
        return None
    places: list[tuple[int, int]] = []
    at = opening.end()
    for character in text:
        if character.isspace():
            is_blank = at < len(source) and source[at][0] in " \t"
            places.append(source[at][1] if is_blank else _behind(source, at))
            at += is_blank
            continue
        while at < len(source) and source[at][0].isspace():
            at += 1
        if at == len(source) or source[at][0] != character:
            return None
        places.append(source[at][1])
        at += 1
    if written[at:].strip() != quote:
        return None
    places.append(_behind(source, at))
    return CelText(text, span, tuple(places), quote[:1], edge, graph)


def _behind(source: list[tuple[str, tuple[int, int]]], at: int) -> tuple[int, int]:
    """The place behind what was written last."""
    line, column = source[at - 1][1]
    return line, column + 1


def _said(source: str, at: int, end: int, *, is_raw: bool) -> tuple[str, list[int]] | None:
    """The characters of a literal with their places, None for escapes that are not known here."""
    characters: list[str] = []
    places: list[int] = []
    while at < end:
        character, width = source[at], 1
        if character == "\\" and not is_raw:
            escaped = _ESCAPES.get(source[at + 1])
            if escaped is None:
                return None
            character, width = escaped, 2
        characters.append(character)
        places.append(at)
        at += width
    return "".join(characters), [*places, end]
