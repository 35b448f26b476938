"""Looking things up in the world of a node: paths, CEL and templates."""

from __future__ import annotations

import json
import re
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import asdict, fields, is_dataclass
from inspect import Parameter, isawaitable, signature
from time import time
from typing import Any

from flowrt.cel import evaluate as evaluate_cel
from flowrt.engine.context import NodeContext
from flowrt.errors import FlowError
from flowrt.registry import find_callable

ROOTS = ("state", "outputs", "results", "input")
"""Names that paths, CEL texts and templates can begin with everywhere."""

_PATH = re.compile(r"[A-Za-z_$][\w$-]*(\.[\w$-]+)*\Z")
_HOLE = re.compile(r"\{\{|\}\}|\{([A-Za-z_]\w*(?:\.[\w$-]+)*)\}")
_STATE_KEY = re.compile(r"\bstate\.([A-Za-z_]\w*)")
_STATE = re.compile(r"\bstate\b")
_WORD = re.compile(r"[A-Za-z_]\w*")
_MISSING = object()


def scope_of(context: NodeContext, extra: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """What names mean at a node: state, outputs, results, input, and whatever is added."""
    return {
        "state": context.state,
        "outputs": context.outputs,
        "results": context.results,
        "input": context.input,
        **(extra or {}),
    }


def look_up(text: str, scope: Mapping[str, Any]) -> Any:
    """The value that a path or a CEL text has.

    A path is a name or names with dots: `state.items`, `outputs.load.rows.0`; one that begins
    with no name of the scope begins in the state (`items` is `state.items`). It leads to the
    very object. Anything else is CEL, which gives plain data. Raises FlowError for what is not
    there or cannot be evaluated.
    """
    if _PATH.match(text) and text not in ("true", "false", "null"):
        head, _, rest = text.partition(".")
        if head in scope:
            return follow(scope[head], rest, text)
        return follow(scope.get("state"), text, text)
    return cel_value(text, scope)


def cel_value(text: str, scope: Mapping[str, Any]) -> Any:
    """The value of a CEL text, which reads models and dataclasses as their fields.

    Raises FlowError when it cannot be evaluated.
    """
    return evaluate_cel(text, _variables(text, scope))


def holds(text: str, scope: Mapping[str, Any]) -> bool:
    """Whether a CEL condition holds. Raises FlowError when it gives no truth value."""
    answer = look_up(text, scope)
    if not isinstance(answer, bool):
        raise FlowError(f"the condition `{text}` gives {answer!r}, neither true nor false")
    return answer


def follow(value: Any, path: str, whole: str) -> Any:
    """What a path leads to from a value on. Raises FlowError where it leads nowhere."""
    for part in path.split(".") if path else ():
        found = _part(value, part)
        if found is _MISSING:
            raise FlowError(f"`{whole}` leads nowhere: there is no `{part}` in {_short(value)}")
        value = found
    return value


def _part(value: Any, part: str) -> Any:
    if isinstance(value, Mapping):
        return value.get(part, _MISSING)
    if isinstance(value, list | tuple):
        return value[int(part)] if part.isdigit() and int(part) < len(value) else _MISSING
    named = _named_fields(value)
    return getattr(value, part) if part in named else _MISSING


def _named_fields(value: Any) -> tuple[str, ...]:
    if isinstance(value, type):
        return ()
    if is_dataclass(value):
        return tuple(field.name for field in fields(value))
    return tuple(getattr(type(value), "model_fields", ()))


def _variables(text: str, scope: Mapping[str, Any]) -> dict[str, Any]:
    """What a CEL text mentions, as plain data, so that nothing else has to be converted."""
    words = set(_WORD.findall(text))
    found = {name: value for name, value in scope.items() if name in words and name != "state"}
    if "state" in words:
        state = scope["state"]
        keys = _STATE_KEY.findall(text)
        if len(keys) == len(_STATE.findall(text)):
            state = {key: state[key] for key in keys if key in state}
        found["state"] = state
    return {name: plain(value) for name, value in found.items()}


def plain(value: Any) -> Any:
    """A value as plain data: models and dataclasses become dicts, sets and tuples lists."""
    if value is None or isinstance(value, str | int | float | bool | bytes):
        return value
    if isinstance(value, Mapping):
        return {key: plain(held) for key, held in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [plain(held) for held in value]
    if hasattr(type(value), "model_dump"):
        return value.model_dump(mode="json")
    if is_dataclass(value) and not isinstance(value, type):
        return plain(asdict(value))
    return value


def fill(template: str, scope: Mapping[str, Any], *, strict: bool = True) -> str:
    """A template with its `{name}` and `{name.path}` replaced; `{{` and `}}` stand for braces.

    Only names of the scope can be replaced, by what a path leads to; no code is run. A hole that
    begins with an unknown name raises FlowError, or with `strict=False` stays as it is, as do
    all other braces. A path that leads nowhere always raises FlowError.
    """

    def value_of(match: re.Match[str]) -> str:
        path = match[1]
        if path is None:
            return match[0][0] if strict else match[0]
        head, _, rest = path.partition(".")
        if head in scope:
            value = follow(scope[head], rest, path)
            return as_text(value)
        if not strict:
            return match[0]
        names = ", ".join(f"`{name}`" for name in sorted(scope))
        raise FlowError(f"the template has `{{{path}}}`, but only {names} can be filled in")

    return _HOLE.sub(value_of, template)


def as_text(value: Any) -> str:
    """A value inside a text: texts and numbers as they are, nothing for None, else JSON."""
    if isinstance(value, str):
        return value
    if value is None:
        return ""
    shown = plain(value)
    if not isinstance(shown, bool | dict | list):
        return str(value)
    try:
        return json.dumps(shown, ensure_ascii=False, default=str)
    except (TypeError, ValueError):
        # JSON has no such keys.
        return str(value)


def fill_all(value: Any, scope: Mapping[str, Any], *, strict: bool = True) -> Any:
    """The same for every text inside dicts and lists."""
    if isinstance(value, str):
        return fill(value, scope, strict=strict)
    if isinstance(value, Mapping):
        return {key: fill_all(held, scope, strict=strict) for key, held in value.items()}
    if isinstance(value, list | tuple):
        return [fill_all(held, scope, strict=strict) for held in value]
    return value


def named(reference: Callable[..., Any] | str, context: NodeContext) -> Callable[..., Any]:
    """A function, given itself or by its registered name. Raises FlowError for an unknown name."""
    if callable(reference):
        return reference
    function = find_callable(reference)
    if function is None:
        raise FlowError(
            f"{where(context)} names the callable `{reference}`, but none is registered as that"
        )
    return function


async def settle(value: Awaitable[Any] | Any) -> Any:
    """A value, waited for where it has to be."""
    return await value if isawaitable(value) else value


async def call(function: Callable[..., Any], *arguments: Any) -> Any:
    """Call a function, sync or async, with as many of the arguments as it asks for (one at
    least)."""
    return await settle(function(*arguments[: max(1, _wanted(function, len(arguments)))]))


def _wanted(function: Callable[..., Any], most: int) -> int:
    try:
        parameters = signature(function).parameters.values()
    except (TypeError, ValueError):
        return 1
    if any(parameter.kind is Parameter.VAR_POSITIONAL for parameter in parameters):
        return most
    by_place = (Parameter.POSITIONAL_ONLY, Parameter.POSITIONAL_OR_KEYWORD)
    return sum(
        parameter.kind in by_place and parameter.default is Parameter.empty
        for parameter in parameters
    )


def pause_data(context: NodeContext) -> Mapping[str, Any]:
    """What this visit told with its latest pause; empty when it did not pause."""
    data = getattr(context, "pause_data", None)
    return data if isinstance(data, Mapping) else {}


def is_past(data: Mapping[str, Any]) -> bool:
    """Whether the time is over that a pause was told to last; one that told none lasts on."""
    until = data.get("until", 0.0)
    return until is not None and time() >= until


def where(context: NodeContext) -> str:
    """Which node this is about, for messages."""
    return f"node `{context.node.name}` of flow `{context.flow}`"


def _short(value: Any) -> str:
    if isinstance(value, Mapping):
        names = ", ".join(f"`{key}`" for key in list(value)[:12])
        return f"a mapping with {names}" if names else "an empty mapping"
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."
