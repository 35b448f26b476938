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


_INCIDENTAL = ("is raised", "goes on", "left it in", "it is left as it was", "is not refused")
"""Ends of tests that say how a run went wrong or on, not what somebody chose."""


def is_plausible(case: Presence, where: Presence, present: Iterable[Presence]) -> bool:
    """Whether a case can be believed to come about, as tests may hang together.

    It is when all that has to hold beyond `where` is the outcome of a single test, and the part
    that is missing then is made under the same tests as `where` and that one.
    """
    beyond = case - where
    if not beyond:
        return True
    if len(beyond) > 1 or any(_is_incidental(test) for test, _ in beyond):
        return False
    return not where or any(where <= other for other in present)


def is_incidental(presence: Presence) -> bool:
    """Whether something is only there when a run went wrong or on in some way."""
    return any(_is_incidental(test) for test, _ in presence)


def _is_incidental(test: str) -> bool:
    return test.startswith("for ") or test.rstrip(")(0123456789 ").endswith(_INCIDENTAL)


def text_of(presence: Presence) -> str:
    """Such as "when `use_tools` is false"."""
    if presence == ALWAYS:
        return "always"
    tests = [f"`{test}` is {str(outcome).lower()}" for test, outcome in sorted(presence)]
    return f"when {' and '.join(tests)}"
