"""What routers return, held against what is provided for."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal

from flowlint.findings.model import Severity
from flowlint.graph.code import Route, Router
from flowlint.graph.model import END, START, FlowGraph
from flowlint.rules.context import RuleContext

Fault = Literal["no case", "no node", "nothing", "the start", "sent to the end"]


@dataclass(frozen=True, slots=True)
class Unhandled:
    """A value that a router returns in vain. `error` is what it raises, None: nothing.

    `others` are the same router beside other nodes, where it does so as well.
    """

    router: Router
    route: Route
    fault: Fault
    error: str | None
    severity: Severity
    others: tuple[Router, ...] = ()


def unused_cases(router: Router) -> list[str]:
    """The values that a router provides for and never returns, none where that is not known."""
    if router.more is not None or not router.routes or router.open_cases:
        return []
    returned = {route.value for route in router.routes if not route.sends}
    # A message goes past the cases, but a target that is listed for it is used.
    sent = {route.value for route in router.routes if route.sends}
    targets = router.cases or {}
    return [
        value
        for value in provided(router) or ()
        if value not in returned and targets.get(value, value) not in sent
    ]


def provided(router: Router) -> tuple[str, ...] | None:
    """The values that a router may return; None: any that is the name of a node."""
    if router.cases is not None:
        return tuple(router.cases)
    return router.declared


def unhandled_routes(graph: FlowGraph, context: RuleContext) -> Iterator[Unhandled]:
    """The values that routers return in vain, each once wherever the router stands."""
    merged: dict[tuple[object, ...], Unhandled] = {}
    for router in graph.routers:
        seen: set[tuple[str | None, bool]] = set()
        for route in router.routes:
            found = _fault(router, route, graph, context)
            if found is None or (route.value, route.sends) in seen:
                continue
            seen.add((route.value, route.sends))
            fault, error = found
            severity = _severity(graph, router, route, error)
            key = (route.span, route.value, fault, error, severity)
            first = merged.get(key)
            if first is None:
                merged[key] = Unhandled(router, route, fault, error, severity)
            else:
                merged[key] = replace(first, others=(*first.others, router))
    yield from merged.values()


def may_lead_nowhere(router: Router, graph: FlowGraph, context: RuleContext) -> bool:
    """Whether the run may end, or fail, at what a router returns."""
    return router.may_stop or any(
        route.sure and _fault(router, route, graph, context) is not None for route in router.routes
    )


def _fault(
    router: Router, route: Route, graph: FlowGraph, context: RuleContext
) -> tuple[Fault, str | None] | None:
    semantics = graph.semantics
    if route.sends:
        # A message to a node that does not exist is a wrong name, as that of any edge.
        if route.value == END and semantics.send_to_end_error is not None:
            return "sent to the end", semantics.send_to_end_error
        return None
    if router.open_cases:
        return None
    cases = provided(router)
    if route.value is None:
        error = semantics.no_route_error if not cases else semantics.unknown_case_error
        return ("nothing", error) if error is not None or not cases else None
    if cases:
        if route.value in cases:
            return None
        # What cannot be looked up at all raises something else.
        return "no case", semantics.unknown_case_error if route.is_name else "an error"
    if route.is_empty:
        return "no node", semantics.no_route_error
    if route.value == START:
        return "the start", semantics.start_route_error
    # What is never given a node is told as such.
    if not graph.nodes:
        return None
    is_known = route.value == END or route.value in context.node_names
    if is_known or route.value in graph.refused or graph.hides("nodes"):
        return None
    return "no node", semantics.unknown_goto_error


def _severity(graph: FlowGraph, router: Router, route: Route, error: str | None) -> Severity:
    """An error only where the run fails whenever it gets to the value."""
    is_harmless = error is None and graph.semantics.unknown_case == "ends"
    is_doubtful = is_harmless or router.presence or not route.sure
    # What one node's edges lack may be there for another node that has the same router.
    others = (
        other
        for other in graph.routers
        if other is not router and other.definition == router.definition
    )
    if router.definition is not None and any(_provides(other, route) for other in others):
        return "info"
    # Authors often know of what a function is given that it never falls off its end.
    if _serves_others(router) or (route.value is None and not route.sure):
        return "info"
    return "warning" if is_doubtful else "error"


def _serves_others(router: Router) -> bool:
    """Whether a router from another file seems to be made for other flows too.

    Nothing that it is seen to return has a case here: what has one is out of sight.
    """
    if router.definition is None or router.definition.path == router.span.path:
        return False
    cases = provided(router) or ()
    return router.more is not None and not any(route.value in cases for route in router.routes)


def _provides(router: Router, route: Route) -> bool:
    cases = provided(router)
    return not cases or route.value in cases
