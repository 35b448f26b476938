"""Expressions that raise in every state are told, and no others; hostile texts do no harm."""

from __future__ import annotations

import string
from typing import Any

import cel
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from flowlint.graph.cel import cel_formula, cel_guard
from flowlint.graph.cel_functions import FUNCTIONS
from flowlint.graph.cel_names import GUARD, MAX_LENGTH, cel_fault
from flowlint.graph.cel_syntax import CelError, mentions, parse_cel
from flowlint.graph.cells import always_matches, can_match
from flowlint.source import Span

HERE = Span("x", 1, 1, 1, 1)


def told(text: str) -> str | None:
    _, fault = cel_guard(text, "a", HERE)
    if fault is None:
        return None
    assert fault.rule in ("invalid-expression", "unknown-variable")
    return fault.message


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("size(state.l, 1) > 0", "calls `size` with 2 values, but it is written `size(value)` or"),
        ("contains(state.x, 'a')", "calls `contains` as a function, but it is written `text.con"),
        ("state.x.string() == 'a'", "calls `string` as a method, but it is written `string(value"),
        ("state.l.exists(i)", "calls `exists` with 1 value, but it is written `list.exists(x, con"),
        ("state.x.startsWith() || true", "calls `startsWith` with 0 values"),
        ("!'a'", "has `!` before a text"),
        ("state.x == 'a' + 1", "has `+` between a text and a whole number"),
        ("1 < 'a'", "has `<` between a whole number and a text"),
        ("state.x < null", "has `<` with null, which has no order"),
        ("'a' in 'abc'", "has `in` with a text behind it"),
        ("'yes'", "gives a text, which is neither true nor false"),
        ("size(state.l)", "gives a whole number, which is neither true nor false"),
        ("state.x ? 1 : 2", None),
        ("state.x == 1 || 1 < 'a'", None),
        ("state.x + 1 > 2.5", None),
        ("state.l.size() > 0 && has(state.x)", None),
        ("state.l.map(i, i > 0, i)[0]", None),
        ("9223372036854775808 > state.x", "this number is too large at column 1"),
        ("9" * 5000, "this number has too many digits"),
        ("1\u0662 == state.x", "`\u0662` means nothing at column 2"),
        ("has(state)", "`has` takes a field, as in `has(state.x)` at column 1"),
        ("state.l.all(1, true)", "what comes first in `all` has to be the name of a variable"),
    ],
)
def test_what_raises_in_every_state(text: str, words: str | None) -> None:
    found = told(text)
    assert found is None if words is None else found is not None and words in found


VALUES: tuple[Any, ...] = (None, True, 0, 1.5, "a", [1], {"a": 1})
operands = st.sampled_from(("1", "2.5", "'a'", "true", "null", "[1]", "state.x", "size(state.x)"))
expressions = st.recursive(
    operands,
    lambda inner: st.one_of(
        st.tuples(
            inner,
            st.sampled_from(("==", "<", "&&", "||", "+", "-", "%", "in", ">=")),
            inner,
        ).map(lambda t: f"({' '.join(t)})"),
        inner.map(lambda text: f"!({text})"),
        st.tuples(inner, inner, inner).map(lambda t: f"({t[0]} ? {t[1]} : {t[2]})"),
        st.tuples(st.sampled_from(("size", "string", "type")), inner).map(
            lambda t: f"{t[0]}({t[1]})"
        ),
    ),
    max_leaves=5,
)


@settings(max_examples=1500, deadline=None)
@given(expressions)
@example("1 + 1.0 > 0.5")
@example("true && 'a'")
def test_what_is_told_raises_whatever_the_state_is(text: str) -> None:
    if told(text) is None:
        return
    program = cel.compile(text)
    for value in VALUES:
        try:
            found = program.execute({"state": {"x": value}})
        except Exception:
            continue
        assert not isinstance(found, bool), value


