"""A durable pause for a human or an event."""

from __future__ import annotations

from typing import Any

from pydantic import Field

from flowrt.engine.context import Kind, NodeContext, Output, Pause
from flowrt.nodes.configs import NodeConfig, config_of
from flowrt.nodes.values import fill, pause_data, plain, scope_of, settle
from flowrt.registry import register_kind


class CheckpointConfig(NodeConfig):
    """What a checkpoint tells those it waits for."""

    summary: str | None = Field(
        default=None,
        description="What is waited for; `{state.x}` and the like are filled in.",
    )
    key: str | None = Field(
        default=None,
        min_length=1,
        description="What a signal has to name; the node's name unless given.",
    )


async def run_checkpoint(context: NodeContext) -> Output:
    """Pause until somebody resumes the run; what they give with it is the output.

    With nothing given the output is {checkpoint, summary}. `run(context)`, if there is one, is
    called once, before the pause, and what it returns is told with the pause.
    """
    config = config_of(context, CheckpointConfig)
    name = context.node.name
    summary = fill(config.summary, scope_of(context), strict=False) if config.summary else name
    data: dict[str, Any] = {"checkpoint": name, "summary": summary}
    if context.signal is not None:
        payload = context.signal.payload
        return Output(data if payload is None else payload)
    if context.paused_before:
        data.update(pause_data(context))
    elif context.node.run is not None:
        run: Any = context.node.run
        data["data"] = plain(await settle(run(context)))
    raise Pause(summary, key=config.key, data=data)


register_kind(
    Kind("checkpoint", run_checkpoint, "Waits for a human or an event.", CheckpointConfig)
)
