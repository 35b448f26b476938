"""What is said of conditions in CEL, against the engine that evaluates them in every state."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import nan
from typing import Any

import cel
from hypothesis import example, given, settings
from hypothesis import strategies as st

from flowlint.graph.cel import cel_formula
from flowlint.graph.cells import (
    Witness,
    always_matches,
    can_match,
    fates,
    is_total,
    overlap,
    uncovered,
)
from flowlint.graph.domains import MISSING, Opaque

# Between and beyond all constants of the conditions there is a value, and of every type one.
VALUES = (
    *(MISSING, None, True, False, -1, 0, 0.5, 1, 1.5, 2, 3, nan),
    *("", "a", "aa", "b", "c", [], {}, [1]),
)
STATES: list[dict[str, object]] = [
    {name: value for name, value in (("x", x), ("y", y)) if value is not MISSING}
    for x, y in product(VALUES, repeat=2)
]
CONSTANTS = ("0", "1", "2", "1.0", "'a'", "'b'", "true", "false", "null")

atoms = st.one_of(
    st.tuples(
        st.sampled_from(("state.x", "state.y")),
        st.sampled_from(("==", "!=", "<", "<=", ">", ">=")),
        st.sampled_from(CONSTANTS),
    ).map(" ".join),
    st.tuples(
        st.sampled_from(("state.x", "state.y")),
        st.lists(st.sampled_from(CONSTANTS), max_size=3).map(", ".join),
    ).map(lambda parts: f"{parts[0]} in [{parts[1]}]"),
    st.sampled_from(("state.x", "state.y", "1 <= state.x", "true", "false")),
)
guards = st.recursive(
    atoms,
    lambda inner: st.one_of(
        st.tuples(inner, st.sampled_from(("&&", "||")), inner).map(lambda t: f"({' '.join(t)})"),
        inner.map(lambda text: f"!({text})"),
    ),
    max_leaves=5,
)


def results(text: str) -> list[bool | None]:
    """What it comes to in every state, None where flowrt raises."""
    program = cel.compile(text)
    return [result(program, state) for state in STATES]


def result(program: Any, state: dict[str, object]) -> bool | None:
    try:
        found = program.execute({"state": state})
    except Exception:
        return None
    return found if isinstance(found, bool) else None


def at(witness: Witness, text: str) -> bool | None:
    state = {
        name.removeprefix("state."): _plain(value)
        for name, value in witness.values
        if value is not MISSING
    }
    return result(cel.compile(text), {"x": [], "y": [], **state})


def _plain(value: object) -> object:
    """An example as flowrt would have it; a list stands for what no condition names."""
    if isinstance(value, Fraction):
        return float(value)
    return [] if isinstance(value, Opaque) else value


@settings(max_examples=250, deadline=None)
@given(guards)
@example("(state.x > 1 || state.x == 'a') && state.x == 'a'")
@example("state.x == 1 && state.x == true")
@example("state.x == 1 && state.x == 1.0")
@example("!(state.x < 1) && !(state.x >= 1)")
@example("state.x && state.x == 'a'")
def test_one_condition(text: str) -> None:
    formula, found = cel_formula(text), results(text)
    assert can_match(formula) is (True in found)
    assert always_matches(formula) is (False not in found)


@settings(max_examples=150, deadline=None)
@given(st.lists(guards, min_size=2, max_size=3))
@example(["state.x == 1", "state.x == true"])
@example(["state.x < 1", "state.x >= 1"])
@example(["state.x == null", "state.x != null"])
def test_several_conditions(texts: list[str]) -> None:
    formulas = [cel_formula(text) for text in texts]
    rows = list(zip(*map(results, texts), strict=True))
    assert is_total(formulas) is not any(set(row) == {False} for row in rows)
    passed = uncovered(formulas)
    if isinstance(passed, Witness):
        assert [at(passed, text) for text in texts] == [False] * len(texts)
    both = overlap(*formulas[:2])
    if isinstance(both, Witness):
        assert [at(both, text) for text in texts[:2]] == [True, True]
    told = fates(formulas)
    assert told is not None
    for place, fate in enumerate(told):
        # What came of those before it, in the states in which it is true.
        ends = {
            next((one for one in row[:place] if one is not False), False)
            for row in rows
            if row[place]
        }
        expected = (
            "taken"
            if False in ends
            else "raises"
            if None in ends
            else "shadowed"
            if ends
            else "never true"
        )
        assert fate == expected
