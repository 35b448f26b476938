"""Flows as editors take them that draw them: what `flowlint/graph` answers.

Nodes and edges have the order of their declaration, and findings name edges by their numbers. A
node that is declared twice is there twice. What begins a run is in `entry` and, where that is an
edge from the system's start marker, in `starts`, whose source is `__start__`.
"""

from __future__ import annotations

from flowlint.findings.model import Finding
from flowlint.graph.model import START, Edge, Entry, FlowGraph, Gap, Node
from flowlint.report.graph_json import entry_names, exit_names
from flowlint.report.places import Json
from flowlint.source import Span
from flowls.diagnostics import location, notebook_of
from flowls.server import FlowServer
from flowls.session.flows import ToldFlow, told_flows

Picture = dict[str, Json]


def picture(server: FlowServer, uri: str) -> Picture:
    """All flows that are constructed in a document. To be run by the session."""
    path, cell = notebook_of(server, uri)
    told = told_flows(server.session, path)
    return {
        "flows": [_flow(server, one) for one in told if cell is None or one.graph.span.cell == cell]
    }


def _flow(server: FlowServer, told: ToldFlow) -> Picture:
    graph, marks = told.graph, told.marks
    findings = enumerate(marks.findings, start=1)
    return {
        "name": graph.name,
        "dialect": graph.dialect,
        **_place(server, graph.span),
        "symbol": graph.symbol,
        "complete": graph.complete,
        "gaps": [_gap(server, gap) for gap in graph.gaps],
        **_shape(server, graph),
        "findings": [_finding(server, told, number, finding) for number, finding in findings],
        "startMarker": graph.semantics.start_marker,
        "endMarker": graph.semantics.end_marker,
    }


def _shape(server: FlowServer, graph: FlowGraph) -> Picture:
    """What flows and regions have alike."""
    return {
        "entry": [*entry_names(graph)],
        "exits": [*exit_names(graph)],
        "nodes": [_node(server, node) for node in graph.nodes],
        "edges": [_edge(server, edge) for edge in links(graph)],
        "starts": [
            *(_start(server, entry) for entry in graph.entries if entry.edge is not None),
            *(_edge(server, edge) for edge in graph.edges if edge.source == START),
        ],
    }


def links(graph: FlowGraph) -> list[Edge]:
    """The edges between nodes and to the end, as they are numbered."""
    return [edge for edge in graph.edges if edge.source != START]


def _node(server: FlowServer, node: Node) -> Picture:
    runs = node.runs
    return {
        "name": node.name,
        "kind": node.kind,
        **_place(server, node.span),
        "nameRange": _range(server, node.name_span),
        "function": {"name": runs.name, **_place(server, runs.span)}
        if runs is not None and runs.span is not None
        else None,
        "regions": {name: _shape(server, region) for name, region in node.regions.items()},
    }


def _edge(server: FlowServer, edge: Edge) -> Picture:
    return {
        "source": edge.source,
        "target": edge.target,
        "kind": edge.kind,
        "label": edge.label,
        "guard": edge.guard.text if edge.guard is not None else None,
        "certain": edge.certain,
        "group": edge.group,
        **_place(server, edge.span),
        "targetPlace": _place(server, edge.target_span),
    }


def _start(server: FlowServer, entry: Entry) -> Picture:
    return {
        "source": START,
        "target": entry.name,
        "kind": entry.kind,
        "label": entry.label,
        "guard": None,
        "certain": not entry.presence,
        "group": None,
        **_place(server, entry.edge or entry.span),
    }


def _gap(server: FlowServer, gap: Gap) -> Picture:
    return {"reason": gap.reason, **_place(server, gap.span)}


def _finding(server: FlowServer, told: ToldFlow, number: int, finding: Finding) -> Picture:
    parts = {part for part, numbers in told.marks.parts.items() if number in numbers}
    node = next((node for node in told.graph.nodes if id(node) in parts), None)
    edges = enumerate(links(told.graph))
    return {
        "code": finding.code,
        "name": finding.name,
        "severity": finding.severity,
        "message": finding.message,
        "help": finding.help,
        **_place(server, finding.span),
        "node": node.name if node is not None else finding.node,
        "edges": [number for number, edge in edges if id(edge) in parts],
        "witness": list(finding.witness),
    }


def _place(server: FlowServer, span: Span) -> Picture:
    return {"uri": server.uri_of_span(span), "range": _range(server, span)}


def _range(server: FlowServer, span: Span) -> Picture:
    found = location(server, span).range
    return {
        "start": {"line": found.start.line, "character": found.start.character},
        "end": {"line": found.end.line, "character": found.end.character},
    }
