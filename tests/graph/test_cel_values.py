"""Conditions that what they look at never meets."""

from __future__ import annotations

import cel
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from flowlint.graph.cel import cel_formula, cel_guard
from flowlint.graph.cel_values import Values, never_met
from flowlint.source import Span

HERE = Span("x", 1, 1, 1, 1)
COLOURS = ("red", "green")
KNOWN = {
    "r.text": Values("text"),
    "r.colour": Values("text", COLOURS),
    "r.number": Values("number", null=True),
    "r.flag": Values("boolean"),
}
SAMPLES: dict[str, tuple[object, ...]] = {
    "r.text": ("", "a", "m", "red", "reda", "z", "green", "greena"),
    "r.colour": COLOURS,
    "r.number": (None, -1, 0, 0.5, 1, 1.5, 2, 3),
    "r.flag": (True, False),
}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("r.colour == 'blue'", ("r.colour", "`red` or `green`")),
        ("r.colour in ['blue', 'grey']", ("r.colour", "`red` or `green`")),
        ("r.colour != 'red' && r.colour != 'green'", ("r.colour", "`red` or `green`")),
        ("r.number == 'high'", ("r.number", "a number or null")),
        ("r.flag == 'true'", ("r.flag", "a boolean")),
        ("r.text == 1 || r.flag == 1", None),
        ("r.colour == 'red'", None),
        ("r.number == null", None),
        ("r.other == 1", None),
        ("r.number < 1 && r.number > 2", None),
    ],
)
def test_what_is_never_met(text: str, expected: tuple[str, str] | None) -> None:
    assert never_met(cel_formula(text), KNOWN) == expected


atoms = st.tuples(
    st.shared(st.sampled_from(tuple(KNOWN)), key="name"),
    st.sampled_from(("==", "!=", "<", ">=")),
    st.sampled_from(("'red'", "'green'", "'a'", "0", "1", "2", "true", "false", "null")),
).map(" ".join)
conditions = st.recursive(
    atoms,
    lambda inner: st.one_of(
        st.tuples(inner, st.sampled_from(("&&", "||")), inner).map(lambda t: f"({' '.join(t)})"),
        inner.map(lambda text: f"!({text})"),
    ),
    max_leaves=4,
)


@settings(max_examples=600, deadline=None)
@given(conditions)
@example("r.colour != 'red'")
def test_it_agrees_with_the_engine(text: str) -> None:
    """Over one variable, every value that it may have is tried."""
    name = next(name for name in KNOWN if name in text)
    program = cel.compile(text)

    def holds(value: object) -> bool:
        try:
            return program.execute({"r": {name[2:]: value}}) is True
        except Exception:
            return False

    is_met = any(map(holds, SAMPLES[name]))
    others = any(map(holds, (*(value for own in SAMPLES.values() for value in own), [])))
    assert (never_met(cel_formula(text), KNOWN) is not None) is (not is_met and others)


def test_results_of_flowrt() -> None:
    _, fault = cel_guard("result.outcome == 'canceled'", "a", HERE)
    assert fault is not None
    assert (fault.rule, fault.help) == ("guard-never-true", "did you mean `cancelled`?")
    assert fault.message == (
        "Guard `result.outcome == 'canceled'` is never true: `result.outcome` is `ok`, `failed`,"
        " `timed_out` or `cancelled`"
    )
    assert cel_guard("result.attempts > 2", "a", HERE)[1] is None
