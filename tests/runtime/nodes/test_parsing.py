"""JSON out of texts (acpx.md a, JSON parsers)."""

from __future__ import annotations

import json
from contextlib import suppress
from time import monotonic
from typing import Any

import pytest
from flowrt.parsing import ParseError, ParseMode, parse_json
from hypothesis import given
from hypothesis import strategies as st


@pytest.mark.parametrize("mode", ["strict", "fenced", "forgiving"])
@pytest.mark.parametrize("text", ['{"a": 1}', " [1] \n"])
def test_acpx_a_the_whole_text_may_be_an_object_or_array(mode: ParseMode, text: str) -> None:
    assert parse_json(text, mode) == json.loads(text)


@pytest.mark.parametrize("fence", ["```json\n{}\n```", "```\n{}\n```", "```JSON {} ```"])
def test_acpx_a_fenced(fence: str) -> None:
    text = f"Sure:\n{fence.replace('{}', json.dumps({'a': 1}))}\nbye"
    assert parse_json(text, "fenced") == {"a": 1}
    assert parse_json(text, "forgiving") == {"a": 1}
    with pytest.raises(ParseError):
        parse_json(text, "strict")


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ('so {"a": "}\\"{"} there', {"a": '}"{'}),
        ('[not json] but {"a": [1]}', {"a": [1]}),
        ("{a} (b] [1, 2]", [1, 2]),
        ('unclosed { then {"a": 1}', {"a": 1}),
        ('```json\nbroken\n``` and {"a": 2}', {"a": 2}),
    ],
)
def test_acpx_a_forgiving_finds_the_first_balanced_part(text: str, found: Any) -> None:
    assert parse_json(text) == found
    with pytest.raises(ParseError):
        parse_json(text, "fenced")


@pytest.mark.parametrize(
    ("text", "mode", "said"),
    [
        ("  ", "strict", "the text is empty"),
        ("hello", "strict", "it is not JSON (Expecting value"),
        ("12", "forgiving", "it is a JSON int, neither object nor array"),
        ("hello", "fenced", "there is no ``` block"),
        ("``` x ```", "fenced", "in the ``` block: it is not JSON"),
        ("hello", "forgiving", "no part of it is a JSON object or array"),
        ('{"a": NaN}', "strict", "NaN is not JSON"),
    ],
)
def test_errors_say_what_was_seen(text: str, mode: ParseMode, said: str) -> None:
    with pytest.raises(ParseError) as caught:
        parse_json(text, mode)
    assert said in str(caught.value)


def test_long_texts_are_shortened_in_errors() -> None:
    with pytest.raises(ParseError) as caught:
        parse_json("x" * 100_000)
    assert len(str(caught.value)) < 500


@pytest.mark.parametrize("text", ["{" * 200_000, "[" * 200_000, '{"' * 100_000, "{}x" * 60_000])
def test_acpx_a_the_search_has_a_budget(text: str) -> None:
    started = monotonic()
    with suppress(ParseError):
        parse_json(text)
    assert monotonic() - started < 5


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner),
    max_leaves=8,
)


@given(st.lists(values) | st.dictionaries(st.text(max_size=3), values), st.text("ab \n.,"))
def test_what_is_put_into_prose_is_found(value: Any, prose: str) -> None:
    assert parse_json(f"{prose}{json.dumps(value)}{prose}") == value
    assert parse_json(f"{prose}\n```json\n{json.dumps(value)}\n```\n{prose}", "forgiving") == value


@given(st.text('{}[]"\\`jsonab1, \n', max_size=60))
def test_any_text_gives_a_value_or_a_parse_error(text: str) -> None:
    for mode in ("strict", "fenced", "forgiving"):
        with suppress(ParseError):
            assert isinstance(parse_json(text, mode), dict | list)
