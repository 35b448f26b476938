"""Conditions in CEL: what is one, what it looks at, and when it holds."""

from __future__ import annotations

from typing import Any

import cel
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from flowlint.graph.cel import cel_guard
from flowlint.graph.cel_syntax import CelError, free_names, parse_cel
from flowlint.graph.guards import And, Compare, Formula, Member, Not, Or, Term, Truth, Truthy
from flowlint.source import Span

HERE = Span("x", 1, 1, 1, 1)
X, Y = Term("state.x", typed=True), Term("state.y", typed=True)


def formula(text: str) -> Formula | None:
    guard, fault = cel_guard(text, "a", HERE)
    assert fault is None
    return guard.formula


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("true", Truth(True)),
        ("state.x == 1", Compare(X, "==", 1)),
        ("1 < state.x", Compare(X, ">", 1)),
        ('state["x"] != -2.5', Compare(X, "!=", -2.5)),
        ("state.x", Truthy(X)),
        ("!state.x", Not(Truthy(X))),
        ("!!state.x", Not(Not(Truthy(X)))),
        ("state.x in ['a', r'b\\n', null]", Member(X, ("a", "b\\n", None))),
        (
            "state.x == 1 || state.y && !(state.x > 2)",
            Or((Compare(X, "==", 1), And((Truthy(Y), Not(Compare(X, ">", 2))), True)), True),
        ),
        ("result.outcome == 'ok'", Compare(Term("result.outcome", typed=True), "==", "ok")),
        ("size(state.x) > 1", None),
        ("state.x == state.y", None),
        ("state.x == 3u", None),
        ("state.x ? true : false", None),
        ("state.list.exists(i, i == 1)", None),
        ("state[0] == 1", None),
        ("state == 1", None),
    ],
)
def test_formulas(text: str, expected: Formula | None) -> None:
    assert formula(text) == expected


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "something is missing at the end"),
        ("state.x ==", "something is missing at the end"),
        ("state.x = 1", "`=` means nothing at column 9"),
        ("state.x and state.y", "`and` does not belong here at column 9"),
        ("(state.x", "something is missing at the end"),
        ("'a", "this text is never closed at column 1"),
        ("state.in", "a name is missing before `in` at column 7"),
        ("f(1,)", "an argument is missing before `)` at column 5"),
        ("(" * 500, "nested too deeply"),
        ("return", "`return` is a reserved word"),
    ],
)
def test_what_is_no_expression(text: str, words: str) -> None:
    guard, fault = cel_guard(text, "a", HERE)
    assert guard.formula is None
    assert fault is not None
    assert fault.rule == "invalid-expression"
    assert words in fault.message


@pytest.mark.parametrize(
    ("text", "name", "cure"),
    [
        ("route == 'x'", "route", "did you mean `state.route`?"),
        ("stat.x == 1", "stat", "did you mean `state`?"),
        ("state.x == 1 && size(y) > 0", "y", "did you mean `state.y`?"),
    ],
)
def test_unknown_variables(text: str, name: str, cure: str) -> None:
    _, fault = cel_guard(text, "a", HERE)
    assert fault is not None
    assert (fault.rule, fault.help) == ("unknown-variable", cure)
    assert f"looks at `{name}`" in fault.message


def test_what_macros_bring_along_is_known() -> None:
    text = "state.l.exists(i, i.x == j) && i && {a: b}[c] ? [d] : -e"
    assert free_names(parse_cel(text)) == ["state", "j", "i", "a", "b", "c", "d", "e"]


tokens = (
    "state", "output", ".", "x", "(", ")", "[", "]", "{", "}", "1", "2.5", "'a'", '"b\\n"', "==",
    "!=", "<", "<=", "in", "&&", "||", "!", "-", "+", "*", "%", "?", ":", ",", "true", "null",
    "has", "size", "exists", "r'x'", "b'y'", "3u", "1e3", ".5", "return", "all", "0x1F", "// c\n",
    "'''q'''", "'\\x41'", "'\\q'", "&", "'", "é", "_y",
)  # fmt: skip


def is_cel(text: str) -> bool:
    try:
        cel.compile(text)
    except Exception:
        return False
    return True


def is_ours(text: str) -> bool:
    try:
        parse_cel(text)
    except CelError:
        return False
    return True


