"""YAML is read as the runtime reads it, with exact places."""

from __future__ import annotations

import re
from typing import Any

import pytest
import yaml
from data_help import plain, shown_faults, written
from flowrt.definition.texts import parse_yaml
from flowrt.errors import FlowValidationError
from hypothesis import given, settings
from hypothesis import strategies as st

from flowlint.languages.yaml.frontend import read_yaml

# PyYAML writes these plain, as YAML 1.1 has no such numbers; 1.2, which is read, does.
_NEWER_NUMBER = re.compile(r"[-+]?[0-9]+[eE][-+]?[0-9]+|0o[0-7]+")
texts = st.text(
    st.characters(codec="utf-8", exclude_characters="\x85\u2028\u2029"), max_size=8
).filter(lambda text: _NEWER_NUMBER.fullmatch(text) is None)
values: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | texts,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(texts, inner, max_size=4),
    max_leaves=15,
)


@given(values, st.booleans(), st.booleans())
def test_every_value_is_read(value: Any, flow: bool, unicode: bool) -> None:
    text = yaml.safe_dump(value, default_flow_style=flow, allow_unicode=unicode)
    documents = read_yaml("x.yaml", text.encode())
    assert not documents.faults
    # An empty document is none.
    assert [plain(found) for found in documents.values] == [value]


pieces = st.lists(
    st.sampled_from(
        ("a", "b", ": ", "- ", "\n", "\n  ", "[", "]", "{", "}", ", ", "&x ", "*x", "<<: ", "? ",
         "!!str ", "!!int ", "!foo ", "1", "0o17", "1e3", ".inf", "on", "true", "~", "'q'", '"\\n"',
         "|\n  x", "---\n", "#c\n", "%", "\t", "é😀", "12:30", "2020-01-01", "=", "!!set ")
    ),
    max_size=12,
).map("".join)  # fmt: skip


@settings(max_examples=3000)
@given(pieces)
def test_it_is_read_as_the_runtime_reads_it(text: str) -> None:
    documents = read_yaml("x.yaml", text.encode())
    try:
        expected = parse_yaml(text)
    except FlowValidationError:
        assert documents.faults or documents.repeats
    else:
        assert not documents.faults
        assert not documents.repeats
        assert [plain(value) for value in documents.values] == expected


@given(st.binary(max_size=40))
def test_any_bytes_give_values_or_a_fault(data: bytes) -> None:
    read_yaml("x.yaml", data)


def test_words_mean_what_they_do_in_yaml_1_2() -> None:
    text = "[on, yes, True, ~, 017, 0o17, 0x1F, 1_000, 1e3, .5, 12:30, 2020-01-01, '1', !!str 1]"
    (value,) = read_yaml("x.yaml", text.encode()).values
    assert plain(value) == ["on", "yes", True, None, 17, 15, 31, "1_000", 1000.0, 0.5,
                            "12:30", "2020-01-01", "1", "1"]  # fmt: skip


def test_places_of_blocks_end_where_their_text_does() -> None:
    text = "\ufeffé😀:\n  - b: x\n    c: |\n      one\n      two\n\n  # no\n  - [d,\n     e]\n"
    text += "last: 'q'\n\n"
    (value,) = read_yaml("x.yaml", text.encode()).values
    assert written(value) == [
        "1:1-10:10",
        "1:1-1:3 é😀",
        "2:3-9:8",
        "2:5-5:10",
        "2:5-2:6 b",
        "2:8-2:9 x",
        "3:5-3:6 c",
        "3:8-5:10 one\ntwo\n",
        "8:5-9:8",
        "8:6-8:7 d",
        "9:6-9:7 e",
        "10:1-10:5 last",
        "10:7-10:10 q",
    ]


def test_aliases_are_where_they_are_defined_and_merged_keys_give_way() -> None:
    text = "base: &b {x: 1, y: 2}\nuse:\n  <<: *b\n  y: 3\nagain: *b\n"
    (value,) = read_yaml("x.yaml", text.encode()).values
    assert plain(value) == {
        "base": {"x": 1, "y": 2},
        "use": {"y": 3, "x": 1},
        "again": {"x": 1, "y": 2},
    }
    assert "1:14-1:15 1" in written(value)[8:]


@pytest.mark.parametrize(
    ("text", "place", "message"),
    [
        ("a: &x [*x]", "1:4-1:5", "this is an alias inside of what it stands for"),
        ("a: !foo b", "1:4-1:5", "the tag `!foo` means nothing here"),
        ("<<: 3", "1:5-1:6", "only mappings can be merged in"),
        ("'a", "1:3-1:3", "while scanning a quoted scalar, found unexpected end of stream"),
    ],
)  # fmt: skip
def test_a_fault_is_told_where_it_is(text: str, place: str, message: str) -> None:
    assert shown_faults(read_yaml("x.yaml", text.encode())) == [f"{place} {message}"]


def test_aliases_cannot_make_it_grow_without_end() -> None:
    lines = ["x0: &x0 [1]"]
    lines += [f"x{n}: &x{n} [{', '.join([f'*x{n - 1}'] * 9)}]" for n in range(1, 30)]
    (fault,) = read_yaml("x.yaml", "\n".join(lines).encode()).faults
    assert "too large" in fault.message


def test_depth_is_bounded() -> None:
    for depth in (300, 5_000):
        (fault,) = read_yaml("x.yaml", b"[" * depth + b"]" * depth).faults
        assert "nest" in fault.message
