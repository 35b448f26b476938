"""Where a flow of flowrt looks at what a node gave: by its name, in expressions and in code.

Code asks for `context.outputs["name"]`, expressions and templates for `outputs.name`. Which
expressions do so is told by what is found once nobody bears the name any more.
"""

from __future__ import annotations

import ast
import os
import re
import warnings
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from flowlint.findings.model import Finding
from flowlint.graph.model import FlowGraph, Node
from flowlint.source import Span
from flowlint.suffixes import SUFFIXES
from flowls.session.mentions import Mentions, Symbol
from flowls.session.session import Session
from flowls.session.sources import Sources
from flowls.session.trying import tried

SYSTEM = "flowrt"
_DATA = (".json", ".yaml", ".yml")


def looks_at_outputs(mentions: Mentions, symbols: tuple[Symbol, ...]) -> bool:
    """Whether flows that these nodes are part of can look at outputs by name."""
    graphs = (graph for symbol in symbols for graph in mentions.graphs.get(symbol.flow, ()))
    return any(graph.semantics.system == SYSTEM for graph in graphs)


def in_code(name: str, files: Iterable[str], sources: Sources) -> list[Span]:
    """The literals by which functions ask for the output of a node, in files of Python."""
    asked = re.compile(
        rf"""\.(?:outputs|results)(?:\[|\.get\()\s*(["']{re.escape(name)}["'])(?=\s*[\],)])"""
    )
    python = [path for path in files if not path.endswith(_DATA)]
    return [span for path in python for span in _found(path, asked, sources)]


def in_texts(name: str, files: Iterable[str], sources: Sources) -> list[Span]:
    """The names in what looks like an expression or template, in texts of these files."""
    looked = _looking_at(name)
    found: list[Span] = []
    for path in files:
        spans = _found(path, looked, sources)
        if spans and not path.endswith(_DATA):
            texts = _texts_in("".join(sources.lines(spans[0])))
            spans = [span for span in spans if any(_is_within(span, one) for one in texts)]
        found += spans
    return found


def readers(session: Session, files: Iterable[str]) -> list[str]:
    """The modules of the workspace that some files are read with, themselves among them."""
    found: dict[str, None] = {}
    for path in files:
        known = session.known.get(path)
        reads = map(os.path.abspath, known.seen.reads) if known is not None else ()
        found.update(dict.fromkeys([path, *reads]))
    return [path for path in found if path.endswith(SUFFIXES) and not path.endswith(".ipynb")]


def other_flow_with(
    session: Session, mentions: Mentions, symbols: tuple[Symbol, ...], files: Iterable[str]
) -> FlowGraph | None:
    """Another flow with a node of that name that is read together with one of these files."""
    own = {_root(mentions, symbol.flow) for symbol in symbols}
    wanted = set(files)
    for known in session.known:
        for graph in known.graphs:
            is_other = graph.span not in own and graph.semantics.system == SYSTEM
            if is_other and any(node.name == symbols[0].name for node in _nodes(graph)):
                if not wanted.isdisjoint(readers(session, [known.path])):
                    return graph
    return None


def in_expressions(
    session: Session,
    name: str,
    files: list[str],
    texts: Mapping[str, bytes],
    sources: Sources,
) -> list[Span]:
    """The names in expressions that lead nowhere once these texts are in the place of others.

    The places are those before the change.
    """
    missing = re.compile(rf"`(?:outputs|results)\W*{re.escape(name)}\W*`")
    looked = _looking_at(name)
    found: dict[Span, None] = {}
    for path in files:
        known = session.known.get(path)
        before = {(f.name, f.message) for f in known.result.findings} if known else set()
        for finding in tried(session, path, texts).findings:
            is_new = (finding.name, finding.message) not in before
            if is_new and missing.search(finding.message):
                found.update(dict.fromkeys(_names_in(finding, looked, sources)))
    return list(found)


def _looking_at(name: str) -> re.Pattern[str]:
    return re.compile(
        rf"""(?<![\w.])(?:outputs|results)(?:\.|\[\\?["'])({re.escape(name)})(?!\w)"""
    )


def _found(path: str, wanted: re.Pattern[str], sources: Sources) -> list[Span]:
    lines = sources.lines(Span(path, 1, 1, 1, 1))
    return [
        Span(path, number, one.start(1) + 1, number, one.end(1) + 1)
        for number, line in enumerate(lines, start=1)
        for one in wanted.finditer(line)
    ]


def _names_in(finding: Finding, looked: re.Pattern[str], sources: Sources) -> Iterator[Span]:
    """The names in the lines of what a finding is about; lines are whole, columns may differ."""
    span = finding.span
    lines = sources.lines(span)
    for number in range(span.line, min(span.end_line, len(lines)) + 1):
        for one in looked.finditer(lines[number - 1]):
            start, end = one.start(1) + 1, one.end(1) + 1
            yield replace(span, line=number, column=start, end_line=number, end_column=end)


def _texts_in(code: str) -> list[tuple[tuple[int, int], tuple[int, int]]]:
    """Where the texts in Python code begin and end, in lines from 1 and bytes from 0."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(code)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return []
    lines = code.split("\n")

    def place(line: int, offset: int) -> tuple[int, int]:
        return line, len(lines[line - 1].encode()[:offset].decode(errors="ignore")) + 1

    return [
        (
            place(one.lineno, one.col_offset),
            place(one.end_lineno or one.lineno, one.end_col_offset or one.col_offset),
        )
        for one in ast.walk(tree)
        if (isinstance(one, ast.Constant) and isinstance(one.value, str))
        or isinstance(one, ast.JoinedStr)
    ]


def output_places(
    session: Session, mentions: Mentions, symbols: tuple[Symbol, ...], sources: Sources
) -> list[Span]:
    """Where flows look at what a node gave, without the quotes around its name."""
    if not looks_at_outputs(mentions, symbols):
        return []
    paths = {symbol.flow.path for symbol in symbols}
    files = sorted({known.path for path in paths for known in session.known.showing_in(path)})
    modules, name = readers(session, files), symbols[0].name
    places = in_code(name, modules, sources)
    found = [sources.name_place(span, name) for span in places]
    found += in_texts(name, modules, sources)
    paths = {span.path for span in found}
    return [] if other_flow_with(session, mentions, symbols, paths) is not None else found


def _is_within(span: Span, text: tuple[tuple[int, int], tuple[int, int]]) -> bool:
    return text[0] <= (span.line, span.column) and (span.line, span.column) <= text[1]


def _nodes(graph: FlowGraph) -> Iterator[Node]:
    for node in graph.nodes:
        yield node
        for region in node.regions.values():
            yield from _nodes(region)


def _root(mentions: Mentions, flow: Span) -> Span:
    around = mentions.around(flow)
    while around is not None:
        flow = around[0]
        around = mentions.around(flow)
    return flow
