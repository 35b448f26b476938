"""A broken module keeps its sound statements, each where it is, with one fault for one slip."""

import ast
import textwrap

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from reading_help import assert_within, calls, definitions, faults, read

MODULE = '''\
import flows

PROMPT = """
You are (a helpful assistant.
def not_code(:
"""

@register("é")
class Builder(Base):
    """Builds a flow: it's simple."""

    def first(self):
        """First."""
        graph = Graph(State)
        graph.add_node("a", a)
        return graph.compile()

    def second(self, x, *,
               y=default()):
        if check(x):
            one(1)
        elif check(y):
            two(2)
        else:
            three(3)
        try:
            risky(
                x,
                y=[z for z in zs()],
            )
        except Error:
            handle()
        finally:
            close()

def outer():
    with opened("ü") as f:
        match kind(f):
            case "a":
                alpha()
            case _:
                beta()
    for item in items():
        use(item)

outer()
'''
LINES = MODULE.split("\n")


def change(line: int, old: str, new: str) -> str:
    """The module with a slip on one line."""
    assert old in LINES[line - 1], LINES[line - 1]
    return "\n".join([*LINES[: line - 1], LINES[line - 1].replace(old, new, 1), *LINES[line:]])


def insert(line: int, text: str) -> str:
    """The module with a half-typed line above another one."""
    return "\n".join([*LINES[: line - 1], text, *LINES[line - 1 :]])


def test_the_module_is_sound() -> None:
    module = read(MODULE)
    assert not module.faults
    assert not module.lost
    assert len(calls(module)) == 21


@pytest.mark.parametrize(
    ("source", "line", "missing"),
    [
        (change(14, ")", ""), 14, {"Graph(State)"}),
        (change(14, "(", ""), 14, {"Graph(State)"}),
        (change(14, "Graph(State)", "Graph(State"), 14, {"Graph(State)"}),
        (change(12, ":", ""), 12, set()),
        (change(12, "self):", "self, x"), 12, set()),
        (change(9, "Builder(Base):", "Builder(Base"), 9, set()),
        (change(19, "):", ""), 18, {"default()"}),
        (change(20, ":", ""), 20, set()),
        (change(22, "elif", "elf"), 22, {"check(y)"}),
        (change(24, ":", ""), 24, set()),
        (change(26, ":", ""), 26, set()),
        (change(31, ":", ""), 31, set()),
        (change(37, ":", ""), 37, set()),
        (change(38, ":", ""), 38, set()),
        (change(39, ":", ""), 39, set()),
        (change(39, '"a"', '"a'), 39, set()),
        (change(43, " in ", " on "), 43, {"items()"}),
        (change(8, ")", ""), 8, {'register("é")'}),
        (change(13, '"""First."""', '""First."""'), 13, set()),
        (change(13, '"""First."""', '"""First.""'), 13, set()),
        (change(10, '"""Builds', '""Builds'), 10, set()),
        (insert(15, "        graph."), 15, set()),
        (insert(15, "        graph.add("), 15, set()),
        (insert(15, "        x ="), 15, set()),
        (insert(15, "        def "), 15, set()),
        (insert(15, '        """'), 15, set()),
        (insert(15, "        x = 'it"), 15, set()),
        (insert(15, "    stray()"), 15, set()),
        (insert(15, "            stray()"), 15, set()),
        (insert(15, "      stray()"), 15, set()),
        (insert(15, "stray()"), 15, set()),
        (insert(18, "    @"), 18, set()),
        (insert(8, "class X"), 8, set()),
        (insert(8, "if x"), 8, set()),
        (insert(31, "        foo("), 31, set()),
        (insert(46, "}"), 46, set()),
    ],
)
def test_one_slip_costs_one_statement_and_is_reported_once(
    source: str, line: int, missing: set[str]
) -> None:
    module = read(source)
    below = 1 if len(source.split("\n")) > len(LINES) else 0
    expected = {
        text: (at + below if at >= line else at, column)
        for text, (at, column) in calls(read(MODULE)).items()
        if text not in missing
    }
    found = calls(module)
    found.pop("stray()", None)
    assert {text: found.get(text) for text in expected} == expected
    assert len(module.faults) == 1, faults(module)
    assert abs(module.faults[0].span.line - line) <= 1
    assert_within(module)


