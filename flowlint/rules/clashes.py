"""Nodes that run in one step and write the same key, though it takes one value per step."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from flowlint.graph.fan_outs import Arrival, FanOut, Taken, go_together
from flowlint.graph.index import reversed_adjacency
from flowlint.graph.model import ALWAYS, START, Presence
from flowlint.graph.reachability import search
from flowlint.graph.supersteps import Move, Steps
from flowlint.rules.context import RuleContext
from flowlint.rules.stepping import forks, reached_names, step_search, steps
from flowlint.rules.writes import Writing, Writings, keys_of_one_value, writings

MOST_TOGETHER = 20
"""Of how many nodes each pair is looked at: more that clash in one step are one fault."""


@dataclass(frozen=True, slots=True)
class Clash:
    """Some nodes that run in one step, with the keys that all of them write.

    `sure`: all write them whenever they run so. `fork` leads to them by `ways`, None where that
    is only known of the flow as a whole; `taken` is what has to be chosen for it. A node alone
    clashes with itself, as it is sent to `many` times.
    """

    nodes: tuple[str, ...]
    keys: tuple[str, ...]
    sure: bool
    fork: str | None = None
    ways: tuple[tuple[Move, ...], ...] = ()
    taken: Taken | None = None
    presence: Presence = ALWAYS
    many: Move | None = None


def clashes(context: RuleContext) -> list[Clash]:
    """Every clash that is known, each pair of nodes told once for each key."""
    written = context.shared(writings)
    if not written:
        return []
    found = _Clashes(context, written)
    return [*found.after_forks(), *found.by_search(), *found.of_many()]


class _Clashes:
    def __init__(self, context: RuleContext, written: Writings) -> None:
        self._context = context
        self._written = written
        self._steps: Steps = context.shared(steps)
        self._told: set[tuple[str, str, str]] = set()

    def after_forks(self) -> Iterator[Clash]:
        """What clashes after a fork, what is certain and near first."""
        if len(self._written) < 2:
            return
        found = [
            (not clash.sure, level, clash)
            for fan in self._context.shared(forks)
            for level, arrivals in enumerate(fan.levels)
            for clash in self._at_level(fan, level, arrivals.values())
        ]
        found.sort(key=lambda entry: entry[:2])
        for *_, clash in found:
            yield from self._news(clash)

    def by_search(self) -> Iterator[Clash]:
        """What is only known of the flow as a whole: beside joins and deferred nodes."""
        if len(self._written) < 2 or not (self._steps.joins or self._steps.deferred):
            return
        search = self._context.shared(step_search)
        if search is None:
            return
        companions = search.companions()
        names = [name for name in self._written if name in companions]
        for one, other in combinations(names, 2):
            if other not in companions[one] and one not in companions[other]:
                continue
            for keys, sure in self._common((one, other), None):
                yield from self._news(Clash((one, other), keys, sure))

    def of_many(self) -> Iterator[Clash]:
        """Nodes that are sent to several times in one step."""
        told: set[str] = set()
        for name in reached_names(self._context):
            leaving = self._steps.leaving.get(name)
            for move in leaving.moves() if leaving is not None else ():
                if not move.many or move.target in told:
                    continue
                keys = tuple(
                    key
                    for key, writing in self._written.get(move.target, {}).items()
                    if _is_own(writing)
                )
                if keys:
                    told.add(move.target)
                    yield Clash((move.target,), keys, False, name, many=move)

    def _at_level(
        self, fan: FanOut, level: int, arrived: Iterable[list[Arrival]]
    ) -> Iterator[Clash]:
        """What clashes in one step after a fork: all that is certain, and what a choice adds."""
        due = [arrivals for arrivals in arrived if arrivals[0].node in self._written]
        if level == 0 or len(due) < 2:
            return
        sure = [arrivals[0] for arrivals in due if arrivals[0].is_certain]
        plain = [arrival for arrival in sure if not arrival.presence]
        yield from self._of_group(fan, plain)
        for one, other in combinations(sure[:MOST_TOGETHER], 2):
            if (one.presence or other.presence) and go_together(one, other):
                yield from self._of_group(fan, (one, other))
        added: dict[tuple[object, ...], list[Arrival]] = {}
        for arrivals in due:
            for arrival in arrivals:
                if arrival.taken is not None and not arrival.presence:
                    added.setdefault(_chosen(arrival.taken), []).append(arrival)
        for arrivals in added.values():
            yield from self._of_group(fan, (*plain, *arrivals))

    def _of_group(self, fan: FanOut, group: Sequence[Arrival]) -> Iterator[Clash]:
        presence = frozenset(test for arrival in group for test in arrival.presence)
        by_key: dict[str, list[Arrival]] = {}
        for arrival in group:
            # A message brings a state of its own, which may lack what the flow's state has.
            is_sent = arrival.move is not None and arrival.move.send
            for key, writing in self._written[arrival.node].items():
                if is_sent and not _is_own(writing):
                    continue
                by_key.setdefault(key, []).append(arrival)
        together: dict[tuple[str, ...], list[Arrival]] = {}
        for key, writers in by_key.items():
            certain = [one for one in writers if self._written[one.node][key].certain]
            told = certain if len(certain) > 1 else writers
            together.setdefault(tuple(arrival.node for arrival in told), told)
        for names, arrivals in together.items():
            if len(set(names)) < 2:
                continue
            taken = next((a.taken for a in arrivals if a.taken is not None), None)
            ways = tuple(tuple(arrival.way()) for arrival in arrivals)
            for keys, sure in self._common(names, fan.fork):
                is_sure = sure and taken is None and not presence
                yield Clash(names, keys, is_sure, fan.fork, ways, taken, presence)

    def _common(
        self, names: Sequence[str], fork: str | None
    ) -> Iterator[tuple[tuple[str, ...], bool]]:
        """The keys that all of some nodes write: those that they surely do, and the others."""
        first, *others = (self._written[name] for name in names)
        sure: list[str] = []
        maybe: list[str] = []
        for key in first:
            if not all(key in other for other in others):
                continue
            of_key = [self._written[name][key] for name in names]
            if all(writing.certain for writing in of_key) or self._has_surely(key, of_key, fork):
                sure.append(key)
            elif self._has_value(key, of_key, names, fork):
                maybe.append(key)
        if sure or not maybe:
            yield from [(tuple(sure), True)] if sure else []
            return
        yield tuple(maybe), self._surely_hand_through(names)

    def _has_surely(self, key: str, of_key: Sequence[Writing], fork: str | None) -> bool:
        """Whether what is handed through surely has a value: the fork itself gives it one."""
        if not all(writing.certain or writing.always for writing in of_key):
            return False
        given = self._written.get(fork or "", {}).get(key)
        return given is not None and given.how == "written" and given.certain

    def _has_value(
        self, key: str, of_key: Sequence[Writing], names: Sequence[str], fork: str | None
    ) -> bool:
        """Whether what is handed through is known to have a value to hand on."""
        if sum(_is_own(writing) for writing in of_key) > 1:
            return True
        if self._surely_hand_through(names):
            return True
        index = self._context.index
        if fork is None or fork == START:
            return False
        before = search(reversed_adjacency(index.successors), [index.numbers[fork]])
        return any(
            index.numbers[name] in before and key in keys and _is_own(keys[key])
            for name, keys in self._written.items()
        )

    def _surely_hand_through(self, names: Sequence[str]) -> bool:
        """Whether nodes hand back all there is: some key has a value, as no run begins without."""
        state = self._context.graph.state
        if state is None or state.more is not None:
            return False
        keys = keys_of_one_value(state)
        if not state.whole and len(keys) < len(state.channels):
            return False
        return all(
            self._written[name].keys() == keys
            and all(writing.always for writing in self._written[name].values())
            for name in names
        )

    def _news(self, clash: Clash) -> Iterator[Clash]:
        """The clash, unless all of it was told before."""
        nodes = clash.nodes[:MOST_TOGETHER]
        pairs = [(key, *sorted(pair)) for key in clash.keys for pair in combinations(nodes, 2)]
        fresh = {key for key, *pair in pairs if (key, *pair) not in self._told}
        self._told.update(pairs)  # type: ignore[arg-type]
        keys = tuple(key for key in clash.keys if key in fresh)
        if keys:
            yield Clash(
                clash.nodes,
                keys,
                clash.sure,
                clash.fork,
                clash.ways,
                clash.taken,
                clash.presence,
                clash.many,
            )


def _is_own(writing: Writing) -> bool:
    """Whether a node writes a key of itself, and does not only hand through what is there."""
    return writing.how in ("written", "replaced") or writing.certain


def _chosen(taken: Taken) -> tuple[object, ...]:
    """What choices have in common that go together."""
    row = taken.move.row
    what = taken.move.target if row is None else row
    return taken.choice.identity, taken.level, what
