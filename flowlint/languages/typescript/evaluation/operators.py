"""Operators on constants, and comparisons of what is known."""

from __future__ import annotations

import math
from collections.abc import Callable

from flowlint.languages.typescript.evaluation.machine import MAX_WAYS, Machine, shortened, value_key
from flowlint.languages.typescript.reading.literals import whole
from flowlint.values.model import (
    Built,
    Choice,
    Class,
    Const,
    External,
    Function,
    Instance,
    Mapped,
    Origin,
    Product,
    Sequence,
    Unknown,
    Value,
)

MAX_TEXT = 20_000
"""Characters of a text that is put together."""

_KINDS: dict[type, str] = {str: "string", bool: "boolean", int: "number", float: "number"}

_ARITHMETIC: dict[str, Callable[[float, float], float]] = {
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "/": lambda a, b: a / b,
    "%": math.fmod,
}

_ORDER: dict[str, Callable[[float, float], bool]] = {
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
}

CONCRETE = (Function, Class, Sequence, Mapped, Built, Product, Instance)


def js_text(value: object) -> str:
    """A constant as JavaScript writes it."""
    if isinstance(value, str):
        return value
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        if math.isnan(value):
            return "NaN"
        if math.isinf(value):
            return "Infinity" if value > 0 else "-Infinity"
        if value.is_integer() and abs(value) < 1e21:
            return str(int(value))
        return repr(value)
    return str(value)


def text_value(machine: Machine, parts: list[Value], origin: Origin) -> Value:
    """A text that is put together of values, not all of them constant."""
    if any(isinstance(part, Choice) for part in parts):
        if _ways(parts) > MAX_WAYS:
            return Unknown("depends on too many conditions", origin)
        at = next(n for n, part in enumerate(parts) if isinstance(part, Choice))

        def chosen(value: Value) -> Value:
            return text_value(machine, [*parts[:at], value, *parts[at + 1 :]], origin)

        return machine.for_each(parts[at], chosen, origin)
    texts = [shown(part) for part in parts]
    if all(text is not None for text in texts):
        whole_text = "".join(text or "" for text in texts)
        if len(whole_text) <= MAX_TEXT:
            return Const(whole_text, origin)
    keys = [value_key(part) for part in parts]
    key = shortened(f"text({keys})") if None not in keys else None
    return Unknown("a text that is put together at run time", origin, key)


def _ways(values: list[Value]) -> int:
    """Of how many combinations one is there."""
    return math.prod(len(value.alternatives) for value in values if isinstance(value, Choice))


def shown(value: Value) -> str | None:
    """What a value is as a text, None where that is not known."""
    if isinstance(value, Const) and not isinstance(value.value, bytes | complex):
        return js_text(value.value)
    if isinstance(value, External) and value.qualified == "undefined":
        return "undefined"
    if isinstance(value, Sequence) and value.rest is None:
        texts = [
            "" if _is_nothing(item.value) else shown(item.value)
            for item in value.items
            if not item.presence
        ]
        if len(texts) == len(value.items) and None not in texts:
            return ",".join(text or "" for text in texts)
    return None


def _is_nothing(value: Value) -> bool:
    if isinstance(value, External):
        return value.qualified == "undefined"
    return isinstance(value, Const) and value.value is None


def number_value(value: Value) -> float | None:
    """What a constant is as a number, None where that is not known."""
    if not isinstance(value, Const):
        return None
    if value.value is None:
        return 0
    if isinstance(value.value, bool | int | float):
        return value.value
    if isinstance(value.value, str):
        text = value.value.strip()
        try:
            return whole(float(text)) if text else 0
        except ValueError:
            return math.nan
    return None


def integer(number: float) -> int:
    """A number without its fraction; those that are none are 0, endless ones very large."""
    if math.isnan(number):
        return 0
    return int(max(min(number, 2.0**53), -(2.0**53)))


def binary(machine: Machine, operator: str, left: Value, right: Value, origin: Origin) -> Value:
    """The value of an operator that takes both of its operands."""
    if isinstance(left, Choice) or isinstance(right, Choice):
        if _ways([left, right]) > MAX_WAYS:
            return Unknown("depends on too many conditions", origin)
        return machine.for_each(
            left,
            lambda a: machine.for_each(
                right, lambda b: binary(machine, operator, a, b, origin), origin
            ),
            origin,
        )
    if operator == "+":
        return _plus(machine, left, right, origin)
    if operator in ("===", "!==", "==", "!="):
        return _equality(operator, left, right, origin)
    first, second = number_value(left), number_value(right)
    if operator in _ORDER:
        return _ordered(operator, left, right, origin)
    if first is not None and second is not None:
        found = _computed(operator, first, second)
        if found is not None:
            return Const(found, origin)
    if operator == "in" and isinstance(right, Mapped) and isinstance(left, Const):
        name = js_text(left.value)
        entries = [e for e in right.entries if isinstance(e.key, Const)]
        if any(not e.presence and js_text(e.key.value) == name for e in entries):  # type: ignore[union-attr]
            return Const(True, origin)
        if len(entries) == len(right.entries) and right.rest is None and name.isidentifier():
            if not any(js_text(e.key.value) == name for e in entries):  # type: ignore[union-attr]
                return Const(False, origin)
    return Unknown("an operation", origin, _key(operator, left, right))


def _key(operator: str, left: Value, right: Value) -> str | None:
    keys = (value_key(left), value_key(right))
    return None if None in keys else shortened(f"({keys[0]} {operator} {keys[1]})")


