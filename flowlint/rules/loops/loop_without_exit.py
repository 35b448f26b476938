"""Nothing leads out of this loop.

## What it does

Reports a loop that a run can come into and that it never leaves: no edge leads out of it, or those
that do can never be taken.

In systems that take all edges of a node at once, an edge to the end does not stop a loop whose
other edges have no condition; such a loop is reported too.

It stays silent where a node of the loop may hand over by its own code, or may pause the run. It is
a warning where code on the loop may end the run by raising, or is out of sight, unless the system
refuses such a loop anyway: flowrt wants a way out that is not an error.

## Why is this bad

The run goes round until the system stops it with an error, or for ever.

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
    nodes=[Node("draft", draft), Node("review", review)],
    edges=[Edge("draft", "review"), Edge("review", "draft")],
    entry="draft",
    max_steps=20,
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
from flowlint.rules.back_edges import unmarked_loops
from flowlint.rules.context import RuleContext
from flowlint.rules.cycles import (
    EndlessLoop,
    Loop,
    endless_loops,
    may_be_left_by_code,
    may_be_left_by_guards,
)
from flowlint.rules.options import fits, patterns
from flowlint.rules.registry import RuleInfo
from flowlint.rules.report import Report, places, way

EXITS = patterns(
    "exits",
    "Nodes that may end the run in ways which the flow does not show.",
    example=("listen", "wait_*"),
)

RULE = RuleInfo(
    name="loop-without-exit",
    code="FL301",
    category="loops",
    severity="error",
    since="0.1.0",
    related=("unbounded-loop", "forbidden-cycle"),
    options=(EXITS,),
)


def check(graph: FlowGraph, context: RuleContext) -> Iterator[Finding]:
    """Report each endless loop, once."""
    report = Report(RULE, graph)
    yield from report.violations()
    if graph.hides("edges") or graph.hides("entry"):
        return
    # Where flows must not go round at all, that is told.
    if graph.semantics.cycles == "forbidden":
        return
    exits = context.option(EXITS)
    marked_only = graph.semantics.cycles == "marked-back-edges"
    told = {name for loop in unmarked_loops(context) for name in loop.cycle} if marked_only else ()
    for endless in context.shared(endless_loops):
        loop = endless.loop
        # That nothing says of the loop that it leads back is told as well.
        if any(name in told for name in loop.cycle):
            continue
        is_refused = graph.semantics.on_endless_loop == "rejected"
        # Who refuses such a flow does so whatever its nodes do.
        if exits and not is_refused and _is_left_at(exits, loop, context):
            continue
        by_code = may_be_left_by_code(endless, context)
        by_guards = may_be_left_by_guards(endless, context)
        is_error = not by_guards and (is_refused or not by_code)
        yield report.finding(
            loop.place,
            f"{_fault(endless)}: {_effect(graph, not (by_code or by_guards))}.",
            # Who can stop a run from outside may mean it to go on for ever.
            severity="error" if is_error and not graph.stopped_by else "warning",
            help=_cure(endless, graph),
            node=loop.closing.source,
            related=places(
                [("this edge out is never taken", edge.span) for edge in endless.vain_exits]
            ),
            witness=loop.witness(),
        )


def _is_left_at(exits: tuple[str, ...], loop: Loop, context: RuleContext) -> bool:
    return any(fits(context.index.names[number], exits) for number in loop.members)


def _fault(endless: EndlessLoop) -> str:
    shown = way(endless.loop.cycle)
    if endless.vain_exits:
        return f"No edge that can be taken leads out of the loop {shown}"
    if endless.reason == "closed":
        return f"No edge leads out of the loop {shown}"
    return f"The loop {shown} goes on beside every edge that leads out of it"


def _effect(graph: FlowGraph, is_proven: bool) -> str:
    semantics = graph.semantics
    limit, default = semantics.step_bound_name, semantics.default_step_bound
    is_bounded = graph.bounded or graph.step_bound is not None
    if is_bounded or default is not None:
        shown = limit if is_bounded else f"{limit}, {default} by default,"
        until = shown if is_proven else f"something raises or {shown}"
        return f"the run goes round until {until} stops it with {semantics.step_bound_error}"
    if graph.stopped_by:
        raises = "" if is_proven else " or an error"
        return f"only `{graph.stopped_by}`{raises} ever ends the run"
    return "the run never ends" if is_proven else "the run never ends unless something raises"


def _cure(endless: EndlessLoop, graph: FlowGraph) -> str:
    if endless.reason == "repeating":
        return "choose between going on and going out with one conditional edge"
    end = graph.semantics.end_marker
    return f"add an edge that leads out of the loop{f', for example to {end}' if end else ''}"
