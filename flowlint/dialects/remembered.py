"""What was worked out of a part of a file of data holds for as long as the part stays as it is."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import TypeVar, cast

from flowlint.values.model import Mapped, Value

T = TypeVar("T")


def remembered(value: Value, key: Hashable, make: Callable[[], T]) -> T:
    """What `make` gives for a value, made once where the value keeps what is worked out of it.

    `key` is all that the result rests on besides the value.
    """
    memory = value.memory if isinstance(value, Mapped) else None
    if memory is None or not isinstance(value, Mapped):
        return make()
    whole = (value.serial, key)
    if whole not in memory:
        memory[whole] = make()
    return cast(T, memory[whole])
