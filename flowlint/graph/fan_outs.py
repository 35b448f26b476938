"""What runs side by side after a fan-out, and in which step: found for each fork on its own.

From a fork the steps are walked level by level over the moves that are surely taken, and over at
most one that is chosen. What runs beside a fork's consequences adds to them and never takes any
away, so what is surely so after a fork is so in every run that comes to it. Joins and deferred
nodes depend on what else runs; the walk stops before them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass

from flowlint.graph.model import ALWAYS, Presence
from flowlint.graph.supersteps import Choice, Leaving, Move, Steps

MAX_LEVELS = 60
MAX_OF_A_FORK = 2_000
MAX_OF_A_FLOW = 40_000


@dataclass(frozen=True, slots=True)
class Taken:
    """A choice of `node`, made `level` steps after the fork, that took `move`."""

    choice: Choice
    move: Move
    level: int


@dataclass(frozen=True, slots=True)
class Arrival:
    """That a node runs `level` steps after a fork, by which moves, and if what is chosen."""

    node: str
    level: int
    move: Move | None = None
    before: Arrival | None = None
    taken: Taken | None = None
    presence: Presence = ALWAYS

    @property
    def is_certain(self) -> bool:
        """Whether it is so in every run that comes to the fork."""
        return self.taken is None

    def way(self) -> list[Move]:
        """The moves from the fork to the node."""
        moves: list[Move] = []
        at: Arrival | None = self
        while at is not None and at.move is not None:
            moves.append(at.move)
            at = at.before
        moves.reverse()
        return moves

    def names(self) -> list[str]:
        """The nodes from the fork on."""
        way = self.way()
        return [way[0].source, *(move.target for move in way)] if way else [self.node]


@dataclass(frozen=True, slots=True)
class FanOut:
    """What runs in the steps after a fork. `levels[0]` holds the fork alone."""

    fork: str
    levels: tuple[dict[str, list[Arrival]], ...]


def fan_outs(steps: Steps, reached: Collection[str]) -> Iterator[FanOut]:
    """The fan-outs of every fork that a run may come to."""
    left = MAX_OF_A_FLOW
    for name, leaving in steps.leaving.items():
        if name not in reached or not _is_fork(leaving):
            continue
        found = _walk(steps, name, min(left, MAX_OF_A_FORK))
        left -= sum(len(level) for level in found.levels)
        if left <= 0:
            return
        yield found


def go_together(first: Arrival, second: Arrival) -> bool:
    """Whether two nodes run in one step of one run, as far as choices and tests are known."""
    if first.level != second.level or _exclude(first.presence, second.presence):
        return False
    one, other = first.taken, second.taken
    if one is None or other is None:
        return True
    if one.choice is not other.choice or one.level != other.level:
        return False
    if one.move.row is not None and one.move.row == other.move.row:
        return True
    return one.move.target == other.move.target


def _is_fork(leaving: Leaving) -> bool:
    """Whether several nodes may be due at once after a node."""
    targets = {move.target for move in leaving.certain}
    for choice in leaving.choices:
        for move in choice.moves:
            if leaving.certain or move.row is not None:
                targets.add(move.target)
    return len(targets) > 1


def _walk(steps: Steps, fork: str, budget: int) -> FanOut:
    levels = [{fork: [Arrival(fork, 0)]}]
    while len(levels) <= MAX_LEVELS and budget > 0:
        due: dict[str, list[Arrival]] = {}
        for arrivals in levels[-1].values():
            for arrival in arrivals:
                for made in _after(steps, arrival):
                    budget -= 1
                    _add(due.setdefault(made.node, []), made)
        if not due:
            break
        levels.append(due)
    return FanOut(fork, tuple(levels))


def _after(steps: Steps, arrival: Arrival) -> Iterator[Arrival]:
    leaving = steps.leaving[arrival.node]
    for move in leaving.certain:
        yield from _next(steps, arrival, move, arrival.taken)
    if arrival.taken is not None:
        return
    for choice in leaving.choices:
        for move in choice.moves:
            yield from _next(steps, arrival, move, Taken(choice, move, arrival.level))


def _next(steps: Steps, arrival: Arrival, move: Move, taken: Taken | None) -> Iterator[Arrival]:
    if move.target in steps.deferred and not move.send:
        return
    if _exclude(arrival.presence, move.presence) or _is_on_way(move.target, arrival):
        return
    presence = arrival.presence | move.presence if move.presence else arrival.presence
    yield Arrival(move.target, arrival.level + 1, move, arrival, taken, presence)


def _is_on_way(name: str, arrival: Arrival | None) -> bool:
    while arrival is not None:
        if arrival.node == name:
            return True
        arrival = arrival.before
    return False


def _add(known: list[Arrival], made: Arrival) -> None:
    """Keep an arrival, unless one that assumes less says the same."""
    for other in known:
        no_more_chosen = other.taken is None or _same(other.taken, made.taken)
        if no_more_chosen and other.presence <= made.presence:
            return
    known.append(made)
    known.sort(key=lambda arrival: (not arrival.is_certain, len(arrival.presence)))


def _same(one: Taken, other: Taken | None) -> bool:
    if other is None or one.choice is not other.choice:
        return False
    where = (one.level, one.move.target, one.move.row)
    return where == (other.level, other.move.target, other.move.row)


def _exclude(first: Presence, second: Presence) -> bool:
    return any((test, not outcome) in second for test, outcome in first)
