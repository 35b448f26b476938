"""JSON is read as `json.loads` reads it, with exact places."""

from __future__ import annotations

import json
from typing import Any

import pytest
from data_help import plain, shown_faults, written
from hypothesis import given, settings
from hypothesis import strategies as st

from flowlint.languages.json.frontend import read_json

values: st.SearchStrategy[Any] = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=20,
)


@given(values, st.sampled_from((None, 1, "\t")), st.booleans())
def test_every_value_is_read(value: Any, indent: int | str | None, ascii_only: bool) -> None:
    text = json.dumps(value, indent=indent, ensure_ascii=ascii_only)
    data = text.encode("utf-8", "surrogatepass")
    documents = read_json("x.json", data)
    assert not documents.faults
    assert plain(documents.values[0]) == value


pieces = st.lists(
    st.sampled_from(
        ("{", "}", "[", "]", ",", ":", '"a"', '"b"', "1", "-0.5e3", "01", "true", "null", "nul",
         " ", '"\\u00e9"', '"\\x"', "'a'", "// c", "\n", "NaN", '"', "-", "+1", "1.", "\u00e9")
    ),
    max_size=9,
).map("".join)  # fmt: skip


REFUSED = object()


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    if len(dict(pairs)) < len(pairs):
        raise ValueError
    return dict(pairs)


def _refuse(_word: str) -> None:
    raise ValueError


@settings(max_examples=2000)
@given(pieces)
def test_what_is_no_json_is_refused(text: str) -> None:
    try:
        expected = json.loads(text, object_pairs_hook=_unique, parse_constant=_refuse)
    except ValueError:
        expected = REFUSED
    documents = read_json("x.json", text.encode())
    if expected is REFUSED:
        assert documents.faults or documents.repeats
    else:
        assert plain(documents.values[0]) == expected


@given(st.binary(max_size=40))
def test_any_bytes_give_a_value_or_a_fault(data: bytes) -> None:
    documents = read_json("x.json", data)
    assert documents.values or documents.faults


@pytest.mark.parametrize(
    ("text", "place", "message"),
    [
        ('{"flowrt": 1', "1:12-1:13", "the file ends before its value does"),
        ('{"é😀": }', "1:8-1:9", "a value is missing before `}`"),
        ('[1\n 2]', "2:2-2:3", "a comma or `]` is missing here"),
        ("[1,]", "1:4-1:5", "a value is missing after the comma"),
        ('{"a": 1,}', "1:9-1:10", "a key in double quotes is missing after the comma"),
        ('{"a" 1}', "1:6-1:7", "a colon is missing after the key"),
        ("{'a': 1}", "1:2-1:3", "texts stand in double quotes"),
        ("[1] 2", "1:5-1:6", "nothing may follow the value of a file"),
        ("// x\n{}", "1:1-1:2", "JSON has no comments"),
        ("[truth]", "1:2-1:3", "`truth` is no value of JSON"),
        ('["a\nb"]', "1:2-1:3", "this text is never closed"),
        ("[01]", "1:2-1:3", "this is no number of JSON"),
        ("", "1:1-1:1", "the file ends before its value does"),
        ("[" * 1000, "1:201-1:202", "this is nested too deeply"),
    ],
)  # fmt: skip
def test_a_fault_is_told_where_it_is(text: str, place: str, message: str) -> None:
    assert shown_faults(read_json("x.json", text.encode()))[0] == f"{place} {message}"


def test_bytes_that_are_no_text_are_told_where_they_are() -> None:
    found = shown_faults(read_json("x.json", b'{\n "\xc3\xa9": "\xff"}'))
    assert found == ["2:8-2:8 this byte is no UTF-8"]


def test_places_count_characters_and_any_line_end() -> None:
    text = '\ufeff{"é😀": [1,\r\n {"b": "x"}],\r "c": true}'
    document = read_json("x.json", text.encode()).values[0]
    assert written(document) == [
        "1:1-3:12",
        "1:2-1:6 é😀",
        "1:8-2:13",
        "1:9-1:10 1",
        "2:2-2:12",
        "2:3-2:6 b",
        "2:8-2:11 x",
        "3:2-3:5 c",
        "3:7-3:11 True",
    ]
