"""All rules over one graph, and over the graphs inside of its nodes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from flowlint.findings.model import Finding
from flowlint.graph.model import FlowGraph
from flowlint.rules.context import RuleContext
from flowlint.rules.meta.internal_error import internal_error
from flowlint.rules.registry import all_rules
from flowlint.rules.timing import is_timing, timed
from flowlint.source import Span

MAX_SHOWN = 120


def check_graph(graph: FlowGraph) -> Iterator[Finding]:
    """All that the rules find in one flow; a rule that fails is a finding itself."""
    for single in _with_regions(graph):
        context = RuleContext(single)
        for rule in all_rules():
            if rule.check is None:
                continue
            try:
                if is_timing():
                    with timed(rule.info.name):
                        found = list(rule.check(single, context))
                else:
                    found = list(rule.check(single, context))
                yield from found
            except Exception as error:
                yield own_fault(single.path, error, single.span, rule.info.name)


def own_fault(
    path: str, error: Exception, span: Span | None = None, rule: str | None = None
) -> Finding:
    """The finding for an error that flowlint itself made."""
    where = f"rule {rule}" if rule else "reading the file"
    text = f"{type(error).__name__}: {error}"[:MAX_SHOWN]
    place = _raised_at(error)
    return internal_error(span or Span(path, 1, 1, 1, 1), f"{where} failed: {text} ({place})")


def _with_regions(graph: FlowGraph) -> Iterator[FlowGraph]:
    """The graph, then the regions that belong to it, outer ones first."""
    if graph.malformed:
        yield replace(graph, nodes=(), edges=(), entries=(), gaps=(), built=False)
        return
    pending = [graph]
    for single in pending:
        yield single
        if single.semantics.holds_regions:
            pending += [region for node in single.nodes for region in node.regions.values()]


def _raised_at(error: Exception) -> str:
    traceback = error.__traceback__
    while traceback is not None and traceback.tb_next is not None:
        traceback = traceback.tb_next
    if traceback is None:
        return "place unknown"
    code = traceback.tb_frame.f_code
    return f"{code.co_qualname}, line {traceback.tb_lineno}"
