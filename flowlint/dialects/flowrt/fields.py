"""Single fields of nodes and edges."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from flowlint.dialects.flowrt.parts import Part, part_of_mapping, plain
from flowlint.dialects.flowrt.sight import Sight
from flowlint.dialects.reading import (
    CallableFinder,
    bare_function,
    function_guard,
    text_of,
    written,
)
from flowlint.graph import reference_faults as faults
from flowlint.graph.cel import cel_guard
from flowlint.graph.guards import Guard
from flowlint.graph.model import CallableFacts, Violation
from flowlint.graph.reference import KindFacts
from flowlint.source import Span
from flowlint.values.model import Argument, Const, Mapped, Sequence, Value


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
    elif run is not None and not part.data and isinstance(value, Const | Sequence | Mapped):
        yield faults.not_callable(f"What node `{name}` runs", plain(value), written(run), name)


def kill_switch_faults(part: Part) -> Iterator[Violation]:
    """What is wrong with the kill switch of a flow."""
    found = part.find("kill_switch")
    if found is None or plain(found.value) is None:
        return
    if isinstance(found.value, Const | Sequence | Mapped):
        yield faults.not_callable("The kill switch", plain(found.value), written(found), None)
        return
    function = bare_function(found.value)
    if function is not None and function.is_async:
        yield faults.async_kill_switch(function.name, written(found))


def facts_of(run: Argument | None, find: CallableFinder | None) -> CallableFacts | None:
    """What is known of what a node runs."""
    if run is None:
        return None
    if find is not None:
        name = text_of(run.value)
        return find(name) if name is not None else None
    function = bare_function(run.value)
    if function is None:
        return None
    return CallableFacts(function.name, function.origin.span(), function.is_async)


def guard_of(
    part: Part, names: tuple[str, str], sight: Sight
) -> tuple[Guard | None, list[Violation]]:
    """The condition of an edge, None when it has none, and what is wrong with it."""
    found = part.find("when")
    if found is None or plain(found.value) is None:
        return None, []
    value, span = found.value, written(found)
    text = text_of(value)
    if text is not None:
        guard, fault = cel_guard(text, names[0], span)
        return guard, [fault] if fault is not None else []
    if part.data and isinstance(value, Mapped):
        inner = part_of_mapping("call", value)
        named = text_of(inner.get("call") or value)
        return _named_guard(named or "a condition", span, sight.find), []
    if isinstance(value, Const | Sequence | Mapped):
        what = f"Guard of the edge from `{names[0]}` to `{names[1]}`"
        return Guard("a condition", span), [faults.not_callable(what, plain(value), span, names[0])]
    guard = function_guard(value, span)
    # flowrt refuses what has to be awaited, so that it is neither true nor false.
    return (replace(guard, formula=None) if guard.is_async else guard), []


def _named_guard(name: str, span: Span, find: CallableFinder | None) -> Guard:
    found = find(name) if find is not None else None
    definition = found.span if found is not None else None
    shown = name.rpartition(":")[2]
    return Guard(shown, span, None, found.is_async if found else None, definition, name)
