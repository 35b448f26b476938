"""One text of Python as it is to be written in: its tree, and where something new can stand."""

from __future__ import annotations

import ast
import builtins
import keyword
import re
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from flowlint.source import Edit, Span

_PLAIN = (ast.Assign, ast.AnnAssign, ast.AugAssign, ast.Return, ast.Expr)
_BINDING = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp, ast.Lambda)


@dataclass(frozen=True)
class Writing:
    """A text that is Python as a whole."""

    path: str
    cell: int | None
    lines: Sequence[str]
    tree: ast.Module

    def span(self, node: ast.expr | ast.stmt | ast.arg | ast.alias) -> Span:
        """Where a part of the tree stands."""
        line, end = node.lineno, node.end_lineno or node.lineno
        first = self._column(line, node.col_offset)
        last = self._column(end, node.end_col_offset or 0)
        return Span(self.path, line, first, end, last, self.cell)

    def text(self, node: ast.expr) -> str:
        """What is written there."""
        span = self.span(node)
        lines = [line.rstrip("\r\n") for line in self.lines[span.line - 1 : span.end_line]]
        lines[-1] = lines[-1][: span.end_column - 1]
        lines[0] = lines[0][span.column - 1 :]
        return "\n".join(lines)

    def way_to(self, span: Span) -> list[ast.AST]:
        """The parts of the tree around the expression at a span, outermost first; itself last."""
        if (span.path, span.cell) != (self.path, self.cell):
            return []
        way: list[ast.AST] = []
        node: ast.AST | None = self.tree
        while node is not None:
            way.append(node)
            if isinstance(node, ast.expr) and self.span(node) == span:
                return way
            node = next((one for one in ast.iter_child_nodes(node) if self._holds(one, span)), None)
        return []

    def call(self, span: Span) -> tuple[list[ast.AST], ast.Call] | None:
        """The call at a span with what is around it."""
        way = self.way_to(span)
        if way and isinstance(way[-1], ast.Call):
            return way, way[-1]
        return None

    def element(self, span: Span) -> ast.Call | None:
        """The call at a span where it is an element of a list or tuple that is written out."""
        found = self.call(span)
        if found is None or not isinstance(found[0][-2], ast.List | ast.Tuple):
            return None
        return found[1]

    def statement(self, way: Sequence[ast.AST]) -> ast.stmt | None:
        """The statement on the way that something can stand before, for what is deep inside.

        It stands alone on its lines, is evaluated as often as what it holds, and sees the same
        names.
        """
        inner = [node for node in way if isinstance(node, ast.stmt)]
        if not inner or not isinstance(inner[-1], _PLAIN):
            return None
        statement = inner[-1]
        around = way[: way.index(statement)]
        within = way[way.index(statement) : -1]
        if isinstance(around[-1], ast.ClassDef) or any(isinstance(o, _BINDING) for o in within):
            return None
        before = self.lines[statement.lineno - 1][: self.span(statement).column - 1]
        return statement if not before.strip() else None

    def before(self, statement: ast.stmt) -> Span:
        """The place before a statement and the comments that stand on it."""
        decorators: Sequence[ast.expr] = getattr(statement, "decorator_list", ())
        line = min([statement.lineno, *(one.lineno for one in decorators)])
        while line > 1 and self.lines[line - 2].lstrip().startswith("#"):
            line -= 1
        return Span(self.path, line, 1, line, 1, self.cell)

    def function_before(self, statement: ast.stmt, text: str) -> Edit:
        """A function that is written before a statement, with space around it."""
        place, indent = self.before(statement), self.indent(statement)
        gap = "\n" if indent else "\n\n"
        is_crowded = not indent and place.line > 1 and self.lines[place.line - 2].strip() != ""
        return Edit(place, f"{gap if is_crowded else ''}{text}\n{gap}")

    def indent(self, statement: ast.stmt) -> str:
        """The space before a statement."""
        line = self.lines[statement.lineno - 1]
        return line[: len(line) - len(line.lstrip())]

    def top(self, way: Sequence[ast.AST]) -> ast.stmt | None:
        """The statement of the module that holds all of it."""
        return next((node for node in way if isinstance(node, ast.stmt)), None)

    def add_behind(self, element: ast.expr, text: str) -> Edit:
        """One more element of a list or of arguments, after this one."""
        span = self.span(element)
        line = self.lines[span.line - 1]
        before = line[: span.column - 1]
        joint = f",\n{before}" if not before.strip() else ", "
        end = Span(
            self.path, span.end_line, span.end_column, span.end_line, span.end_column, self.cell
        )
        return Edit(end, f"{joint}{text}")

    def free_name(self, wanted: str) -> str:
        """A name that nothing in the text has, made of words."""
        name = re.sub(r"\W+", "_", wanted).strip("_").lower() or "step"
        if name[0].isdigit():
            name = f"step_{name}"
        taken = set(self.names()) | set(dir(builtins)) | set(keyword.kwlist)
        free, number = name, 2
        while free in taken:
            free, number = f"{name}_{number}", number + 1
        return free

    def names(self) -> Iterator[str]:
        """Every name that is used or bound anywhere."""
        for node in ast.walk(self.tree):
            if isinstance(node, ast.Name):
                yield node.id
            elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                yield node.name
            elif isinstance(node, ast.arg):
                yield node.arg
            elif isinstance(node, ast.alias):
                yield (node.asname or node.name).partition(".")[0]

    def function(self, name: str) -> bool:
        """Whether the module defines a function of a name."""
        functions = (ast.FunctionDef, ast.AsyncFunctionDef)
        return any(isinstance(one, functions) and one.name == name for one in self.tree.body)

    def _column(self, line: int, offset: int) -> int:
        text = self.lines[line - 1] if line <= len(self.lines) else ""
        if text.isascii():
            return offset + 1
        return len(text.encode("utf-8", "surrogatepass")[:offset].decode("utf-8", "replace")) + 1

    def _holds(self, node: ast.AST, span: Span) -> bool:
        if not isinstance(node, ast.expr | ast.stmt):
            # Parts without a place, such as arguments of comprehensions, may hold it as well.
            return any(self._holds(one, span) for one in ast.iter_child_nodes(node))
        decorators: Sequence[ast.expr] = getattr(node, "decorator_list", ())
        return self.span(node).contains(span) or any(self._holds(one, span) for one in decorators)


def writing(path: str, cell: int | None, lines: Sequence[str]) -> Writing | None:
    """The text with its tree; None where it is no Python as it stands."""
    if not path.endswith((".py", ".ipynb")):
        return None
    # Only what Python takes for the end of a line may be one.
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse("".join(lines))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    if any("\x0c" in line for line in lines):
        return None
    return Writing(path, cell, lines, tree)