def test_every_slip_has_its_own_fault() -> None:
    source = (
        "f(1)\nx = = 1\ng(2)\ndef h():\n    y = (\n    k(3)\n    z ==\n    m(4)\nn(5)\nimport\n"
    )
    module = read(source)
    assert faults(module) == [
        (2, "invalid syntax"),
        (5, "'(' was never closed"),
        (7, "invalid syntax"),
        (10, "Expected one or more names after 'import'"),
    ] or [line for line, _ in faults(module)] == [2, 5, 7, 10]
    assert set(calls(module)) == {"f(1)", "g(2)", "k(3)", "m(4)", "n(5)"}
    assert [(span.line, span.end_line) for span in module.lost] == [
        (2, 2),
        (5, 5),
        (7, 7),
        (10, 10),
    ]


def test_a_broken_statement_leaves_a_pass_in_its_place() -> None:
    module = read("def f():\n    x = (\n    return g(1)\n")
    function = module.tree.body[0]
    assert isinstance(function, ast.FunctionDef)
    assert [type(statement) for statement in function.body] == [ast.Pass, ast.Return]
    assert module.source(function.body[0]) == "x = ("


def test_a_class_with_a_broken_method_keeps_its_methods() -> None:
    module = read(change(14, "=", "= ="))
    assert definitions(module) == ["Builder", "outer", "first", "second"]
    builder = next(node for node in module.tree.body if isinstance(node, ast.ClassDef))
    assert module.source(builder).endswith("close()")
    assert [ast.unparse(decorator) for decorator in builder.decorator_list] == ["register('é')"]


def test_a_definition_with_a_broken_header_keeps_its_name() -> None:
    module = read("class A(B:\n    def f(self, x=:\n        return g(x)\n    def h(self): ...\n")
    assert definitions(module) == ["A", "f", "h"]
    assert calls(module) == {"g(x)": (3, 16)}
    names = [node for node in ast.walk(module.tree) if isinstance(node, ast.ClassDef)]
    assert module.name_span(names[0]).column == 7


def test_python_2_is_a_fault() -> None:
    module = read('import os\nprint "x"\nprint "y"\nf(1)\nexec "z"\nraise E, "m"\n')
    assert [line for line, _ in faults(module)] == [2, 5]
    assert faults(module)[0][1].startswith("Missing parentheses in call to 'print'")
    assert "f(1)" in calls(module)


def test_text_after_a_lost_quote_is_not_reported_line_by_line() -> None:
    prose = "You are helpful, and\nit is (so so.\nAnswer:\nin one word!\n"
    module = read(f'f(1)\nP = ""\n{prose}"""\ng(2)\n')
    assert len(module.faults) == 1
    assert "f(1)" in calls(module)


def test_sound_code_is_not_touched_by_a_prompt_full_of_code() -> None:
    prompt = 'P = """\ndef f(:\n    x = (\nimport\n"""\n'
    module = read(f"{prompt}g(1)\nx = = 2\nh(3)\n")
    assert faults(module) == [(7, "invalid syntax")]
    assert set(calls(module)) == {"g(1)", "h(3)"}


def test_items_may_stand_at_the_left_margin() -> None:
    module = read("X = [\n[1],\n'a',\n2,\n]\nf(1)\nx = = 2\n")
    assert faults(module) == [(7, "invalid syntax")]
    assert len(module.tree.body) == 3


