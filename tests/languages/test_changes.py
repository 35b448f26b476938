"""What changes that fixes ask for come to in the text of a file."""

from __future__ import annotations

import pytest

from flowlint.changes import AddCase, Change, MakePlain, Marker, Remove, Rename, SetField, UseMarker
from flowlint.findings.model import Fix
from flowlint.languages.changing import Changers
from flowlint.project.edits import edited
from flowlint.project.files import ProjectFiles
from flowlint.source import Span

PATH = "code.py"
END = Marker("__end__", "END", "langgraph")


def span_of(text: str, part: str) -> Span:
    """Where a part of a text stands first."""
    start = text.index(part)
    end = start + len(part)
    lines = [text.count("\n", 0, at) + 1 for at in (start, end)]
    columns = [at - (text.rfind("\n", 0, at) + 1) + 1 for at in (start, end)]
    return Span(PATH, lines[0], columns[0], lines[1], columns[1])


def changed(text: str, change: Change, path: str = PATH) -> str | None:
    """The text after a change, None where it cannot be made."""
    fix = Changers(ProjectFiles({path: text.encode()})).resolve(Fix("", "safe", changes=(change,)))
    return None if fix is None else edited(path, text.encode(), fix.edits).decode()


@pytest.mark.parametrize(
    ("text", "part", "after"),
    [
        ("e = [E(1), E(2)]\n", "E(1)", "e = [E(2)]\n"),
        ("e = [E(1), E(2)]\n", "E(2)", "e = [E(1)]\n"),
        ("e = [E(1), E(2), ]\n", "E(2)", "e = [E(1), ]\n"),
        ("e = [E(1)]\n", "E(1)", "e = []\n"),
        ("e = [\n    E(1),\n    E(2),\n]\n", "E(1)", "e = [\n    E(2),\n]\n"),
        ("e = [\n    E(1),\n    E(2)\n]\n", "E(2)", "e = [\n    E(1),\n]\n"),
        ("e = [E(1),  # one\n     E(2)]\n", "E(2)", "e = [E(1),  # one\n     ]\n"),
        ("e = (E(1), E(2))\n", "E(2)", "e = (E(1),)\n"),
        ("e = (E(1), E(2))\n", "E(1)", "e = (E(2),)\n"),
        ("e = (E(1), E(2),)\n", "E(1)", "e = (E(2),)\n"),
        ("e = [(E(1)), E(2)]\n", "E(1)", None),
        ("e = [E(n) for n in x]\n", "E(n)", None),
        ("e = E(1)\n", "E(1)", None),
        ("e = {E(1), 2}\n", "E(1)", None),
        ("f(E(1), 2)\n", "E(1)", None),
        ("x = 1\nes.append(E(1))\ny = 2\n", "E(1)", "x = 1\ny = 2\n"),
        ("g.add(1)\ng.add(2)\n", "g.add(2)", "g.add(1)\n"),
        ("g.add(1)\ng.add(2)", "g.add(2)", "g.add(1)"),
        ("if x:\n    g.add(1)\n", "g.add(1)", "if x:\n    pass\n"),
        ("if x:\n    y()\nelse:\n    g.add(1)\n", "g.add(1)", "if x:\n    y()\nelse:\n    pass\n"),
        ("g.add(1); g.add(2)\n", "g.add(1)", None),
        ("g = B().add(1).add(2).build()\n", "B().add(1).add(2)", "g = B().add(1).build()\n"),
        ("g.add(1).add(2)\n", "g.add(1)", "g.add(2)\n"),
        (
            "g = (\n    B()\n    .add(1)\n    .add(2)\n)\n",
            "B()\n    .add(1)",
            "g = (\n    B()\n    .add(2)\n)\n",
        ),
        ("x = g.add(1)\n", "g.add(1)", None),
    ],
)
def test_removing(text: str, part: str, after: str | None) -> None:
    assert changed(text, Remove(span_of(text, part))) == after


@pytest.mark.parametrize(
    ("text", "part", "after"),
    [
        ('f("old")\n', '"old"', 'f("new")\n'),
        ("f('old')\n", "'old'", "f('new')\n"),
        ('f("""old""")\n', '"""old"""', 'f("""new""")\n'),
        ('f("o" "ld")\n', '"o" "ld"', None),
        ('f("\\x6fld")\n', '"\\x6fld"', None),
        ("f(NAME)\n", "NAME", None),
        ('f("other")\n', '"other"', None),
        ("f(old=1)\n", "old=1", "f(new=1)\n"),
        ("f(old = 1)\n", "1", "f(new = 1)\n"),
    ],
)
def test_renaming(text: str, part: str, after: str | None) -> None:
    assert changed(text, Rename(span_of(text, part), "old", "new")) == after


