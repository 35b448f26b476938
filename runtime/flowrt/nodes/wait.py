"""Waiting: for a while, until a time, or for a signal."""

from __future__ import annotations

import asyncio
from datetime import datetime
from time import time
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field, WithJsonSchema, model_validator

from flowrt.durations import Duration
from flowrt.engine.context import Kind, NodeContext, Output, Pause
from flowrt.errors import NodeTimeoutError
from flowrt.nodes.configs import NodeConfig, config_of
from flowrt.nodes.times import epoch_of, seconds_of
from flowrt.nodes.values import is_past, pause_data, where
from flowrt.registry import register_kind

LONGEST_SLEEP = 5.0
"""Seconds between two signs of life of a node that sleeps."""

Moment = Annotated[
    float,
    BeforeValidator(lambda value: epoch_of(value) if isinstance(value, str | datetime) else value),
    WithJsonSchema({"anyOf": [{"type": "string", "format": "date-time"}, {"type": "number"}]}),
]
"""A point in time; what reads it gets seconds since the epoch."""


class WaitConfig(NodeConfig):
    """A timer, a signal, or a signal that is waited for as long as the timer says."""

    seconds: float | None = Field(default=None, ge=0, description="How long, in seconds.")
    duration: str | None = Field(
        default=None, description="How long, such as `15m`, or as ISO-8601: `PT15M`."
    )
    until: Moment | None = Field(
        default=None, description="Until when: ISO-8601 (UTC without a zone) or epoch seconds."
    )
    signal: str | None = Field(
        default=None, min_length=1, description="The name of the signal waited for."
    )
    pause_above: Duration = Field(
        default=30.0,
        ge=0,
        description="A run that is kept pauses for timers longer than this, so that the process "
        "may end; shorter ones are slept through.",
    )
    on_timeout: Literal["continue", "fail"] = Field(
        default="fail", description="What happens when the signal does not come in time."
    )

    @model_validator(mode="after")
    def _one_timer(self) -> WaitConfig:
        timers = [self.seconds, self.duration, self.until]
        given = sum(timer is not None for timer in timers)
        if given > 1:
            raise ValueError("give one of seconds, duration and until")
        if not given and self.signal is None:
            raise ValueError("give seconds, duration, until or signal")
        if self.duration is not None:
            seconds_of(self.duration)
        return self

    def deadline(self) -> float | None:
        """When the timer ends if it begins now, as epoch seconds."""
        if self.until is not None:
            return self.until
        if self.duration is not None:
            return time() + seconds_of(self.duration)
        return None if self.seconds is None else time() + self.seconds


async def run_wait(context: NodeContext) -> Output:
    """Wait. The output is {waited_for, payload, timed_out}.

    A timer is slept through when it is short or the run is kept nowhere, else the run pauses
    until then. A signal always pauses the run. Raises NodeTimeoutError when a signal does not
    come in time, unless the config says to continue.
    """
    config = config_of(context, WaitConfig)
    what = "signal" if config.signal is not None else "timer"
    if context.signal is not None:
        return Output(_ended("signal", payload=context.signal.payload))
    before = pause_data(context)
    deadline = before.get("until") if "until" in before else config.deadline()
    if context.paused_before and deadline is not None and is_past(before):
        return _over(context, config)
    if config.signal is None and deadline is not None:
        if context.run_id is None or deadline - time() <= config.pause_above:
            await _sleep(context, deadline)
            return Output(_ended("timer"))
    reason = f"signal `{config.signal}`" if config.signal is not None else "timer"
    raise Pause(
        f"waits for {reason}",
        key=config.signal,
        data={"waits_for": what, "signal": config.signal, "until": deadline},
        until=deadline,
    )


def _over(context: NodeContext, config: WaitConfig) -> Output:
    """What a node gives whose time is over without a signal."""
    if config.signal is None:
        return Output(_ended("timer"))
    if config.on_timeout == "fail":
        raise NodeTimeoutError(f"{where(context)} did not get the signal `{config.signal}` in time")
    return Output(_ended("signal", timed_out=True))


def _ended(what: str, payload: Any = None, timed_out: bool = False) -> dict[str, Any]:
    return {"waited_for": what, "payload": payload, "timed_out": timed_out}


async def _sleep(context: NodeContext, deadline: float) -> None:
    while (left := deadline - time()) > 0:
        await asyncio.sleep(min(left, LONGEST_SLEEP))
        context.heartbeat()


register_kind(Kind("wait", run_wait, "Waits for a time or a signal.", WaitConfig))
