"""What the configs of nodes are made of."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError, WithJsonSchema

from flowrt.engine.context import NodeContext
from flowrt.errors import FlowError, FlowValidationError
from flowrt.nodes.values import call, named, where
from flowrt.parsing import parse_json

CallableRef = Annotated[
    Callable[..., Any] | str,
    WithJsonSchema({"type": "string", "description": "The name of a registered callable."}),
]
"""A function, in definitions written as data the name it is registered under."""

TextRef = Annotated[Callable[..., Any] | str, WithJsonSchema({"type": "string"})]
"""A text, in Python also a function of the context that gives it."""

ParseRef = Annotated[
    Callable[..., Any] | str,
    WithJsonSchema(
        {
            "type": "string",
            "description": "text, strict, fenced, forgiving, or the name of a registered callable.",
            "examples": ["text", "strict", "fenced", "forgiving"],
        }
    ),
]
"""How a text becomes a value: `text`, a mode of JSON, or a function of (text, context)."""

TypeRef = Annotated[
    Any,
    WithJsonSchema({"type": "object", "description": "A JSON Schema that an answer has to meet."}),
]
"""A pydantic model, another type, or a JSON Schema as a mapping."""


class NodeConfig(BaseModel):
    """What every node's config may hold."""

    model_config = ConfigDict(extra="forbid", frozen=True, arbitrary_types_allowed=True)

    into: str | None = Field(
        default=None,
        min_length=1,
        description="The state key under which the node's output is also stored.",
    )


Config = TypeVar("Config", bound=BaseModel)


def config_of(context: NodeContext, model: type[Config]) -> Config:
    """The node's config. Raises FlowValidationError when it does not fit its kind."""
    return checked(model, context.node.config, f"the config of {where(context)}")


def checked(model: type[Config], given: Any, what: str) -> Config:
    """A config made from plain data. Raises FlowValidationError saying each thing that is wrong."""
    if isinstance(given, model):
        return given
    try:
        return model.model_validate(dict(given))
    except ValidationError as error:
        wrong = "; ".join(
            f"`{'.'.join(str(part) for part in item['loc']) or 'config'}`: {item['msg']}"
            for item in error.errors(include_url=False)
        )
        raise FlowValidationError(f"{what} is wrong: {wrong}") from error


async def parsed(
    how: Callable[..., Any] | str | None, text: str, subject: Any, context: NodeContext
) -> Any:
    """A text made into a value. Functions are given `subject` (and the context, if they ask).

    Raises ParseError for JSON that is not there, FlowError for an unknown function.
    """
    if how is None or how == "text":
        return text if how else subject
    if how in ("strict", "fenced", "forgiving"):
        return parse_json(text, how)  # type: ignore[arg-type]
    return await call(named(how, context), subject, context)


def needs_run(context: NodeContext, hint: str) -> FlowError:
    """What to raise when a node has nothing to run."""
    return FlowError(f"{where(context)} has nothing to run: {hint}")
