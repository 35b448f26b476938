"""What is known of functions that flows are given, before they are called, and what is wrong."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from inspect import Signature, iscoroutinefunction, signature
from types import FunctionType, MethodType

from flowlint.graph import reference_faults as faults
from flowlint.graph.model import MOST_ASKED, Violation
from flowlint.graph.reference import MERGES
from flowlint.source import Span


def is_async(function: object) -> bool:
    """Whether what a function gives has to be awaited."""
    while isinstance(function, partial):
        function = function.func
    if iscoroutinefunction(function):
        return True
    called = vars(type(function)).get("__call__")
    return iscoroutinefunction(called)


def is_plain(function: object) -> bool:
    """Whether a function surely gives its answer at once: it is defined with `def`.

    A wrapper of an async function may well give what is to be awaited.
    """
    while isinstance(function, partial):
        function = function.func
    if not isinstance(function, FunctionType | MethodType) or iscoroutinefunction(function):
        return False
    wrapped = getattr(function, "__wrapped__", None)
    return wrapped is None or is_plain(wrapped)


def takes(function: object) -> frozenset[int] | None:
    """With how many arguments a function can be called, up to `MOST_ASKED`; None: that is not
    known."""
    if not isinstance(function, FunctionType | MethodType) or hasattr(function, "__wrapped__"):
        return None
    try:
        wanted = signature(function)
    except (TypeError, ValueError):
        return None
    return frozenset(count for count in range(MOST_ASKED + 1) if _fits(wanted, count))


def _fits(wanted: Signature, count: int) -> bool:
    try:
        wanted.bind(*range(count))
    except TypeError:
        return False
    return True


def name_of(function: object) -> str:
    """What a function is called in messages."""
    while isinstance(function, partial):
        function = function.func
    name = getattr(function, "__name__", "<lambda>")
    return "a condition" if name == "<lambda>" else str(name)


def merge_faults(what: str, policy: object, span: Span) -> Iterator[Violation]:
    """What is wrong with how values of one key are merged."""
    if not callable(policy):
        if policy not in MERGES:
            yield faults.bad_choice(what, policy, MERGES, span)
        return
    if is_async(policy):
        yield faults.async_merge(what, name_of(policy), span)
    yield from called_faults(what, policy, 2, span, None)


def hook_faults(what: str, hook: object, span: Span) -> Iterator[Violation]:
    """What is wrong with a hook, which is called after each node and may be async."""
    if hook is None:
        return
    if not callable(hook):
        yield faults.not_callable(what, hook, span, None)
        return
    yield from called_faults(what, hook, 2, span, None, faults.HOOKED)


def called_faults(
    what: str,
    function: object,
    count: int,
    span: Span,
    node: str | None,
    given: str | None = None,
) -> Iterator[Violation]:
    """What is wrong with a function that will be called with so many arguments."""
    counts = takes(function)
    if counts is not None and count not in counts:
        yield faults.wrong_arguments(what, count, span, node, given)
