"""Predicates of edges: functions in Python, and texts in CEL."""

from __future__ import annotations

from collections.abc import Iterator

from flowlint.dialects.agentsflow.records import Field
from flowlint.dialects.reading import function_guard, text_of
from flowlint.graph.cel import cel_formula
from flowlint.graph.cel_names import parsed, place_within, position, shown
from flowlint.graph.cel_syntax import CelError, mentions
from flowlint.graph.cel_values import meant_choice, never_met
from flowlint.graph.guards import Guard, Truthy
from flowlint.graph.model import Violation
from flowlint.graph.node_outputs import Output
from flowlint.graph.reference_faults import near

ROOTS = ("result", "error", "ctx")
"""What a predicate may look at."""

_NEVER = "so it never holds"


def guard_of(predicate: Field | None) -> Guard | None:
    """The guard that a predicate is; None where there is none."""
    if predicate is None:
        return None
    text = text_of(predicate.value)
    if text is not None:
        return Guard(text, predicate.place, cel_formula(text, bare=True), False)
    return function_guard(predicate.value, predicate.place)


def cel_faults(
    predicate: Field | None, source: str, target: str, kind: str | None, gives: Output | None
) -> Iterator[Violation]:
    """What is wrong with a predicate in CEL on an edge out of a node of a type, which `gives`."""
    text = text_of(predicate.value) if predicate is not None else None
    if predicate is None or text is None:
        return
    what = f"The predicate `{shown(text)}` of the edge from `{source}` to `{target}`"
    span = predicate.place
    tree = parsed(text)
    if isinstance(tree, CelError):
        at = position(text, tree.offset)
        said = f"{what} is no CEL expression: {tree.message}{at}, {_NEVER}"
        cure = 'write a condition such as `result.response == "yes"`'
        place = place_within(span, text, tree.offset)
        yield Violation(place, said, cure, source, "invalid-expression")
        return
    formula = cel_formula(text, bare=True)
    # What all of it gives counts as Python takes it: a text holds unless it is empty.
    fields = dict(gives.fields or ()) if gives is not None else {}
    values = {f"result.{name}": held for name, held in fields.items() if held is not None}
    never = None if isinstance(formula, Truthy) else never_met(formula, values)
    if never is not None:
        of = f"node `{source}`" if values[never[0]].choices else f"a node of the type `{kind}`"
        said = f"{what} is never true: `{never[0]}` of {of} is {never[1]}"
        cure = meant_choice(formula, never[0], values[never[0]]) or "compare it with what it may be"
        yield Violation(span, said, cure, source, "guard-never-true", severity="warning")
    for path in mentions(tree):
        if isinstance(path, str):
            continue
        name, *rest = path
        if name not in ROOTS:
            said = f"{what} looks at `{name}`, which no predicate has, {_NEVER}"
            cure = near(name, ROOTS, f"did you mean `result.{name}`?")
            yield Violation(span, said, cure, source, "unknown-variable")
        elif name == "ctx" and rest:
            said = f"{what} looks at `{'.'.join(path)}`, but edges are given no `ctx`, {_NEVER}"
            cure = "decide by `result`, which the node before the edge gives"
            yield Violation(span, said, cure, source, "unknown-variable", severity="warning")
        elif name == "result" and rest and fields and rest[0] not in fields:
            said = (
                f"{what} looks at `result.{rest[0]}`, which a node of the type `{kind}` does "
                f"not give, {_NEVER}"
            )
            known = [*fields][:4]
            cure = near(rest[0], [*fields], f"there is {', '.join(f'`{one}`' for one in known)}")
            yield Violation(span, said, cure, source, "unknown-variable", severity="warning")
