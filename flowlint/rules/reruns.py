"""Nodes in which ways of different length meet after a fork, so that they run again."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from flowlint.graph.fan_outs import Arrival, FanOut
from flowlint.graph.model import START
from flowlint.graph.supersteps import Move
from flowlint.rules.context import RuleContext
from flowlint.rules.stepping import forks


@dataclass(frozen=True, slots=True)
class Rerun:
    """A node that surely runs once for each of several ways from a fork, the shortest first."""

    node: str
    fork: str
    ways: tuple[tuple[Move, ...], ...]
    before: tuple[str, ...]

    def witness(self) -> list[str]:
        """What runs, step by step, from the entry to the last run of the node."""
        names = list(self.before)
        for level in range(len(self.ways[-1])):
            names += dict.fromkeys(way[level].target for way in self.ways if level < len(way))
        return names


def reruns(context: RuleContext) -> Iterator[Rerun]:
    """Every such node, with the nearest fork that brings it about."""
    if not context.graph.semantics.supersteps:
        return
    index = context.index
    nearest: dict[str, Rerun] = {}
    for fan in context.shared(forks):
        for name, arrivals in _again(fan):
            ways = tuple(tuple(arrival.way()) for arrival in arrivals)
            known = nearest.get(name)
            if known is not None and len(known.ways[-1]) <= len(ways[-1]):
                continue
            before = [] if fan.fork == START else context.way_to(index.numbers[fan.fork])
            nearest[name] = Rerun(name, fan.fork, ways, tuple(before))
    yield from nearest.values()


def _again(fan: FanOut) -> Iterator[tuple[str, list[Arrival]]]:
    """Nodes that arrive in several steps, where those before them do not."""
    found: dict[str, list[Arrival]] = {}
    for level in fan.levels:
        for name, arrivals in level.items():
            sure = [one for one in arrivals if one.is_certain and not one.presence]
            if sure:
                found.setdefault(name, []).append(sure[0])
    for name, arrivals in found.items():
        if len(arrivals) < 2:
            continue
        before = [arrival.before for arrival in arrivals]
        if not any(one is not None and len(found.get(one.node, ())) > 1 for one in before):
            yield name, arrivals
