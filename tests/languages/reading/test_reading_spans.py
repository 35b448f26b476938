"""Every node of a module knows where it stands, in characters."""

import ast
import json
import textwrap
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from reading_help import read, slices

from flowlint.languages.python.reading import parse_module
from flowlint.source import Span

STANDARD_LIBRARY = [Path(module.__file__) for module in (ast, json, textwrap) if module.__file__]


def test_a_call_knows_its_place_in_characters() -> None:
    module = read('é = "ü"; f("ö", x)\n')
    call = next(node for node in ast.walk(module.tree) if isinstance(node, ast.Call))
    assert module.span(call) == Span("flow.py", 1, 10, 1, 19)
    assert module.source(call) == 'f("ö", x)'


@pytest.mark.parametrize(
    ("source", "span", "name"),
    [
        ("@d\nasync  def \\\n  go(): ...\n", (3, 3, 5), "go"),
        ("class  Käse: ...\n", (1, 8, 12), "Käse"),
        ("def f (): ...\n", (1, 5, 6), "f"),
        ("if ü: \n  def ab(): ...\n", (2, 7, 9), "ab"),
    ],
)
def test_the_name_of_a_definition_has_a_place(
    source: str, span: tuple[int, int, int], name: str
) -> None:
    module = read(source)
    kinds = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
    definition = next(node for node in ast.walk(module.tree) if isinstance(node, kinds))
    line, column, end = span
    assert module.name_span(definition) == Span("flow.py", line, column, line, end)
    assert definition.name == name


def test_nodes_without_a_place_are_where_their_parts_are() -> None:
    module = read("def f(a, b=1): ...\n[x for x in y]\n")
    arguments = next(node for node in ast.walk(module.tree) if isinstance(node, ast.arguments))
    assert module.span(arguments) == Span("flow.py", 1, 7, 1, 13)
    assert module.span(ast.Load()) == Span("flow.py", 1, 1, 1, 1)
    assert module.source(ast.Load()) == ""


def test_form_feeds_and_odd_newlines_count_as_in_an_editor() -> None:
    module = read(b'\x0cx = f(1)\r\ny = "\x0b\x1c\xc2\x85\xe2\x80\xa8"; g(2)\rh(3)\n')
    nodes = [node for node in ast.walk(module.tree) if isinstance(node, ast.Call)]
    places = {module.source(node): module.span(node) for node in nodes}
    assert {source: (span.line, span.column) for source, span in places.items()} == {
        "f(1)": (1, 6),
        "g(2)": (2, 13),
        "h(3)": (3, 1),
    }


@pytest.mark.parametrize("path", STANDARD_LIBRARY, ids=lambda path: path.name)
def test_real_modules_are_sliced_like_the_reference_does(path: Path) -> None:
    module = parse_module(str(path), path.read_bytes())
    assert not module.faults
    nodes = [node for node in ast.walk(module.tree) if isinstance(node, ast.expr | ast.stmt)][::17]
    expected = [ast.get_source_segment(module.text, node) for node in nodes]
    assert slices(module, nodes) == expected
    assert [module.source(node) for node in nodes] == expected


names = st.sampled_from(["a", "é", "名前", "x1", "𝒳y"])
texts = st.text(st.sampled_from("aé名𝒳 (#:'\t"), max_size=5)
atoms = st.one_of(names, texts.map(repr), st.integers(0, 99).map(str))
expressions = st.recursive(
    atoms,
    lambda inner: st.one_of(
        st.tuples(names, inner, inner).map(lambda t: f"{t[0]}({t[1]}, k={t[2]})"),
        st.lists(inner, max_size=3).map(lambda items: f"[{', '.join(items)}]"),
        st.tuples(inner, inner).map(lambda t: f"({t[0]} +\n\t {t[1]})"),
        inner.map(lambda e: f"{{{e}: {e}}}"),
        inner.map(lambda e: f"(lambda é: {e})"),
    ),
    max_leaves=8,
)


@settings(deadline=None)
@given(st.lists(st.tuples(names, expressions), min_size=1, max_size=5), st.sampled_from(["", "ü"]))
def test_any_sound_module_is_sliced_like_the_reference_does(
    assignments: list[tuple[str, str]], comment: str
) -> None:
    body = "".join(
        f"    {name} = {value}; {name}({value}) #{comment}\n" for name, value in assignments
    )
    module = read(f"class É:\n{body}")
    assert not module.faults
    nodes = [node for node in ast.walk(module.tree) if isinstance(node, ast.expr | ast.stmt)]
    assert slices(module, nodes) == [ast.get_source_segment(module.text, node) for node in nodes]
