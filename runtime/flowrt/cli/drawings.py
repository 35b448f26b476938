"""Flows drawn as Mermaid flowcharts and as JSON."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from flowlint.graph.reference import case_label
from flowrt.authoring import Edge, Node, Region, Switch
from flowrt.flow import Flow

SCHEMA = "flowrt.graph/1"

_SHAPES = {
    "gate": ('{"', '"}'),
    "loop": ('{{"', '"}}'),
    "repeat": ('{{"', '"}}'),
    "checkpoint": ('(["', '"])'),
    "wait": ('(["', '"])'),
    "ask": ('(["', '"])'),
    "subflow": ('[["', '"]]'),
}
_ESCAPES = {
    "#": "#35;",
    '"': "#quot;",
    "&": "#amp;",
    "<": "#lt;",
    ">": "#gt;",
    "`": "#96;",
    "\\": "#92;",
}


@dataclass(frozen=True, slots=True)
class Arrow:
    """One way from a node to another."""

    source: str
    target: str
    kind: str
    label: str | None


def arrows(edges: Sequence[Edge | Switch]) -> Iterator[Arrow]:
    """Every way that the edges open, one for each case of a switch."""
    for edge in edges:
        if isinstance(edge, Switch):
            for case, target in edge.cases.items():
                yield Arrow(edge.src, target, "case", case_label(case))
            if edge.default is not None:
                yield Arrow(edge.src, edge.default, "case", "(else)")
            continue
        guard = _guard(edge)
        if edge.outcome != "ok":
            label = edge.outcome if guard is None else f"{edge.outcome}, {guard}"
            yield Arrow(edge.src, edge.dst, "outcome", label)
        else:
            yield Arrow(edge.src, edge.dst, "always" if guard is None else "when", guard)


def _guard(edge: Edge) -> str | None:
    if edge.when is None or isinstance(edge.when, str):
        return edge.when
    name = getattr(edge.when, "__name__", "<lambda>")
    return "a condition" if name == "<lambda>" else str(name)


def as_json(flow: Flow) -> dict[str, Any]:
    """A flow as data: what `flowlint graph` writes, without places in a source."""
    return {
        "schema": SCHEMA,
        "graphs": [{"dialect": "flowrt", "name": flow.name, **_graph(flow, flow.routing)}],
    }


def _graph(part: Flow | Region, routing: str) -> dict[str, Any]:
    drawn = list(arrows(part.edges))
    leaving = {arrow.source for arrow in drawn}
    return {
        "entry": [part.entry],
        "routing": routing,
        "nodes": [
            {
                "name": node.name,
                "kind": node.kind,
                "regions": {
                    name: _graph(region, region.routing) for name, region in node.regions.items()
                },
            }
            for node in part.nodes
        ],
        "edges": [
            {"source": a.source, "target": a.target, "kind": a.kind, "label": a.label}
            for a in drawn
        ],
        "exits": [node.name for node in part.nodes if node.name not in leaving],
    }


def mermaid(flow: Flow) -> Iterator[str]:
    """The lines of a flowchart; regions are drawn as boxes beside the node they belong to."""
    yield "flowchart TD"
    yield f'    subgraph flow["{escape(flow.name)}"]'
    for line in _Chart().lines(flow):
        yield f"        {line}"
    yield "    end"


@dataclass
class _Chart:
    """Gives everything drawn an identifier that no user's name can break."""

    count: int = 0

    def next(self, letter: str) -> str:
        self.count += 1
        return f"{letter}{self.count}"

    def lines(self, part: Flow | Region) -> Iterator[str]:
        ids = {node.name: self.next("n") for node in part.nodes}
        for node in part.nodes:
            yield from self._node(node, ids[node.name])
        start = self.next("start")
        yield f"{start}((start))"
        yield f"{start} --> {ids[part.entry]}"
        leaving: set[str] = set()
        for arrow in arrows(part.edges):
            leaving.add(arrow.source)
            label = "" if arrow.label is None else f'|"{escape(arrow.label)}"|'
            yield f"{ids[arrow.source]} -->{label} {ids[arrow.target]}"
        ends = [node.name for node in part.nodes if node.name not in leaving]
        if ends:
            stop = self.next("stop")
            yield f"{stop}(((end)))"
            for name in ends:
                yield f"{ids[name]} --> {stop}"

    def _node(self, node: Node, known: str) -> Iterator[str]:
        before, after = _SHAPES.get(node.kind, ('["', '"]'))
        yield f"{known}{before}{escape(node.name)}{after}"
        for name, region in node.regions.items():
            box = self.next("r")
            yield f'subgraph {box}["{escape(f"{node.name}: {name}")}"]'
            for line in self.lines(region):
                yield f"    {line}"
            yield "end"
            yield f"{known} -.- {box}"


def escape(text: str) -> str:
    """Text that can stand between double quotes in Mermaid, which must not be empty there."""
    escaped = "".join(_ESCAPES.get(char, char) for char in text)
    lines = (line if line.isprintable() else repr(line)[1:-1] for line in escaped.splitlines())
    return "<br>".join(lines) or " "
