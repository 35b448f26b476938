"""A large flow with some faults, the same on every run: for the benchmark and for limits."""

from __future__ import annotations

import random

from flowlint.graph.guards import And, Compare, Formula, Guard, Not, Term, Truthy
from flowlint.graph.model import Edge, Entry, FlowGraph, Node, Semantics
from flowlint.source import Span

FAULTS_PER_MILLION = 200

_SEMANTICS = Semantics(
    system="Big",
    built_by="Flow(…)",
    routing="first",
    join="any",
    cycles="allowed",
    end="implicit",
    unmatched_route="raises",
    failure="raises",
    on_unreachable="rejected",
    on_unknown_name="rejected",
    on_duplicate_node="rejected",
    on_missing_entry="rejected",
    on_empty="rejected",
    on_duplicate_edge="silent",
    guards="sync",
    kinds_document_shape=True,
    step_bound_name="max_steps",
)


def big_flow(nodes: int = 100_000, seed: int = 1) -> FlowGraph:
    """A flow of `nodes` nodes and three times as many edges, some of them guarded.

    Every node leads on to the next one; the other edges jump ahead, and a few lead back, so
    that there are loops. Now and then a name is wrong, an edge is written twice, a node is cut
    off or declared twice.
    """
    dice = random.Random(seed)
    names = [f"node-{number}" for number in range(nodes)]
    guards = _guards()
    made: list[Edge] = []
    for number, name in enumerate(names):
        after = min(number + 1 + dice.randrange(50), nodes - 1)
        back = max(number - dice.randrange(20), 0)
        far = dice.randrange(number, nodes)
        targets = [names[after], names[back if dice.random() < 0.05 else far]]
        # The chain leaves some nodes out, which then are only reached by luck.
        targets.append(names[min(number + 1, nodes - 1)])
        if dice.random() * 1_000_000 < FAULTS_PER_MILLION:
            targets[0] = targets[0].replace("node", "nod")
        for place, target in enumerate(targets):
            guard = dice.choice(guards) if place < 2 else None
            made.append(_edge(name, target, guard, len(made)))
    declared = [_node(name, line) for line, name in enumerate(names)]
    faults = max(1, nodes * FAULTS_PER_MILLION // 1_000_000)
    declared += [_node(f"cut off {number}", nodes + number) for number in range(faults)]
    declared += [_node(dice.choice(names), 2 * nodes + number) for number in range(faults)]
    return FlowGraph(
        "big",
        "by hand",
        _span(0),
        _SEMANTICS,
        tuple(declared),
        tuple(made),
        (Entry(names[0], _span(0)),),
    )


def _guards() -> list[Guard]:
    kind, count = Term("state['kind']"), Term("state.get('count', 0)", "get", 0)
    formulas: list[Formula | None] = [None, Truthy(kind), Not(Truthy(count))]
    formulas += [Compare(kind, "==", word) for word in ("bug", "question", "idea")]
    formulas += [Compare(count, "<", number) for number in range(5)]
    formulas.append(And((Compare(count, ">", 1), Compare(kind, "!=", "bug"))))
    return [
        Guard(f"guard_{number}", _span(number), formula) for number, formula in enumerate(formulas)
    ]


def _span(line: int) -> Span:
    return Span("big.py", line + 1, 1, line + 1, 9)


def _node(name: str, line: int) -> Node:
    return Node(name, _span(line), _span(line), "gate")


def _edge(source: str, target: str, guard: Guard | None, number: int) -> Edge:
    place = _span(number)
    kind = "when" if guard else "always"
    return Edge(source, target, place, place, place, kind, guard=guard, order=number)  # type: ignore[arg-type]
