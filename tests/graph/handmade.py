"""Flows made by hand, for what no front end can write."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from flowlint.findings.model import Finding
from flowlint.graph.guards import Compare, Constant, Formula, Guard, Term
from flowlint.graph.model import Edge, Entry, FlowGraph, Node, Presence, Semantics
from flowlint.rules.context import RuleContext
from flowlint.rules.registry import all_rules
from flowlint.source import Span

FIRST = Semantics(
    system="First",
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
    kinds_document_shape=False,
    step_bound_name="max_steps",
)
"""One token, first match, no bound: as HydraFlow, but kinds mean nothing."""

ALL = replace(
    FIRST,
    system="All",
    built_by="compile()",
    routing="all",
    unmatched_route="ends-silently",
    on_unreachable="silent",
    on_empty="allowed",
    on_duplicate_edge="collapsed",
    guards="none",
    default_step_bound=10_007,
    step_bound_name="recursion_limit",
    start_marker="START",
    end_marker="END",
    supersteps=True,
    conflict_error="ConflictError",
    step_bound_error="LimitError",
)
"""Every edge is taken, step by step, with markers for start and end: as LangGraph."""

SWITCH = replace(
    FIRST,
    system="Switch",
    routing="single-switch",
    cycles="forbidden",
    end="explicit",
    unmatched_route="ends-silently",
)
"""One plain edge or one switch, no cycles, an explicit end."""


def span(line: int) -> Span:
    """A place of its own for every part."""
    return Span("flow.py", line, 1, line, 9)


def node(name: str, line: int = 1, **more: object) -> Node:
    """A node whose code ends no run; further fields by name."""
    return replace(Node(name, span(line), span(line), ends_itself=False), **more)  # type: ignore[arg-type]


def edge(source: str, target: str, when: Formula | str | None = None, **more: object) -> Edge:
    """An edge; `when` is a formula, or the text of a guard that cannot be told."""
    plain = Edge(source, target, span(1), span(1), span(1))
    if when is not None:
        formula = None if isinstance(when, str) else when
        guard = Guard(when if isinstance(when, str) else f"guard_{target}", span(1), formula)
        plain = replace(plain, kind="when", guard=guard)
    return replace(plain, **more)  # type: ignore[arg-type]


def is_(variable: str, constant: Constant) -> Compare:
    """A guard on one value of the state."""
    return Compare(Term(f"state[{variable!r}]"), "==", constant)


def tests(**outcomes: bool) -> Presence:
    """The tests under which a part is there."""
    return frozenset(outcomes.items())


def flow(
    nodes: str | Iterable[Node],
    edges: Iterable[Edge | tuple[str, str]] = (),
    entry: str | Iterable[Entry] | None = "a",
    semantics: Semantics = FIRST,
    **more: object,
) -> FlowGraph:
    """A flow; node n stands on line n, edge n on line 1000 + n."""
    if isinstance(nodes, str):
        nodes = [node(name) for name in nodes.split()]
    placed = [
        replace(part, span=span(line), name_span=span(line))
        for line, part in enumerate(nodes, start=1)
    ]
    made = [
        _placed(part if isinstance(part, Edge) else edge(*part), 1000 + number, number)
        for number, part in enumerate(edges)
    ]
    if isinstance(entry, str):
        entry = [Entry(entry, span(2000))]
    return replace(
        FlowGraph(
            "flow", "by hand", span(3000), semantics, tuple(placed), tuple(made), tuple(entry or ())
        ),
        **more,  # type: ignore[arg-type]
    )


def findings(graph: FlowGraph) -> list[Finding]:
    """What all rules find."""
    context = RuleContext(graph)
    return [
        finding
        for rule in all_rules()
        if rule.check is not None
        for finding in rule.check(graph, context)
    ]


def told(graph: FlowGraph) -> list[str]:
    """What all rules find, as `severity name line`."""
    return [f"{found.severity} {found.name} {found.span.line}" for found in findings(graph)]


def _placed(part: Edge, line: int, number: int) -> Edge:
    guard = replace(part.guard, span=span(line)) if part.guard else None
    return replace(
        part,
        span=span(line),
        source_span=span(line),
        target_span=span(line),
        guard=guard,
        order=number,
    )
