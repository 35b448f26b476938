"""Fixes for what a router returns in vain."""

from __future__ import annotations

from flowlint.changes import AddCase, Rename, UseMarker
from flowlint.findings.model import Fix
from flowlint.graph.model import END, START, FlowGraph
from flowlint.graph.names import NearNames, letters
from flowlint.rules.context import RuleContext
from flowlint.rules.cures import end_marker
from flowlint.rules.report import renaming
from flowlint.rules.routers import Unhandled, provided, unused_cases


def fix_of(unhandled: Unhandled, graph: FlowGraph, context: RuleContext) -> Fix | None:
    """The value that was meant, or the case that is missing, where that is plain."""
    route, router = unhandled.route, unhandled.router
    value = route.value
    if value is None or route.cure is not None or unhandled.severity == "info":
        return None
    if unhandled.fault == "no node":
        return _other_value(unhandled, context.near_names, graph, leads_to_end=True)
    if unhandled.fault != "no case":
        return None
    cases = provided(router) or ()
    meant = _other_value(unhandled, NearNames(cases), graph, leads_to_end=END in cases)
    if meant is not None:
        return meant
    known = router.case_spans or {}
    is_target = value == END or value in context.node_names
    unused = unused_cases(router)
    # Perhaps it is one of those that was meant, or the name in front of a key.
    if len(unused) == 1 or any(case.endswith(value) for case in unused):
        return None
    if router.cases is None or not known or not is_target or unhandled.others:
        return None
    marker = end_marker(graph)
    shown = marker.name if marker is not None and value == END else f"`{value}`"
    change = AddCase(next(iter(known.values())), value, value, marker)
    return Fix(f"add a case for {shown}", "safe", changes=(change,))


def _other_value(
    unhandled: Unhandled, names: NearNames, graph: FlowGraph, leads_to_end: bool
) -> Fix | None:
    """Another value, where the text is near to just one."""
    value, span = unhandled.route.value or "", unhandled.route.span
    near = names.of(value)
    if near is not None and near not in (value, START, END):
        is_plain = names.only(value) == near
        return renaming([Rename(span, value, near)], "safe" if is_plain else "unsafe")
    marker = end_marker(graph)
    if marker is None or not leads_to_end or letters(value) != "end" or value == END:
        return None
    return Fix(f"return `{marker.name}`", "safe", changes=(UseMarker(span, value, marker),))
