"""A notebook is one module: its code cells in order, each with lines of its own."""

from __future__ import annotations

import ast
import json
from collections.abc import Iterator
from dataclasses import dataclass, field

from flowlint.languages.python.reading.compound import clamp
from flowlint.languages.python.reading.decoding import normalise
from flowlint.languages.python.reading.grammar import Problem, parse, quiet, shift
from flowlint.languages.python.reading.ledger import Salvage
from flowlint.languages.python.reading.magics import neutralise, python_of
from flowlint.languages.python.reading.module import CellLines, ParsedModule, SyntaxFault
from flowlint.languages.python.reading.recovery import salvage
from flowlint.source import Span


@dataclass(slots=True)
class _Notebook:
    """What was read so far."""

    path: str
    lines: list[str] = field(default_factory=list)
    cells: list[CellLines] = field(default_factory=list)
    found: Salvage = field(default_factory=Salvage)

    def complain(self, message: str, span: Span | None = None) -> None:
        """Report something about the file itself."""
        span = span or Span(self.path, 1, 1, 1, 1)
        self.found.faults.append(SyntaxFault(span, message))

    def module(self) -> ParsedModule:
        """All of it."""
        found = self.found
        tree = ast.Module(body=found.statements, type_ignores=[])
        faults, lost, cells = tuple(found.faults), tuple(found.lost), tuple(self.cells)
        return ParsedModule(self.path, "\n".join(self.lines), tree, faults, lost, cells)


def read_notebook(path: str, data: bytes) -> ParsedModule:
    """Read the Python cells of a notebook. Never raises, whatever the bytes are."""
    notebook = _Notebook(path)
    try:
        document: object = json.loads(data)
    except json.JSONDecodeError as error:
        line, column = error.lineno, error.colno
        message = f"not a notebook: {error.msg[:1].lower()}{error.msg[1:]}"
        notebook.complain(message, Span(path, line, column, line, column))
        return notebook.module()
    except (ValueError, RecursionError):
        notebook.complain("not a notebook: it is not JSON")
        return notebook.module()
    cells = _cells(document)
    if cells is None:
        notebook.complain("not a notebook: it has no cells")
        return notebook.module()
    if _is_python(_languages(document)):
        with quiet():
            for index, cell in enumerate(cells):
                _read_cell(notebook, index, cell)
    return notebook.module()


def _read_cell(notebook: _Notebook, index: int, cell: object) -> None:
    """Add the statements of one cell if it is a code cell."""
    if not isinstance(cell, dict) or not isinstance(cell.get("cell_type"), str):
        notebook.complain(f"cell {index} is not a notebook cell")
        return
    if cell["cell_type"] != "code" or not _is_python(_cell_languages(cell)):
        return
    source = cell.get("source", cell.get("input", ""))
    if isinstance(source, list) and all(isinstance(line, str) for line in source):
        source = "".join(source)
    if not isinstance(source, str):
        notebook.complain(f"the source of cell {index} is not text")
        return
    text = normalise(source).removesuffix("\n")
    first_line = len(notebook.lines) + 1
    notebook.cells.append(CellLines(index, first_line))
    notebook.lines += text.split("\n")
    code = python_of(text)
    if code is None:
        return
    if "\0" in code:
        before = code[: code.index("\0")]
        line, column = before.count("\n") + 1, len(before) - before.rfind("\n")
        span = Span(notebook.path, line, column, line, column + 1, index)
        notebook.complain("source code cannot contain null bytes", span)
        code = code.replace("\0", " ")
    _read_code(notebook, index, code, first_line)


def _read_code(notebook: _Notebook, index: int, code: str, first_line: int) -> None:
    found = notebook.found
    tree = parse(code)
    if isinstance(tree, Problem):
        code = neutralise(code)
        tree = _parse_dedented(code)
        if isinstance(tree, Problem):
            salvaged = salvage(notebook.path, index, code, tree)
            found.faults += salvaged.faults
            found.lost += salvaged.lost
            tree = ast.Module(body=salvaged.statements, type_ignores=[])
        lines = notebook.lines[first_line - 1 :]
        for node in ast.walk(tree):
            clamp(node, lines)
    shift(tree.body, first_line - 1)
    found.statements += tree.body


def _parse_dedented(code: str) -> ast.Module | Problem:
    """Parse a cell; one that is indented as a whole is sound in a notebook."""
    result = parse(code)
    if not isinstance(result, Problem) or result.message != "unexpected indent":
        return result
    wrapped = parse(f"if 1:\n{code}")
    if isinstance(wrapped, Problem) or not isinstance(wrapped.body[0], ast.If):
        return result
    body = wrapped.body[0].body + wrapped.body[1:]
    shift(body, -1)
    return ast.Module(body=body, type_ignores=[])


def _cells(document: object) -> list[object] | None:
    """The cells of a notebook of format 4, or of all worksheets of format 3."""
    if not isinstance(document, dict):
        return None
    if isinstance(document.get("cells"), list):
        return list(document["cells"])
    sheets = document.get("worksheets")
    if not isinstance(sheets, list):
        return None
    lists = [sheet.get("cells") for sheet in sheets if isinstance(sheet, dict)]
    return [cell for cells in lists if isinstance(cells, list) for cell in cells]


def _languages(document: object) -> Iterator[object]:
    """What a notebook says of its language."""
    for where, name in (("language_info", "name"), ("kernelspec", "language")):
        yield _inside(document, "metadata", where, name)


def _cell_languages(cell: object) -> Iterator[object]:
    """What one cell says of its language."""
    yield _inside(cell, "language")
    yield _inside(cell, "metadata", "vscode", "languageId")


def _is_python(languages: Iterator[object]) -> bool:
    """Whether the first language that is named is Python; so it is if none is."""
    named = next((name for name in languages if isinstance(name, str) and name), "python")
    return "python" in named.lower()


def _inside(value: object, *keys: str) -> object:
    for key in keys:
        value = value.get(key) if isinstance(value, dict) else None
    return value
