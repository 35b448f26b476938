"""The fixes of a file's findings get their edits, as the texts allow them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from flowlint.changes import AddCase, Change, MakePlain, Reorder
from flowlint.findings.model import Finding, Fix
from flowlint.graph.model import FlowGraph
from flowlint.languages.changing import Changers
from flowlint.source import Files, Span

Told = tuple[FlowGraph, tuple[Finding, ...]]
"""A flow with what was found in it."""


def with_edits(flows: Sequence[Told], files: Files) -> list[tuple[Finding, ...]]:
    """The findings of each flow with fixes that are made of edits, without fixes otherwise.

    What several flows are made of is left alone, unless all of them are better off without it.
    """
    changers = Changers(files)
    found: list[tuple[Finding, ...]] = []
    for graph, findings in flows:
        others = [other for other in flows if other[0].span != graph.span]
        found.append(tuple(_fixed(finding, others, changers) for finding in findings))
    return found


def _fixed(finding: Finding, others: Sequence[Told], changers: Changers) -> Finding:
    if finding.fix is None:
        return finding
    is_shared = any(_uses(other, finding, finding.fix) for other in others)
    return replace(finding, fix=None if is_shared else changers.resolve(finding.fix))


def _uses(other: Told, finding: Finding, fix: Fix) -> bool:
    """Whether another flow is made of what a fix changes, and has no use for the change."""
    graph, findings = other
    changed = {span for change in fix.changes for span in _spans(change)}
    if changed.isdisjoint(_places(graph)):
        return False
    wanted = (finding.code, finding.span)
    return all((told.code, told.span) != wanted for told in findings)


def _spans(change: Change) -> tuple[Span, ...]:
    match change:
        case Reorder(spans):
            return spans
        case AddCase() | MakePlain():
            return ()
        case _:
            return (change.span,)


def _places(graph: FlowGraph) -> Iterator[Span]:
    for node in graph.nodes:
        yield from (node.span, node.name_span)
    for edge in graph.edges:
        yield from (edge.span, edge.source_span, edge.target_span)
    for entry in graph.entries:
        yield entry.span
