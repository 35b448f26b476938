"""Definitions checked as they are written: with the places in their text, and though misshapen."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from flowlint.findings.model import Finding
from flowlint.graph.config_checks import SpanOf
from flowlint.graph.definitions.drawing import draw_definition
from flowlint.graph.definitions.known import Known, NodeSettings, Settled, nothing_known
from flowlint.graph.model import FlowGraph, Violation
from flowlint.graph.reference import KINDS, semantics_of
from flowlint.rules.check import check_graph
from flowlint.source import Span
from flowrt.config_faults import as_data, model_faults
from flowrt.definition.lookup import Lookup
from flowrt.definition.marks import Source, unwritten
from flowrt.registry import find_callable, find_kind


def findings_of(name: str, violations: Sequence[Violation]) -> tuple[Finding, ...]:
    """The findings for faults that leave no graph to look at."""
    span = Span(f"<flow {name}>", 1, 1, 1, 1)
    graph = FlowGraph(
        name,
        "flowrt",
        span,
        semantics_of("first"),
        violations=tuple(violations),
        malformed=True,
    )
    return tuple(check_graph(graph))


def find_in_source(
    source: Source,
    lookup: Lookup | None = None,
    shape: Sequence[Violation] = (),
) -> tuple[Finding, ...]:
    """All that is wrong with a definition as it is written, that is certain, from top to bottom.

    `shape` are the faults of its shape. Without `lookup` nothing is told of functions.
    """
    function = nothing_known if lookup is None else lookup.facts
    known = Known(source.span_of, function, _is_kind, _is_registered, _more)
    graph = draw_definition(source.data, known)
    wrong = [replace(fault, shape=True) for fault in shape]
    graph = replace(graph, violations=(*wrong, *graph.violations))
    missing = () if lookup is None else findings_of(graph.name, lookup.faults)
    return tuple(sorted([*missing, *check_graph(graph)], key=lambda finding: finding.span))


def source_of(data: object) -> Source:
    """The source of a definition that was made by code."""
    name = data.get("name") if isinstance(data, dict) else None
    return unwritten(as_data(data), name if isinstance(name, str) else "flow")


def _is_kind(kind: str) -> bool:
    return kind in KINDS or find_kind(kind) is not None


def _is_registered(name: str) -> bool:
    return find_callable(name) is not None


def _more(node: NodeSettings, what: Settled, span_of: SpanOf) -> Iterator[Violation]:
    return model_faults(node, what, span_of)
