"""A flow of supersteps as what follows each node: surely, by choice, or when others came too.

Systems of supersteps go back to Pregel (Malewicz et al., SIGMOD 2010): all that is due runs side by
side in one step, and what it hands over to is due in the next one. A node to which several lead in
one step runs once; a node to which they lead in different steps runs again.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from flowlint.graph.code import Route, Router
from flowlint.graph.model import ALWAYS, START, Edge, FlowGraph, Node, Presence
from flowlint.source import Span


@dataclass(frozen=True, slots=True)
class Move:
    """A hand-over from one node to another.

    `send`: a message that gives `target` a task of its own; `many`: any number of them at once.
    Moves of one choice that bear the same `row` are taken together.
    """

    source: str
    target: str
    span: Span
    presence: Presence = ALWAYS
    send: bool = False
    many: bool = False
    row: int | None = None


@dataclass(frozen=True, slots=True)
class Choice:
    """Moves of which one is taken, or perhaps several.

    `idle`: it may be that none is taken. `open`: there may be moves beyond these.
    """

    identity: str
    moves: tuple[Move, ...]
    several: bool = True
    idle: bool = True
    open: bool = True


@dataclass(frozen=True, slots=True)
class Leaving:
    """What follows a node. `open`: it may hand over to nodes that are not known."""

    certain: tuple[Move, ...] = ()
    choices: tuple[Choice, ...] = ()
    open: bool = False

    def moves(self) -> Iterator[Move]:
        """Every move that may be taken."""
        yield from self.certain
        for choice in self.choices:
            yield from choice.moves


@dataclass(frozen=True, slots=True)
class Join:
    """A hand-over that waits for all of several sources, which then have to come all anew."""

    group: str
    target: str
    edges: tuple[Edge, ...]

    @property
    def sources(self) -> frozenset[str]:
        """The nodes that it waits for."""
        return frozenset(edge.source for edge in self.edges)


@dataclass(frozen=True, slots=True)
class Steps:
    """What follows what in a flow of supersteps. The start marker is a vertex as any node.

    A `deferred` node waits until no other is due. `hidden`: there may be nodes, edges or entries
    that are not known; they add to what runs, and take nothing away.
    """

    leaving: Mapping[str, Leaving]
    joins: tuple[Join, ...]
    deferred: frozenset[str]
    hidden: bool

    def joins_of(self) -> dict[str, list[Join]]:
        """The joins that each node is a source of."""
        found: dict[str, list[Join]] = {}
        for join in self.joins:
            for source in join.sources:
                found.setdefault(source, []).append(join)
        return found


def steps_of(graph: FlowGraph) -> Steps:
    """Read a flow as supersteps. Linear."""
    nodes: dict[str, Node] = {}
    for node in graph.nodes:
        nodes.setdefault(node.name, node)
    edges, groups = _leaving_edges(graph, nodes)
    joins = [Join(group, of[0].target, tuple(of)) for group, of in groups.items()]
    for join in [join for join in joins if len(join.sources) == 1]:
        # Waiting for one is not waiting.
        edges.setdefault(join.edges[0].source, []).append(replace(join.edges[0], group=None))
    routers: dict[str, list[Router]] = {}
    for router in graph.routers:
        routers.setdefault(router.source, []).append(router)
    unsure = {gap.node for gap in graph.gaps if "targets" in gap.hides}
    leaving: dict[str, Leaving] = {}
    tests = _tests_of(graph)
    for name in (START, *nodes):
        own = routers.get(name, ())
        found = _leaving(name, edges.get(name, []), nodes.get(name), own, nodes)
        is_open = found.open or name in unsure or None in unsure
        found = replace(found, open=is_open) if is_open != found.open else found
        leaving[name] = _under(tests, found) if tests else found
    hidden = graph.hides("edges") or graph.hides("nodes") or graph.hides("entry")
    return Steps(
        leaving,
        tuple(join for join in joins if len(join.sources) > 1 and join.target in nodes),
        frozenset(name for name, node in nodes.items() if node.deferred),
        hidden,
    )


def _tests_of(graph: FlowGraph) -> dict[str, Presence]:
    """Under which tests nodes are there that are only declared once, under tests."""
    count: dict[str, int] = {}
    for node in graph.nodes:
        count[node.name] = count.get(node.name, 0) + 1
    nodes = (node for node in graph.nodes if node.presence and count[node.name] == 1)
    return {node.name: node.presence for node in nodes}


def _under(tests: Mapping[str, Presence], leaving: Leaving) -> Leaving:
    """What follows, with the tests under which the nodes are there."""

    def tested(moves: tuple[Move, ...]) -> tuple[Move, ...]:
        return tuple(
            replace(move, presence=move.presence | tests.get(move.target, ALWAYS)) for move in moves
        )

    choices = tuple(replace(choice, moves=tested(choice.moves)) for choice in leaving.choices)
    return replace(leaving, certain=tested(leaving.certain), choices=choices)


def _leaving_edges(
    graph: FlowGraph, nodes: Mapping[str, Node]
) -> tuple[dict[str, list[Edge]], dict[str, list[Edge]]]:
    """The edges of each source, entries among them, and those of each join."""
    edges: dict[str, list[Edge]] = {}
    groups: dict[str, list[Edge]] = {}
    for entry in graph.entries:
        place = entry.edge or entry.span
        edges.setdefault(START, []).append(
            Edge(
                START,
                entry.name,
                place,
                place,
                entry.span,
                entry.kind,
                entry.label,
                presence=entry.presence,
                choice=entry.choice,
            )
        )
    for edge in graph.edges:
        if edge.group is not None:
            groups.setdefault(edge.group, []).append(edge)
        elif edge.source in nodes or edge.source == START:
            edges.setdefault(edge.source, []).append(edge)
    return edges, groups


def _leaving(
    name: str,
    edges: list[Edge],
    node: Node | None,
    routers: Iterable[Router],
    nodes: Mapping[str, Node],
) -> Leaving:
    certain: list[Move] = []
    known = {router.choice: router for router in routers}
    chosen: dict[str, list[Edge]] = {choice: [] for choice in known}
    handed: list[Move] = []
    for edge in edges:
        if edge.kind in ("goto", "send") and edge.choice is None:
            if edge.target in nodes:
                handed.append(_move(edge))
        elif edge.kind == "always" and edge.guard is None and edge.choice is None:
            if edge.target in nodes:
                certain.append(_move(edge))
        else:
            chosen.setdefault(edge.choice or f"{name}: {edge.span}", []).append(edge)
    choices = [
        _chosen(identity, among, known.get(identity), nodes) for identity, among in chosen.items()
    ]
    by_code = _by_code(name, node, handed, nodes)
    certain += by_code.certain
    choices += by_code.choices
    settled = [choice.moves[0] for choice in choices if _is_settled(choice)]
    choices = [choice for choice in choices if not _is_settled(choice)]
    code = node.code if node is not None else None
    if code is not None and any(handover.to_parent for handover in code.handovers):
        # Who hands over to the flow around leaves this one at once, whatever edges say.
        choices.append(Choice(f"{name}: stays", tuple(_once([*certain, *settled])), open=False))
        certain, settled = [], []
    return Leaving(tuple(_once([*certain, *settled])), tuple(choices), by_code.open)


def _move(edge: Edge, many: bool = False, span: Span | None = None) -> Move:
    place = span or (edge.target_span if edge.kind == "case" else edge.span)
    return Move(edge.source, edge.target, place, edge.presence, edge.kind == "send", many)


def _once(moves: Iterable[Move]) -> list[Move]:
    """One move for each target: to be led to twice in a step is to run once."""
    found: dict[tuple[str, bool, int | None], Move] = {}
    for move in moves:
        key = (move.target, move.send, move.row)
        known = found.get(key)
        less_sure = known is not None and bool(known.presence) and not move.presence
        if known is None or less_sure or (move.many and not known.many):
            found[key] = move
    return list(found.values())


def _is_settled(choice: Choice) -> bool:
    """Whether there is nothing to choose."""
    targets = {move.target for move in choice.moves}
    if choice.open or choice.idle or len(targets) != 1:
        return False
    return not any(move.many or move.presence for move in choice.moves)


def _chosen(
    identity: str, edges: list[Edge], router: Router | None, nodes: Mapping[str, Node]
) -> Choice:
    """What a router chooses among."""
    if router is None:
        return Choice(identity, tuple(_move(edge) for edge in edges if edge.target in nodes))
    is_open = router.more is not None or router.open_cases
    moves = list(_by_routes(edges, router, nodes))
    if is_open:
        seen = {move.target for move in moves}
        among = [edge for edge in edges if edge.kind != "send" and edge.target not in seen]
        moves += [_move(edge) for edge in among if edge.target in nodes]
    named = {_target(router, route) for route in router.routes if route.value is not None}
    leads_out = any(target not in nodes for target in named if target is not None)
    # An empty list leads nowhere, and is not among the values.
    is_idle = is_open or router.several or leads_out
    several = is_open or router.several
    return Choice(identity, tuple(_once(moves)), several, is_idle, is_open)


def _by_routes(edges: list[Edge], router: Router, nodes: Mapping[str, Node]) -> Iterator[Move]:
    """The moves for the values that a router is seen to return."""
    sent: dict[tuple[str, int | None], int] = {}
    for route in router.routes:
        target = _target(router, route)
        if target is None or target not in nodes:
            continue
        over = [e for e in edges if e.target == target and (e.kind == "send") == route.sends]
        move = Move(router.source, target, route.span, router.presence, route.sends, route.many)
        if not route.sends and over:
            move = replace(move, span=_move(over[0]).span, presence=over[0].presence)
        count = sent.get((target, route.row), 0) + 1
        sent[target, route.row] = count
        twice = route.sends and route.row is not None and count > 1
        yield replace(move, many=route.many or twice, row=route.row)


def _target(router: Router, route: Route) -> str | None:
    """Where a value leads to; None where the system raises."""
    if route.value is None or route.sends or router.cases is None:
        return route.value
    return router.cases.get(route.value)


def _by_code(name: str, node: Node | None, edges: list[Move], nodes: Mapping[str, Node]) -> Leaving:
    """What a node's own code hands over to."""
    if node is None:
        return Leaving(choices=_maybe(name, edges, True, False))
    code = node.code
    if code is None:
        may_be_more = node.routes_itself != "no"
        return Leaving((), _maybe(name, edges, True, may_be_more), may_be_more)
    certain: list[Move] = []
    maybe: list[Move] = []
    for handover in code.handovers:
        if handover.to_parent or handover.target not in nodes:
            continue
        sends = handover.kind == "send"
        move = Move(
            name, handover.target, handover.span, node.presence, sends, sends and handover.many
        )
        (certain if handover.certain and not move.many else maybe).append(move)
    seen = {move.target for move in (*certain, *maybe)}
    maybe += [move for move in edges if move.target not in seen and code.more_handovers]
    leads_out = any(handover.target not in nodes for handover in code.handovers)
    may_be_none = any(move.many for move in maybe)
    idle = leads_out or may_be_none or not code.hands_over_always
    choices = _maybe(name, maybe, idle, code.more_handovers)
    return Leaving(tuple(certain), choices, code.more_handovers)


def _maybe(name: str, moves: list[Move], idle: bool, is_open: bool) -> tuple[Choice, ...]:
    if not moves:
        return ()
    return (Choice(f"{name}: hands over", tuple(_once(moves)), True, idle, is_open),)
