"""A notebook is one module whose spans count lines within their cell."""

import ast
import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from reading_help import assert_within, calls, read

from flowlint.languages.python.reading import ParsedModule
from flowlint.source import Span


def notebook(*cells: object, **metadata: object) -> bytes:
    """A notebook whose text cells are given as strings and all others as they are."""
    full = [
        {"cell_type": "code", "source": cell, "metadata": {}} if isinstance(cell, str) else cell
        for cell in cells
    ]
    return json.dumps({"nbformat": 4, "metadata": metadata, "cells": full}).encode()


def open_notebook(*cells: object, **metadata: object) -> ParsedModule:
    return read(notebook(*cells, **metadata), "nb.ipynb")


def places(module: ParsedModule) -> dict[str, tuple[int | None, int, int]]:
    """The cell, line and column of every call."""
    spans = {
        module.source(node): module.span(node)
        for node in ast.walk(module.tree)
        if isinstance(node, ast.Call)
    }
    return {text: (span.cell, span.line, span.column) for text, span in spans.items()}


MARKDOWN = {"cell_type": "markdown", "source": "def f("}


def test_positions_count_within_the_cell() -> None:
    module = open_notebook("a(1)\n", MARKDOWN, "x = 'é'; b(2)", "\n\nc(\n 3)\n\n")
    assert not module.faults
    assert places(module) == {"a(1)": (0, 1, 1), "b(2)": (2, 1, 10), "c(\n 3)": (3, 3, 1)}
    call = next(
        node
        for node in ast.walk(module.tree)
        if isinstance(node, ast.Call) and module.source(node)[0] == "c"
    )
    assert module.span(call) == Span("nb.ipynb", 3, 1, 4, 4, 3)


def test_sources_may_be_lists_of_lines() -> None:
    cell = {"cell_type": "code", "source": ["a(1)\n", "b(2)"]}
    assert places(open_notebook(cell)) == {"a(1)": (0, 1, 1), "b(2)": (0, 2, 1)}


def test_names_of_definitions_have_places_within_their_cell() -> None:
    module = open_notebook("x = 1", "@d\nclass A: ...")
    definition = module.tree.body[1]
    assert isinstance(definition, ast.ClassDef)
    assert module.name_span(definition) == Span("nb.ipynb", 2, 7, 2, 8, 1)


def test_no_span_crosses_cells() -> None:
    module = open_notebook("a(1)\nb(2)", "c(3)")
    assert module.span(module.tree) == Span("nb.ipynb", 1, 1, 2, 5, 0)
    assert places(open_notebook("x = (", ")", "a(1)")) == {"a(1)": (2, 1, 1)}


def test_a_broken_cell_does_not_hurt_the_others() -> None:
    module = open_notebook("a(1)", "b(2)\nx = (\nc(3)", "d(4)")
    assert set(places(module)) == {"a(1)", "b(2)", "c(3)", "d(4)"}
    assert [(fault.span.cell, fault.span.line) for fault in module.faults] == [(1, 2)]
    assert [(span.cell, span.line) for span in module.lost] == [(1, 2)]


@pytest.mark.parametrize(
    ("cell", "expected"),
    [
        ("%pip install x\na(1)", {"a(1)": (0, 2, 1)}),
        ("!ls {x} | wc\na(1)", {"a(1)": (0, 2, 1)}),
        ("!ls \\\n  -l (\na(1)", {"a(1)": (0, 3, 1)}),
        ("if x:\n    !ls (\n    a(1)", {"a(1)": (0, 3, 5)}),
        ("é = !ls\na(1)", {"a(1)": (0, 2, 1)}),
        ("x, y = %magic -o (\na(1)", {"a(1)": (0, 2, 1)}),
        ("a(1)\nobj?\nobj.method??\n?obj", {"a(1)": (0, 1, 1)}),
        ("%time x = a(1)", {"a(1)": (0, 1, 11)}),
        ("%timeit -n 10 a(1)", {"a(1)": (0, 1, 15)}),
        ("pip install 'x>1'\na(1)", {"a(1)": (0, 2, 1)}),
        ("%%time\na(1)", {"a(1)": (0, 2, 1)}),
        ("\n%%capture out\na(1)", {"a(1)": (0, 3, 1)}),
        ("%%bash\na(1", {}),
        ("%%writefile x.py\na(1)", {}),
        ("%sql\nSELECT (1", {}),
        ("x = '''\n!ls\n%time\n'''\ny = (z\n  % a(1))\n!ls", {"a(1)": (0, 6, 5)}),
        ("await a(1)\nasync with b(2): ...", {"a(1)": (0, 1, 7), "b(2)": (0, 2, 12)}),
        ("    a(1)\n    b(2)", {"a(1)": (0, 1, 5), "b(2)": (0, 2, 5)}),
        ("", {}),
        ("# only a comment", {}),
    ],
)
def test_what_only_ipython_understands_is_passed_over(
    cell: str, expected: dict[str, tuple[int | None, int, int]]
) -> None:
    module = open_notebook(cell, "z(9)")
    assert not module.faults
    found = places(module)
    assert found.pop("z(9)") == (1, 1, 1)
    assert {text: found.get(text) for text in expected} == expected
    assert len(found) == len(expected)


