"""Shows a flow as a few lines of text, for people to read and tests to compare."""

from __future__ import annotations

from collections.abc import Iterable

from flowlint.graph.model import Edge, Entry, FlowGraph, Node, Presence

NOTHING = "none"


def shown(graph: FlowGraph) -> str:
    """The whole of a flow; `incomplete` is said exactly when the flow is."""
    lines: list[str] = []
    if graph.entries:
        lines.append("entry: " + ", ".join(_entry(entry) for entry in graph.entries))
    if graph.nodes:
        lines.append("nodes: " + ", ".join(_node(node) for node in graph.nodes))
    lines += _edges(graph.edges)
    for node in graph.nodes if graph.semantics.holds_regions else ():
        for slot, region in node.regions.items():
            lines.append(f"{node.name}.{slot}:")
            lines += [f"  {line}" for line in shown(region).splitlines()]
    reasons = [gap.reason for gap in graph.gaps]
    if not graph.complete and not reasons:
        reasons = ["conditions that are not known"]
    lines += dict.fromkeys(f"incomplete: {reason}" for reason in reasons)
    return "\n".join(lines) or "empty"


def _entry(entry: Entry) -> str:
    return _name(entry.name) + _marks(_how(entry), _when(entry.presence))


def _node(node: Node) -> str:
    kind = "" if node.kind == "step" else node.kind
    deferred = "deferred" if node.deferred else ""
    return _name(node.name) + _marks(kind, deferred, _when(node.presence))


def _edges(edges: Iterable[Edge]) -> Iterable[str]:
    joins: dict[str, list[Edge]] = {}
    for edge in edges:
        if edge.group is None:
            marks = _marks(_how(edge), _when(edge.presence))
            yield f"{_name(edge.source)} -> {_name(edge.target)}{marks}"
            continue
        joins.setdefault(edge.group, []).append(edge)
    for group in joins.values():
        sources = ", ".join(edge.source + _marks(_when(edge.presence)) for edge in group)
        yield f"join({sources}) -> {_name(group[0].target)}"


def _how(part: Edge | Entry) -> str:
    if part.kind == "always":
        return ""
    return part.kind if part.label is None else f'{part.kind} "{part.label}"'


def _when(presence: Presence) -> str:
    if not presence:
        return ""
    tests = [test if outcome else f"not ({test})" for test, outcome in sorted(presence)]
    return "if " + " and ".join(tests)


def _name(name: str) -> str:
    return "END" if name == "__end__" else name or '""'


def _marks(*marks: str) -> str:
    return "".join(f" [{mark}]" for mark in marks if mark)
