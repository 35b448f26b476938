"""What changes that fixes ask for come to in texts of TypeScript."""

from __future__ import annotations

import pytest

from flowlint.changes import (
    AddCase,
    Change,
    MakePlain,
    Marker,
    Remove,
    Rename,
    Reorder,
    SetField,
    UseMarker,
)
from flowlint.findings.model import Fix
from flowlint.languages.changing import Changers
from flowlint.project.edits import edited
from flowlint.project.files import ProjectFiles
from flowlint.source import Span

PATH = "flow.ts"
END = Marker("__end__", "END", "langgraph")


def span_of(text: str, part: str) -> Span:
    """Where a part of a text stands first."""
    start = text.index(part)
    end = start + len(part)
    lines = [text.count("\n", 0, at) + 1 for at in (start, end)]
    columns = [at - (text.rfind("\n", 0, at) + 1) + 1 for at in (start, end)]
    return Span(PATH, lines[0], columns[0], lines[1], columns[1])


def resolved(text: str, change: Change) -> Fix | None:
    files = ProjectFiles({PATH: text.encode()})
    return Changers(files).resolve(Fix("", "safe", changes=(change,)))


def changed(text: str, change: Change) -> str | None:
    """The text after a change, None where it cannot be made."""
    fix = resolved(text, change)
    return None if fix is None else edited(PATH, text.encode(), fix.edits).decode()


@pytest.mark.parametrize(
    ("text", "part", "after"),
    [
        ("e = [{ a: 1 }, { b: 2 }];\n", "{ a: 1 }", "e = [{ b: 2 }];\n"),
        ("e = [{ a: 1 }, { b: 2 }];\n", "{ b: 2 }", "e = [{ a: 1 }];\n"),
        ("e = [{ a: 1 }, { b: 2 },];\n", "{ b: 2 }", "e = [{ a: 1 },];\n"),
        ("e = [{ a: 1 }];\n", "{ a: 1 }", "e = [];\n"),
        ("e = [\n\t{ a: 1 },\n\t{ b: 2 },\n];\n", "{ a: 1 }", "e = [\n\t{ b: 2 },\n];\n"),
        ("e = [\r\n  f(1),\r\n  f(2)\r\n];\r\n", "f(2)", "e = [\r\n  f(1),\r\n];\r\n"),
        ("e = [f(1), // one\n  f(2)];\n", "f(1)", "e = [ // one\n  f(2)];\n"),
        ("e = [f(1) /* one */, f(2)];\n", "f(1)", None),
        ("e = [({ a: 1 } as const), f(2)];\n", "{ a: 1 }", "e = [f(2)];\n"),
        ("e = [{ a: 1 } satisfies E,\n];\n", "{ a: 1 }", "e = [\n];\n"),
        ('n = { a: f(), "b": g() };\n', "a: f()", 'n = { "b": g() };\n'),
        ('n = { a: f(), "b": g() };\n', "g()", "n = { a: f() };\n"),
        ("n = { a: f() };\n", "a: f()", "n = {};\n"),
        ("n = {\n  run() {\n    x();\n  },\n};\n", "run() {\n    x();\n  }", "n = {\n};\n"),
        ("n = { a, b };\n", "a", "n = { b };\n"),
        ("const e = { a: 1 };\n", "{ a: 1 }", None),
        ("f({ a: 1 }, 2);\n", "{ a: 1 }", None),
        ("x();\nes.push({ a: 1 });\ny();\n", "{ a: 1 }", "x();\ny();\n"),
        ("es.push({ a: 1 }, { b: 2 });\n", "{ a: 1 }", "es.push({ b: 2 });\n"),
        ("g.addEdge(1);\ng.addEdge(2);\n", "g.addEdge(2)", "g.addEdge(1);\n"),
        ("g.addEdge(1);\ng.addEdge(2)", "g.addEdge(2)", "g.addEdge(1);"),
        ("if (x) g.addEdge(1);\n", "g.addEdge(1)", "if (x) {}\n"),
        ("if (x) {\n  g.addEdge(1);\n}\n", "g.addEdge(1)", "if (x) {\n}\n"),
        ("g.addEdge(1); g.addEdge(2);\n", "g.addEdge(1)", None),
        ("x\ng.addEdge(1)\n;[1].map(f)\n", "g.addEdge(1)", None),
        ("x()\ng.addEdge(1);\n[1].map(f)\n", "g.addEdge(1)", None),
        (
            "g = new B()\n  .addNode(1)\n  .addEdge(2) // two\n  .compile();\n",
            "new B()\n  .addNode(1)\n  .addEdge(2)",
            "g = new B()\n  .addNode(1)\n  .compile();\n",
        ),
        (
            "g = new B()\n  .addNode(1)\n  .addEdge(2);\n",
            "new B()\n  .addNode(1)\n  .addEdge(2)",
            "g = new B()\n  .addNode(1);\n",
        ),
        ("g.addEdge(1).addEdge(2);\n", "g.addEdge(1)", "g.addEdge(2);\n"),
        ("g.addEdge(1)\n  .addEdge(2)\n  .end();\n", "addEdge(2)", "g.addEdge(1)\n  .end();\n"),
        ("const g = new B().addEdge(1).end();\n", "addEdge(1)", "const g = new B().end();\n"),
        ("const g = new B().addEdge(1).end();\n", "Edge(1)", None),
        ("const x = g.addEdge(1);\n", "g.addEdge(1)", None),
    ],
)
def test_removing(text: str, part: str, after: str | None) -> None:
    assert changed(text, Remove(span_of(text, part))) == after


