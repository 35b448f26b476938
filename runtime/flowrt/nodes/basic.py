"""Nodes that run a function: step, gate, loop and compute; and the marks of start and end."""

from __future__ import annotations

from inspect import isawaitable
from typing import Any

from pydantic import Field

from flowrt.engine.context import Kind, NodeContext, Output
from flowrt.engine.plain import no_state
from flowrt.errors import NodeResultError
from flowrt.nodes.configs import NodeConfig, config_of, needs_run
from flowrt.nodes.values import look_up, scope_of, settle
from flowrt.registry import register_kind


async def run_step(context: NodeContext) -> Output:
    """Call `run(state)`, which returns the state that the flow goes on with.

    `run` may be sync or async; a sync one is called on the event loop, so one that blocks
    belongs into `asyncio.to_thread`. A gate or loop without `run` leaves the state as it is. The
    output is the new state. Raises NodeResultError when something else than a dict is returned.
    """
    run: Any = context.node.run
    if run is None:
        if context.node.kind == "step":
            raise needs_run(context, "give it `run=`, a function from state to state")
        return Output(context.state)
    state = run(context.state)
    if isawaitable(state):
        state = await state
    if isinstance(state, dict):
        return Output(state, state)
    raise NodeResultError(no_state(context.flow, context.node, state))


class ComputeConfig(NodeConfig):
    """What a compute node can be told."""

    expression: str | None = Field(
        default=None,
        description="A path or CEL text that gives the output; used when the node has no `run`.",
    )


async def run_compute(context: NodeContext) -> Output:
    """Call `run(context)`, sync or async; what it returns is the output, and the state stays.

    Without `run` the output is the value of the config's `expression`.
    """
    if context.node.run is not None:
        run: Any = context.node.run
        return Output(await settle(run(context)))
    config = config_of(context, ComputeConfig)
    if config.expression is None:
        raise needs_run(context, "give it `run=` or an `expression` in its config")
    return Output(look_up(config.expression, scope_of(context)))


async def run_start(context: NodeContext) -> Output:
    """Mark where a flow begins. The output is what the run was started with."""
    return Output(context.input)


async def run_end(context: NodeContext) -> Output:
    """Mark where a flow ends. The output is that of the node which led here."""
    came_from = context.incoming
    return Output(context.outputs.get(came_from.src) if came_from is not None else None)


for _name, _summary in (
    ("step", "Changes the state with a function."),
    ("gate", "Decides, by its edges, where the flow goes on; may change the state before."),
    ("loop", "Is come back to, by its edges, while something holds; may change the state."),
):
    register_kind(Kind(_name, run_step, _summary, NodeConfig))
register_kind(Kind("compute", run_compute, "Computes a value from the context.", ComputeConfig))
register_kind(Kind("start", run_start, "Marks where the flow begins.", NodeConfig))
register_kind(Kind("end", run_end, "Marks where the flow ends.", NodeConfig))
