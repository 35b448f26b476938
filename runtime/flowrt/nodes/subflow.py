"""Another flow, run inside this one."""

from __future__ import annotations

from typing import Any

from pydantic import Field

from flowrt.engine.context import Kind, NodeContext, Output
from flowrt.merging import isolate
from flowrt.nodes.configs import NodeConfig, config_of
from flowrt.nodes.values import look_up, scope_of
from flowrt.registry import register_kind


class SubflowConfig(NodeConfig):
    """Which flow is run, and with what."""

    flow: str = Field(
        min_length=1,
        description="The name of a flow in the same file or in a named module, or given to the "
        "run with `flows`.",
    )
    input: dict[str, str] | None = Field(
        default=None,
        description="State that the flow begins with: a path or CEL text for each key. Without, "
        "it begins with a copy of this state.",
    )
    output: str | None = Field(
        default=None,
        description="A path or CEL text over the state the flow left (`state`) and its outputs "
        "(`outputs`) that gives the output. Without, the output is that state.",
    )


async def run_subflow(context: NodeContext) -> Output:
    """Run another flow to its end. The state here stays as it is; `into` stores the output.

    The other flow's failure is this node's, a pause there pauses this run.
    """
    config = config_of(context, SubflowConfig)
    if config.input is None:
        state: dict[str, Any] = isolate(context.state)
    else:
        scope = scope_of(context)
        state = {key: isolate(look_up(text, scope)) for key, text in config.input.items()}
    result = await context.run_flow(config.flow, state)
    if result.error is not None:
        raise result.error
    if config.output is None:
        return Output(result.state)
    ends = {"state": result.state, "outputs": result.outputs, "input": context.input}
    return Output(look_up(config.output, ends))


register_kind(Kind("subflow", run_subflow, "Runs another flow.", SubflowConfig))
