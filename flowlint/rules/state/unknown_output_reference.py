"""Code asks for what a node gave, and that node is not there or has not run.

## What it does

In systems where code reads what other nodes gave by their names, reports names that no node has,
and nodes of which no way leads to the code that reads them. Where a node has run on some ways to
the code and not on others, that is reported if the code fails without it. Where all is seen that a
node gives, fields of it that it never gives are reported as well.

Code that allows for a missing output, by `?.` or a default, may read what is not always there.

## Why is this bad

What is not there is `undefined`. The code fails when it looks into it, or goes on without it and
nobody notices. Mostly a node was renamed and the code that reads it was not.

## Example

```ts
import { compute, defineFlow } from "acpx/flows";

export default defineFlow({
  name: "review",
  startAt: "draft",
  nodes: {
    draft: compute({ run: () => ({ text: "draft" }) }),
    publish: compute({ run: ({ outputs }) => outputs.drafted }),
  },
  edges: [{ from: "draft", to: "publish" }],
});
```

## Use instead

```ts
import { compute, defineFlow } from "acpx/flows";

export default defineFlow({
  name: "review",
  startAt: "draft",
  nodes: {
    draft: compute({ run: () => ({ text: "draft" }) }),
    publish: compute({ run: ({ outputs }) => outputs.draft }),
  },
  edges: [{ from: "draft", to: "publish" }],
});
```
"""

from __future__ import annotations

from collections.abc import Iterator

from flowlint.findings.model import Finding, Severity
from flowlint.graph.code import OutputRead
from flowlint.graph.model import FlowGraph, Node
from flowlint.graph.reference_faults import near
from flowlint.rules.context import RuleContext
from flowlint.rules.outputs import Unset, fields_not_given, unset_outputs
from flowlint.rules.registry import RuleInfo
from flowlint.rules.report import Report, places

_MOST_SHOWN = 5
RULE = RuleInfo(
    name="unknown-output-reference",
    code="FL504",
    category="state",
    severity="error",
    since="0.1.0",
    related=("unknown-state-key", "unknown-variable", "state-read-before-write"),
)


def check(graph: FlowGraph, context: RuleContext) -> Iterator[Finding]:
    """Report each name once for each node that reads it."""
    report = Report(RULE, graph)
    yield from report.violations()
    for unset in unset_outputs(graph, context):
        giver = context.nodes.get(unset.read.node)
        yield report.finding(
            unset.read.span,
            _message(unset),
            severity=_severity(unset),
            help=_cure(unset, context),
            node=unset.node.name,
            witness=unset.way,
            related=places([(f"`{giver.name}` is added here", giver.name_span)] if giver else []),
        )
    for node, read in fields_not_given(graph, context):
        yield _of_field(node, read, context.nodes[read.node], report)


def _of_field(node: Node, read: OutputRead, giver: Node, report: Report) -> Finding:
    names = [name for name, _ in (giver.gives.fields if giver.gives is not None else None) or ()]
    fails = ": it is `undefined`"
    if read.hard:
        fails = ": the node fails" if read.certain else ": the node fails if it comes to that"
    *most, last = [f"`{name}`" for name in names[:_MOST_SHOWN]]
    if len(names) > _MOST_SHOWN:
        most, last = [*most, last], "others"
    shown = f"{', '.join(most)} and {last}" if most else last
    said = f"Node `{node.name}` reads `{read.field}` of the output of `{giver.name}`, which gives"
    return report.finding(
        read.span,
        f"{said} {shown}{fails}.",
        severity="error" if read.hard and read.certain else "warning",
        help=near(str(read.field), names, f"read what `{giver.name}` gives, or let it give more"),
        node=node.name,
        related=places([(f"`{giver.name}` is added here", giver.name_span)]),
    )


def _severity(unset: Unset) -> Severity:
    if unset.fault == "not on every way":
        return "warning"
    read = unset.read
    if unset.fault == "no node":
        return "warning" if read.guarded else "error"
    return "error" if read.hard and read.certain and not read.guarded else "warning"


def _message(unset: Unset) -> str:
    read, name = unset.read, unset.read.node
    what = f"Node `{unset.node.name}` reads the {'result' if read.result else 'output'} of `{name}`"
    fails = ": it is `undefined`"
    if read.hard and not read.guarded:
        fails = ": the node fails" if read.certain else ": the node fails if it comes to that"
    match unset.fault:
        case "no node":
            return f"{what}, which is no node of this flow{fails}."
        case "never before":
            when = "before it has run" if name == unset.node.name else "which never runs before it"
            return f"{what}, {when}{fails}." if when[0] == "w" else f"{what} {when}{fails}."
        case "not on every way":
            return f"{what}, which need not have run by then: the node fails if it has not."


def _cure(unset: Unset, context: RuleContext) -> str:
    if unset.fault == "no node":
        near = context.near_names.of(unset.read.node)
        return f"did you mean `{near}`?" if near else "name a node of this flow"
    if unset.fault == "never before":
        return f"let `{unset.read.node}` run before it, or read another node"
    return "allow for it not to be there: write `?.`, or a default"
