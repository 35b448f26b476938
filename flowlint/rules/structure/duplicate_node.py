"""Two nodes of one flow have the same name.

## What it does

Reports a node whose name another node of the flow bears already. Two nodes that are never there
together, such as one in each branch of an `if`, are fine.

## Why is this bad

Edges name nodes, so two nodes of one name cannot be told apart. The systems refuse such a flow when
it is built, or silently keep only one of the two.

## Example

```python
from flows import Edge, Flow, Node


async def draft(state):
    return state


async def review(state):
    return state


flow = Flow(
    nodes=[Node("draft", draft), Node("draft", review)],
    edges=[],
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


flow = Flow(
    nodes=[Node("draft", draft), Node("review", review)],
    edges=[Edge("draft", "review")],
    entry="draft",
)
```

## Fix safety

The fix keeps the node that the system keeps, or the first one where it refuses the flow, and
removes the others. It is unsafe: it may be one of the others that was meant, or all of them under
names of their own.
"""

from __future__ import annotations

from collections.abc import Iterator

from flowlint.findings.model import Finding, Fix, Severity
from flowlint.graph.model import FlowGraph, Node, Presence
from flowlint.rules.consequences import is_rejection_proven, rejects
from flowlint.rules.context import RuleContext
from flowlint.rules.cures import removal
from flowlint.rules.presence import (
    exclude,
    is_incidental,
    is_plausible,
    text_of,
    whenever,
)
from flowlint.rules.registry import RuleInfo
from flowlint.rules.report import Report, places

RULE = RuleInfo(
    name="duplicate-node",
    code="FL104",
    category="structure",
    severity="error",
    since="0.1.0",
    fix="sometimes",
    related=("duplicate-edge",),
)

_COMPARED = 50
_KEPT = {"first": "the first one", "last": "the last one", None: "one of them"}


def check(graph: FlowGraph, context: RuleContext) -> Iterator[Finding]:
    """Report every name that is declared twice, once."""
    report = Report(RULE, graph)
    yield from report.violations()
    if len(context.nodes) == len(graph.nodes):
        return
    consequence = graph.semantics.on_duplicate_node
    if consequence == "rejected" and not is_rejection_proven(graph):
        return
    effect = {
        "rejected": rejects(graph),
        "refused-at-once": "adding the second one raises",
        "silent": f"only {_KEPT[graph.semantics.kept_duplicate]} is kept",
    }[consequence]
    declared: dict[str, list[Node]] = {}
    for node in graph.nodes:
        if not is_incidental(node.presence):
            declared.setdefault(node.name, []).append(node)
    for name, nodes in declared.items():
        clash = _clash(nodes)
        if clash is None:
            continue
        first, second = clash
        others = [(f"`{name}` is added here first", first.name_span)]
        others += [
            (f"`{name}` is added here too", node.name_span)
            for node in nodes
            if node is not first and node is not second
        ]
        is_first = graph.semantics.kept_duplicate != "last"
        is_certain = whenever(second.presence, first.presence)
        severity: Severity = "error" if is_certain else "warning"
        when = "" if is_certain else f" {text_of(first.presence | second.presence)}"
        yield report.finding(
            second.name_span,
            f"Two nodes of this flow are named `{name}`{when}: {effect}.",
            severity=severity,
            help="give one of them another name",
            node=name,
            related=places(others),
            fix=_fix(context, nodes, first if is_first else nodes[-1]),
        )


def _fix(context: RuleContext, nodes: list[Node], kept: Node) -> Fix | None:
    """Keep one; others that are there under tests may be all that is there."""
    others = [node for node in nodes if node is not kept]
    if any(node.presence != kept.presence for node in others):
        return None
    changes = removal(context, (), others)
    which = "last" if kept is nodes[-1] else "first"
    return None if changes is None else Fix(f"keep the {which} one", "unsafe", changes=changes)


def _clash(nodes: list[Node]) -> tuple[Node, Node] | None:
    """The first two nodes of one name that may be there together, certain ones preferred."""
    possible = None
    for place, second in enumerate(nodes[:_COMPARED]):
        for first in nodes[:place]:
            if whenever(second.presence, first.presence):
                return first, second
            if possible is None and _may_meet(first.presence, second.presence):
                possible = first, second
    return possible


def _may_meet(first: Presence, second: Presence) -> bool:
    """Whether two parts can be believed to be there together."""
    both = first | second
    return not exclude(first, second) and (
        is_plausible(both, first, [second]) or is_plausible(both, second, [first])
    )
