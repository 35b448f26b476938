"""Small nodes and flows for the tests of what ObjectStack's flows do."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from flowrt import Edge, Flow, Node, Region, Switch
from flowrt.stores.base import Event, RunStore

State = dict[str, Any]
Edges = Sequence[Edge | Switch]


async def passing(state: State) -> State:
    return state


async def failing(state: State) -> State:
    raise ValueError("no luck")


def step(name: str, run: Any = passing, **options: Any) -> Node:
    """A step that leaves the state as it is, unless told otherwise."""
    return Node(name, run, **options)


def steps(names: str) -> list[Node]:
    """Steps with one letter as name."""
    return [step(name) for name in names]


def compute(name: str, expression: str, **options: Any) -> Node:
    return Node(name, kind="compute", config={"expression": expression}, **options)


def region(*nodes: Node, **options: Any) -> Region:
    """Nodes one after the other."""
    edges = [Edge(before.name, after.name) for before, after in pairwise(nodes)]
    return Region(nodes, edges, nodes[0].name, **options)


def chain(*nodes: Node, **options: Any) -> Flow:
    """A flow of nodes one after the other."""
    edges = [Edge(before.name, after.name) for before, after in pairwise(nodes)]
    return Flow(nodes=nodes, edges=edges, entry=nodes[0].name, **options)


def flow(nodes: Sequence[Node], edges: Edges, **options: Any) -> Flow:
    """A flow that begins at the first of its nodes."""
    return Flow(nodes=nodes, edges=edges, entry=nodes[0].name, **options)


def events(store: RunStore, run_id: str, *types: str) -> list[Event]:
    """What was written down of a run, of some types only."""
    return [event for event in store.trace(run_id).events if event.type in types]
