"""The parts of a flow that are cut off from its entries."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from flowlint.graph.components import components
from flowlint.graph.index import Adjacency
from flowlint.graph.model import FlowGraph
from flowlint.graph.reachability import search
from flowlint.rules.context import RuleContext


@dataclass(frozen=True, slots=True)
class Island:
    """Nodes that are cut off together: where the part begins first, then what follows.

    `sources` are the nodes that lead to the first one, all of them cut off.
    """

    names: tuple[str, ...]
    sources: tuple[str, ...]


def islands(graph: FlowGraph, context: RuleContext, entered: Iterable[str] = ()) -> list[Island]:
    """The parts that are cut off, as far as that is certain and not told otherwise.

    `entered` are nodes that a run comes to in ways which no edge shows.
    """
    index = context.index
    if graph.hides("edges") or graph.hides("entry") or not index.entries:
        return []
    if graph.hides("nodes") and index.missing():
        return []
    # A wrong entry cuts off everything, and is told.
    if any(absent.is_entry for absent in context.absent):
        return []
    origins = [*_origins(context), *(index.numbers[name] for name in entered)]
    reached = search(_told_successors(context), origins)
    if any(
        name in index.numbers and index.numbers[name] in reached
        for name in context.may_lead_anywhere
    ):
        return []
    cut_off = [number for number in range(index.declared) if number not in reached]
    return _group(cut_off, context) if cut_off else []


def _origins(context: RuleContext) -> list[int]:
    """Entries, and names that no node bears: what they lead to is told by dangling-edge."""
    index = context.index
    return [*index.entries, *range(index.declared, len(index.names))]


def _told_successors(context: RuleContext) -> Adjacency:
    """The edges as they were meant: wrong names stand for the nodes they are near to."""
    successors = list(context.index.successors)
    numbers = context.index.numbers
    for wrong, meant in context.suggestions.items():
        number = numbers[wrong]
        successors[number] = [*successors[number], numbers[meant]]
    return successors


def _group(cut_off: list[int], context: RuleContext) -> list[Island]:
    """Each part from its first node; a node behind several parts belongs to the first."""
    index = context.index
    local = {number: place for place, number in enumerate(cut_off)}
    inner = [
        [local[target] for target in index.successors[number] if target in local]
        for number in cut_off
    ]
    predecessors: Adjacency = [[] for _ in cut_off]
    for place, following in enumerate(inner):
        for target in following:
            predecessors[target].append(place)
    owner = [0] * len(cut_off)
    groups = components(inner)
    for number, group in enumerate(groups):
        for place in group:
            owner[place] = number
    has_way_in = {
        owner[target]
        for place, following in enumerate(inner)
        for target in following
        if owner[place] != owner[target]
    }
    roots = sorted(min(group) for number, group in enumerate(groups) if number not in has_way_in)
    names = [index.names[number] for number in cut_off]
    seen = bytearray(len(cut_off))
    result = []
    for root in roots:
        part = _collect(root, inner, seen)
        sources = dict.fromkeys(names[place] for place in predecessors[root])
        result.append(Island(tuple(names[place] for place in part), tuple(sources)))
    return result


def _collect(root: int, inner: Adjacency, seen: bytearray) -> list[int]:
    """Everything behind `root` that is not seen yet, near ones first."""
    seen[root] = 1
    part = [root]
    for place in part:
        for target in inner[place]:
            if not seen[target]:
                seen[target] = 1
                part.append(target)
    return part