def test_a_slip_next_to_magics_is_one_fault() -> None:
    module = open_notebook("%load_ext x\nx = (\n!ls\n\na(1)")
    assert len(module.faults) == 1
    assert module.faults[0].span.cell == 0


def test_format_3_has_worksheets() -> None:
    cells = [
        {"cell_type": "code", "input": ["a(1)"], "language": "python"},
        {"cell_type": "markdown", "source": "x"},
        {"cell_type": "code", "input": "b(2)"},
        {"cell_type": "code", "input": "c(3", "language": "ruby"},
    ]
    data = json.dumps({"nbformat": 3, "worksheets": [{"cells": cells}]}).encode()
    module = read(data, "nb.ipynb")
    assert not module.faults
    assert places(module) == {"a(1)": (0, 1, 1), "b(2)": (2, 1, 1)}


@pytest.mark.parametrize(
    "metadata",
    [
        {"kernelspec": {"name": "ir", "language": "R"}},
        {"language_info": {"name": "julia"}},
    ],
)
def test_other_kernels_are_left_alone(metadata: dict[str, object]) -> None:
    module = open_notebook("a <- (", **metadata)
    assert not module.faults
    assert not module.tree.body


def test_cells_of_other_languages_are_left_alone() -> None:
    cell = {
        "cell_type": "code",
        "source": "SELECT (",
        "metadata": {"vscode": {"languageId": "sql"}},
    }
    module = open_notebook(cell, "a(1)", kernelspec={"language": "python"})
    assert not module.faults
    assert places(module) == {"a(1)": (1, 1, 1)}


@pytest.mark.parametrize(
    ("data", "line", "message"),
    [
        (b'{"cells": [\n  1,,\n]}', 2, "not a notebook: expecting value"),
        (b"", 1, "not a notebook: expecting value"),
        (b"[]", 1, "not a notebook: it has no cells"),
        (b'{"cells": {}}', 1, "not a notebook: it has no cells"),
        (b'{"cells": [3]}', 1, "cell 0 is not a notebook cell"),
        (b'{"cells": [{"cell_type": "code", "source": 3}]}', 1, "the source of cell 0 is not text"),
        (b"\xff\xfe\xfd", 1, "not a notebook: it is not JSON"),
        (b"1" * 5_000, 1, "not a notebook: it is not JSON"),
    ],
)
def test_a_file_that_is_no_notebook_is_a_fault(data: bytes, line: int, message: str) -> None:
    module = read(data, "nb.ipynb")
    assert [(fault.span.line, fault.message) for fault in module.faults] == [(line, message)]


def test_json_nested_without_end_is_a_fault() -> None:
    module = read(b"[" * 100_000, "nb.ipynb")
    assert len(module.faults) == 1
    assert module.faults[0].message.startswith("not a notebook: ")


def test_null_bytes_and_surrogates_are_survived() -> None:
    module = open_notebook("a(1)\0", "x = '\ud800'; b(2)")
    assert places(module) == {"a(1)": (0, 1, 1), "b(2)": (1, 1, 10)}
    assert [(fault.span.cell, fault.message) for fault in module.faults] == [
        (0, "source code cannot contain null bytes")
    ]


parts = st.sampled_from(
    [
        "a(1)",
        "%time b(2)",
        "!ls",
        "%%bash",
        "x = (",
        ")",
        "  y",
        '"""',
        "obj?",
        "é = !l",
        "\\",
        "%",
        "!",
        "?",
        "",
    ]
)
cells = st.lists(parts, max_size=5).map("\n".join)
anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                ["cells", "worksheets", "cell_type", "source", "metadata", "kernelspec", "language"]
            ),
            inner | st.just("code"),
            max_size=4,
        )
    ),
    max_leaves=12,
)


@settings(deadline=None)
@given(st.lists(cells, max_size=4))
def test_any_cells_can_be_read(sources: list[str]) -> None:
    module = open_notebook(*sources)
    assert_within(module)
    lines = [source.split("\n") for source in sources]
    for node in ast.walk(module.tree):
        span = module.span(node)
        if span.cell is not None:
            assert span.end_line <= len(lines[span.cell])
            assert span.end_column <= len(lines[span.cell][span.end_line - 1]) + 1


@settings(deadline=None)
@given(anything)
def test_any_json_can_be_read(document: object) -> None:
    read(json.dumps(document).encode(), "nb.ipynb")
    calls(read(json.dumps({"cells": [document]}).encode(), "nb.ipynb"))
