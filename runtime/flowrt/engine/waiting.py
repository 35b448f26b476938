"""Whether a node's function can be suspended, told from its code.

A coroutine function without an `await` in it runs from end to end: whoever calls it can drive it,
without the task that costs more than everything else that a short branch does.
"""

from __future__ import annotations

import dis
from functools import lru_cache, partial
from inspect import CO_COROUTINE
from types import CodeType, FunctionType, MethodType
from typing import Any

SUSPENDING = frozenset({"SEND", "YIELD_VALUE"})
"""Every await, async for and async with is made of these instructions (CPython from 3.11 on)."""


def never_waits(run: Any) -> bool:
    """Whether it is a coroutine function that is known to never wait."""
    while isinstance(run, partial | MethodType):
        run = run.func if isinstance(run, partial) else run.__func__
    return isinstance(run, FunctionType) and _awaits_nothing(run.__code__)


@lru_cache(maxsize=4096)
def _awaits_nothing(code: CodeType) -> bool:
    if not code.co_flags & CO_COROUTINE:
        return False
    return not any(step.opname in SUSPENDING for step in dis.get_instructions(code))
