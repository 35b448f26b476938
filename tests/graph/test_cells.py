"""Guards decided by cells, against Python trying them out."""

from __future__ import annotations

import math
from collections.abc import Mapping
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from flowlint.graph.cells import (
    Witness,
    always_matches,
    can_match,
    fates,
    is_total,
    overlap,
    uncovered,
)
from flowlint.graph.domains import MISSING, Missing
from flowlint.graph.guards import (
    And,
    Compare,
    Constant,
    Formula,
    Member,
    Not,
    Or,
    Term,
    Truth,
    Truthy,
)

KIND = Term("state['kind']")
COUNT = Term("state['count']")
SCORE = Term("state['score']")
OK = Term("state['ok']")
MAYBE = Term("state['ok']", "get")
TRIES = Term("state['tries']", "get", 0)


def witness_of(*formulas: Formula) -> str:
    found = uncovered(formulas)
    return found.text if isinstance(found, Witness) else str(found)


@pytest.mark.parametrize(
    ("formulas", "text"),
    [
        ([Compare(SCORE, "<", 0.8), Compare(SCORE, ">", 0.8)], "state['score'] == 0.8"),
        ([Compare(SCORE, "<", 0.5), Compare(SCORE, ">", 0.8)], "0.5 <= state['score'] <= 0.8"),
        ([Compare(SCORE, "<", 0.5)], "state['score'] >= 0.5"),
        ([Compare(SCORE, ">=", 0.5)], "state['score'] < 0.5"),
        ([Compare(COUNT, "<", 2), Compare(COUNT, ">", 5)], "2 <= state['count'] <= 5"),
        ([Compare(KIND, "==", "A")], "state['kind'] is not 'A'"),
        (
            [Compare(KIND, "==", "A"), Compare(KIND, "==", "B")],
            "state['kind'] is neither 'A' nor 'B'",
        ),
        ([Member(KIND, ("A", "B", "C"))], "state['kind'] is none of 'A', 'B', 'C'"),
        ([Compare(KIND, "==", "A"), Not(Truthy(KIND))], "state['kind'] is neither 'A' nor empty"),
        ([Compare(COUNT, "==", 1), Compare(COUNT, "==", 2)], "state['count'] is neither 1 nor 2"),
        ([Truthy(OK)], "state['ok'] is falsy"),
        ([Not(Truthy(OK))], "state['ok'] is truthy"),
        ([Compare(OK, "is", None)], "state['ok'] is not None"),
        ([Compare(OK, "==", True)], "state['ok'] is False"),
        ([Compare(MAYBE, "is", True), Compare(MAYBE, "is", False)], "state['ok'] is missing"),
        (
            [And((Truthy(OK), Compare(COUNT, "<", 3))), Not(Truthy(OK))],
            "state['ok'] is truthy and state['count'] >= 3",
        ),
        ([Compare(KIND, "<", "m")], "state['kind'] == 'm'"),
    ],
)
def test_witnesses_read_naturally(formulas: list[Formula], text: str) -> None:
    assert witness_of(*formulas) == text


@pytest.mark.parametrize(
    "formulas",
    [
        [Truthy(OK), Not(Truthy(OK))],
        [Compare(SCORE, "<", 0.8), Compare(SCORE, ">=", 0.8)],
        [Compare(KIND, "==", "A"), Compare(KIND, "!=", "A")],
        [Truth(True)],
        # Nobody counts in halves, or below nothing.
        [Compare(COUNT, "<=", 2), Compare(COUNT, ">=", 3)],
        [Compare(COUNT, "==", 0), Compare(COUNT, ">", 0)],
        # A flag is true or false, whatever else Python would let it be.
        [Compare(OK, "is", True), Compare(OK, "is", False)],
        [Compare(OK, "==", True), Compare(OK, "==", False)],
        # Shares go up to one.
        [Compare(SCORE, "<", 0.5), And((Compare(SCORE, ">=", 0.5), Compare(SCORE, "<=", 1.0)))],
        # What is not there raises, and is no case that was left out.
        [Compare(TRIES, "<", 3), Compare(TRIES, ">=", 3)],
        [Or((Compare(COUNT, ">", 1), Compare(COUNT, "<=", 1)))],
    ],
)
def test_nothing_natural_is_left_over(formulas: list[Formula]) -> None:
    assert uncovered(formulas) is False


