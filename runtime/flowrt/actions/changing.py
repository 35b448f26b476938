"""Actions that change or check the value and the state: set-context, validate, transform."""

from __future__ import annotations

import logging
from typing import Any, Literal

from pydantic import Field, model_validator

from flowrt.actions.registry import ActionCall, ActionConfig, register_action
from flowrt.errors import FlowError
from flowrt.merging import isolate
from flowrt.nodes.answers import schema_problems
from flowrt.nodes.configs import CallableRef
from flowrt.nodes.values import call as call_function
from flowrt.nodes.values import named, plain, where

logger = logging.getLogger("flowrt.actions")


class InvalidValueError(FlowError, ValueError):
    """A value does not meet the schema that an action holds it against."""


class SetContextConfig(ActionConfig):
    """A state key and its value."""

    key: str = Field(min_length=1, description="The state key.")
    value: Any = Field(default=None, description="The value; texts in it are templates.")
    value_from: str | None = Field(
        default=None, description="A path or CEL text that gives the value: `result.total`."
    )

    @model_validator(mode="after")
    def _one_of_them(self) -> SetContextConfig:
        if ("value" in self.model_fields_set) == (self.value_from is not None):
            raise ValueError("give one of `value` and `value_from`")
        return self


@register_action("set-context", SetContextConfig)
async def set_context(config: SetContextConfig, call: ActionCall) -> Any:
    """Set a key of the state."""
    if config.value_from is not None:
        value = isolate(call.look_up(config.value_from))
    else:
        value = call.fill_all(config.value)
    call.state[config.key] = value
    return call.value


class ValidateConfig(ActionConfig):
    """A JSON Schema for the value."""

    schema_: dict[str, Any] | bool = Field(alias="schema", description="The JSON Schema.")
    value_from: str | None = Field(
        default=None, description="A path or CEL text for what is checked instead of the result."
    )
    on_failure: Literal["raise", "skip", "fallback"] = Field(
        default="raise",
        description="raise: the node fails; skip: it is logged as a warning; fallback: `fallback` "
        "becomes the value.",
    )
    fallback: Any = Field(default=None, description="The value taken instead.")

    @model_validator(mode="after")
    def _with_fallback(self) -> ValidateConfig:
        if (self.on_failure == "fallback") != ("fallback" in self.model_fields_set):
            raise ValueError("`fallback` and on_failure fallback belong together")
        return self


@register_action("validate", ValidateConfig)
async def validate(config: ValidateConfig, call: ActionCall) -> Any:
    """Hold the value against a JSON Schema."""
    value = call.value if config.value_from is None else call.look_up(config.value_from)
    problems = schema_problems(config.schema_, plain(value))
    if not problems:
        return call.value
    text = f"the result of {where(call.context)} is not valid: {'; '.join(problems)}"
    if config.on_failure == "raise":
        raise InvalidValueError(text)
    logger.warning("%s", text)
    return isolate(config.fallback) if config.on_failure == "fallback" else call.value


class TransformConfig(ActionConfig):
    """How the value becomes another one."""

    expression: str | None = Field(
        default=None, description="A path or CEL text over result, state, outputs and input."
    )
    function: CallableRef | None = Field(
        default=None, description="A registered function of (value, context)."
    )

    @model_validator(mode="after")
    def _one_of_them(self) -> TransformConfig:
        if (self.expression is None) == (self.function is None):
            raise ValueError("give one of `expression` and `function`")
        return self


@register_action("transform", TransformConfig)
async def transform(config: TransformConfig, call: ActionCall) -> Any:
    """Make another value of the value."""
    if config.expression is not None:
        return call.look_up(config.expression)
    assert config.function is not None
    return await call_function(named(config.function, call.context), call.value, call.context)
