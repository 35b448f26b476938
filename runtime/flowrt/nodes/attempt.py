"""A region tried, perhaps several times, and another one for when it fails."""

from __future__ import annotations

import asyncio
import random
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from flowrt.authoring import FlowState
from flowrt.durations import Duration
from flowrt.engine.context import Kind, NodeContext, Output
from flowrt.merging import isolate
from flowrt.nodes.configs import NodeConfig, config_of
from flowrt.nodes.regions import output_of, region_of, told
from flowrt.registry import register_kind

_MISSING = object()


class Again(BaseModel):
    """How often and after which pause a failed region is tried again (see `Retry`)."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    attempts: int = Field(default=3, ge=1, le=100, description="All tries, the first included.")
    delay: Duration = Field(default=1.0, ge=0, description="The pause before the second try.")
    factor: float = Field(default=2.0, ge=1, description="How much longer each pause is.")
    max_delay: Duration = Field(default=60.0, ge=0, description="The longest pause.")
    jitter: float = Field(default=0.0, ge=0, le=1, description="By what share pauses vary.")

    def pause_after(self, failures: int) -> float:
        """Seconds to wait after so many failures."""
        pause = min(self.delay * self.factor ** (failures - 1), self.max_delay)
        return max(0.0, pause * (1 + self.jitter * random.uniform(-1, 1)))


class AttemptConfig(NodeConfig):
    """How the region `try` is tried, and how `catch` learns what happened."""

    retry: Again | None = Field(default=None, description="When it is tried again.")
    error: str = Field(
        default="error",
        min_length=1,
        description="The state key of the error, inside `catch`: {node, message, type}.",
    )


async def run_attempt(context: NodeContext) -> Output:
    """Run the region `try` until it ends well, at most as often as `retry` says; then `catch`.

    Each try and `catch` begin with the state that came to this node: what a failed try wrote is
    not in it. Only failures are caught, neither cancellation nor pauses nor a halt. The output is
    {attempts, caught, error, output}. Without `catch` the last error of the try is raised.
    """
    config = config_of(context, AttemptConfig)
    tried = region_of(context, "try")
    most = config.retry.attempts if config.retry is not None else 1
    number = 0
    while True:
        number += 1
        context.heartbeat(f"try {number} of {most}")
        result = await context.run_region(
            tried, isolate(context.state), kind="try", iteration=number, fail=False
        )
        if result.error is None:
            output = output_of(tried, result)
            return Output(_told(number, None, output), result.state)
        if not isinstance(result.error, Exception):
            raise result.error
        if number >= most or config.retry is None:
            break
        await asyncio.sleep(config.retry.pause_after(number))
    return await _caught(context, config, result.error, number)


async def _caught(
    context: NodeContext, config: AttemptConfig, error: Exception, attempts: int
) -> Output:
    catch = context.node.regions.get("catch")
    if catch is None:
        raise error
    failure = told(error)
    state: FlowState = {**isolate(context.state), config.error: failure}
    result = await context.run_region(catch, state, kind="catch")
    if result.error is not None:
        raise result.error
    left = dict(result.state)
    outside = context.state.get(config.error, _MISSING)
    if outside is _MISSING:
        left.pop(config.error, None)
    else:
        left[config.error] = outside
    return Output(_told(attempts, failure, output_of(catch, result)), left)


def _told(attempts: int, error: dict[str, Any] | None, output: Any) -> dict[str, Any]:
    return {"attempts": attempts, "caught": error is not None, "error": error, "output": output}


register_kind(Kind("attempt", run_attempt, "Tries a region.", AttemptConfig, ("try", "catch")))
