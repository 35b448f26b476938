"""Only the guards of this loop ever end it, and the flow states no limit of steps.

## What it does

In systems that do not limit the steps of a run by themselves, reports a loop that has a way out, in
a flow that states no limit.

In systems where no limit can be stated at all, such as acpx, it reports loops of which only the
answers of agents choose the way out: where code chooses it, that may count the rounds.

## Why is this bad

If the way out is not taken, because a value is never written or a model never agrees, the run goes
round for ever and spends time and money. A limit of steps turns that into an error.

## Example

```python
from flows import Edge, Flow, Node


async def draft(state):
    return state


async def review(state):
    return state


async def publish(state):
    return state


def is_rejected(state):
    return state["verdict"] == "rejected"


flow = Flow(
    nodes=[Node("draft", draft), Node("review", review, kind="loop"), Node("publish", publish)],
    edges=[
        Edge("draft", "review"),
        Edge("review", "draft", when=is_rejected),
        Edge("review", "publish"),
    ],
    entry="draft",
)
```

## Use instead

```python
from flows import Edge, Flow, Node


async def draft(state):
    return state


async def review(state):
    return state


async def publish(state):
    return state


def is_rejected(state):
    return state["verdict"] == "rejected"


flow = Flow(
    nodes=[Node("draft", draft), Node("review", review, kind="loop"), Node("publish", publish)],
    edges=[
        Edge("draft", "review"),
        Edge("review", "draft", when=is_rejected),
        Edge("review", "publish"),
    ],
    entry="draft",
    max_steps=20,
)
```
"""

from __future__ import annotations

from collections.abc import Iterator

from flowlint.findings.model import Finding
from flowlint.graph.model import FlowGraph
from flowlint.rules.context import RuleContext
from flowlint.rules.cycles import Loop, endless_loops, loops
from flowlint.rules.options import fits, patterns
from flowlint.rules.registry import RuleInfo
from flowlint.rules.report import Report, listing, way
from flowlint.rules.routes import tries_in_order

COUNTING = patterns(
    "counting",
    "Nodes that count the rounds, so that a loop through one of them ends.",
    example=("retry", "count_*"),
)

RULE = RuleInfo(
    name="unbounded-loop",
    code="FL302",
    category="loops",
    severity="warning",
    since="0.1.0",
    related=("bad-limit", "step-limit-too-small"),
    options=(COUNTING,),
)


def check(graph: FlowGraph, context: RuleContext) -> Iterator[Finding]:
    """Report each part of the flow in which a run may go round without limit, once."""
    report = Report(RULE, graph)
    yield from report.violations()
    semantics = graph.semantics
    if not tries_in_order(semantics) or graph.hides("edges") or graph.hides("entry"):
        return
    # An edge that closes a loop may be one that is never taken.
    if graph.hides("conditions"):
        return
    if graph.bounded or graph.step_bound is not None or semantics.default_step_bound is not None:
        return
    endless = {number for found in context.shared(endless_loops) for number in found.loop.members}
    bound = semantics.step_bound_name
    counting = context.option(COUNTING)
    counted = [name for name in context.nodes if fits(name, counting)] if counting else ()
    for loop in loops(context, counted):
        if not endless.isdisjoint(loop.members):
            continue
        asked = "" if bound else _answers(loop, context)
        if asked is None:
            continue
        ends = (
            f"only the answers of {asked} ever end" if asked else "nothing but its guards ever ends"
        )
        yield report.finding(
            loop.place,
            f"The loop {way(loop.cycle)} has no limit: {ends} the run.",
            help=f"state a limit with {bound}, so that a loop that never ends is an error"
            if bound
            else "count the rounds in a node, and lead out of the loop by a case of its own",
            node=loop.closing.source,
            witness=loop.witness(),
        )


def _answers(loop: Loop, context: RuleContext) -> str | None:
    """The nodes whose answers lead out of a loop; None where something else may do so."""
    index = context.index
    inside = {index.names[number] for number in loop.members}
    leaving = [
        name
        for name in context.nodes
        if name in inside
        and any(
            edge.target not in inside and context.is_live(edge)
            for edge in index.outgoing[index.numbers[name]]
        )
    ]
    return listing(leaving) if all(context.nodes[name].asks for name in leaving) else None
