"""How long rules take, where somebody wants to know."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from time import perf_counter

Times = dict[str, float]
"""Seconds by the names of rules."""

_running: list[Times] = []


@contextmanager
def timed_rules(times: Times | None) -> Iterator[None]:
    """Add to `times` what rules take while this holds; None: nobody wants to know."""
    if times is None:
        yield
        return
    _running.append(times)
    try:
        yield
    finally:
        _running.pop()


@contextmanager
def timed(rule: str) -> Iterator[None]:
    """Count this as time that a rule takes."""
    start = perf_counter()
    try:
        yield
    finally:
        for times in _running:
            times[rule] = times.get(rule, 0.0) + perf_counter() - start


def is_timing() -> bool:
    """Whether somebody wants to know."""
    return bool(_running)