def test_problems_tell_lines_of_the_file() -> None:
    below = read("\n" * 40_000 + "def f():\nif x:\ng(1)\n")
    assert faults(below)[0][1] in (
        "expected an indented block after function definition on line 40001",
        "expected an indented block",
    )
    assert calls(below) == {"g(1)": (40_003, 1)}


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
def test_newlines_do_not_matter(newline: str) -> None:
    module = read("f(1)\nx = (\ng(é)\n".replace("\n", newline))
    assert calls(module) == {"f(1)": (1, 1), "g(é)": (3, 1)}
    assert [line for line, _ in faults(module)] == [2]


@pytest.mark.parametrize("lead", ["", "  ", "      "])
def test_a_line_that_stands_wrong_is_read_where_it_is(lead: str) -> None:
    module = read(f"def f():\n    a(1)\n{lead}b(é=c(2), d=3)\n    from e import g\n    h(4)\n")
    column = len(lead) + 1
    found = calls(module)
    assert found == {
        "a(1)": (2, 5),
        "b(é=c(2), d=3)": (3, column),
        "c(2)": (3, column + 4),
        "h(4)": (5, 5),
    }
    keyword = next(node for node in ast.walk(module.tree) if isinstance(node, ast.keyword))
    assert module.source(keyword) == "é=c(2)"
    assert [line for line, _ in faults(module)] == [3 if lead else 4]


def test_tabs_are_kept() -> None:
    module = read("if x:\n\tf(1)\n\ty = (\n\tg(2)\n")
    assert calls(module) == {"f(1)": (2, 2), "g(2)": (4, 2)}


SOUND = [
    "import a",
    "x = f{n}(1, [2, {{'k': g{n}()}}])",
    "@d{n}()\ndef h{n}(a, b=c{n}()):\n    '''Doc.'''\n    if t{n}():\n        u{n}(a)\n    v{n}()",
    "class C{n}(base{n}()):\n    x = y{n}()\n\n    async def m(self):\n        await w{n}(self)",
    "for i in r{n}():\n    try:\n        p{n}(i)\n    except E:\n        q{n}()",
    'T{n} = """\nsome (text\n""" + str(e{n}())',
]
BROKEN = [
    "x = = 1",
    "foo(",
    "x = [1, 2",
    "x.",
    "def ",
    "x = 'a",
    "return (1",
    "if x",
    "1 +",
    "a b",
    ")",
]


@settings(deadline=None)
@given(
    st.lists(st.sampled_from(SOUND), max_size=6),
    st.sampled_from(BROKEN),
    st.lists(st.sampled_from(SOUND), max_size=6),
    st.integers(0, 2),
)
def test_what_stands_before_and_after_a_slip_is_kept(
    before: list[str], slip: str, after: list[str], depth: int
) -> None:
    parts = [part.format(n=n) for n, part in enumerate([*before, *after])]
    head, tail = parts[: len(before)], parts[len(before) :]
    for _ in range(depth):
        head = ["def wrap(self):", *(textwrap.indent(part, "    ") for part in head)]
        tail = [textwrap.indent(part, "    ") for part in tail]
        slip = f"    {slip}"
    above = "\n".join(head) + "\n" if head else ""
    below = "\n".join(tail) + "\n" if tail else ""
    module = read(f"{above}{slip}\n{below}")
    whole = read(f"{above}{slip[: len(slip) - len(slip.lstrip())]}pass\n{below}")
    assert not whole.faults
    assert len(module.faults) == 1, faults(module)
    assert calls(module) == calls(whole)
    assert_within(module)


@settings(deadline=None)
@given(st.integers(0, len(MODULE) - 1), st.integers(1, 3))
def test_a_hole_anywhere_costs_little(start: int, length: int) -> None:
    hole = MODULE[start : start + length].replace("\n", "")
    source = MODULE[:start] + MODULE[start:].replace(hole, "", 1) if hole else MODULE
    module = read(source)
    assert_within(module)
    assert len(calls(module)) >= 10