@pytest.mark.parametrize(
    ("text", "part", "after"),
    [
        ('f("old");\n', '"old"', 'f("new");\n'),
        ("f('old');\n", "'old'", "f('new');\n"),
        ("f(`old`);\n", "`old`", "f(`new`);\n"),
        ("f(`${x}old`);\n", "`${x}old`", None),
        ('f("\\x6fld");\n', '"\\x6fld"', None),
        ("f(('old' as const));\n", "('old' as const)", "f(('new' as const));\n"),
        ("f(NAME);\n", "NAME", None),
        ("n = { old: 1 };\n", "old", "n = { new: 1 };\n"),
        ("n = { 'old': 1 };\n", "'old'", "n = { 'new': 1 };\n"),
        ("n = { ['old']: 1 };\n", "['old']", "n = { ['new']: 1 };\n"),
        ("n = { old };\n", "old", "n = { new: old };\n"),
        ("n = { old: 1 };\n", "old: 1", "n = { new: 1 };\n"),
        ("n = { old: { x: 1 } };\n", "{ x: 1 }", "n = { new: { x: 1 } };\n"),
        ("n = { old: 'old' };\n", "'old'", "n = { old: 'new' };\n"),
        ("n = { async old(x) {} };\n", "old", "n = { async new(x) {} };\n"),
        ("n = { other: 1 };\n", "other", None),
        ("x = outputs.old.y;\n", "old", "x = outputs.new.y;\n"),
        ("é('😀', 'old');\n", "'old'", "é('😀', 'new');\n"),
    ],
)
def test_renaming(text: str, part: str, after: str | None) -> None:
    assert changed(text, Rename(span_of(text, part), "old", "new")) == after


@pytest.mark.parametrize(
    ("text", "after"),
    [
        ("n = { old: f('a') };\n", "n = { 'in-between': f('a') };\n"),
        ('n = { old: f("a") };\n', 'n = { "in-between": f("a") };\n'),
        ("x = outputs.old;\n", None),
        ('n = { "old": f() };\n', 'n = { "in-between": f() };\n'),
        ("n = { 'a-b': 1, old };\n", "n = { 'a-b': 1, 'in-between': old };\n"),
    ],
)
def test_keys_that_take_quotes(text: str, after: str | None) -> None:
    part = '"old"' if '"old"' in text else "old"
    assert changed(text, Rename(span_of(text, part), "old", "in-between")) == after


@pytest.mark.parametrize(("quote", "new"), [('"', 'a"b'), ("`", "${a}"), ("'", "a\\b")])
def test_a_text_that_needs_other_quotes_is_left_alone(quote: str, new: str) -> None:
    text = f"f({quote}old{quote});\n"
    assert changed(text, Rename(span_of(text, text[2:7]), "old", new)) is None


@pytest.mark.parametrize(
    ("first", "after"),
    [
        ('import { END } from "@langchain/langgraph";\n', "END"),
        ("import { START, END as DONE } from '@langchain/langgraph/web';\n", "DONE"),
        ('import { END } from "./own";\n', "'__end__'"),
        ('import * as lg from "@langchain/langgraph";\n', "'__end__'"),
        ("", "'__end__'"),
    ],
)
def test_markers(first: str, after: str) -> None:
    text = f"{first}g.addEdge('a', 'end');\n"
    change = UseMarker(span_of(text, "'end'"), "end", END)
    assert changed(text, change) == f"{first}g.addEdge('a', {after});\n"


@pytest.mark.parametrize(
    ("text", "after"),
    [
        ('n = { id: "a" };\n', 'n = { id: "a", kind: "gate" };\n'),
        ("n = { id: 'a', kind: 'x' };\n", "n = { id: 'a', kind: 'gate' };\n"),
        ("n = { id: 'a', kind: k };\n", None),
        ("n = { id: 'a', ...rest };\n", None),
        ("n = {\n  id: 'a',\n};\n", "n = {\n  id: 'a',\n  kind: 'gate',\n};\n"),
        ("n = {\n  id: 'a'\n};\n", "n = {\n  id: 'a',\n  kind: 'gate'\n};\n"),
        ("n = {};\n", 'n = { kind: "gate" };\n'),
        ("n = acp({ id: 'a' });\n", "n = acp({ id: 'a', kind: 'gate' });\n"),
    ],
)
def test_setting_fields(text: str, after: str | None) -> None:
    part = text[4 : text.rindex(";")]
    assert changed(text, SetField(span_of(text, part), "kind", "gate", 1)) == after