def test_what_cannot_be_told_is_unknown() -> None:
    assert uncovered([Truthy(OK), None]) is None
    assert can_match(None) is None
    assert always_matches(None) is None
    assert overlap(Truthy(OK), None) is None
    many = [Compare(Term(f"state[{number}]"), "<", 5) for number in range(12)]
    assert uncovered(many) is None
    deep: Formula = Truthy(OK)
    for _ in range(100_000):
        deep = Not(deep)
    assert can_match(deep) is None
    assert fates([Truth(True), deep]) == ("taken", "shadowed")
    assert fates([Compare(KIND, "==", str(number)) for number in range(1_000)]) is None


def test_fates() -> None:
    over_3, over_5 = Compare(COUNT, ">", 3), Compare(COUNT, ">", 5)
    assert fates([over_3, over_5]) == ("taken", "shadowed")
    assert fates([over_5, over_3]) == ("taken", "taken")
    assert fates([over_3, Compare(COUNT, "==", "many")]) == ("taken", "raises")
    assert fates([over_3, And((over_5, Compare(COUNT, "<", 4)))]) == ("taken", "never true")
    assert fates([Truthy(OK), Not(Truthy(OK)), Truth(True)]) == ("taken", "taken", "raises")
    # Only something that is no number, such as not-a-number, gets through both.
    low, high = Compare(SCORE, "<", 0.5), Compare(SCORE, ">=", 0.5)
    assert fates([low, high, Truth(True)]) == ("taken", "taken", "taken")
    # Nobody expects 0 or an empty list there, but a conclusion has to hold for them too.
    filled, empty = Truthy(KIND), Compare(KIND, "==", "")
    assert uncovered([filled, empty]) is False
    assert is_total([filled, empty]) is False
    assert fates([filled, empty, Truth(True)]) == ("taken", "taken", "taken")
    assert fates([filled, Not(filled), Truth(True)]) == ("taken", "taken", "raises")
    assert fates([Truthy(MAYBE), Not(Truthy(MAYBE)), Truth(True)])[2] == "shadowed"  # type: ignore[index]
    # What is no number raises before it comes to the second guard.
    any_number = Or((low, Not(low)))
    assert fates([any_number, Truth(True)]) == ("taken", "raises")
    assert fates([None, over_3, None, Truth(True)]) == (None, "taken", None, "taken")
    assert fates([Truth(True), None]) == ("taken", "shadowed")


def test_equal_constants_of_different_types_are_told_apart() -> None:
    as_flag, as_number = Term("state['x']", "get", True), Term("state['x']", "get", 1)
    missing_is_true = [Compare(as_flag, "is", True), Compare(as_flag, "is", False)]
    missing_is_one = [Compare(as_number, "is", True), Compare(as_number, "is", False)]
    assert uncovered(missing_is_true) is False
    assert isinstance(uncovered(missing_is_one), Witness)
    assert uncovered(missing_is_true) is False


def test_true_equals_one() -> None:
    assert fates([Compare(OK, "==", 1), Compare(OK, "is", True)]) == ("taken", "shadowed")
    assert isinstance(overlap(Compare(OK, "==", True), Compare(OK, "==", 1)), Witness)


@pytest.mark.parametrize("number", [math.inf, -math.inf, math.nan, 10**400, 1e308, 5e-324])
def test_numbers_at_the_edge(number: float) -> None:
    for sign in ("<", ">", "==", "!=", "<=", ">="):
        formula = Compare(COUNT, sign, number)  # type: ignore[arg-type]
        other = Compare(COUNT, sign, 0)  # type: ignore[arg-type]
        assert uncovered([formula, other, Truth(True)]) is False
        assert can_match(formula) is not None


# Against Python itself -----------------------------------------------------------------------

CONSTANTS: list[Constant] = [None, True, False, 0, 1, 2, 3, 0.5, -1, "", "a", "b"]
TERMS = [
    Term("x"),
    Term("x", "get"),
    Term("x", "get", 0),
    Term("y"),
    Term("y", "get", "a"),
    Term("y", "get", True),
]
VALUES: list[object] = [
    *(*CONSTANTS, MISSING, 1.0, 2.5, 7, -4, math.nan, math.inf, "zz", "aa"),
    *([], [1], (), (1,), {}, {1: 2}, set(), b"", object()),
]