def _computed(operator: str, left: float, right: float) -> int | float | None:
    try:
        if operator in _ARITHMETIC:
            if operator in "/%" and right == 0:
                return math.nan if operator == "%" or left == 0 else math.copysign(math.inf, left)
            return whole(_ARITHMETIC[operator](left, right))
        if operator == "**":
            if abs(right) > 1024:
                return None
            return whole(float(left) ** right)
        if operator in ("|", "&", "^", "<<", ">>", ">>>"):
            return _bits(operator, integer(left), integer(right))
    except (OverflowError, ValueError, ZeroDivisionError, TypeError):
        return None
    return None


def _bits(operator: str, left: int, right: int) -> int:
    a, b = left & 0xFFFFFFFF, right & 31
    if operator == ">>>":
        return a >> b
    signed = a - 2**32 if a >= 2**31 else a
    found = {
        "|": signed | right,
        "&": signed & right,
        "^": signed ^ right,
        "<<": signed << b,
        ">>": signed >> b,
    }[operator] & 0xFFFFFFFF
    return found - 2**32 if found >= 2**31 else found


def _plus(machine: Machine, left: Value, right: Value, origin: Origin) -> Value:
    texts = [isinstance(v, Const) and isinstance(v.value, str) for v in (left, right)]
    joined = [isinstance(v, Sequence | Mapped) for v in (left, right)]
    if any(texts) or any(joined):
        return text_value(machine, [left, right], origin)
    first, second = number_value(left), number_value(right)
    if first is not None and second is not None:
        return Const(whole(first + second), origin)
    return Unknown("a sum", origin, _key("+", left, right))


def _ordered(operator: str, left: Value, right: Value, origin: Origin) -> Value:
    if isinstance(left, Const) and isinstance(right, Const):
        a, b = left.value, right.value
        if isinstance(a, str) and isinstance(b, str):
            return Const({"<": a < b, "<=": a <= b, ">": a > b, ">=": a >= b}[operator], origin)
        first, second = number_value(left), number_value(right)
        if first is not None and second is not None:
            return Const(_ORDER[operator](first, second), origin)
    return Unknown("a comparison", origin, _key(operator, left, right))


def _equality(operator: str, left: Value, right: Value, origin: Origin) -> Value:
    negative = operator.startswith("!")
    equal = equals(left, right, strict=len(operator) == 3)
    if equal is not None:
        return Const(equal is not negative, origin)
    key = _key("==", left, right)
    return Unknown("a comparison", origin, f"not {key}" if negative and key else key)


def equals(left: Value, right: Value, *, strict: bool = True) -> bool | None:
    """Whether two values are equal, None where that is not known."""
    if isinstance(left, Const) and isinstance(right, Const):
        a, b = left.value, right.value
        if _kind(a) == _kind(b):
            return a == b
        if strict or a is None or b is None:
            return False
        first, second = number_value(left), number_value(right)
        return first == second if first is not None and second is not None else None
    for one, other in ((left, right), (right, left)):
        if _is_nothing(one) and _is_nothing(other):
            return True if not strict else isinstance(one, Const) is isinstance(other, Const)
        if isinstance(one, CONCRETE) and (isinstance(other, Const) or _is_nothing(other)):
            return False if strict or _is_nothing(other) else None
        if isinstance(one, Const) and _is_nothing(other):
            return False
    if isinstance(left, CONCRETE) and isinstance(right, CONCRETE):
        return left is right
    if isinstance(left, Unknown) and left.key is not None and isinstance(right, Unknown):
        return True if left.key == right.key else None
    return None


def _kind(value: object) -> str:
    return "null" if value is None else _KINDS.get(type(value), "other")


def unary(machine: Machine, operator: str, value: Value, origin: Origin) -> Value:
    """The value of an operator with one operand."""
    if isinstance(value, Choice):
        return machine.for_each(value, lambda v: unary(machine, operator, v, origin), origin)
    if operator == "!":
        truth = known_truth(value)
        if truth is not None:
            return Const(not truth, origin)
        key = value_key(value)
        if key is not None and key.startswith("not "):
            return Unknown("a condition", origin, key.removeprefix("not "))
        return Unknown("a condition", origin, f"not {key}" if key else None)
    if operator == "typeof":
        return _typeof(value, origin)
    if operator == "void":
        return External("undefined", origin)
    number = number_value(value)
    if number is not None and operator in "+-":
        return Const(whole(-number if operator == "-" else number), origin)
    if number is not None and operator == "~" and not math.isnan(number):
        return Const(~integer(number), origin)
    return Unknown("an operation", origin, None)


def _typeof(value: Value, origin: Origin) -> Value:
    if isinstance(value, Const):
        return Const("object" if value.value is None else _kind(value.value), origin)
    if isinstance(value, External) and value.qualified == "undefined":
        return Const("undefined", origin)
    if isinstance(value, Function | Class):
        return Const("function", origin)
    if isinstance(value, Sequence | Mapped | Instance | Built):
        return Const("object", origin)
    key = value_key(value)
    return Unknown("the type of a value", origin, f"typeof {key}" if key else None)


def known_truth(value: Value) -> bool | None:
    """Whether a value counts as true, None when it may be either."""
    if isinstance(value, Const):
        if isinstance(value.value, float) and math.isnan(value.value):
            return False
        return bool(value.value)
    if isinstance(value, CONCRETE):
        return True
    if isinstance(value, External) and value.qualified == "undefined":
        return False
    return False if is_falsy(value) else None


FALSY = "falsy "
"""How the keys of values begin that are known to count as false, and nothing more."""


def is_falsy(value: Value) -> bool:
    """Whether a value is one that is only known to count as false."""
    return isinstance(value, Unknown) and value.key is not None and value.key.startswith(FALSY)