@pytest.mark.parametrize("name", FUNCTIONS)
def test_the_functions_are_those_of_the_engine(name: str) -> None:
    values = (
        *("'1'", "(1)", "[1]", "timestamp('2020-01-01T00:00:00Z')"),
        *("duration('1s')", "state.x"),
    )
    for form in ("function", "method", "macro"):
        for count in range(4):
            is_macro = form == "macro" and name != "has"
            first = ["i"] if is_macro else []
            texts = [
                f"{'' if form == 'function' or name == 'has' else f'{of}.'}{name}"
                f"({', '.join([*first, *[one] * (count - len(first))])})"
                for of in values
                for one in (("true",) if is_macro else values)
            ]
            works = any(map(_is_known, texts)) if count >= len(first) else False
            if form == "method" and name == "has":
                continue
            if FUNCTIONS[name].forms[0][0] == "macro" and form != "macro":
                continue
            assert works is (count in FUNCTIONS[name].takes(form)), (form, count)  # type: ignore[arg-type]


def _is_known(text: str) -> bool:
    try:
        cel.compile(text).execute({"state": {"x": 1}})
    except Exception as error:
        return "Undefined" not in str(error) and "Failed to parse" not in str(error)
    return True


@pytest.mark.parametrize(
    "text",
    [
        "(" * 10_000 + "1" + ")" * 10_000,
        "[" * 500_000,
        "!" * 1_000_000,
        "a" * 1_000_000,
        "&&".join(["state.x"] * 100_000),
        " || ".join(["state.x == 1"] * 1_500),
        "state" + ".x" * 9_000,
        "state.x" + "[0]" * 6_000,
        "true ? " * 3_000,
        "'" * 19_999,
        "\\" * 19_999,
        "//" * 9_999,
        "'''" + "\\'" * 9_000,
        "1" * 19_999,
        "1||1&&1==1+1*(" * 90 + "1" + ")" * 90,
    ],
    ids=lambda text: text[:12],
)
def test_hostile_texts_do_no_harm(text: str) -> None:
    guard, fault = cel_guard(text, "a", HERE)
    assert fault is None or len(fault.message) < 1000
    assert can_match(guard.formula) in (True, False, None)


def test_a_nesting_that_flowrt_evaluates_is_none_too_deep() -> None:
    for depth in (60, 90, 94, 95, 96, 97, 100, 120):
        text = "(" * depth + "true" + ")" * depth
        try:
            cel.compile(text)
            is_sound = True
        except ValueError:
            is_sound = False
        assert (told(text) is None) is is_sound, depth


@settings(max_examples=1500, deadline=None)
@given(
    st.one_of(
        st.text(max_size=80),
        st.text(alphabet=string.printable, max_size=80),
        st.text(alphabet="()[]{}.,?:!-+&|<>=\"'\\ \n1a0xur", max_size=60),
    )
)
@example("x" * (MAX_LENGTH + 1))
def test_any_text_has_a_tree_or_a_place_where_it_has_none(text: str) -> None:
    try:
        mentions(parse_cel(text))
    except CelError as error:
        assert 0 <= error.offset <= len(text)
        assert error.message
        return
    assert always_matches(cel_formula(text, bare=True)) in (True, False, None)


@pytest.mark.parametrize(
    ("path", "source", "text", "literal", "columns"),
    [
        ("f.py", '"a = 1"', "a = 1", True, (13, 14)),
        ("f.py", "CONDITION", "a = 1 b", False, (10, 19)),
        ("f.py", '"a " "= 1"', "a = 1", True, (10, 20)),
        ("f.json", '"a = 1"', "a = 1", False, (13, 14)),
        ("f.json", '"a = \\"b\\""', 'a = "b"', False, (10, 21)),
        ("f.yaml", "a = 1", "a = 1", False, (12, 13)),
        ("f.yaml", "'a = 1'", "a = 1", False, (13, 14)),
        ("f.yaml", "a ==", "a ==", False, (13, 14)),
    ],
)
def test_a_fault_is_shown_where_it_stands(
    path: str, source: str, text: str, literal: bool, columns: tuple[int, int]
) -> None:
    span = Span(path, 1, 10, 1, 10 + len(source))
    fault = cel_fault("It", text, GUARD, "", span, None, literal=literal)
    assert fault is not None
    assert (fault.span.column, fault.span.end_column) == columns
