"""The loops of a flow, and which of them nothing leads out of."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

from flowlint.graph.components import shortest_cycle
from flowlint.graph.index import Adjacency
from flowlint.graph.model import END, Edge, FlowGraph
from flowlint.rules.context import RuleContext
from flowlint.rules.routers import may_lead_nowhere
from flowlint.rules.routes import is_default, tries_in_order
from flowlint.source import Span


@dataclass(frozen=True, slots=True)
class Loop:
    """A loop that a run may come into: the run that shows it, and the edge that closes it.

    `cycle` begins and ends with the node that a run comes to first.
    """

    members: frozenset[int]
    cycle: tuple[str, ...]
    way_in: tuple[str, ...]
    closing: Edge

    @property
    def place(self) -> Span:
        """Where the loop is closed: the edge, or its name where one call makes many edges."""
        is_one_of_many = self.closing.kind in ("case", "goto", "send")
        return self.closing.target_span if is_one_of_many else self.closing.span

    def witness(self) -> tuple[str, ...]:
        """From the entry into the loop and round it once."""
        return (*self.way_in[:-1], *self.cycle)


@dataclass(frozen=True, slots=True)
class EndlessLoop:
    """A loop that is never left: `closed` has no edge out, `repeating` goes on beside its exits."""

    loop: Loop
    reason: Literal["closed", "repeating"]
    vain_exits: tuple[Edge, ...] = ()
    """Edges that would lead out, but are never taken."""


def loops(context: RuleContext, without: Iterable[str] = ()) -> list[Loop]:
    """One loop for each part of the flow in which a run may go round past some nodes."""
    successors = context.live_successors
    if numbers := {context.index.numbers[name] for name in without}:
        successors = [
            [] if number in numbers else [one for one in following if one not in numbers]
            for number, following in enumerate(successors)
        ]
    found = (_loop(members, successors, context) for members in context.cyclic(successors))
    return [loop for loop in found if loop is not None]


def written_loops(context: RuleContext) -> list[Loop]:
    """One loop for each part of the flow whose edges, whatever their guards, go round."""
    successors = context.index.successors
    found = (_loop(members, successors, context, False) for members in context.cyclic(successors))
    return [loop for loop in found if loop is not None]


def endless_loops(context: RuleContext) -> list[EndlessLoop]:
    """The loops that a run, once in, is certain never to leave to a good end."""
    return list(_endless_loops(context.graph, context))


def may_be_left_by_code(endless: EndlessLoop, context: RuleContext) -> bool:
    """Whether the code of a node on the loop may end the run."""
    names = context.index.names
    return any(context.nodes[names[number]].ends_itself for number in endless.loop.members)


def may_be_left_by_guards(endless: EndlessLoop, context: RuleContext) -> bool:
    """Whether a guard that nobody can tell is on the loop: it may raise, or hold for no edge."""
    outgoing = context.index.outgoing
    return any(
        edge.guard and edge.guard.formula is None
        for number in endless.loop.members
        for edge in outgoing[number]
    )


def _endless_loops(graph: FlowGraph, context: RuleContext) -> Iterator[EndlessLoop]:
    found: set[int] = set()
    # Where all edges are taken that match, a node may find that none does.
    is_ordered = tries_in_order(graph.semantics)
    kinds = ("always", "when", "case", "outcome") if is_ordered else ("always", "case")
    successors = _certain_successors(context, kinds)
    for members in context.cyclic(successors):
        if not _is_closed(members, graph, context):
            continue
        loop = _loop(members, successors, context)
        if loop is not None:
            found |= loop.members
            yield EndlessLoop(loop, "closed", tuple(_vain_exits(members, context)))
    if graph.semantics.routing not in ("all", "inclusive"):
        return
    # All edges of a node are taken there, so edges without a condition keep a loop going even
    # beside an edge that leads out.
    successors = _certain_successors(context, ("always",))
    for members in context.cyclic(successors):
        if found.issuperset(members) or not _goes_on(members, context):
            continue
        loop = _loop(members, successors, context)
        if loop is not None:
            yield EndlessLoop(loop, "repeating")


def _certain_successors(context: RuleContext, kinds: Container[str]) -> Adjacency:
    """What certainly follows, in every build, when none but these kinds of edges leave a node.

    A join may wait for ever, a node may send to nobody and hand over to nobody.
    """
    dead = context.dead_edges
    numbers = context.index.numbers
    return [
        [
            numbers[edge.target]
            for edge in edges
            if edge.target != END
            and edge.kind in kinds
            and edge.after == "ok"
            and not edge.group
            and id(edge) not in dead
            and context.is_certain(edge)
        ]
        for edges in context.index.outgoing
    ]


def _goes_on(members: list[int], context: RuleContext) -> bool:
    """Whether nothing in these nodes may stop the run or take it elsewhere."""
    for number in members:
        name = context.index.names[number]
        if number >= context.index.declared or name in context.may_lead_anywhere:
            return False
        if context.nodes[name].may_pause:
            return False
    return True


def _is_closed(members: list[int], graph: FlowGraph, context: RuleContext) -> bool:
    """Whether no edge that may be taken leads out of these nodes."""
    if not _goes_on(members, context):
        return False
    index = context.index
    inside = set(members)
    for number in members:
        for edge in index.outgoing[number]:
            leads_out = edge.target == END or index.numbers[edge.target] not in inside
            if leads_out and context.is_live(edge):
                return False
        if not _always_goes_on(number, graph, context):
            return False
    names = {index.names[number] for number in members}
    return not any(
        may_lead_nowhere(router, graph, context)
        for router in graph.routers
        if router.source in names
    )


def _vain_exits(members: list[int], context: RuleContext) -> Iterator[Edge]:
    index = context.index
    inside = {index.names[number] for number in members}
    for number in members:
        for edge in index.outgoing[number]:
            if edge.target not in inside and not context.is_live(edge):
                yield edge


def _always_goes_on(number: int, graph: FlowGraph, context: RuleContext) -> bool:
    """Whether a run that cannot take any edge of a node does not come to a quiet end there."""
    semantics = graph.semantics
    if all(edge.after != "ok" for edge in context.index.outgoing[number]):
        return False
    if semantics.unmatched_route == "raises" or not tries_in_order(semantics):
        return True
    return any(map(is_default, context.index.outgoing[number]))


def _loop(
    members: list[int], successors: Adjacency, context: RuleContext, must_be_reached: bool = True
) -> Loop | None:
    """The loop as a run meets it; None where no run comes there, or through it."""
    if members[-1] >= context.index.declared:
        return None
    names, ranks = context.index.names, context.ranks
    reached = [number for number in members if number in ranks]
    if must_be_reached and not reached:
        return None
    first = min(reached, key=ranks.__getitem__) if reached else members[0]
    inside = frozenset(members)
    cycle = shortest_cycle(successors, inside, first)
    closing = [edge for edge in context.index.outgoing[cycle[-2]] if edge.target == names[first]]
    closing.sort(key=lambda edge: not context.is_live(edge))
    return Loop(
        inside, tuple(names[number] for number in cycle), tuple(context.way_to(first)), closing[0]
    )