@settings(max_examples=3000, deadline=None)
@given(st.lists(st.sampled_from(tokens), max_size=8))
@example(["!", "-", "1"])
@example(["!", "!", "-", "2.5", "==", "1"])
@example(["!", "-", "3u"])
@example(["!", "-", "_y"])
@example(["!", "-"])
@example(["!", "-", "-", "1"])
@example(["return", "{", "}"])
@example(["return", ".", "x", "{", "}"])
@example(["return", ".", "x"])
def test_it_is_an_expression_for_us_if_it_is_one_at_run_time(parts: list[str]) -> None:
    text = " ".join(parts)
    assert is_ours(text) == is_cel(text)


def _combined(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    operators = st.sampled_from(("==", "<", "&&", "||", "+", "*", "in", "-", "!=", "%"))
    return st.one_of(
        st.tuples(inner, operators, inner).map(" ".join),
        inner.map(lambda text: f"({text})"),
        inner.map(lambda text: f"!({text})"),
        st.tuples(inner, inner, inner).map(lambda t: f"({t[0]} ? {t[1]} : {t[2]})"),
        st.lists(inner, max_size=3).map(lambda parts: f"[{', '.join(parts)}]"),
        st.tuples(inner, inner).map(lambda t: f"{{{t[0]}: {t[1]}}}"),
        st.tuples(inner, inner).map(lambda t: f"({t[0]})[{t[1]}]"),
        inner.map(lambda text: f"size({text})"),
        inner.map(lambda text: f"({text}).startsWith('a')"),
        inner.map(lambda text: f"state.l.exists(i, {text})"),
    )


expressions = st.recursive(
    st.sampled_from(
        ("1", "-1", "2.5", "'a'", "true", "null", "state.x", "state['y']", "b'x'", "3u", "0x1F")
    ),
    _combined,
    max_leaves=12,
)


@settings(max_examples=800, deadline=None)
@given(expressions)
def test_expressions_are_expressions(text: str) -> None:
    assert is_cel(text)
    assert is_ours(text)


conditions = st.recursive(
    st.one_of(
        st.tuples(
            st.sampled_from(("state.x", "state.y")),
            st.sampled_from(("==", "!=", "<", "<=", ">", ">=")),
            st.sampled_from(("1", "2", "3")),
        ).map(" ".join),
        st.sampled_from(("state.x in [1, 2]", "2 <= state.y", "true", "false")),
    ),
    lambda inner: st.one_of(
        st.tuples(inner, st.sampled_from(("&&", "||")), inner).map(lambda t: f"({' '.join(t)})"),
        inner.map(lambda text: f"!({text})"),
    ),
    max_leaves=6,
)


def holds(part: Formula, state: dict[str, Any]) -> bool:
    match part:
        case Truth(value):
            return value
        case Not(operand):
            return not holds(operand, state)
        case And(operands):
            return all(holds(operand, state) for operand in operands)
        case Or(operands):
            return any(holds(operand, state) for operand in operands)
        case Member(term, constants):
            return state[term.variable.removeprefix("state.")] in constants
        case Compare(term, operator, constant):
            left = state[term.variable.removeprefix("state.")]
            return bool(eval(f"left {operator} constant", {"left": left, "constant": constant}))
    raise AssertionError(part)


@settings(max_examples=500, deadline=None)
@given(conditions, st.integers(0, 4), st.integers(0, 4))
def test_a_formula_says_when_the_condition_holds(text: str, x: int, y: int) -> None:
    state = {"x": x, "y": y}
    found = formula(text)
    assert found is not None
    assert holds(found, state) == cel.compile(text).execute({"state": state})


@given(st.text(max_size=30))
def test_any_text_is_parsed_or_refused(text: str) -> None:
    is_ours(text)


PIECES = (
    *("", "", "(", ")", "'", '"', ".", ",", "-", "!", "1", "e", "x", "\\", "?", ":", "&", "=", " "),
    *("u", "[", "{", "//", "\n", "r", "in", "0x", "has(", "é", "\x0b", "`", "\u00a0"),
)


@st.composite
def mutated(draw: st.DrawFn) -> str:
    """An expression in which a few characters are gone, others, or more."""
    text = draw(expressions)
    for _ in range(draw(st.integers(1, 3))):
        at = draw(st.integers(0, len(text)))
        width = draw(st.integers(0, 2))
        new = draw(st.sampled_from(PIECES))
        text = text[:at] + new + text[at + width :]
    return text


@settings(max_examples=1500, deadline=None)
@given(mutated())
@example("e{true: 1}")
@example("[,]")
@example("{,}")
@example("[,1]")
@example("e{,}")
@example("rb'x'")
@example("br'x'")
def test_mutated_expressions_are_expressions_for_both_or_none(text: str) -> None:
    assert is_ours(text) == is_cel(text)
