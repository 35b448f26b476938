"""The entry of the flow is not one of its nodes.

## What it does

Reports an entry that names a node which the flow does not have.

## Why is this bad

A run would begin at a node that does not exist. The systems refuse such a flow when it is built, so
the program fails at that point, often at import or at the first request.

## Example

```python
from flows import Edge, Flow, Node


async def collect(state):
    return state


flow = Flow(nodes=[Node("collect", collect)], edges=[], entry="colect")
```

## Use instead

```python
from flows import Edge, Flow, Node


async def collect(state):
    return state


flow = Flow(nodes=[Node("collect", collect)], edges=[], entry="collect")
```

## Fix safety

The wrong name becomes the only one that is near to it, wherever it is written as a text. Where
another node may have been meant as well, the fix is unsafe.
"""

from __future__ import annotations

from collections.abc import Iterator

from flowlint.findings.model import Finding
from flowlint.graph.model import FlowGraph
from flowlint.rules.absent_text import consequence_of, cure_for, other_mentions, subject_of
from flowlint.rules.context import RuleContext
from flowlint.rules.cures import name_fix
from flowlint.rules.registry import RuleInfo
from flowlint.rules.report import Report

RULE = RuleInfo(
    name="unknown-entry",
    code="FL101",
    category="structure",
    severity="error",
    since="0.1.0",
    fix="sometimes",
    related=("missing-entry", "dangling-edge"),
)


def check(graph: FlowGraph, context: RuleContext) -> Iterator[Finding]:
    """Report each unknown entry once, with everything else that names it."""
    report = Report(RULE, graph)
    yield from report.violations()
    if context.is_empty:
        return
    for absent in context.absent:
        if not absent.is_entry:
            continue
        mention = next(mention for mention in absent.mentions if mention.role == "entry")
        yield report.finding(
            mention.span,
            f"{subject_of(mention, absent.name)}: {consequence_of(mention, graph)}.",
            severity=mention.severity,
            help=cure_for(absent, mention, context),
            related=other_mentions(absent, mention, context),
            fix=name_fix(absent, context),
        )
