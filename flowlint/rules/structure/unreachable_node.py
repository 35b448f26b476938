"""No run can ever come to this node.

## What it does

Reports nodes that no way leads to from the entry. Of a whole part that is cut off, the node where
the part begins is reported and the others are given as related places.

Of LangGraph.js it reports nodes that no edge names as well, even where code hands over to them: its
`compile()` refuses them, unless the node whose code does so is added with `ends`.

It stays silent where a node that runs may hand over to nodes by its own code, and where part of the
flow cannot be told. A join of several sources counts as reached when any of its sources is.

## Why is this bad

An edge was forgotten, or a node was left over. Some systems refuse such a flow when it is built. In
others the node just never runs and the run reports success.

## Example

```python
from flows import Edge, Flow, Node


async def plan(state):
    return state


async def review(state):
    return state


async def publish(state):
    return state


flow = Flow(
    nodes=[Node("plan", plan), Node("review", review), Node("publish", publish)],
    edges=[Edge("plan", "publish")],
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


async def publish(state):
    return state


flow = Flow(
    nodes=[Node("plan", plan), Node("review", review), Node("publish", publish)],
    edges=[Edge("plan", "review"), Edge("review", "publish")],
    entry="plan",
)
```

## Fix safety

The fix removes the part that is cut off, with its edges. It is unsafe: mostly an edge to it was
forgotten.
"""

from __future__ import annotations

from collections.abc import Iterator

from flowlint.findings.model import Finding, Fix, Severity
from flowlint.graph.model import END, FlowGraph, Node
from flowlint.rules.consequences import is_rejection_proven, rejects
from flowlint.rules.context import RuleContext
from flowlint.rules.cures import removal
from flowlint.rules.islands import Island, islands
from flowlint.rules.joins import vain_joins
from flowlint.rules.options import fits, patterns
from flowlint.rules.presence import is_incidental
from flowlint.rules.registry import RuleInfo
from flowlint.rules.report import Report, listing, places

REACHED = patterns(
    "reached",
    "Nodes that runs come to in ways which the flow does not show.",
    example=("resume", "debug_*"),
)

MOST_REMOVED = 50
"""Nodes that a fix takes away at most."""

RULE = RuleInfo(
    name="unreachable-node",
    code="FL106",
    category="structure",
    severity="error",
    since="0.1.0",
    fix="sometimes",
    related=("edge-never-taken", "dead-end"),
    options=(REACHED,),
)


def check(graph: FlowGraph, context: RuleContext) -> Iterator[Finding]:
    """Report each part that is cut off, once."""
    report = Report(RULE, graph)
    yield from report.violations()
    is_rejected = graph.semantics.on_unreachable == "rejected"
    if is_rejected and not is_rejection_proven(graph):
        return
    severity: Severity = "error" if is_rejected else "warning"
    awaited = {name for vain in context.shared(vain_joins) for name in vain.absent}
    refused = {violation.node for violation in graph.violations if violation.rule == RULE.name}
    # Who refuses such a flow does so whatever runs would do.
    reached = () if is_rejected else context.option(REACHED)
    entered = [name for name in context.nodes if fits(name, reached)] if reached else ()
    is_removable = not _leads_nowhere(graph, context)
    for island in islands(graph, context, entered):
        root = context.nodes[island.names[0]]
        # What an edge waits for in vain is told with that edge.
        if is_incidental(root.presence) or awaited.issuperset(island.names):
            continue
        if root.name in refused:
            continue
        others = [context.nodes[name] for name in island.names[1:]]
        yield report.finding(
            root.name_span,
            f"{_second_start(root, graph) or _fault(island)}: {_effect(graph)}.",
            severity=severity,
            help=_cure(root.name, context),
            node=root.name,
            related=places(
                [(f"so `{node.name}` is not reached either", node.name_span) for node in others]
            ),
            fix=_fix(context, island) if is_removable else None,
        )


def _fix(context: RuleContext, island: Island) -> Fix | None:
    """Remove the whole part, with the edges that its own code does not choose by itself.

    Where most of a flow is cut off an edge is missing: then nothing is to be removed.
    """
    if len(island.names) > MOST_REMOVED:
        return None
    names = set(island.names)
    nodes = [node for name in island.names for node in context.declared[name]]
    touching = (edge for name in island.names for edge in context.touching.get(name, ()))
    edges = [edge for edge in {id(edge): edge for edge in touching}.values() if edge.checked]
    # What else leads there belongs to another part that is cut off.
    if any(edge.source not in names for edge in edges):
        return None
    changes = removal(context, edges, nodes)
    return None if changes is None else Fix("remove it", "unsafe", changes=changes)


def _leads_nowhere(graph: FlowGraph, context: RuleContext) -> bool:
    """Whether some edge or route leads to a name that no node has: it may be the one that is
    missing."""
    if any(edge.target != END and edge.target not in context.nodes for edge in graph.edges):
        return True
    return any(
        route.value is not None and route.value != END and route.value not in context.nodes
        for router in graph.routers
        if router.cases is None
        for route in router.routes
    )


def _fault(island: Island) -> str:
    name = island.names[0]
    if not island.sources:
        return f"No edge leads to `{name}`, so it is never reached"
    if island.sources == (name,):
        return f"Only its own edge leads to `{name}`, so it is never reached"
    among = listing(island.sources)
    return f"Only {among}, to which no way leads, lead to `{name}`, so it is never reached"


def _second_start(node: Node, graph: FlowGraph) -> str | None:
    """What is wrong with another node at which runs were to begin, None for any other node."""
    kind = graph.semantics.start_kind
    if kind is None or node.kind != kind or not graph.entries:
        return None
    first = graph.entries[0].name
    return f"A run begins at the first `{kind}`, `{first}`, and not at `{node.name}`"


def _effect(graph: FlowGraph) -> str:
    if graph.semantics.on_unreachable == "rejected":
        return rejects(graph)
    if graph.semantics.on_unreachable == "starts-at-once":
        return "it starts at once, beside the entry"
    return "it never runs, and nothing says so"


def _cure(name: str, context: RuleContext) -> str:
    before = _open_end_before(name, context)
    hint = f", for example from `{before}`, where the flow ends now" if before else ""
    return f"add an edge to `{name}`{hint}, or remove the node"


def _open_end_before(name: str, context: RuleContext) -> str | None:
    """The node declared just before, if a run comes there and has no way on."""
    index = context.index
    number = index.numbers[name] - 1
    if number < 0 or number not in context.reached or index.outgoing[number]:
        return None
    return index.names[number]
