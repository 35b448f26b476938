"""Bytes become text as Python would have it, and what is wrong with them is a fault."""

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from reading_help import assert_within, calls, faults, read

from flowlint.languages.python.reading import parse_module

WIDE = "the file is written in {}, which Python refuses: save it as UTF-8"


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (b"\xef\xbb\xbfx = '\xc3\xa9'", "x = 'é'"),
        (b"# -*- coding: latin-1 -*-\nx = '\xe9'", "# -*- coding: latin-1 -*-\nx = 'é'"),
        (
            b"#!/bin/x\n# vim: set fileencoding=cp1252 :\n'\x80'",
            "#!/bin/x\n# vim: set fileencoding=cp1252 :\n'€'",
        ),
        (b"# coding: utf_8\n'\xc3\xa9'", "# coding: utf_8\n'é'"),
        (b"x = 1\n# coding: latin-1\n'\xc3\xa9'", "x = 1\n# coding: latin-1\n'é'"),
        (b"a\r\nb\rc\n\r\nd", "a\nb\nc\n\nd"),
        (b"", ""),
    ],
)
def test_decoding(data: bytes, text: str) -> None:
    module = read(data)
    assert module.text == text
    assert not module.faults


@pytest.mark.parametrize(
    ("data", "line", "message"),
    [
        (b"f(1)\nx = '\xe9'\n", 2, "byte 0xe9 is not UTF-8, and no encoding is declared"),
        (b"# coding: ascii\n\nf(1); '\xe9'\n", 3, "byte 0xe9 is not ascii"),
        (b"# coding: klingon\nf(1)\n", 1, "unknown encoding: klingon"),
        (b"#!x\n# coding: rot13\nf(1)\n", 2, "unknown encoding: rot13"),
        (
            b"\xef\xbb\xbf# coding: latin-1\nf(1)\n",
            1,
            "the file starts with a UTF-8 mark but declares latin-1",
        ),
        (b"f(1)\nx = '\0'\n", 2, "source code cannot contain null bytes"),
        ("f(1)\n".encode("utf-16"), 1, WIDE.format("UTF-16")),
        (b"\xfe\xff" + "f(1)\n".encode("utf-16-be"), 1, WIDE.format("UTF-16")),
        ("f(1)\n".encode("utf-32"), 1, WIDE.format("UTF-32")),
        (b"\0\0\xfe\xff" + "f(1)\n".encode("utf-32-be"), 1, WIDE.format("UTF-32")),
    ],
)
def test_wrong_bytes_are_one_fault_and_the_rest_is_read(
    data: bytes, line: int, message: str
) -> None:
    module = read(data)
    assert faults(module) == [(line, message)]
    assert "f(1)" in calls(module)


def test_names_in_undeclared_latin_1_stay_names() -> None:
    module = read(b"\xe9t\xe9 = f(1)\n")
    assert len(module.faults) == 1
    assert calls(module) == {"f(1)": (1, 7)}


@settings(deadline=None)
@given(st.binary(max_size=300))
@example(b"\0")
@example(b"\xff\xfe\x00")
@example(b"# coding: idna\n\xff")
@example(b"# coding: punycode\n\xff")
@example(b"# coding: unicode_escape\n\\x")
@example(b"# coding: utf-16\nx")
@example(b"# coding: undefined\nx")
@example(b"\\")
@example(b"(" * 300)
@example(b"x = " + b"9" * 5000)
@example(b'f"{' * 90)
def test_any_bytes_can_be_read(data: bytes) -> None:
    assert_within(read(data))
    parse_module("nb.ipynb", data)


code = st.text(st.sampled_from(" \t\n\\\"'#()[]{}:=,;.@!%?*f0é\f\0") | st.characters(), max_size=80)
SNIPPETS = """def f|class A|if x:|else:|try:|except A, B:|match x:|case 1:|type X|return|f'{|t'|
lambda:|async |await |not |\'\'\'|    |  |
|(|)|[T]|{|}|:|=|x|foo(|import a|@|%time|!ls|x?"""
words = st.sampled_from(SNIPPETS.replace("\\'", "'").split("|"))


@settings(deadline=None)
@given(st.lists(words | code, max_size=25).map(" ".join))
def test_any_text_can_be_read(text: str) -> None:
    assert_within(read(text.encode("utf-8", "surrogatepass")))


@settings(deadline=None)
@given(st.lists(words, max_size=40).map("".join))
def test_any_words_can_be_read(text: str) -> None:
    assert_within(read(text))
