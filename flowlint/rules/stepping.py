"""What rules share about flows of supersteps."""

from __future__ import annotations

from flowlint.graph.fan_outs import FanOut, fan_outs
from flowlint.graph.model import START
from flowlint.graph.step_search import Search, search_steps
from flowlint.graph.supersteps import Steps, steps_of
from flowlint.rules.context import RuleContext


def steps(context: RuleContext) -> Steps:
    """The flow as supersteps."""
    return steps_of(context.graph)


def step_search(context: RuleContext) -> Search | None:
    """Every state that a run may come to, where that can be told."""
    return search_steps(context.shared(steps))


def reached_names(context: RuleContext) -> list[str]:
    """The start marker and the nodes that a run may come to, nearest first."""
    names = context.index.names
    return [START, *(names[number] for number in context.reached.order)]


def forks(context: RuleContext) -> list[FanOut]:
    """What runs after each fork that a run may come to."""
    return list(fan_outs(context.shared(steps), frozenset(reached_names(context))))
