"""Single fields of nodes and edges."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from flowlint.dialects.flowrt.parts import Part, number_of, plain
from flowlint.dialects.flowrt.sight import Sight
from flowlint.dialects.reading import (
    bare_function,
    function_guard,
    text_of,
    written,
)
from flowlint.graph import reference_faults as faults
from flowlint.graph.cel import cel_guard
from flowlint.graph.guards import Guard
from flowlint.graph.model import MOST_ASKED, CallableFacts, Violation
from flowlint.graph.reference import MERGES, KindFacts
from flowlint.graph.reference_settings import CALLS_RUN, STATE_KINDS
from flowlint.source import Span
from flowlint.values.model import Const, Function, Mapped, Sequence, Value


def integer(value: Value | None) -> int | None:
    """A whole number, None for anything else."""
    if not isinstance(value, Const) or isinstance(value.value, bool):
        return None
    return value.value if isinstance(value.value, int) else None


def run_faults(
    name: str, kind: str | None, facts: KindFacts | None, part: Part
) -> Iterator[Violation]:
    """What is wrong with what a node runs."""
    run = part.find("run")
    value = run.value if run is not None else None
    is_left_out = value is None or (isinstance(value, Const) and value.value is None)
    if is_left_out:
        if kind is not None and facts is not None and facts.runs and not part.spread:
            yield faults.no_function(name, kind, part.span)
    elif run is not None and isinstance(value, Const | Sequence | Mapped):
        yield faults.not_callable(f"What node `{name}` runs", plain(value), written(run), name)


def kill_switch_faults(part: Part) -> Iterator[Violation]:
    """What is wrong with the kill switch of a flow."""
    found = part.find("kill_switch")
    if found is None or plain(found.value) is None:
        return
    if isinstance(found.value, Const | Sequence | Mapped):
        yield faults.not_callable("The kill switch", plain(found.value), written(found), None)
        return
    function = facts_of_value(found.value)
    if function is not None and function.is_async:
        yield faults.async_kill_switch(function.name, written(found))
    yield from called_faults("The kill switch", 0, function, written(found), None)


def hook_faults(part: Part) -> Iterator[Violation]:
    """What is wrong with the hooks of a flow, which may be async."""
    for name in faults.HOOKS:
        found = part.find(name)
        if found is None or plain(found.value) is None:
            continue
        what = f"The hook `{name}`"
        if isinstance(found.value, Const | Sequence | Mapped):
            yield faults.not_callable(what, plain(found.value), written(found), None)
            continue
        counts = facts_of_value(found.value)
        if counts is not None and counts.takes is not None and 2 not in counts.takes:
            yield faults.wrong_arguments(what, 2, written(found), None, faults.HOOKED)


def merge_faults(part: Part) -> Iterator[Violation]:
    """Policies of merging that flowrt does not know, and functions that cannot merge."""
    merge = part.get("merge")
    for entry in merge.entries if isinstance(merge, Mapped) else ():
        policy, span = text_of(entry.value), entry.value.origin.span()
        what = f"Merge of `{text_of(entry.key)}`"
        if policy is not None:
            if policy not in MERGES:
                yield faults.bad_choice(what, policy, MERGES, span)
            continue
        function = facts_of_value(entry.value)
        if function is not None and function.is_async:
            yield faults.async_merge(what, function.name, span)
        yield from called_faults(what, 2, function, span, None)


def max_parallel_faults(part: Part) -> Iterator[Violation]:
    """What is wrong with the limit of nodes at a time."""
    value = part.get("max_parallel")
    if not isinstance(value, Const) or value.value is None:
        return
    count = integer(value)
    if count is None or count < 1:
        yield faults.bad_limit("max_parallel", value.value, value.origin.span())


def facts_of_value(value: Value) -> CallableFacts | None:
    """What is known of a function in code."""
    function = bare_function(value)
    if function is None:
        return None
    takes = None
    if function is value and not function.decorators and function.wrapped is None:
        wanted = function.reader.arguments(function.receiver)
        most = MOST_ASKED if wanted.positional is None else min(wanted.positional, MOST_ASKED)
        counts = range(len(wanted.required), most + 1)
        takes = frozenset() if wanted.named else frozenset(counts)
    return CallableFacts(function.name, function.origin.span(), _is_async(function), takes)


def _is_async(function: Function) -> bool | None:
    """Whether what it gives has to be awaited; None also for wrappers of async functions."""
    if function.decorators:
        return None
    wrapped = function.wrapped
    if function.is_async or wrapped is None:
        return function.is_async
    is_plain = isinstance(wrapped, Function) and _is_async(wrapped) is False
    return False if is_plain else None


def called_faults(
    what: str, count: int, facts: CallableFacts | None, span: Span, node: str | None
) -> Iterator[Violation]:
    """What is wrong with a function that will be called with so many arguments."""
    if facts is not None and facts.takes is not None and count not in facts.takes:
        yield faults.wrong_arguments(what, count, span, node)


def limits_of_run(
    name: str, kind: str | None, part: Part, facts: CallableFacts | None
) -> Iterator[Violation]:
    """What is wrong with how a node's function is called, and limits that it knows nothing of."""
    run = part.find("run")
    if run is None or facts is None or kind not in CALLS_RUN:
        return
    given = None if kind in STATE_KINDS else "with the context alone"
    if facts.takes is not None and 1 not in facts.takes:
        what = f"What node `{name}` runs"
        yield faults.wrong_arguments(what, 1, written(run), name, given)
    for field in ("timeout", "heartbeat"):
        value = part.get(field)
        if facts.is_async is False and value is not None and number_of(value) is not None:
            yield faults.unstoppable(field.capitalize(), name, value.origin.span())


def guard_of(
    part: Part, names: tuple[str, str], outcome: str, sight: Sight
) -> tuple[Guard | None, list[Violation]]:
    """The condition of an edge, None when it has none, and what is wrong with it.

    What its source gives is only there after the outcome `ok`.
    """
    found = part.find("when")
    if found is None or plain(found.value) is None:
        return None, []
    value, span = found.value, written(found)
    text = text_of(value)
    if text is not None:
        is_literal = value.origin.span() == span
        guard, fault = cel_guard(
            text,
            names[0],
            span,
            sight.nodes,
            sight.outputs if outcome == "ok" else {},
            literal=is_literal,
        )
        return guard, [fault] if fault is not None else []
    what = f"Guard of the edge from `{names[0]}` to `{names[1]}`"
    if isinstance(value, Const | Sequence | Mapped):
        return Guard("a condition", span), [faults.not_callable(what, plain(value), span, names[0])]
    guard = function_guard(value, span)
    # flowrt refuses what has to be awaited, so that it is neither true nor false.
    wrong = [*called_faults(what, 1, facts_of_value(value), span, names[0])]
    return (replace(guard, formula=None) if guard.is_async else guard), wrong
