"""JSON out of what a model or a command printed."""

from __future__ import annotations

import json
from typing import Any, Literal

from flowrt.errors import FlowError

ParseMode = Literal["strict", "fenced", "forgiving"]

WORK_PER_CHARACTER = 8
"""How often the forgiving search may look at a character, on average, before it gives up."""

_MISSING = object()
_OPEN = {"{": "}", "[": "]"}


class ParseError(FlowError, ValueError):
    """A text holds no JSON object or array of the kind asked for."""


def parse_json(text: str, mode: ParseMode = "forgiving") -> Any:
    """The JSON object or array in a text.

    * `strict`: the whole text is one;
    * `fenced`: the whole text is one, or what the first ``` block holds;
    * `forgiving`: as `fenced`, else the first balanced `{…}` or `[…]` in the text that is JSON.
      The search gives up after about eight looks at each character.

    Raises ParseError, which says what was seen instead.
    """
    if not isinstance(text, str):
        raise ParseError(f"expected a text with JSON, not {type(text).__name__}")
    trimmed = text.strip()
    if not trimmed:
        raise ParseError("expected JSON, the text is empty")
    found = _tried(trimmed)
    seen = [_what_is_wrong(trimmed)]
    if found is _MISSING and mode != "strict":
        block = _fenced(trimmed)
        if block is None:
            seen.append("there is no ``` block")
        else:
            found = _tried(block)
            if found is _MISSING:
                seen.append(f"in the ``` block: {_what_is_wrong(block)}")
    if found is _MISSING and mode == "forgiving":
        found = _balanced(trimmed)
        if found is _MISSING:
            seen.append("no part of it is a JSON object or array")
    if found is _MISSING:
        raise ParseError(f"expected JSON ({mode}): {'; '.join(seen)}. The text: {_short(trimmed)}")
    return found


def _tried(text: str) -> Any:
    try:
        value = json.loads(text, parse_constant=_no_constant)
    except (ValueError, RecursionError):
        return _MISSING
    return value if isinstance(value, dict | list) else _MISSING


def _no_constant(name: str) -> Any:
    raise ValueError(f"{name} is not JSON")


def _what_is_wrong(text: str) -> str:
    try:
        value = json.loads(text, parse_constant=_no_constant)
    except RecursionError:
        return "it is nested too deeply"
    except ValueError as error:
        return f"it is not JSON ({error})"
    return f"it is a JSON {type(value).__name__}, neither object nor array"


def _fenced(text: str) -> str | None:
    """What the first fenced block holds, None when no block is closed."""
    start = text.find("```")
    if start < 0:
        return None
    start += 3
    if text[start : start + 4].lower() == "json" and text[start + 4 : start + 5].isspace():
        start += 4
    end = text.find("```", start)
    return text[start:end].strip() if end >= 0 else None


def _balanced(text: str) -> Any:
    """The first balanced part that is a JSON object or array."""
    budget = len(text) * WORK_PER_CHARACTER
    at = 0
    while budget > 0:
        at = min((place for place in (text.find("{", at), text.find("[", at)) if place >= 0),
                 default=-1)  # fmt: skip
        if at < 0:
            break
        end, looked = _closing(text, at, budget)
        budget -= looked
        if end is not None:
            budget -= end - at
            if budget < 0:
                break
            found = _tried(text[at:end])
            if found is not _MISSING:
                return found
        at += 1
    return _MISSING


def _closing(text: str, start: int, budget: int) -> tuple[int | None, int]:
    """Where the bracket at `start` is closed (behind it), and how far was looked."""
    stack: list[str] = []
    quoted = escaped = False
    last = min(len(text), start + budget)
    for at in range(start, last):
        character = text[at]
        if quoted:
            if escaped:
                escaped = False
            elif character == "\\":
                escaped = True
            elif character == '"':
                quoted = False
        elif character == '"':
            quoted = True
        elif character in _OPEN:
            stack.append(_OPEN[character])
        elif character in "}]":
            if stack.pop() != character:
                return None, at - start + 1
            if not stack:
                return at + 1, at - start + 1
    return None, last - start


def _short(text: str) -> str:
    return repr(text if len(text) <= 200 else f"{text[:150]} … {text[-40:]}")
