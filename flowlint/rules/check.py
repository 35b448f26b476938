"""All rules over one graph, and over the graphs inside of its nodes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from flowlint.findings.model import Finding
from flowlint.graph.model import FlowGraph
from flowlint.rules.context import RuleContext
from flowlint.rules.meta.internal_error import internal_error
from flowlint.rules.options import NONE_STATED, OptionValue, RuleOption, StatedOptions
from flowlint.rules.registry import Check, Rule, built_in_rules
from flowlint.rules.timing import is_timing, timed
from flowlint.source import Span

MAX_SHOWN = 120


def check_graph(
    graph: FlowGraph, rules: Sequence[Rule] | None = None, options: StatedOptions = NONE_STATED
) -> Iterator[Finding]:
    """All that the rules find in one flow; a rule that fails is a finding itself.

    `rules` None: those of flowlint itself. `options` are those that are stated for rules.
    """
    rules = built_in_rules() if rules is None else rules
    stated = _stated(rules, options) if options else {}
    for number, single in enumerate(_with_regions(graph)):
        context = RuleContext(single, stated, is_region=number > 0)
        for rule in rules:
            if rule.check is None:
                continue
            try:
                yield from _found(rule, rule.check, single, context)
            except Exception as error:
                what = f"rule {rule.info.name}"
                yield own_fault(single.path, error, single.span, what, rule.origin)


def _stated(rules: Sequence[Rule], options: StatedOptions) -> dict[RuleOption[object], OptionValue]:
    return {
        option: options[rule.info.name][option.name]
        for rule in rules
        if rule.info.name in options
        for option in rule.info.options
        if option.name in options[rule.info.name]
    }


def own_fault(
    path: str,
    error: Exception,
    span: Span | None = None,
    what: str = "reading the file",
    origin: str | None = None,
) -> Finding:
    """The finding for an error that flowlint itself made, or the plugin that `origin` names."""
    text = f"{type(error).__name__}: {error}"[:MAX_SHOWN]
    who = f"{what} of {origin}" if origin else what
    message = f"{who} failed: {text} ({_raised_at(error)})"
    return internal_error(span or Span(path, 1, 1, 1, 1), message, origin)


def _found(rule: Rule, check: Check, graph: FlowGraph, context: RuleContext) -> list[Finding]:
    if is_timing():
        with timed(rule.info.name):
            found = list(check(graph, context))
    else:
        found = list(check(graph, context))
    if rule.origin is not None:
        for finding in found:
            if not isinstance(finding, Finding):
                raise TypeError(f"gives {type(finding).__name__} for a finding")
            if (finding.code, finding.name) != (rule.info.code, rule.info.name):
                raise ValueError(f"reports {finding.code} {finding.name}, which is not its own")
    return found


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
