"""An edge leads to, or starts at, a node that does not exist.

## What it does

Reports edges, routes and hand-overs that name a node which the flow does not have. A wrong name is
reported once; the other places that use it are given as related places.

Where the flow is built under tests, such as `if use_tools:`, an edge must not be there without its
nodes. Where it can be, this is a warning that names the test.

## Why is this bad

It is mostly a slip of the pen, or a node that was renamed or removed while an edge was not. Systems
that check their flows refuse it when it is built. Names in code that runs later, such as the target
of a `Command`, are not checked by anybody: the run just ends there.

## Example

```python
from flows import Edge, Flow, Node


async def plan(state):
    return state


async def review(state):
    return state


flow = Flow(
    nodes=[Node("plan", plan), Node("reviewer", review)],
    edges=[Edge("plan", "reviewr")],
    entry="plan",
)
```

## Use instead

```python
from flows import Edge, Flow, Node


async def plan(state):
    return state


async def review(state):
    return state


flow = Flow(
    nodes=[Node("plan", plan), Node("reviewer", review)],
    edges=[Edge("plan", "reviewer")],
    entry="plan",
)
```

## Fix safety

The wrong name becomes the only one that is near to it, wherever it is written as a text, and a text
such as `"END"` the marker that it sounds like. Where another node may have been meant as well, the
fix is unsafe.
"""

from __future__ import annotations

from collections.abc import Iterator

from flowlint.findings.model import Finding
from flowlint.graph.model import START, FlowGraph
from flowlint.rules.absent_text import consequence_of, cure_for, other_mentions, subject_of
from flowlint.rules.context import RuleContext
from flowlint.rules.cures import name_fix
from flowlint.rules.registry import RuleInfo
from flowlint.rules.report import Report

RULE = RuleInfo(
    name="dangling-edge",
    code="FL105",
    category="structure",
    severity="error",
    since="0.1.0",
    fix="sometimes",
    related=("undeclared-target", "unhandled-route"),
)


def check(graph: FlowGraph, context: RuleContext) -> Iterator[Finding]:
    """Report each name that edges mention in vain, once."""
    report = Report(RULE, graph)
    yield from report.violations()
    if context.is_empty:
        return
    for absent in context.absent:
        # A wrong entry is told by unknown-entry, with these places beside it.
        if absent.is_entry and graph.nodes:
            continue
        mention = next((seen for seen in absent.mentions if seen.edge is not None), None)
        if mention is None or mention.edge is None:
            continue
        source = mention.edge.source
        yield report.finding(
            mention.span,
            f"{subject_of(mention, absent.name)}: {consequence_of(mention, graph)}.",
            severity=mention.severity,
            help=cure_for(absent, mention, context),
            node=source if source in context.nodes and source != START else None,
            related=other_mentions(absent, mention, context),
            fix=name_fix(absent, context),
        )
