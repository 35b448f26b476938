"""Reasoning about parts of a flow that are only there under some tests."""

from __future__ import annotations

from collections.abc import Iterable

from flowlint.graph.model import ALWAYS, Presence

_BUDGET = 1_000
_MOST = 50


def whenever(part: Presence, other: Presence) -> bool:
    """Whether `other` is there whenever `part` is."""
    return other <= part


def exclude(first: Presence, second: Presence) -> bool:
    """Whether the two are never there together."""
    return any((test, not outcome) in second for test, outcome in first)


def absence(where: Presence, present: Iterable[Presence]) -> Presence | None:
    """Outcomes of tests under which `where` holds and none of `present` does.

    None when there are none, or when it takes too long to tell.
    """
    candidates = [other for other in present if not exclude(where, other)]
    if not candidates:
        return where
    if len(candidates) > _MOST:
        return None
    open_cases = [where]
    for _ in range(_BUDGET):
        if not open_cases:
            return None
        case = open_cases.pop()
        rivals = [other for other in candidates if not exclude(case, other)]
        if not rivals:
            return case
        undecided = min(rivals, key=len) - case
        if not undecided:
            continue
        test, outcome = min(undecided)
        open_cases.append(case | {(test, outcome)})
        open_cases.append(case | {(test, not outcome)})
    return None


def text_of(presence: Presence) -> str:
    """Such as "when `use_tools` is false"."""
    if presence == ALWAYS:
        return "always"
    tests = [f"`{test}` is {str(outcome).lower()}" for test, outcome in sorted(presence)]
    return f"when {' and '.join(tests)}"
