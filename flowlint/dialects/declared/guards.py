"""The conditions of edges in declared systems."""

from __future__ import annotations

from flowlint.dialects.declared.declaration import Edges
from flowlint.dialects.reading import function_guard, text_of, written
from flowlint.graph.guards import And, Compare, Formula, Guard, Term, Truth
from flowlint.values.model import Argument, Call, Choice, Const, External, Value


def guard_of(argument: Argument | None, edges: Edges) -> Guard | None:
    """The condition of an edge; None when it has none."""
    if argument is None:
        return None
    value = argument.value
    if isinstance(value, Const) and value.value is None:
        return None
    if isinstance(value, External) and value.qualified in edges.unconditional:
        return None
    span = written(argument)
    if isinstance(value, Call):
        formula = _equality(value) if value.target in edges.equality else None
        return Guard(_text(value), span, formula)
    if isinstance(value, Const) and isinstance(value.value, str):
        return Guard(value.value, span)
    if isinstance(value, Choice):
        return Guard("a condition", span)
    return function_guard(value, span)


def _equality(call: Call) -> Formula | None:
    """That keys of the state have these values; None where that is not all it says."""
    if any(item.name is None or item.spread for item in call.arguments.items):
        return None
    asked: list[Formula] = []
    for item in call.arguments.items:
        value = item.value
        if not isinstance(value, Const) or isinstance(value.value, bytes | complex):
            return None
        asked.append(Compare(Term(item.name or "", "get"), "==", value.value))
    if len(asked) == 1:
        return asked[0]
    return And(tuple(asked)) if asked else Truth(True)


def _text(call: Call) -> str:
    """A condition as its author would read it aloud."""
    items = call.arguments.items
    if len(items) == 1 and items[0].name is None:
        text = text_of(items[0].value)
        if text is not None:
            return text
    told = [f"{item.name}={_shown(item.value)}" for item in items if item.name is not None]
    if len(told) == len(items) and items:
        return ", ".join(told)
    return "a condition"


def _shown(value: Value) -> str:
    return repr(value.value) if isinstance(value, Const) else "…"
