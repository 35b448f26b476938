"""What code reads of what other nodes gave, held against the flow."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from flowlint.graph.code import OutputRead
from flowlint.graph.model import END, FlowGraph, Node
from flowlint.graph.reachability import search
from flowlint.rules.context import RuleContext

Fault = Literal["no node", "never before", "not on every way"]


@dataclass(frozen=True, slots=True)
class Unset:
    """What is read and is not there, or not on every way. `way` is a run that shows it."""

    node: Node
    read: OutputRead
    fault: Fault
    way: tuple[str, ...] = ()


def unset_outputs(graph: FlowGraph, context: RuleContext) -> Iterator[Unset]:
    """What nodes read of others that are not there, or that have not run by then."""
    knows_ways = not (graph.gaps or context.absent or context.may_lead_anywhere)
    for node in graph.nodes:
        reads = [read for read in node.outputs if read.field is None]
        seen: set[tuple[str, bool]] = set()
        # Who asks how a node ended, or whether its output is there, knows that it need not be.
        asked = {read.node for read in reads if read.guarded or read.result}
        for read in sorted(reads, key=lambda one: (not one.hard, one.span)):
            if (read.node, read.result) in seen:
                continue
            seen.add((read.node, read.result))
            if read.node not in context.node_names:
                # A helper of another file may serve other flows as well.
                is_shared = read.by_helper and not read.hard and read.span.path != graph.path
                if not graph.hides("nodes") and not is_shared:
                    yield Unset(node, read, "no node")
            elif knows_ways and (read.result or read.node not in asked):
                found = _too_early(node, read, context)
                if found is not None:
                    yield found


def fields_not_given(graph: FlowGraph, context: RuleContext) -> Iterator[tuple[Node, OutputRead]]:
    """What nodes read of the outputs of others that these never give."""
    for node in graph.nodes:
        seen: set[tuple[str, str]] = set()
        for read in sorted(node.outputs, key=lambda one: (not one.hard, one.span)):
            giver = context.nodes.get(read.node)
            if read.field is None or read.guarded or giver is None or giver.gives is None:
                continue
            # A helper that gathers what there is serves several nodes.
            if giver.gives.fault((read.field,)) is None or (read.by_helper and not read.hard):
                continue
            if (read.node, read.field) not in seen:
                seen.add((read.node, read.field))
                yield node, read


def _too_early(node: Node, read: OutputRead, context: RuleContext) -> Unset | None:
    """Whether a run may come to a node before what it reads is there."""
    index = context.index
    reader, giver = index.numbers[node.name], index.numbers[read.node]
    if reader not in context.reached:
        return None
    if reader not in search(context.live_successors, _after(giver, read, context)):
        # A helper that gathers what there is serves several nodes.
        if not read.hard and (read.guarded or read.by_helper or reader == giver):
            return None
        return Unset(node, read, "never before", tuple(context.way_to(reader)))
    # Where a test comes before, that may well be about whether the other node has run.
    if not read.hard or read.guarded or not read.certain:
        return None
    past = list(context.live_successors)
    past[giver] = [target for target in past[giver] if target not in _after(giver, read, context)]
    if giver in index.entries and giver == reader:
        return Unset(node, read, "not on every way", (node.name,))
    found = search(past, index.entries)
    way = found.path_to(reader)
    if way is None:
        return None
    return Unset(node, read, "not on every way", tuple(index.names[number] for number in way))


def _after(giver: int, read: OutputRead, context: RuleContext) -> list[int]:
    """What may follow once a node has given what is read of it."""
    numbers = context.index.numbers
    return [
        numbers[edge.target]
        for edge in context.index.outgoing[giver]
        if edge.target != END and context.is_live(edge) and (read.result or edge.after == "ok")
    ]
