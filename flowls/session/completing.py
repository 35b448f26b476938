"""The names that may stand at a place, found by trying: a mark is written there, and the flows are
read with it. Where the mark turns up as the name of a node, the names of nodes belong.
"""

from __future__ import annotations

import ast
import json
import warnings
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from flowlint.graph.model import FlowGraph
from flowlint.languages.edits import quoted
from flowlint.project.edits import UneditableError, edited
from flowlint.source import Edit, Span
from flowlint.suffixes import SCRIPT_SUFFIXES
from flowls.session.describing import head_of
from flowls.session.mentions import Mentions
from flowls.session.script_names import code_of
from flowls.session.session import Session
from flowls.session.sources import Sources, is_plain_yaml
from flowls.session.trying import tried
from flowls.session.writing_places import WritingPlace, writing_place

MARK = "flowls0mark0"
MOST_TRIED = 3
"""Ways to complete a half-typed line that are tried."""
MOST_OTHERS = 4
"""Other files that are looked at where the file itself builds no flow of what is written."""


@dataclass(frozen=True, slots=True)
class Offer:
    """A name that may be written at a place, in the form in which it is written there."""

    name: str
    written: str
    detail: str
    head: str | None = None
    kind: Literal["node", "variable", "field", "function", "constant"] = "node"


@dataclass(frozen=True, slots=True)
class Offers:
    """The names, and what they take the place of."""

    span: Span
    offers: tuple[Offer, ...]


def offers_at(session: Session, place: Span) -> Offers | None:
    """The names that may be written at a place."""
    sources = Sources(session)
    lines = sources.lines(place)
    line = lines[place.line - 1] if place.line <= len(lines) else ""
    found = writing_place(place.path, line, place.column - 1)
    if found is None or not _files_with(session, place.path):
        return None
    if found.quote and place.path.endswith(SCRIPT_SUFFIXES):
        found = replace(found, quote=_usual_quote(lines))
    span = Span(place.path, place.line, found.start + 1, place.line, found.end + 1, place.cell)
    for data in _completed(session, span, found):
        graphs = list(_graphs(session, place.path, data))
        names = {name: (detail, head) for name, detail, head in _names(graphs, sources)}
        if names:
            offers = [
                Offer(name, written, detail, head)
                for name, (detail, head) in names.items()
                if (written := _written(name, found, span, line)) is not None
            ]
            return Offers(span, tuple(offers))
    return None


def _usual_quote(lines: Sequence[str]) -> str:
    """The quotes that a text uses most."""
    single, double = (sum(line.count(quote) for line in lines) for quote in "'\"")
    return "'" if single > double else '"'


def _completed(session: Session, span: Span, found: WritingPlace) -> Iterator[bytes]:
    """The file with the mark, in the ways that are sound; as it is where none is."""
    try:
        before = session.files.read(span.path)
    except OSError:
        return
    first, sound = None, 0
    for end in found.ends:
        text = f"{found.quote}{MARK}{found.quote}{found.closing}{end}"
        try:
            data = edited(span.path, before, [Edit(span, text)])
        except UneditableError:
            return
        first = first or data
        if _is_sound(span.path, data):
            sound += 1
            yield data
            if sound == MOST_TRIED:
                return
    if not sound and first is not None:
        yield first


def _is_sound(path: str, data: bytes) -> bool:
    try:
        if path.endswith(".json"):
            json.loads(data)
        elif path.endswith((".yaml", ".yml")):
            import yaml

            loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
            for _ in yaml.compose_all(data.decode("utf-8-sig"), Loader=loader):
                pass
        elif path.endswith(SCRIPT_SUFFIXES):
            code = code_of(path, data)
            return code is not None and not code.module.faults
        elif path.endswith(".ipynb"):
            return True
        else:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                ast.parse(data)
    except (ValueError, SyntaxError, RecursionError, MemoryError):
        return False
    except Exception as error:
        # PyYAML is only imported where there is a file for it.
        if type(error).__module__.startswith("yaml"):
            return False
        raise
    return True


def _files_with(session: Session, path: str) -> list[str]:
    """The files that may build flows of what is written in a file, itself first."""
    own = [path] if session.holds_flows(path) else []
    # Others that are to be looked at again are known to rest on it only once they were.
    session.graphs(path)
    return own + sorted(session.known.resting_on(path) - {path})[:MOST_OTHERS]


def _graphs(session: Session, path: str, data: bytes) -> Iterator[FlowGraph]:
    """The flows in which the mark turns up."""
    for one in _files_with(session, path):
        try:
            graphs = tried(session, one, {path: data}).graphs
        except OSError:
            continue
        marked = [graph for graph in graphs if _is_marked(graph)]
        if marked:
            yield from marked
            return


def _is_marked(graph: FlowGraph) -> bool:
    if any(route.value == MARK for router in graph.routers for route in router.routes):
        return True
    return any(symbol.name == MARK for symbol in Mentions([graph]).symbols())


def _names(graphs: Iterable[FlowGraph], sources: Sources) -> Iterator[tuple[str, str, str | None]]:
    mentions = Mentions(graphs)
    for symbol in mentions.symbols():
        if symbol.name != MARK:
            continue
        roles = {mention.role for mention in mentions.of(symbol)}
        for graph in mentions.graphs[symbol.flow]:
            yield from _missing(graph) if roles == {"node"} else _nodes(graph, sources)
    for several in list(mentions.graphs.values()):
        for graph in several:
            yield from _cases(graph)


def _nodes(graph: FlowGraph, sources: Sources) -> Iterator[tuple[str, str, str | None]]:
    for node in graph.nodes:
        if node.name != MARK:
            yield node.name, f"{node.kind} of {graph.name}", head_of(node, sources)


def _missing(graph: FlowGraph) -> Iterator[tuple[str, str, str | None]]:
    """Names that are mentioned and that no node bears yet."""
    mentioned = [*(edge.source for edge in graph.edges), *(edge.target for edge in graph.edges)]
    mentioned += [entry.name for entry in graph.entries]
    known = {node.name for node in graph.nodes} | {"__start__", "__end__"}
    for name in dict.fromkeys(mentioned):
        if name not in known and name != MARK:
            yield name, f"named in {graph.name}, and no node yet", None


def _cases(graph: FlowGraph) -> Iterator[tuple[str, str, str | None]]:
    """What a router may return for which there is a case."""
    for router in graph.routers:
        if router.cases is not None and any(
            route.value == MARK and not route.sends for route in router.routes
        ):
            for case, target in router.cases.items():
                if case != MARK:
                    yield case, f"case of `{router.source}`, leads to {target}", None


def _written(name: str, found: WritingPlace, span: Span, line: str) -> str | None:
    """A name as it has to be written at a place; None where it cannot be."""
    if found.quote:
        return quoted(name, found.quote)
    before = line[found.start - 1 : found.start] if found.start else ""
    if before in ("'", '"', "`"):
        text = quoted(name, before)
        return None if text is None else f"{name}{found.closing}"
    is_yaml = span.path.endswith((".yaml", ".yml"))
    return name if is_yaml and is_plain_yaml(name) else quoted(name)
