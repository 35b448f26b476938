"""Values of a flow as JSON has them, for people and programs to read."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

_DEEPEST = 60


def plain(value: object, depth: int = 0) -> Any:
    """A value as JSON has it; what JSON has not is written as text."""
    if value is None or isinstance(value, str | bool | int):
        return value
    if isinstance(value, float):
        return value if value - value == 0 else repr(value)
    if depth >= _DEEPEST:
        return "…"
    if isinstance(value, Mapping):
        return {str(key): plain(held, depth + 1) for key, held in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [plain(held, depth + 1) for held in value]
    dump = getattr(type(value), "model_dump", None)
    if dump is not None:
        return plain(dump(value, mode="json"), depth + 1)
    fields = getattr(type(value), "__dataclass_fields__", None)
    if fields is not None:
        return {name: plain(getattr(value, name, None), depth + 1) for name in fields}
    return str(value)
