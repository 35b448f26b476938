"""Small flows of supersteps at random, and a plain account of what they may do.

The account follows the rules of a step as they are told, one task after the other, and knows
nothing of how flowlint goes about it.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator
from dataclasses import dataclass

from graph.handmade import ALL, edge, flow, node, span

from flowlint.graph.code import Route, Router
from flowlint.graph.model import END, START, Entry, FlowGraph

Target = tuple[str, str]
"""How a router leads on, `to` or `send`, and where to."""


@dataclass(frozen=True)
class Spec:
    """A flow: plain edges, joins, and routers with the lists of targets they may return."""

    nodes: tuple[str, ...]
    deferred: frozenset[str]
    edges: tuple[tuple[str, str], ...]
    joins: tuple[tuple[tuple[str, ...], str], ...]
    routers: tuple[tuple[str, tuple[tuple[Target, ...], ...]], ...]


def random_spec(dice: random.Random) -> Spec:
    """A flow of few nodes, more often with a fork than without."""
    names = tuple("abcdefg"[: dice.randint(2, 6)])
    sources = (START, *names)
    # Most edges lead forward, so that runs come to an end.
    edges = {(START, dice.choice(names[:2]))}
    for _ in range(dice.randint(1, 7)):
        number = dice.randrange(len(sources))
        ahead = names[number:] if dice.random() < 0.93 else names
        edges.add((sources[number], dice.choice([*ahead, END])))
    joins = {
        (tuple(sorted(dice.sample(names, 2))), dice.choice(names))
        for _ in range(dice.choice([0, 0, 1, 2]) if len(names) > 2 else 0)
    }
    routers = []
    for source in dice.sample(names, dice.choice([0, 1, 1, 2])):
        options = [
            tuple(
                (dice.choice(["to", "to", "to", "send"]), dice.choice(names))
                for _ in range(dice.choice([1, 1, 1, 2]))
            )
            if dice.random() < 0.75
            else (("to", END),)
            for _ in range(dice.randint(1, 3))
        ]
        routers.append((source, tuple(dict.fromkeys(options))))
    deferred = frozenset(name for name in names if dice.random() < 0.1)
    return Spec(names, deferred, tuple(sorted(edges)), tuple(sorted(joins)), tuple(routers))


def graph_of(spec: Spec) -> FlowGraph:
    """The flow as a graph."""
    edges = [edge(*one) for one in spec.edges if one[0] != START]
    entries = [Entry(target, span(1)) for source, target in spec.edges if source == START]
    for number, (sources, target) in enumerate(spec.joins):
        edges += [edge(source, target, group=f"join{number}") for source in sources]
    routers = []
    for number, (source, options) in enumerate(spec.routers):
        choice = f"choice{number}"
        routes = tuple(
            Route(
                target,
                repr(target),
                span(1),
                sends=how == "send",
                row=row if len(option) > 1 else None,
            )
            for row, option in enumerate(options)
            for how, target in option
        )
        several = any(len(option) > 1 or option[0][0] == "send" for option in options)
        router = Router(source, "router", span(1), choice, routes, several=several)
        routers.append(router)
        targets = dict.fromkeys((target, how) for option in options for how, target in option)
        for target, how in targets:
            kind = "send" if how == "send" else "case"
            edges.append(edge(source, target, kind=kind, choice=choice, checked=False))
    nodes = [node(name, deferred=name in spec.deferred) for name in spec.nodes]
    return flow(nodes, edges, entries, ALL, routers=tuple(routers))


@dataclass(frozen=True)
class Moment:
    """What is due in a step, and what is kept from steps before."""

    due: frozenset[str]
    kept: frozenset[tuple[int, str]] = frozenset()
    waiting: frozenset[str] = frozenset()


def moments_after(spec: Spec, moment: Moment) -> Iterator[Moment]:
    """All that may come next."""
    choosing = [(source, options) for source, options in spec.routers if source in moment.due]
    for taken in itertools.product(*(options for _, options in choosing)):
        led = {target for source, target in spec.edges if source in moment.due}
        led |= {target for option in taken for how, target in option if how == "to"}
        sent = {target for option in taken for how, target in option if how == "send"}
        yield _next(spec, moment, led - {END}, sent)


def _next(spec: Spec, moment: Moment, led: set[str], sent: set[str]) -> Moment:
    kept = set(moment.kept)
    for number, (sources, _) in enumerate(spec.joins):
        kept |= {(number, source) for source in sources if source in moment.due}
    complete = [
        number
        for number, (sources, _) in enumerate(spec.joins)
        if all((number, source) in kept for source in sources)
    ]
    due = led - spec.deferred
    due |= {spec.joins[number][1] for number in complete} - spec.deferred
    waiting = moment.waiting | (led & spec.deferred)
    released = [number for number in complete if spec.joins[number][1] not in spec.deferred]
    if not due:
        due = set(waiting) | {spec.joins[number][1] for number in complete}
        released, waiting = complete, frozenset()
    kept = {(number, source) for number, source in kept if number not in released}
    return Moment(frozenset(due | sent), frozenset(kept), frozenset(waiting))


def all_moments(spec: Spec, most: int) -> dict[Moment, list[Moment]] | None:
    """What may come after what, from the start on; None where there is too much."""
    start = Moment(frozenset({START}))
    found: dict[Moment, list[Moment]] = {}
    open_ones = [start]
    while open_ones:
        moment = open_ones.pop()
        if moment in found:
            continue
        found[moment] = list(moments_after(spec, moment)) if moment.due else []
        open_ones += found[moment]
        if len(found) > most:
            return None
    return found
