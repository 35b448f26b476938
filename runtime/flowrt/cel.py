"""Conditions and expressions in CEL, evaluated by the Rust implementation."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Protocol

from flowrt.errors import FlowError
from flowrt.extras import CURE

MOST_SHOWN = 300
"""Characters of an expression that an error quotes."""


class Program(Protocol):
    """A compiled expression."""

    def execute(self, context: dict[str, Any] | None = ..., /) -> Any:
        """The value under some variables."""


@lru_cache(maxsize=512)
def compiled(text: str) -> Program:
    """An expression ready to be evaluated. Raises FlowError when it is not CEL."""
    try:
        import cel
    except ImportError as error:
        raise FlowError(
            f"expressions need the package `common-expression-language`: {CURE}"
        ) from error
    try:
        program: Program = cel.compile(text)
    except BaseException as error:
        # The engine's own panics are no Exception.
        if not isinstance(error, Exception) and type(error).__name__ != "PanicException":
            raise
        raise FlowError(
            f"`{_shown(text)}` is not a CEL expression: {_shown(str(error))}"
        ) from error
    return program


def _shown(text: str) -> str:
    return text if len(text) <= MOST_SHOWN else f"{text[:MOST_SHOWN]}…"


def evaluate(text: str, variables: Mapping[str, Any]) -> Any:
    """The value of an expression. Raises FlowError, naming it, when it cannot be evaluated.

    The maps in it are in the order of their keys, as CEL gives them in another one each time.
    """
    program = compiled(text)
    try:
        return _in_order(program.execute(dict(variables)))
    except KeyError as error:
        raise FlowError(f"`{text}` cannot be evaluated: there is no `{error.args[0]}`") from error
    except Exception as error:
        raise FlowError(f"`{text}` cannot be evaluated: {error}") from error


def _in_order(value: Any) -> Any:
    if isinstance(value, dict):
        keys = sorted(value, key=lambda key: (type(key).__name__, key))
        return {key: _in_order(value[key]) for key in keys}
    if isinstance(value, list):
        return [_in_order(held) for held in value]
    return value
