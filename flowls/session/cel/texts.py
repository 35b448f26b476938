"""Where conditions in CEL stand in a document, character by character."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from flowlint.graph.model import Edge, FlowGraph
from flowlint.source import Span
from flowls.session.mentions import Mentions
from flowls.session.sources import Sources

SYSTEMS = frozenset({"flowrt", "AgentsFlow", "ExecutionPlan", "ObjectStack"})
"""Those whose guards are in CEL."""
_OPENING = re.compile(r"""([rRuU]?)("|'|`)""")
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", '"': '"', "'": "'", "\\": "\\", "/": "/", "`": "`"}


@dataclass(frozen=True, slots=True)
class CelText:
    """A condition on an edge. `columns` has the column of each of its characters, and of its end;
    all of it stands in one line. `quote` is what stands around it, empty for none."""

    text: str
    span: Span
    columns: tuple[int, ...]
    quote: str
    edge: Edge
    graph: FlowGraph

    def offset(self, place: Span) -> int | None:
        """The character that a place is before; None where it is not within."""
        is_here = (place.path, place.cell, place.line) == (
            self.span.path,
            self.span.cell,
            self.span.line,
        )
        if not is_here or not self.columns[0] <= place.column <= self.columns[-1]:
            return None
        return next(at for at, column in enumerate(self.columns) if column >= place.column)

    def part(self, start: int, end: int) -> Span:
        """Where some of its characters stand."""
        return replace(self.span, column=self.columns[start], end_column=self.columns[end])


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
    last = cel.columns[-1]
    columns = (*cel.columns, *range(last + 1, last + 1 + len(blanks)))
    return replace(cel, text=cel.text + blanks, columns=columns)


def _written(
    text: str, span: Span, edge: Edge, graph: FlowGraph, sources: Sources
) -> CelText | None:
    if span.line != span.end_line:
        return None
    source = sources.text(span)
    opening = _OPENING.match(source)
    is_yaml = span.path.endswith((".yaml", ".yml"))
    if opening is None:
        if not is_yaml or source != text:
            return None
        columns = tuple(range(span.column, span.column + len(text) + 1))
        return CelText(text, span, columns, "", edge, graph)
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
    columns = tuple(span.column + at for at in places[start : start + len(text) + 1])
    return CelText(text, span, columns, quote, edge, graph)


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