_terms = st.sampled_from(TERMS)
_constants = st.sampled_from(CONSTANTS)
_atoms: st.SearchStrategy[Formula] = st.one_of(
    st.builds(Truth, st.booleans()),
    st.builds(Truthy, _terms),
    st.builds(Compare, _terms, st.sampled_from(["==", "!=", "<", "<=", ">", ">="]), _constants),
    st.builds(
        Compare, _terms, st.sampled_from(["is", "is not"]), st.sampled_from([None, True, False])
    ),
    st.builds(Member, _terms, st.lists(_constants, max_size=3).map(tuple)),
)
_formulas = st.recursive(
    _atoms,
    lambda inner: st.one_of(
        st.builds(Not, inner),
        st.builds(And, st.lists(inner, min_size=1, max_size=3).map(tuple)),
        st.builds(Or, st.lists(inner, min_size=1, max_size=3).map(tuple)),
    ),
    max_leaves=6,
)

State = Mapping[str, object]


def read(term: Term, state: State) -> object:
    if term.access == "item":
        return state[term.variable]
    return state.get(term.variable, term.default)


def run(formula: Formula, state: State) -> bool:
    """The formula as Python evaluates it."""
    match formula:
        case Truth(value):
            return value
        case Truthy(term):
            return bool(read(term, state))
        case Compare(term, sign, constant):
            names = {"left": read(term, state), "right": constant}
            return bool(eval(f"left {sign} right", {}, names))
        case Member(term, constants):
            return read(term, state) in list(constants)
        case Not(operand):
            return not run(operand, state)
        case And(operands):
            return all(run(operand, state) for operand in operands)
        case Or(operands):
            return any(run(operand, state) for operand in operands)
    raise AssertionError(formula)


def outcome(formula: Formula, state: State) -> bool | None:
    try:
        return run(formula, state)
    except (KeyError, TypeError):
        return None


def states() -> list[State]:
    pairs = product(VALUES, VALUES)
    return [
        {name: value for name, value in (("x", x), ("y", y)) if value is not MISSING}
        for x, y in pairs
    ]


STATES = states()


def state_of(witness: Witness) -> State:
    return {name: value for name, value in witness.values if not isinstance(value, Missing)}


@settings(deadline=None, max_examples=150)
@given(_formulas)
def test_one_guard_against_python(formula: Formula) -> None:
    outcomes = {outcome(formula, state) for state in STATES}
    if can_match(formula) is False:
        assert True not in outcomes
    if True in outcomes:
        assert can_match(formula)
    if always_matches(formula):
        assert False not in outcomes
    if False in outcomes:
        assert always_matches(formula) is False


@settings(deadline=None, max_examples=150)
@given(st.lists(_formulas, min_size=1, max_size=4))
def test_guards_in_order_against_python(formulas: list[Formula]) -> None:
    found = uncovered(formulas)
    if isinstance(found, Witness):
        assert {outcome(formula, state_of(found)) for formula in formulas} == {False}
    if is_total(formulas):
        for state in STATES:
            assert any(outcome(formula, state) is not False for formula in formulas)
    told = fates(formulas)
    assert told is not None
    matched, taken, raised_before = set(), set(), set()
    for state in STATES:
        outcomes = [outcome(formula, state) for formula in formulas]
        matched |= {place for place, result in enumerate(outcomes) if result}
        first = next((place for place, result in enumerate(outcomes) if result is not False), None)
        if first is not None and outcomes[first]:
            taken.add(first)
        elif first is not None:
            raised_before |= {place for place, result in enumerate(outcomes) if result}
    for place, fate in enumerate(told):
        if place in taken:
            assert fate == "taken"
        elif place in raised_before:
            assert fate in ("taken", "raises")
        elif place in matched:
            assert fate != "never true"
        if place and is_total(formulas[:place]):
            assert fate != "taken"


@settings(deadline=None, max_examples=100)
@given(_formulas, _formulas)
def test_overlap_against_python(first: Formula, second: Formula) -> None:
    found = overlap(first, second)
    if isinstance(found, Witness):
        state = state_of(found)
        assert outcome(first, state) is True
        assert outcome(second, state) is True
