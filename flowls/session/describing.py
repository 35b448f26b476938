"""What is known of nodes and edges, in words of Markdown."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from flowlint.findings.model import Finding
from flowlint.graph.index import index_graph
from flowlint.graph.model import END, START, Edge, Entry, FlowGraph, Node
from flowlint.graph.names import NearNames
from flowlint.graph.reachability import search
from flowlint.source import Span
from flowlint.suffixes import SCRIPT_SUFFIXES
from flowls.session.flows import ToldFlow, told_flows
from flowls.session.mentions import Mentions, Symbol
from flowls.session.session import Session
from flowls.session.sources import Sources

MOST = 12
"""Ways in or out that are listed before the rest is only counted."""


@dataclass(frozen=True, slots=True)
class Shown:
    """A flow or region, with the flow that it is part of and what is told of that."""

    graph: FlowGraph
    flow: FlowGraph
    told: ToldFlow

    def findings(self, part: Node | Edge | Entry) -> list[Finding]:
        """What is told of a part."""
        return [self.told.findings[number - 1] for number in self.told.marks.of(part)]


def shown_flows(session: Session, path: str) -> Iterator[Shown]:
    """The flows and regions of a file."""
    for told in told_flows(session, path):
        pending = [told.graph]
        for graph in pending:
            yield Shown(graph, told.graph, told)
            pending += [region for node in graph.nodes for region in node.regions.values()]


def describe_name(session: Session, symbol: Symbol, sources: Sources) -> str | None:
    """What is known of the node of a name."""
    found: list[str] = []
    for shown in shown_flows(session, symbol.flow.path):
        if shown.graph.span != symbol.flow:
            continue
        nodes = [node for node in shown.graph.nodes if node.name == symbol.name]
        found += [_node(node, shown, sources) for node in nodes]
        if not nodes:
            found.append(_nobody(symbol.name, shown.graph))
        break
    return "\n\n---\n\n".join(found) or None


def describe_edges(session: Session, mentions: Mentions, place: Span) -> tuple[str, Span] | None:
    """What is known of the edges that are written around a place, and where that is."""
    around: dict[Span, list[tuple[Edge | Entry, Shown]]] = {}
    for path in dict.fromkeys(flow.path for flow in mentions.graphs):
        for shown in shown_flows(session, path):
            edges: list[Edge | Entry] = [*shown.graph.edges, *shown.graph.entries]
            for edge in edges:
                span = (edge.edge if isinstance(edge, Entry) else edge.span) or place
                if span != place and span.contains(place):
                    around.setdefault(span, []).append((edge, shown))
    if not around:
        return None
    span = min(around, key=lambda one: (one.end_line - one.line, one.end_column - one.column))
    texts = [_edge(edge, shown) for edge, shown in around[span][:MOST]]
    return "\n\n".join(dict.fromkeys(texts)), span


def condition(edge: Edge, graph: FlowGraph) -> str:
    """When an edge is taken, as the end of a sentence; empty where it always is."""
    if edge.group is not None:
        others = [_code(e.source) for e in graph.edges if e.group == edge.group and e is not edge]
        return f"once {', '.join(others)} is done, too" if others else ""
    if edge.kind == "when" and edge.guard is not None:
        return f"when {_code(edge.guard.text)}"
    if edge.kind == "case" and edge.label is not None:
        return "by default" if edge.label == "default" else f"on {_code(edge.label)}"
    if edge.kind == "outcome" and edge.label is not None:
        return f"after {_code(edge.label)}"
    if edge.kind == "goto":
        return "by its own code"
    if edge.kind == "send":
        return "by messages"
    earlier = [e for e in graph.edges if e.source == edge.source and e.kind in ("when", "case")]
    is_rest = graph.semantics.routing == "first" and bool(earlier) and edge.after == "ok"
    return "otherwise" if is_rest else ""


def path_from_entry(graph: FlowGraph, name: str) -> list[str] | None:
    """The names on the shortest way from an entry to a node; None: there is none."""
    index = index_graph(graph)
    number = index.numbers.get(name)
    if number is None:
        return None
    way = search(index.successors, index.entries).path_to(number)
    return None if way is None else [index.names[one] for one in way]


def head_of(node: Node, sources: Sources) -> str | None:
    """The head of the function that a node runs."""
    if node.runs is None or node.runs.span is None:
        return None
    head = sources.signature(node.runs.span)
    if node.runs.span.path.endswith(SCRIPT_SUFFIXES):
        return head
    return head if head.startswith(("def ", "async def ", "class ")) else node.runs.name


def _node(node: Node, shown: Shown, sources: Sources) -> str:
    graph = shown.graph
    where = "" if graph is shown.flow else " within a region"
    lines = [f"**{_code(node.name)}** · {node.kind} of {_code(shown.flow.name)}{where}"]
    head = head_of(node, sources)
    if head is not None:
        is_script = node.name_span.path.endswith(SCRIPT_SUFFIXES)
        lines.append(f"```{'typescript' if is_script else 'python'}\n{head}\n```")
    facts = [_way_in(node.name, graph), *_ways_out(node, graph), *_path(node.name, graph)]
    facts += _state(node)
    if node.regions:
        facts.append(f"regions: {', '.join(map(_code, node.regions))}")
    lines.append("\n".join(f"- {fact}" for fact in facts if fact))
    lines += _findings(shown.findings(node))
    return "\n\n".join(lines)


def _way_in(name: str, graph: FlowGraph) -> str:
    ways = [
        "the start" + (f" on {_code(entry.label)}" if entry.label else "")
        for entry in graph.entries
        if entry.name == name
    ]
    ways += [
        _joined(_marked(edge.source, graph), condition(edge, graph))
        for edge in graph.edges
        if edge.target == name
    ]
    return f"comes from {_listed(ways)}" if ways else "nothing leads here"


def _ways_out(node: Node, graph: FlowGraph) -> Iterator[str]:
    ways = [
        _joined(_marked(edge.target, graph), condition(edge, graph))
        for edge in graph.edges
        if edge.source == node.name
    ]
    hidden = [gap for gap in graph.gaps if gap.node == node.name and "targets" in gap.hides]
    if ways:
        yield f"leads to {_listed(ways)}"
    elif not hidden:
        yield "ends the run"
    if hidden:
        yield f"may lead elsewhere: {hidden[0].reason}"


def _path(name: str, graph: FlowGraph) -> Iterator[str]:
    way = path_from_entry(graph, name)
    if way is None and graph.entries and not graph.gaps:
        yield "cannot be reached from the start"
    elif way is not None and len(way) > 1:
        yield f"shortest path: {' → '.join(map(_code, way))}"


def _state(node: Node) -> Iterator[str]:
    code = node.code
    if code is None:
        return
    reads = list(dict.fromkeys(read.key for read in code.reads))
    writes = list(dict.fromkeys(write.key for write in code.writes))
    if reads:
        yield f"reads {_listed(map(_code, reads))}{_more(code.more_reads)}"
    if writes:
        yield f"writes {_listed(map(_code, writes))}{_more(code.more_writes)}"


def _more(is_more: bool) -> str:
    return ", maybe more" if is_more else ""


def _edge(edge: Edge | Entry, shown: Shown) -> str:
    graph = shown.graph
    if isinstance(edge, Entry):
        on = f" on {_code(edge.label)}" if edge.label else ""
        head = f"**the start → {_code(edge.name)}**{on}"
    else:
        names = f"{_marked(edge.source, graph)} → {_marked(edge.target, graph)}"
        head = _joined(f"**{names}**", condition(edge, graph))
        among = [e for e in graph.edges if e.source == edge.source and e.after == edge.after]
        if graph.semantics.routing == "first" and len(among) > 1:
            number = next(n for n, e in enumerate(among, start=1) if e is edge)
            head += f" · tried as number {number} of {len(among)}"
    lines = [f"{head} · {_code(shown.flow.name)}", *_findings(shown.findings(edge))]
    return "\n\n".join(lines)


def _findings(findings: Sequence[Finding]) -> list[str]:
    told = dict.fromkeys(f"- {one.severity} {one.code}: {one.message}" for one in findings)
    return ["\n".join(told)] if told else []


def _nobody(name: str, graph: FlowGraph) -> str:
    known = [node.name for node in graph.nodes]
    meant = NearNames(known).of(name) if known else None
    cure = f": did you mean {_code(meant)}?" if meant is not None else ""
    return f"No node of {_code(graph.name)} is called {_code(name)}{cure}"


def _marked(name: str, graph: FlowGraph) -> str:
    if name == END:
        return "the end"
    return "the start" if name == START else _code(name)


def _joined(name: str, when: str) -> str:
    return f"{name} {when}" if when else name


def _listed(ways: Iterable[str]) -> str:
    listed = list(dict.fromkeys(ways))
    rest = f" and {len(listed) - MOST} more" if len(listed) > MOST else ""
    return ", ".join(listed[:MOST]) + rest


def _code(text: str) -> str:
    return f"`{text.replace('`', chr(39))}`"
