"""Every state that a run of supersteps may come to, where that can be told within bounds.

The search is explicit and exact: what is due, which joins have seen which of their sources, which
deferred nodes wait. It gives nothing where a node may lead on to what is not known, and nothing
where there are too many states; both are told apart from an answer by None.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

from flowlint.graph.model import START
from flowlint.graph.supersteps import Choice, Join, Leaving, Steps

MAX_STATES = 3_000
MAX_OUTCOMES = 30_000
MAX_SEVERAL = 5


@dataclass(frozen=True, slots=True)
class State:
    """Between two steps: what is due, what joins have seen, who waits until nothing else is due.

    `fired` are the joins that were complete at some time before.
    """

    due: frozenset[str]
    seen: frozenset[tuple[str, str]] = frozenset()
    waiting: frozenset[str] = frozenset()
    fired: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Search:
    """What a search came to: every state, nearest first, and where each was first reached from.

    `following` are the states that may come next. `again` are the joins that are complete a second
    time in some run.
    """

    states: tuple[State, ...]
    parents: tuple[int, ...]
    depths: tuple[int, ...]
    following: tuple[tuple[int, ...], ...]
    again: frozenset[str]

    @property
    def fired(self) -> frozenset[str]:
        """The joins that are complete in some run."""
        return frozenset(group for state in self.states for group in state.fired)

    @property
    def shortest(self) -> int | None:
        """The fewest steps in which a run can come to its end; None when none ends."""
        # The start marker takes no step of its own.
        ends = (
            depth - 1
            for state, depth in zip(self.states, self.depths, strict=True)
            if not state.due
        )
        return min(ends, default=None)

    def way_to(self, number: int) -> list[str]:
        """What ran before and in a state, step by step."""
        steps: list[list[str]] = []
        while number >= 0:
            steps.append(sorted(self.states[number].due - {START}))
            number = self.parents[number]
        return [name for step in reversed(steps) for name in step]

    def companions(self) -> dict[str, frozenset[str]]:
        """For each node those that run in the same step whenever it runs."""
        found: dict[str, frozenset[str]] = {}
        for state in self.states:
            for name in state.due:
                found[name] = found.get(name, state.due) & state.due
        return found


class _UnknownError(Exception):
    """What follows cannot be told."""


def search_steps(steps: Steps) -> Search | None:
    """Search all states; None where that cannot be done."""
    if steps.hidden:
        return None
    try:
        return _Searcher(steps).search()
    except _UnknownError:
        return None


class _Searcher:
    def __init__(self, steps: Steps) -> None:
        self._steps = steps
        self._joins_of = steps.joins_of()
        self._left = MAX_OUTCOMES
        self._outcomes: dict[str, list[_Outcome]] = {}
        self._again: set[str] = set()

    def search(self) -> Search:
        first = State(frozenset({START}))
        numbers = {first: 0}
        states, parents, depths = [first], [-1], [0]
        next_ones: list[tuple[int, ...]] = []
        for number, state in enumerate(states):
            after = list(dict.fromkeys(self._following(state)))
            for following in after:
                if following in numbers:
                    continue
                if len(states) >= MAX_STATES:
                    raise _UnknownError
                numbers[following] = len(states)
                states.append(following)
                parents.append(number)
                depths.append(depths[number] + 1)
            next_ones.append(tuple(numbers[following] for following in after))
        again = frozenset(self._again)
        return Search(tuple(states), tuple(parents), tuple(depths), tuple(next_ones), again)

    def _following(self, state: State) -> Iterator[State]:
        if not state.due:
            return
        together = {_Outcome()}
        for name in sorted(state.due):
            options = self._of_node(name)
            self._left -= len(together) * len(options)
            if self._left < 0:
                raise _UnknownError
            together = {one.beside(other) for one in together for other in options}
        for outcome in sorted(together, key=_Outcome.order):
            yield self._after(state, outcome)

    def _after(self, state: State, outcome: _Outcome) -> State:
        seen = set(state.seen)
        for name in state.due:
            seen |= {(join.group, name) for join in self._joins_of.get(name, ())}
        fired = set(state.fired)
        due = {name for name in outcome.led if name not in self._steps.deferred}
        waiting = state.waiting | (outcome.led - due)
        full = [join for join in self._steps.joins if _is_full(join, seen)]
        for join in full:
            if join.target not in self._steps.deferred:
                due.add(join.target)
                self._fire(join, seen, fired)
        if not due:
            # Messages do not hold deferred nodes back.
            due = set(waiting)
            waiting = frozenset()
            for join in full:
                if join.target in self._steps.deferred:
                    due.add(join.target)
                    self._fire(join, seen, fired)
        return State(frozenset(due) | outcome.sent, frozenset(seen), waiting, frozenset(fired))

    def _fire(self, join: Join, seen: set[tuple[str, str]], fired: set[str]) -> None:
        seen -= {(join.group, source) for source in join.sources}
        if join.group in fired:
            self._again.add(join.group)
        fired.add(join.group)

    def _of_node(self, name: str) -> list[_Outcome]:
        if name not in self._outcomes:
            joins = self._joins_of.get(name, ())
            if any(edge.presence for join in joins for edge in join.edges):
                raise _UnknownError
            self._outcomes[name] = list(_outcomes(self._steps.leaving[name]))
        return self._outcomes[name]


def _is_full(join: Join, seen: set[tuple[str, str]]) -> bool:
    return all((join.group, source) in seen for source in join.sources)


@dataclass(frozen=True, slots=True)
class _Outcome:
    """Who is led to and who is sent to after a step, or after one node of it."""

    led: frozenset[str] = frozenset()
    sent: frozenset[str] = frozenset()

    def beside(self, other: _Outcome) -> _Outcome:
        return _Outcome(self.led | other.led, self.sent | other.sent)

    def order(self) -> tuple[list[str], list[str]]:
        return sorted(self.led), sorted(self.sent)


def _outcomes(leaving: Leaving) -> set[_Outcome]:
    """All that may come of one node."""
    moves = list(leaving.moves())
    is_open = leaving.open or any(choice.open for choice in leaving.choices)
    if is_open or any(move.presence for move in moves):
        raise _UnknownError
    sure = frozenset(move.target for move in leaving.certain if not move.send)
    sent = frozenset(move.target for move in leaving.certain if move.send)
    found = {_Outcome(sure, sent)}
    for choice in leaving.choices:
        found = {one.beside(other) for one in found for other in _options(choice)}
    return found


def _options(choice: Choice) -> Iterator[_Outcome]:
    single = [
        _Outcome(sent=frozenset({move.target})) if move.send else _Outcome(frozenset({move.target}))
        for move in choice.moves
    ]
    if choice.idle:
        yield _Outcome()
    yield from single
    if not choice.several:
        return
    if len(single) > MAX_SEVERAL:
        raise _UnknownError
    for size in range(2, len(single) + 1):
        for some in combinations(single, size):
            whole = _Outcome()
            for one in some:
                whole = whole.beside(one)
            yield whole
