"""Methods of texts and numbers that are constant."""

from __future__ import annotations

from collections.abc import Callable

from flowlint.languages.typescript.evaluation.machine import Machine
from flowlint.languages.typescript.evaluation.operators import (
    MAX_TEXT,
    integer,
    js_text,
    text_value,
)
from flowlint.languages.typescript.evaluation.scopes import Scope
from flowlint.values.model import (
    Arguments,
    Const,
    Function,
    Item,
    Origin,
    Sequence,
    Unknown,
    Value,
)

_SPACE = " \t\n\r\f\v\u00a0\ufeff"


def call_text(
    machine: Machine, owner: Const, name: str, arguments: Arguments, scope: Scope
) -> Value | None:
    """The result of a method of a constant, None for one that is not followed."""
    origin = arguments.origin
    if not isinstance(owner.value, str):
        if name == "toString" and not arguments.items:
            return Const(js_text(owner.value), origin)
        return Unknown(f"the result of `{name}`", origin) if owner.value is not None else None
    given = [item.value for item in arguments.items]
    if name == "concat":
        return text_value(machine, [owner, *given], origin)
    if name == "replace" and len(given) == 2 and isinstance(given[1], Function):
        return Unknown("a text that is put together at run time", origin)
    if not all(isinstance(value, Const) for value in given):
        return Unknown(f"the result of `{name}`", origin)
    return _constant(owner.value, name, [v.value for v in given if isinstance(v, Const)], origin)


def _constant(text: str, name: str, given: list[object], origin: Origin) -> Value | None:
    simple = SIMPLE.get(name)
    if simple is not None and not given:
        return Const(simple(text), origin)
    if name == "split" and given and isinstance(given[0], str) and len(given) == 1:
        parts = text.split(given[0]) if given[0] else list(text)
        return Sequence("list", [Item(Const(part, origin)) for part in parts], origin)
    if name in TESTS and given and isinstance(given[0], str):
        return Const(TESTS[name](text, given[0]), origin)
    if name in ("replace", "replaceAll") and len(given) == 2:
        old, new = given
        if isinstance(old, str) and isinstance(new, str) and "$" not in new:
            count = 1 if name == "replace" else -1
            return Const(text.replace(old, new, count), origin)
    numbers = [float(value) for value in given if isinstance(value, int | float)]
    if name == "repeat" and len(numbers) == 1 and numbers[0] >= 0:
        if len(text) * numbers[0] <= MAX_TEXT:
            return Const(text * integer(numbers[0]), origin)
    if name in ("slice", "substring", "substr") and len(numbers) == len(given) and numbers:
        return _part(text, name, [integer(number) for number in numbers], origin)
    if name in ("at", "charAt") and len(numbers) == 1:
        index = integer(numbers[0])
        if -len(text) <= index < len(text) and (index >= 0 or name == "at"):
            return Const(text[index], origin)
    if name in ("padStart", "padEnd") and numbers and isinstance(given[-1], str | int):
        return _padded(text, name, given, origin)
    return Unknown(f"the result of `{name}`", origin)


def _part(text: str, name: str, bounds: list[int], origin: Origin) -> Value:
    size = len(text)
    start = bounds[0]
    end = bounds[1] if len(bounds) > 1 else size
    if name == "substr":
        start = max(size + start, 0) if start < 0 else start
        return Const(text[start : start + max(end, 0)], origin)
    if name == "substring":
        start, end = sorted((min(max(start, 0), size), min(max(end, 0), size)))
        return Const(text[start:end], origin)
    start = max(size + start, 0) if start < 0 else start
    end = max(size + end, 0) if end < 0 else end
    return Const(text[start:end] if start < end else "", origin)


def _padded(text: str, name: str, given: list[object], origin: Origin) -> Value:
    width = given[0]
    fill = given[1] if len(given) > 1 else " "
    if not isinstance(width, int) or not isinstance(fill, str) or not fill or width > MAX_TEXT:
        return Unknown(f"the result of `{name}`", origin)
    missing = max(width - len(text), 0)
    padding = (fill * (missing // len(fill) + 1))[:missing]
    return Const(padding + text if name == "padStart" else text + padding, origin)


SIMPLE: dict[str, Callable[[str], str]] = {
    "toLowerCase": str.lower,
    "toUpperCase": str.upper,
    "toLocaleLowerCase": str.lower,
    "toLocaleUpperCase": str.upper,
    "trim": lambda text: text.strip(_SPACE),
    "trimStart": lambda text: text.lstrip(_SPACE),
    "trimEnd": lambda text: text.rstrip(_SPACE),
    "toString": lambda text: text,
    "valueOf": lambda text: text,
}

TESTS: dict[str, Callable[[str, str], bool | int]] = {
    "startsWith": str.startswith,
    "endsWith": str.endswith,
    "includes": lambda text, part: part in text,
    "indexOf": str.find,
    "lastIndexOf": str.rfind,
}
