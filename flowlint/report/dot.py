"""Graphs for Graphviz: each flow and each region in a cluster of its own."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from flowlint.findings.model import Finding, Severity
from flowlint.graph.model import END, START, Edge, Entry, FlowGraph, Node
from flowlint.report.drawing.marks import Marks, marks_of
from flowlint.report.graph_json import entry_names, exit_names, node_names
from flowlint.report.style import plain

_COLOURS: dict[Severity, str] = {"error": "#cf222e", "warning": "#9a6700", "info": "#0969da"}
_GRAVITY: dict[Severity, int] = {"error": 0, "warning": 1, "info": 2}
_SHAPES = {"gate": "hexagon", "loop": "octagon"}


def render(graphs: Sequence[FlowGraph], findings: Sequence[Finding] = ()) -> Iterator[str]:
    """The lines of one graph in the DOT language; what was found is coloured and told in tips."""
    marks, _ = marks_of(graphs, findings)
    yield "digraph flows {"
    yield '  graph [compound=true, fontname="sans-serif"];'
    yield '  node [shape=box, style=rounded, fontname="sans-serif"];'
    yield '  edge [fontname="sans-serif", fontsize=11];'
    for number, (graph, own) in enumerate(zip(graphs, marks, strict=True)):
        tip = f"{graph.dialect}: {graph.path}:{graph.span.line}"
        yield from _cluster(graph, own, f"f{number}", graph.name, tip, "  ")
    yield "}"


def quote(text: str) -> str:
    """A text as a quoted string that is shown as it is."""
    shown = "\\n".join(
        plain(line).replace("\\", "\\\\").replace('"', '\\"').replace("&", "&amp;")
        for line in text.splitlines() or [""]
    )
    return f'"{shown}"'


def _cluster(
    graph: FlowGraph, marks: Marks, prefix: str, label: str, tip: str, indent: str
) -> Iterator[str]:
    yield f"{indent}subgraph cluster_{prefix} {{"
    yield f"{indent}  label={quote(label)}; tooltip={quote(tip)};"
    for line in _Writer(graph, marks, prefix).lines():
        yield f"{indent}  {line}"
    yield f"{indent}}}"


@dataclass
class _Writer:
    graph: FlowGraph
    marks: Marks
    prefix: str
    known: dict[str, str] = field(default_factory=dict)

    def lines(self) -> Iterator[str]:
        graph = self.graph
        nodes = {node.name: node for node in reversed(graph.nodes)}
        for name in node_names(graph):
            yield from self._node(nodes[name])
        yield from self._starts()
        yield from self._edges()
        ends = exit_names(graph)
        leaving = {edge.source for edge in graph.edges}
        if ends or any(edge.target == END for edge in graph.edges):
            yield f'{self.prefix}_end [label="", shape=doublecircle, width=0.15, tooltip="end"];'
        for name in ends:
            if name not in leaving:
                yield f"{self.known[name]} -> {self.prefix}_end;"

    def _node(self, node: Node) -> Iterator[str]:
        name = self._name(node.name)
        label = node.name if node.kind == "step" else f"{node.name}\n{node.kind}"
        facts = {"label": quote(label)}
        if node.kind in _SHAPES:
            facts |= {"shape": _SHAPES[node.kind], "style": '""'}
        if node.presence:
            facts["style"] = '"rounded,dashed"'
        yield f"{name} [{_listed(facts | self._found(self.marks.of(node)))}];"
        for number, (label, region) in enumerate(node.regions.items()):
            inner = f"{name}_r{number}"
            yield from _cluster(region, self.marks, inner, label, f"{node.name}: {label}", "")
            first = next(iter(node_names(region)), None)
            if first is not None:
                yield f"{name} -> {inner}_n0 [style=dotted, lhead=cluster_{inner}];"

    def _starts(self) -> Iterator[str]:
        starts = entry_names(self.graph)
        entries = {entry.name: entry for entry in reversed(self.graph.entries)}
        if starts:
            yield (
                f'{self.prefix}_start [label="", shape=circle, style=filled, fillcolor=black, '
                'width=0.15, tooltip="start"];'
            )
        for name in starts:
            yield from self._declare(name)
            yield self._arrow(f"{self.prefix}_start", self._target(name), entries.get(name))

    def _edges(self) -> Iterator[str]:
        joins: dict[tuple[str, str], str] = {}
        for edge in self.graph.edges:
            if edge.source == START:
                continue
            yield from self._declare(edge.source)
            yield from self._declare(edge.target)
            source, target = self._name(edge.source), self._target(edge.target)
            if edge.group is None:
                yield self._arrow(source, target, edge)
                continue
            key = (edge.group, edge.target)
            if key not in joins:
                joins[key] = f"{self.prefix}_j{len(joins)}"
                yield f'{joins[key]} [label="all of", height=0.2];'
                yield self._arrow(joins[key], target, None)
            yield self._arrow(source, joins[key], edge)

    def _declare(self, name: str) -> Iterator[str]:
        """A node that an edge names and nobody declared is drawn as what it is."""
        if name not in self.known and name != END:
            label = quote(f"{name}\nunknown")
            facts = f'style="rounded,dashed", color="{_COLOURS["error"]}"'
            yield f"{self._name(name)} [label={label}, {facts}];"

    def _name(self, name: str) -> str:
        return self.known.setdefault(name, f"{self.prefix}_n{len(self.known)}")

    def _target(self, name: str) -> str:
        return f"{self.prefix}_end" if name == END else self._name(name)

    def _arrow(self, source: str, target: str, part: Edge | Entry | None) -> str:
        facts: dict[str, str] = {}
        if part is not None:
            label = part.label
            if label is None and isinstance(part, Edge) and part.guard is not None:
                label = part.guard.text
            if label:
                facts["label"] = quote(label)
            if part.presence:
                facts["style"] = "dashed"
            facts |= self._found(self.marks.of(part))
        return f"{source} -> {target}{f' [{_listed(facts)}]' if facts else ''};"

    def _found(self, numbers: Sequence[int]) -> dict[str, str]:
        """How a part with findings looks."""
        if not numbers:
            return {}
        found = [self.marks.findings[number - 1] for number in numbers]
        gravest = min((finding.severity for finding in found), key=_GRAVITY.__getitem__)
        told = "\n".join(f"{finding.name}: {finding.message}" for finding in found)
        return {
            "color": f'"{_COLOURS[gravest]}"',
            "penwidth": "2",
            "tooltip": quote(told),
        }


def _listed(facts: dict[str, str]) -> str:
    return ", ".join(f"{key}={value}" for key, value in facts.items())
