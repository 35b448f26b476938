"""The flow states a limit of steps that every run comes to.

## What it does

Reports a stated limit of supersteps that is too small for even the shortest run: the way to its end
takes more steps, whatever is chosen. Where none is stated, the default of the system counts. It
stays silent about nodes that may pause the run, after which the steps are counted anew.

## Why is this bad

Every run stops with an error.

## Example

```python
from typing import TypedDict

from langgraph.graph import END, START, StateGraph


class State(TypedDict):
    text: str


def plan(state: State):
    return {"text": "plan"}


def write(state: State):
    return {"text": "text"}


def check(state: State):
    return None


builder = StateGraph(State)
builder.add_node("plan", plan)
builder.add_node("write", write)
builder.add_node("check", check)
builder.add_edge(START, "plan")
builder.add_edge("plan", "write")
builder.add_edge("write", "check")
builder.add_edge("check", END)
graph = builder.compile().with_config(recursion_limit=3)
```

## Use instead

```python
from typing import TypedDict

from langgraph.graph import END, START, StateGraph


class State(TypedDict):
    text: str


def plan(state: State):
    return {"text": "plan"}


def write(state: State):
    return {"text": "text"}


def check(state: State):
    return None


builder = StateGraph(State)
builder.add_node("plan", plan)
builder.add_node("write", write)
builder.add_node("check", check)
builder.add_edge(START, "plan")
builder.add_edge("plan", "write")
builder.add_edge("write", "check")
builder.add_edge("check", END)
graph = builder.compile().with_config(recursion_limit=25)
```
"""

from __future__ import annotations

from collections.abc import Iterator

from flowlint.findings.model import Finding
from flowlint.graph.model import FlowGraph
from flowlint.graph.step_length import fewest_steps
from flowlint.rules.context import RuleContext
from flowlint.rules.options import count
from flowlint.rules.registry import RuleInfo
from flowlint.rules.report import Report
from flowlint.rules.stepping import step_search, steps

UNSTATED = count(
    "unstated",
    "The limit of runs for which the flow states none, instead of the default of the system.",
    default=None,
    example=100,
)

RULE = RuleInfo(
    name="step-limit-too-small",
    code="FL305",
    category="loops",
    severity="error",
    since="0.1.0",
    related=("bad-limit",),
    options=(UNSTATED,),
)


def check(graph: FlowGraph, context: RuleContext) -> Iterator[Finding]:
    """Report the limit, if no run stays below it."""
    report = Report(RULE, graph)
    yield from report.violations()
    semantics = graph.semantics
    is_default = graph.step_bound is None and not graph.bounded
    default = context.option(UNSTATED) or semantics.default_step_bound
    limit = default if is_default else graph.step_bound
    if limit is None or limit < 1 or not semantics.supersteps:
        return
    # Looking for the shortest run is only worth it where there are nodes enough.
    if is_default and len(graph.nodes) < limit:
        return
    pausing = {node.name for node in graph.nodes if node.may_pause}
    way = fewest_steps(context.shared(steps), pausing)
    if way is None:
        return
    fewest = len(way)
    if fewest < limit and not pausing and context.shared(steps).joins:
        search = context.shared(step_search)
        fewest = max(fewest, (search.shortest if search is not None else None) or 0)
    if fewest < limit:
        return
    name = semantics.step_bound_name
    stated = f"{name} is {limit}" + (" by default" if is_default else "")
    runs = "a run that states no other" if is_default else "every run with it"
    yield report.finding(
        graph.step_bound_span or graph.span,
        f"{stated}, but even the shortest run takes {fewest} supersteps and so needs a limit of "
        f"{fewest + 1}: {runs} raises {semantics.step_bound_error}.",
        severity="warning" if is_default else None,
        help=f"{'set' if is_default else 'raise'} {name} to {fewest + 1} or more",
        witness=way if len(way) == fewest else (),
    )
