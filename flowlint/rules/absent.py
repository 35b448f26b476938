"""Names that a flow mentions and no node bears."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from flowlint.findings.model import Severity
from flowlint.graph.index import Index
from flowlint.graph.model import END, START, Edge, FlowGraph, Presence
from flowlint.rules.consequences import is_rejection_proven
from flowlint.rules.presence import absence, is_plausible
from flowlint.source import Span

Consequence = Literal["rejected", "fails", "silent"]


@dataclass(frozen=True, slots=True)
class Mention:
    """A place that names a node which is not there; `edge` is None at an entry.

    `when` tells the tests under which it is not there; None: it is never there.
    """

    span: Span
    role: Literal["entry", "source", "target"]
    edge: Edge | None
    when: Presence | None
    severity: Severity
    consequence: Consequence


@dataclass(frozen=True, slots=True)
class Absent:
    """A name and all places that name it in vain, the gravest and earliest first."""

    name: str
    mentions: tuple[Mention, ...]

    @property
    def is_entry(self) -> bool:
        """Whether a run was to begin there."""
        return any(mention.role == "entry" for mention in self.mentions)


def absent_names(
    graph: FlowGraph, index: Index, conditional: Mapping[str, list[Presence]]
) -> list[Absent]:
    """The names mentioned in vain, first mentioned first."""
    # Nodes out of sight may bear any of the names.
    if graph.hides("nodes") or not (index.missing() or conditional):
        return []
    # What the system refuses is told where it is; what names it was meant well.
    refused = graph.refused
    suspects: dict[str, list[Presence]] = {
        name: [] for name in index.missing() if name not in refused
    }
    suspects.update(conditional)
    found: dict[str, list[Mention]] = {}
    for name, mention in _mentions(graph, suspects):
        found.setdefault(name, []).append(mention)
    return [
        Absent(name, tuple(sorted(mentions, key=lambda mention: mention.severity != "error")))
        for name, mentions in found.items()
    ]


@dataclass(frozen=True, slots=True)
class _Place:
    name: str
    span: Span
    role: Literal["entry", "source", "target"]
    edge: Edge | None
    presence: Presence


def _mentions(
    graph: FlowGraph, suspects: Mapping[str, list[Presence]]
) -> Iterator[tuple[str, Mention]]:
    # Of what never runs nothing is amiss when it runs.
    if graph.unused:
        return
    is_proven = is_rejection_proven(graph)
    for place in _places(graph, suspects):
        # Where an edge starts its author says, even where code chooses the target.
        edge = place.edge if place.role != "source" else None
        consequence = _consequence(graph, edge)
        if consequence == "rejected" and not is_proven:
            continue
        declared = suspects[place.name]
        # Code that chooses a node which is there at times may well choose it at these times only.
        if declared and place.edge is not None and not place.edge.checked:
            continue
        lacking = absence(place.presence, declared)
        if lacking is None or not is_plausible(lacking, place.presence, declared):
            continue
        severity = _severity(edge, consequence, lacking == place.presence)
        when = lacking if declared else None
        yield (
            place.name,
            Mention(place.span, place.role, place.edge, when, severity, consequence),
        )


def _places(graph: FlowGraph, suspects: Container[str]) -> Iterator[_Place]:
    entries = set()
    for entry in graph.entries:
        if entry.name in suspects:
            entries.add(entry.span)
            yield _Place(entry.name, entry.span, "entry", None, entry.presence)
    refused = [
        violation.span
        for violation in graph.violations
        if not violation.shape and violation.severity in (None, "error")
    ]
    for edge in graph.edges:
        is_wrong_end = edge.target in suspects and edge.target != END
        is_wrong_start = edge.source in suspects and edge.source != START
        if not (is_wrong_start or is_wrong_end):
            continue
        # What the dialect said about this very edge is said.
        if any(edge.span.contains(place) for place in refused):
            continue
        if is_wrong_start:
            yield _Place(edge.source, edge.source_span, "source", edge, edge.presence)
        if is_wrong_end and edge.source != START:
            yield _Place(edge.target, edge.target_span, "target", edge, edge.presence)
        elif is_wrong_end and edge.target_span not in entries:
            yield _Place(edge.target, edge.target_span, "entry", edge, edge.presence)


def _consequence(graph: FlowGraph, edge: Edge | None) -> Consequence:
    if edge is None or edge.checked:
        return graph.semantics.on_unknown_name
    if edge.kind == "send":
        return graph.semantics.on_unknown_send
    return graph.semantics.on_unknown_goto


def _severity(edge: Edge | None, consequence: Consequence, is_whenever: bool) -> Severity:
    """An error only if the fault is there in every build and on every run that gets there."""
    if not is_whenever:
        return "warning"
    is_always = edge is None or edge.kind == "always"
    return "error" if consequence == "rejected" or is_always else "warning"