def test_a_text_that_needs_other_quotes_is_left_alone() -> None:
    text = 'f("old")\n'
    assert changed(text, Rename(span_of(text, '"old"'), "old", 'a"b')) is None


@pytest.mark.parametrize(
    ("first", "after"),
    [
        ("from langgraph.graph import END\n", "END"),
        ("from langgraph.graph import END as DONE\n", "DONE"),
        ("from other import END\n", '"__end__"'),
        ("", '"__end__"'),
    ],
)
def test_markers(first: str, after: str) -> None:
    text = f'{first}f("end")\n'
    change = UseMarker(span_of(text, '"end"'), "end", END)
    assert changed(text, change) == f"{first}f({after})\n"


@pytest.mark.parametrize(
    ("text", "after"),
    [
        ("N('a', f)\n", "N('a', f, kind=\"gate\")\n"),
        ("N('a', f, 'loop')\n", "N('a', f, 'gate')\n"),
        ("N('a', f, kind='loop')\n", "N('a', f, kind='gate')\n"),
        ("N('a', f, kind=LOOP)\n", None),
        ("N(\n    'a',\n    f,\n)\n", "N(\n    'a',\n    f, kind=\"gate\",\n)\n"),
        ("N('a', **more)\n", None),
        ("N(*both)\n", None),
    ],
)
def test_setting_arguments(text: str, after: str | None) -> None:
    change = SetField(span_of(text, text.rstrip("\n")), "kind", "gate", 2)
    assert changed(text, change) == (after if text != "N(*both)\n" else 'N(*both, kind="gate")\n')


@pytest.mark.parametrize(
    ("text", "after"),
    [
        ('f({"a": "a"})\n', 'f({"a": "a", "b": "b"})\n'),
        ("f({'a': 'a'})\n", "f({'a': 'a', 'b': 'b'})\n"),
        ('f({\n    "a": "a"\n})\n', 'f({\n    "a": "a",\n    "b": "b"\n})\n'),
        (
            'f({\n    "a": "a",  # one\n})\n',
            'f({\n    "a": "a",  # one\n    "b": "b",\n})\n',
        ),
        ('f(["a"])\n', 'f(["a", "b"])\n'),
    ],
)
def test_adding_cases(text: str, after: str) -> None:
    part = "'a'" if "'a'" in text else '"a"'
    assert changed(text, AddCase(span_of(text, part), "b", "b", END)) == after


@pytest.mark.parametrize(
    ("text", "after"),
    [
        ("async def f(s):\n    return s\n", "def f(s):\n    return s\n"),
        ("async   def f(s):\n    return s\n", "def f(s):\n    return s\n"),
        ("async def f(s):\n    await s\n", None),
        ("async def f(s):\n    return [x async for x in s]\n", None),
        ("async def f(s):\n    yield s\n", None),
        ("@d\nasync def f(s):\n    return s\n", None),
        ("async def f(s):\n    return s\nasync def g(): await f(1)\n", None),
        (
            "async def f(s):\n    async def g(): await s\n    return g\n",
            "def f(s):\n    async def g(): await s\n    return g\n",
        ),
    ],
)
def test_plain_functions(text: str, after: str | None) -> None:
    assert changed(text, MakePlain(span_of(text, "f(s)").start(), "f")) == after


def test_a_comment_that_goes_makes_a_fix_unsafe() -> None:
    text = "e = [\n    E(1),  # why\n    E(2),\n]\n"
    changers = Changers(ProjectFiles({PATH: text.encode()}))
    for part, safety in (("E(1)", "unsafe"), ("E(2)", "safe")):
        change = Remove(span_of(text, part))
        fix = changers.resolve(Fix("", "safe", changes=(change,)))
        assert fix is not None
        assert fix.safety == safety


@pytest.mark.parametrize(
    ("text", "after"),
    [
        ("- a: &x 1\n- b\n", None),
        ("- [a]\n- b\n", "- b\n"),
        ("- [a] # why\n- b\n", "- b\n"),
        ("- [a]\n", None),
    ],
)
def test_removing_from_yaml(text: str, after: str | None) -> None:
    part = "a: &x 1" if "&" in text else "[a]"
    span = span_of(text, part)
    span = Span("f.yaml", span.line, span.column, span.end_line, span.end_column)
    assert changed(text, Remove(span), "f.yaml") == after
