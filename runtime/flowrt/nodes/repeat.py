"""A region run again and again, but never without an end."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from pydantic import Field, model_validator

from flowrt.authoring import FlowState
from flowrt.engine.context import Kind, NodeContext, Output, RegionResult
from flowrt.errors import FlowError
from flowrt.merging import isolate
from flowrt.nodes.configs import CallableRef, NodeConfig, TextRef, config_of
from flowrt.nodes.regions import output_of, region_of
from flowrt.nodes.values import call, holds, look_up, scope_of, where
from flowrt.registry import register_kind

DEFAULT_MAX_ITERATIONS = 1000
_MISSING = object()


class RepeatConfig(NodeConfig):
    """What is gone through, or while what holds."""

    over: TextRef | list[Any] | None = Field(
        default=None,
        description="The items: a state key, a path or CEL text that gives a list, or the list.",
    )
    while_: CallableRef | None = Field(
        default=None,
        alias="while",
        description="CEL text that has to hold before each iteration; in Python also a function "
        "of the state.",
    )
    item: str = Field(
        default="item", min_length=1, description="The state key of the item, inside the body."
    )
    index: str = Field(
        default="index",
        min_length=1,
        description="The state key of the count from 0, inside the body.",
    )
    max_iterations: int = Field(
        default=DEFAULT_MAX_ITERATIONS, ge=1, description="How often the body runs at most."
    )
    on_limit: Literal["fail", "stop"] = Field(
        default="fail", description="What happens when it would have to run more often."
    )
    collect: str | None = Field(
        default=None,
        description="A path or CEL text over the state and outputs an iteration left: what is "
        "collected. Without, the output of the body's last node, where that is not the state.",
    )

    @model_validator(mode="after")
    def _one_of_them(self) -> RepeatConfig:
        if (self.over is None) == (self.while_ is None):
            raise ValueError("give one of `over` and `while`")
        if self.item == self.index:
            raise ValueError("`item` and `index` need different names")
        return self


async def run_repeat(context: NodeContext) -> Output:
    """Run the region `body` for each item, or while the condition holds, one after the other.

    Each iteration begins with the state the one before left. The item and index variables are in
    it only inside the body. The output is {iterations, outputs, limit_reached}. Raises FlowError
    when there are more items than `max_iterations` (before the first iteration), or the condition
    still holds after as many, unless `on_limit` is stop; and when there is no list.
    """
    config = config_of(context, RepeatConfig)
    body = region_of(context, "body")
    state: FlowState = dict(context.state)
    items, limited = await _items(config, context) if config.over is not None else (None, False)
    collected: list[Any] = []
    number = 0
    while True:
        if items is not None:
            if number == len(items):
                break
        elif not await _goes_on(config, context, state, number):
            break
        elif number == config.max_iterations:
            if config.on_limit == "fail":
                raise FlowError(
                    f"{where(context)} ran its body {number} times (max_iterations) and its "
                    "condition still holds"
                )
            limited = True
            break
        inside = {config.index: number}
        if items is not None:
            inside[config.item] = isolate(items[number])
        context.heartbeat(f"iteration {number}")
        result = await context.run_region(
            body, {**state, **inside}, kind="loop-body", iteration=number
        )
        if result.error is not None:
            raise result.error
        if config.collect is not None:
            collected.append(_collected(config.collect, context, result))
        elif (output := output_of(body, result)) is not None:
            collected.append(output)
        state = _without(result.state, state, (config.index, config.item))
        number += 1
    return Output({"iterations": number, "outputs": collected, "limit_reached": limited}, state)


async def _items(config: RepeatConfig, context: NodeContext) -> tuple[Sequence[Any], bool]:
    """The items to go through, and whether there are more than may be."""
    items: Any = config.over
    if isinstance(items, str):
        items = look_up(items, scope_of(context))
    elif callable(items):
        items = await call(items, context)
    if not isinstance(items, list | tuple | range):
        raise FlowError(
            f"{where(context)} can only go over a list, not over a {type(items).__name__}"
            + (": make it a list in the order you want" if hasattr(items, "__iter__") else "")
        )
    if len(items) <= config.max_iterations:
        return list(items), False
    if config.on_limit == "fail":
        raise FlowError(
            f"{where(context)} has {len(items)} items to go over, more than the "
            f"{config.max_iterations} of max_iterations"
        )
    return list(items[: config.max_iterations]), True


async def _goes_on(
    config: RepeatConfig, context: NodeContext, state: FlowState, number: int
) -> bool:
    condition = config.while_
    if callable(condition):
        answer = await call(condition, state)
        if answer is None:
            raise FlowError(f"the condition of {where(context)} returned nothing")
        return bool(answer)
    assert condition is not None
    scope = scope_of(context, {"state": state, config.index: number, "iteration": number})
    return holds(condition, scope)


def _collected(text: str, context: NodeContext, result: RegionResult) -> Any:
    return isolate(
        look_up(text, scope_of(context, {"state": result.state, "outputs": result.outputs}))
    )


def _without(state: FlowState, before: Mapping[str, Any], names: tuple[str, ...]) -> FlowState:
    """The state with the variables of the body as they were outside of it."""
    left = dict(state)
    for name in names:
        outside = before.get(name, _MISSING)
        if outside is _MISSING:
            left.pop(name, None)
        else:
            left[name] = outside
    return left


register_kind(Kind("repeat", run_repeat, "Repeats a region, bounded.", RepeatConfig, ("body",)))
