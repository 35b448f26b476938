"""The tables `behaviours_*.md` beside this file name tests, and differences, that are there.

A row says what a system does, in which section of its description, and what shows it here:

    | §b | what happens | tests/runtime/…/test_x.py::test_name |
    | §b | what happens | differences: System column / Section column |

A test in a class is `test_x.py::TestClass::test_name`. It says the section, in its name
(`test_acpx_b_…`) or in its docstring, that of its class or that of its module (`acpx §b`).
"""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

HERE = Path(__file__).parent
ROOT = HERE.parents[2]
TABLES = sorted(HERE.glob("behaviours_*.md"))
DIFFERENCES = ROOT / "docs" / "runtime" / "differences.md"


@dataclass(frozen=True, slots=True)
class Row:
    """One behaviour: the letter of its section, what it is, and what shows it."""

    line: int
    section: str
    behaviour: str
    shown_by: str


def rows_of(text: str) -> list[Row]:
    """The rows of the tables in a text, without heads and rules."""
    rows = []
    for number, cells in _cells(text):
        if len(cells) == 3 and re.fullmatch("§[a-z]", cells[0]):
            rows.append(Row(number, cells[0][1:], cells[1], cells[2].strip("`")))
    return rows


def faults_of(system: str, text: str, root: Path, differences: str) -> list[str]:
    """What is wrong with a table, each with its line."""
    known = {tuple(cells[:2]) for _, cells in _cells(differences)}
    faults = [f"line {line}: no row" for line in _lines_without_a_row(text)]
    for row in rows_of(text):
        fault = _fault(system, row, root, known)
        if fault:
            faults.append(f"line {row.line}: {row.behaviour}: {fault}")
    return faults


def _fault(system: str, row: Row, root: Path, known: set[tuple[str, ...]]) -> str | None:
    if row.shown_by.startswith("differences:"):
        named = row.shown_by.removeprefix("differences:").split("/", 1)
        place = tuple(part.strip() for part in named)
        return None if place in known else f"no row `{' | '.join(place)}` in the differences"
    path, *names = row.shown_by.split("::")
    if not names or not (root / path).is_file():
        return f"there is no test `{row.shown_by}`"
    docs = _tests(root / path).get(tuple(names))
    if docs is None:
        return f"`{path}` has no test `{'::'.join(names)}`"
    if names[-1].startswith(f"test_{system}_{row.section}_") or _says(docs, system, row.section):
        return None
    return f"`{names[-1]}` does not say `{system} §{row.section}`"


def _says(docs: str, system: str, section: str) -> bool:
    """Whether `acpx §b`, or `acpx §a and §b`, is said."""
    named = rf"\b{system}\b[^§\n]{{0,12}}(?:§\w+(?:, | and ))*§{section}(?![a-z])"
    return re.search(named, docs, re.IGNORECASE) is not None


@cache
def _tests(path: Path) -> dict[tuple[str, ...], str]:
    """The tests of a file by class and name, each with the docstrings that it stands under."""
    module = ast.parse(path.read_text())
    return dict(_tests_in(module.body, (), _doc(module)))


def _tests_in(
    body: list[ast.stmt], inside: tuple[str, ...], docs: str
) -> list[tuple[tuple[str, ...], str]]:
    found: list[tuple[tuple[str, ...], str]] = []
    for node in body:
        if isinstance(node, ast.ClassDef):
            found += _tests_in(node.body, (*inside, node.name), f"{docs}\n{_doc(node)}")
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name[:5] == "test_":
            found.append(((*inside, node.name), f"{docs}\n{_doc(node)}"))
    return found


def _doc(node: ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef) -> str:
    return ast.get_docstring(node) or ""


def _cells(text: str) -> list[tuple[int, list[str]]]:
    """The rows of all tables in a text, each with its line."""
    return [
        (number, [cell.strip().replace(r"\|", "|") for cell in re.split(r"(?<!\\)\|", line)[1:-1]])
        for number, line in enumerate(text.splitlines(), 1)
        if line.startswith("|")
    ]


def _lines_without_a_row(text: str) -> list[int]:
    """Lines that look like a row and are none: neither the head nor its rule."""
    rows = {row.line for row in rows_of(text)}
    return [number for number, _ in _cells(text)[2:] if number not in rows]


@pytest.mark.parametrize("table", TABLES, ids=lambda table: str(table.stem))
def test_what_a_table_names_is_there(table: Path) -> None:
    text = table.read_text()
    system = table.stem.removeprefix("behaviours_")
    assert rows_of(text)
    assert faults_of(system, text, ROOT, DIFFERENCES.read_text()) == []


def test_there_are_tables() -> None:
    assert TABLES


@pytest.mark.parametrize(
    ("row", "fault"),
    [
        ("§b | it does | test_x.py::test_sys_b_it_does", None),
        ("§c | it does | test_x.py::TestX::test_it", None),
        ("§b | it does | test_x.py::TestX::test_it", "does not say `sys §b`"),
        ("§g | it does | test_x.py::test_sys_b_it_does", "does not say `sys §g`"),
        ("§b | it does | test_x.py::test_gone", "has no test"),
        ("§c | it does | test_x.py::test_it", "has no test"),
        ("§b | it does | test_y.py::test_sys_b_it_does", "there is no test"),
        ("§b | it does | test_x.py", "there is no test"),
        ("§b | it does | differences: Sys / b, that", None),
        ("§b | it does | differences: Sys / b, this", "no row"),
        ("§b | test_x.py::test_sys_b_it_does", "no row"),
        ("b | it does | test_x.py::test_sys_b_it_does", "no row"),
    ],
)
def test_what_is_not_there_is_told(row: str, fault: str | None, tmp_path: Path) -> None:
    (tmp_path / "test_x.py").write_text(
        "def test_sys_b_it_does(): ...\n"
        'class TestX:\n    """Sys §a and §c."""\n    def test_it(self): ...\n'
    )
    table = f"| Section | Behaviour | Shown by |\n|---|---|---|\n| {row} |\n"
    faults = faults_of("sys", table, tmp_path, "| Sys | b, that | does | does |\n")
    assert len(faults) == (fault is not None)
    assert fault is None or fault in faults[0]
