"""Joins that are never complete, or never again, told from every state a run may come to."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

from flowlint.graph.step_search import Search, State
from flowlint.graph.supersteps import Join
from flowlint.rules.context import RuleContext
from flowlint.rules.stepping import step_search, steps


@dataclass(frozen=True, slots=True)
class VainJoin:
    """A join that nothing comes of.

    `absent` are the sources that never run; without any, `rivals` are two of which a run only comes
    to one. `once`: it is complete once, and then never again though `came` run again. `runs` is
    whether its target runs all the same, over other edges.
    """

    join: Join
    absent: tuple[str, ...] = ()
    rivals: tuple[str, ...] = ()
    came: tuple[str, ...] = ()
    once: bool = False
    runs: bool = False
    witness: tuple[str, ...] = ()


def vain_joins(context: RuleContext) -> list[VainJoin]:
    """The joins that are proven never to be complete, or only once."""
    return list(_vain_joins(context))


def _vain_joins(context: RuleContext) -> Iterator[VainJoin]:
    if not context.graph.semantics.supersteps:
        return
    joins = context.shared(steps).joins
    search = context.shared(step_search) if joins else None
    if search is None:
        return
    for join in joins:
        if not join.sources <= context.node_names:
            # Such a flow is not built; that is told for the wrong name.
            continue
        if join.group not in search.fired:
            yield from _never(join, search)
        elif join.group not in search.again:
            yield from _once(join, search, context)


def _never(join: Join, search: Search) -> Iterator[VainJoin]:
    ever = {source for state in search.states for source in _seen(join, state)}
    if not ever:
        # No run comes near: why that is, is told elsewhere.
        return
    order = list(dict.fromkeys(edge.source for edge in join.edges))
    absent = tuple(name for name in order if name not in ever)
    most = max(range(len(search.states)), key=lambda n: (len(_seen(join, search.states[n])), -n))
    runs = any(join.target in state.due for state in search.states)
    yield VainJoin(
        join,
        absent,
        () if absent else _rivals(join, order, search),
        tuple(name for name in order if name in ever),
        runs=runs,
        witness=tuple(search.way_to(most)),
    )


def _rivals(join: Join, order: list[str], search: Search) -> tuple[str, ...]:
    """Two sources that no run comes to both, if it is two; else all of them."""
    for pair in combinations(order, 2):
        if not any(_seen(join, state).issuperset(pair) for state in search.states):
            return pair
    return tuple(order)


def _once(join: Join, search: Search, context: RuleContext) -> Iterator[VainJoin]:
    """A join that a loop leads back to some sources of, after which the run just ends."""
    after = [number for number, state in enumerate(search.states) if join.group in state.fired]
    ever = {source for number in after for source in _seen(join, search.states[number])}
    leaving = context.shared(steps).leaving
    for number in after:
        state, before = search.states[number], search.parents[number]
        if state.due or before not in after:
            continue
        last = search.states[before].due
        came = _seen(join, state)
        is_idle = last and all(not list(leaving[name].moves()) for name in last)
        if came and last <= came and is_idle:
            order = list(dict.fromkeys(edge.source for edge in join.edges))
            absent = tuple(name for name in order if name not in ever)
            if absent:
                came_in_order = tuple(name for name in order if name in ever)
                way = tuple(search.way_to(before))
                yield VainJoin(join, absent, (), came_in_order, True, True, way)
            return


def _seen(join: Join, state: State) -> frozenset[str]:
    return frozenset(source for group, source in state.seen if group == join.group)
