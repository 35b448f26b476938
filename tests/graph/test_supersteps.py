"""Supersteps against a plain account of what small flows may do, and on flows that are huge."""

from __future__ import annotations

import random
from itertools import pairwise

import pytest
from graph.handmade import ALL, edge, flow, node
from graph.handmade import tests as under
from graph.step_specs import Moment, Spec, all_moments, graph_of, random_spec
from hypothesis import given
from hypothesis import strategies as st

from flowlint.graph.fan_outs import MAX_LEVELS, fan_outs
from flowlint.graph.model import END, START, Gap
from flowlint.graph.step_length import fewest_steps
from flowlint.graph.step_search import search_steps
from flowlint.graph.supersteps import steps_of

MOST = 300
specs = st.integers(0, 10_000_000).map(lambda seed: random_spec(random.Random(seed)))


@given(specs)
def test_the_search_comes_to_all_that_may_be_due_and_nothing_else(spec: Spec) -> None:
    moments = all_moments(spec, MOST)
    search = search_steps(steps_of(graph_of(spec)))
    if moments is None or search is None:
        return
    # Which of several lists a router returns is not told apart: any of their targets may be taken.
    due = {state.due for state in search.states}
    assert {moment.due for moment in moments} <= due
    if all(len(option) == 1 for _, options in spec.routers for option in options):
        assert {moment.due for moment in moments} == due or _has_sends(spec)


def _has_sends(spec: Spec) -> bool:
    return any(
        how == "send" for _, options in spec.routers for option in options for how, _ in option
    )


@given(specs)
def test_what_is_sure_after_a_fork_is_so_in_every_run(spec: Spec) -> None:
    moments = all_moments(spec, MOST)
    if moments is None:
        return
    for fan in fan_outs(steps_of(graph_of(spec)), [START, *spec.nodes]):
        at = {moment for moment in moments if fan.fork in moment.due}
        for level in fan.levels:
            sure = {name for name, of in level.items() if of[0].is_certain}
            assert all(sure <= moment.due for moment in at)
            at = {after for moment in at for after in moments[moment]}


@given(specs)
def test_no_run_is_shorter_than_is_said(spec: Spec) -> None:
    moments = all_moments(spec, MOST)
    if moments is None:
        return
    shortest = _shortest(moments)
    graph = graph_of(spec)
    way = fewest_steps(steps_of(graph))
    if shortest is None or way is None:
        assert shortest is None
        return
    assert len(way) <= shortest
    if not spec.joins and not spec.deferred and not _returns_lists(spec):
        assert len(way) == shortest


def _returns_lists(spec: Spec) -> bool:
    return _has_sends(spec) or any(len(o) > 1 for _, options in spec.routers for o in options)


def _shortest(moments: dict[Moment, list[Moment]]) -> int | None:
    at, steps = {Moment(frozenset({START}))}, 0
    seen = set(at)
    while at:
        if any(not moment.due for moment in at):
            return steps - 1
        at = {after for moment in at for after in moments[moment]} - seen
        seen |= at
        steps += 1
    return None


@given(specs)
def test_a_join_is_said_to_be_complete_only_when_it_may_be(spec: Spec) -> None:
    moments = all_moments(spec, MOST)
    search = search_steps(steps_of(graph_of(spec)))
    if moments is None or search is None or spec.deferred or _returns_lists(spec):
        return
    for number, (sources, _) in enumerate(spec.joins):
        complete = any(
            all((number, s) in before.kept or s in before.due for s in sources)
            for before in moments
        )
        assert (f"join{number}" in search.fired) == complete


def test_a_long_chain_takes_its_time_but_not_more() -> None:
    names = [f"n{number}" for number in range(10_000)]
    graph = flow(" ".join(names), list(pairwise(names)), "n0", ALL)
    steps = steps_of(graph)
    assert list(fan_outs(steps, [START, *names])) == []
    assert len(fewest_steps(steps) or ()) == 10_000
    assert search_steps(steps) is None


def test_a_wide_fork_of_long_chains() -> None:
    lanes = [[f"n{lane}-{number}" for number in range(100)] for lane in range(60)]
    names = ["a", *(name for lane in lanes for name in lane)]
    edges = [edge("a", lane[0]) for lane in lanes]
    edges += [edge(*pair) for lane in lanes for pair in pairwise(lane)]
    (fan,) = fan_outs(steps_of(flow(" ".join(names), edges, "a", ALL)), names)
    assert all(len(level) == 60 for level in fan.levels[1:])
    assert 10 < len(fan.levels) <= MAX_LEVELS + 1


def test_choices_that_multiply_are_given_up() -> None:
    nodes = ["a", *(f"r{n}" for n in range(40)), *(f"x{n}" for n in range(40))]
    spec = Spec(
        tuple(nodes),
        frozenset(),
        ((START, "a"), *(("a", f"r{n}") for n in range(40))),
        (),
        tuple((f"r{n}", ((("to", f"x{n}"),), (("to", END),))) for n in range(40)),
    )
    assert search_steps(steps_of(graph_of(spec))) is None


@pytest.mark.parametrize("what", ["edges", "nodes", "entry"])
def test_nothing_is_searched_where_parts_are_hidden(what: str) -> None:
    graph = flow("a b", [("a", "b")], "a", ALL)
    assert search_steps(steps_of(graph)) is not None
    gap = Gap(graph.span, "it is hidden", frozenset({what}))  # type: ignore[arg-type]
    hidden = flow("a b", [("a", "b")], "a", ALL, gaps=(gap,))
    assert search_steps(steps_of(hidden)) is None


def test_a_node_that_may_lead_anywhere_is_not_followed() -> None:
    open_node = flow([node("a", routes_itself="maybe"), node("b")], [("a", "b")], "a", ALL)
    assert search_steps(steps_of(open_node)) is None
    assert [move.target for move in steps_of(open_node).leaving["a"].certain] == ["b"]


def test_parts_under_tests_that_exclude_each_other_do_not_meet() -> None:
    edges = [
        edge("a", "b", presence=under(x=True)),
        edge("a", "c", presence=under(x=False)),
        edge("a", "d"),
    ]
    (fan,) = fan_outs(steps_of(flow("a b c d", edges, "a", ALL)), ["a"])
    assert {name: of[0].presence for name, of in fan.levels[1].items()} == {
        "b": under(x=True),
        "c": under(x=False),
        "d": under(),
    }