LANGGRAPH = 'import { END } from "@langchain/langgraph";\n'


@pytest.mark.parametrize(
    ("text", "value", "after"),
    [
        ("m = { yes: 'b' };\n", "no", "m = { yes: 'b', no: 'no' };\n"),
        ('m = { yes: "b" } as const;\n', "no", 'm = { yes: "b", no: "no" } as const;\n'),
        ("m = { yes: b };\n", "n-o", 'm = { yes: b, "n-o": "n-o" };\n'),
        ("m = { 'yes': 'b' };\n", "no", "m = { 'yes': 'b', 'no': 'no' };\n"),
        ("m = {\n  yes: 'b',\n};\n", "no", "m = {\n  yes: 'b',\n  no: 'no',\n};\n"),
        ("m = {\n  yes: 'b' // b\n};\n", "no", "m = {\n  yes: 'b',\n  no: 'no' // b\n};\n"),
        ("m = ['yes'];\n", "no", "m = ['yes', 'no'];\n"),
        (f"{LANGGRAPH}m = {{ yes: 'b' }};\n", "__end__", None),
        (f"{LANGGRAPH}m = ['yes'];\n", "__end__", f"{LANGGRAPH}m = ['yes', END];\n"),
    ],
)
def test_adding_cases(text: str, value: str, after: str | None) -> None:
    part = next(part for part in ("'yes'", "yes") if part in text)
    if after is None:
        after = f"{LANGGRAPH}m = {{ yes: 'b', [END]: END }};\n"
    assert changed(text, AddCase(span_of(text, part), value, value, END)) == after


@pytest.mark.parametrize(
    ("text", "after"),
    [
        ("async function r(s) { return 1; }\n", "function r(s) { return 1; }\n"),
        ("const r = async (s) => 1;\n", "const r = (s) => 1;\n"),
        ("n = { async r(s) { return 1; } };\n", "n = { r(s) { return 1; } };\n"),
        ("async function r(s) { await x(); }\n", None),
        ("async function r(s): Promise<number> { return 1; }\n", None),
        ("async function r(s) { for await (const y of x) {} }\n", None),
        ("async function r(s) { return 1; }\nawait r(1);\n", None),
        ("async function r(s) { f(async () => await x()); }\n", ""),
    ],
)
def test_plain_functions(text: str, after: str | None) -> None:
    change = MakePlain(span_of(text, "r("), "r") if "r(" in text else None
    change = change or MakePlain(span_of(text, "r"), "r")
    expected = text.replace("async ", "", 1) if after == "" else after
    assert changed(text, change) == expected


def test_parts_change_places_without_their_commas_and_comments() -> None:
    text = "e = [\n  { a: 1 }, // one\n  { b: 2 } as E,\n  c,\n];\n"
    spans = tuple(span_of(text, part) for part in ("{ a: 1 }", "{ b: 2 }", "c"))
    after = "e = [\n  c, // one\n  { a: 1 },\n  { b: 2 } as E,\n];\n"
    assert changed(text, Reorder(spans, (2, 0, 1))) == after


def test_a_comment_that_goes_makes_a_fix_unsafe() -> None:
    for text, safety in (
        ("e = [\n  f(1), // one\n];\n", "unsafe"),
        ("e = [\n  f(1),\n];\n", "safe"),
    ):
        fix = resolved(text, Remove(span_of(text, "f(1)")))
        assert fix is not None
        assert fix.safety == safety


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_marks_and_line_ends_stay(end: str) -> None:
    text = f"n = {{{end}\t'é': 'b',{end}}};{end}"
    span = Span(PATH, 2, 2, 2, 5)
    fix = Changers(ProjectFiles({PATH: b"\xef\xbb\xbf" + text.encode()})).resolve(
        Fix("", "safe", changes=(AddCase(span, "c", "d"),))
    )
    assert fix is not None
    after = edited(PATH, b"\xef\xbb\xbf" + text.encode(), fix.edits)
    assert (
        after == b"\xef\xbb\xbf" + f"n = {{{end}\t'é': 'b',{end}\t'c': 'd',{end}}};{end}".encode()
    )


@pytest.mark.parametrize("place", [(1, 1, 1, 1), (9, 1, 9, 4), (1, 3, 1, 900), (1, 2, 1, 4)])
def test_places_where_nothing_stands_are_left_alone(place: tuple[int, int, int, int]) -> None:
    for change in (Remove(Span(PATH, *place)), Rename(Span(PATH, *place), "a", "b")):
        assert changed("n = [1];\n", change) is None
