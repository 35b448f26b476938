"""Graphs as a Mermaid flowchart."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from flowlint.graph.model import END, START, Edge, Entry, FlowGraph
from flowlint.report.graph_json import entry_names, exit_names, node_names

_ESCAPES = {
    "#": "#35;",
    '"': "#quot;",
    "&": "#amp;",
    "<": "#lt;",
    ">": "#gt;",
    "`": "#96;",
    "\\": "#92;",
}
_SHAPES = {"gate": ('{"', '"}'), "loop": ('{{"', '"}}')}


@dataclass
class _Names:
    """Gives every drawn thing an identifier that no user's name can break."""

    prefix: str
    known: dict[str, str] = field(default_factory=dict)

    def of(self, name: str) -> str:
        return self.known.setdefault(name, f"{self.prefix}n{len(self.known)}")


def render(graphs: Sequence[FlowGraph]) -> Iterator[str]:
    """The lines of one diagram; several flows are drawn side by side."""
    yield "flowchart TD"
    for number, graph in enumerate(graphs):
        prefix = f"g{number}"
        yield f"    %% {_comment(graph)}"
        yield f'    subgraph {prefix}["{escape(graph.name)}"]'
        for line in _body(graph, prefix):
            yield f"        {line}"
        yield "    end"


def escape(text: str) -> str:
    """Text that can stand between double quotes in Mermaid, which must not be empty there."""
    escaped = "".join(_ESCAPES.get(char, char) for char in text)
    lines = (line if line.isprintable() else repr(line)[1:-1] for line in escaped.splitlines())
    return "<br>".join(lines) or " "


def _comment(graph: FlowGraph) -> str:
    return f"{graph.dialect}: {graph.path}:{graph.span.line}".replace("\n", " ")


def _body(graph: FlowGraph, prefix: str) -> Iterator[str]:
    names = _Names(prefix)
    kinds = {node.name: node.kind for node in reversed(graph.nodes)}
    for name in node_names(graph):
        before, after = _SHAPES.get(kinds[name], ('["', '"]'))
        yield f"{names.of(name)}{before}{escape(name)}{after}"
    starts = entry_names(graph)
    if starts:
        yield f"{prefix}start((start))"
    by_name = {entry.name: entry for entry in graph.entries}
    for name in starts:
        if name != END:
            yield from _declare(name, names)
            yield f"{prefix}start {_arrow(by_name.get(name))} {names.of(name)}"
    yield from _edges(graph, names, prefix)
    ends = exit_names(graph)
    if ends:
        yield f"{prefix}stop(((end)))"
    leaving = {edge.source for edge in graph.edges}
    for name in ends:
        if name not in leaving:
            yield f"{names.of(name)} --> {prefix}stop"


def _edges(graph: FlowGraph, names: _Names, prefix: str) -> Iterator[str]:
    groups: dict[tuple[str, str], list[Edge]] = {}
    for edge in graph.edges:
        if edge.source == START:
            continue
        for name in (edge.source, edge.target):
            yield from _declare(name, names)
        if edge.group is not None:
            groups.setdefault((edge.group, edge.target), []).append(edge)
            continue
        target = f"{prefix}stop" if edge.target == END else names.of(edge.target)
        yield f"{names.of(edge.source)} {_arrow(edge)} {target}"
    for number, ((_, target), edges) in enumerate(groups.items()):
        join = f"{prefix}j{number}"
        yield f'{join}{{{{"all of"}}}}'
        for edge in edges:
            yield f"{names.of(edge.source)} {_arrow(edge)} {join}"
        yield f"{join} --> {f'{prefix}stop' if target == END else names.of(target)}"


def _declare(name: str, names: _Names) -> Iterator[str]:
    """A node that an edge names and nobody declared is drawn as what it is."""
    if name not in names.known and name != END:
        yield f'{names.of(name)}["{escape(name)} (unknown)"]'
        yield f"style {names.of(name)} stroke-dasharray: 4"


def _arrow(edge: Edge | Entry | None) -> str:
    if edge is None:
        return "-->"
    label = edge.label
    if label is None and isinstance(edge, Edge) and edge.guard is not None:
        label = edge.guard.text
    line = "-.->" if edge.presence else "-->"
    return f'{line}|"{escape(label)}"|' if label else line
