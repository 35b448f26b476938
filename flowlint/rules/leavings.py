"""What leads on from one place of a flow, where a system takes all of it at once."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from flowlint.graph.code import Router
from flowlint.graph.model import END, START, FlowGraph, Presence
from flowlint.rules.context import RuleContext
from flowlint.rules.presence import exclude
from flowlint.source import Span


@dataclass(frozen=True, slots=True)
class Lead:
    """A plain edge, or a hand-over by code, with its target."""

    target: str
    span: Span
    presence: Presence = frozenset()


@dataclass(frozen=True, slots=True)
class Chooser:
    """A router by its name, None where that is not known, with the targets that are known.

    `more` tells that it may lead to others.
    """

    name: str | None
    span: Span
    targets: frozenset[str]
    more: bool
    presence: Presence = frozenset()

    @property
    def shown(self) -> str:
        """How messages call it."""
        if self.name is None or not self.name.isidentifier():
            return "the router"
        return f"the router `{self.name}`"


@dataclass(frozen=True, slots=True)
class Leavings:
    """All that leads on from a node, or from the start."""

    source: str
    edges: tuple[Lead, ...]
    choosers: tuple[Chooser, ...]
    handovers: tuple[Lead, ...]

    @property
    def onward(self) -> tuple[Lead, ...]:
        """The plain edges that do not lead to the end."""
        return tuple(edge for edge in self.edges if edge.target != END)


def together(first: Presence, second: Presence) -> bool:
    """Whether two parts may be there in the same build."""
    return not exclude(first, second)


def leavings(graph: FlowGraph, context: RuleContext) -> Iterator[Leavings]:
    """What leads on from the start and from every node, to nodes that are there or to the end."""
    choosers = _choosers(graph)
    # Names that no node bears are told as such.
    names = {*context.node_names, END}
    started = tuple(
        Lead(entry.name, entry.edge, entry.presence)
        for entry in graph.entries
        if entry.kind == "always" and entry.edge is not None and entry.name in names
    )
    yield Leavings(START, started, tuple(choosers.get(START, ())), ())
    for node, edges in context.node_edges():
        plain = tuple(
            Lead(edge.target, edge.span, edge.presence)
            for edge in edges
            if edge.kind == "always"
            and edge.group is None
            and edge.guard is None
            and edge.target in names
        )
        if node.code is not None:
            handed = tuple(
                Lead(handover.target, handover.span)
                for handover in node.code.handovers
                if handover.kind == "goto" and not handover.to_parent and handover.target in names
            )
        else:
            handed = tuple(
                Lead(edge.target, edge.target_span, edge.presence)
                for edge in edges
                if edge.kind == "goto" and edge.target in names
            )
        yield Leavings(node.name, plain, tuple(choosers.get(node.name, ())), handed)


def _never_chosen(router: Router) -> frozenset[str]:
    """The targets of cases that a router is never seen to choose, where all it returns is seen."""
    if router.more is not None or router.cases is None or not router.routes:
        return frozenset()
    chosen = {router.cases.get(route.value or "") for route in router.routes if not route.sends}
    chosen |= {route.value for route in router.routes if route.sends}
    return frozenset(target for target in router.cases.values() if target not in chosen)


def _choosers(graph: FlowGraph) -> dict[str, list[Chooser]]:
    """The routers of every source, in the order in which they were added."""
    led: dict[str, dict[str, list[Lead]]] = {}
    for edge in graph.edges:
        if edge.kind == "case" and edge.choice is not None:
            lead = Lead(edge.target, edge.span, edge.presence)
            led.setdefault(edge.source, {}).setdefault(edge.choice, []).append(lead)
    for entry in graph.entries:
        if entry.kind == "case" and entry.choice is not None:
            lead = Lead(entry.name, entry.edge or entry.span, entry.presence)
            led.setdefault(START, {}).setdefault(entry.choice, []).append(lead)
    found: dict[str, list[Chooser]] = {}
    for router in graph.routers:
        leads = led.get(router.source, {}).pop(router.choice, [])
        targets = frozenset(lead.target for lead in leads) - _never_chosen(router)
        closed = router.cases is not None or router.declared is not None or router.more is None
        span = leads[0].span if leads else router.span
        chooser = Chooser(router.name, span, targets, not closed, router.presence)
        found.setdefault(router.source, []).append(chooser)
    for source, choices in led.items():
        for leads in choices.values():
            targets = frozenset(lead.target for lead in leads)
            presence = frozenset.intersection(*(lead.presence for lead in leads))
            chooser = Chooser(None, leads[0].span, targets, False, presence)
            found.setdefault(source, []).append(chooser)
    return found
