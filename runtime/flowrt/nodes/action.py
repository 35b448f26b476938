"""A node that runs one action, or a function with side effects."""

from __future__ import annotations

from typing import Any

from pydantic import Field, model_validator

from flowrt.actions.registry import run_actions
from flowrt.engine.context import Kind, NodeContext, Output
from flowrt.merging import isolate
from flowrt.nodes.configs import NodeConfig, config_of, needs_run
from flowrt.nodes.values import look_up, scope_of, settle
from flowrt.registry import register_kind


class ActionNodeConfig(NodeConfig):
    """Which action is run, with what."""

    action: str | None = Field(default=None, description="The name of a registered action.")
    settings: dict[str, Any] = Field(
        default_factory=dict, alias="with", description="The config of the action."
    )
    value_from: str | None = Field(
        default=None, description="A path or CEL text for the value that the action works on."
    )

    @model_validator(mode="after")
    def _for_an_action(self) -> ActionNodeConfig:
        if self.action is None and (self.settings or self.value_from is not None):
            raise ValueError("`with` and `value_from` are for an `action`")
        return self


async def run_action(context: NodeContext) -> Output:
    """Run the action of the config; the output is the value it gives.

    With `run` instead, `run(context)` is called, sync or async, and what it returns is the output.
    Raises what the action or `run` raises.
    """
    config = config_of(context, ActionNodeConfig)
    if config.action is None:
        if context.node.run is None:
            raise needs_run(context, "give it `run=`, or an `action` in its config")
        run: Any = context.node.run
        return Output(await settle(run(context)))
    if context.node.run is not None:
        raise needs_run(context, "it has both `run=` and an `action`, and can only do one of them")
    scope = scope_of(context)
    value = look_up(config.value_from, scope) if config.value_from is not None else None
    state = isolate(context.state)
    given = {"type": config.action, **config.settings}
    value = await run_actions([given], context, value, state)
    return Output(value, state)


register_kind(
    Kind("action", run_action, "Runs a registered action or a function.", ActionNodeConfig)
)
