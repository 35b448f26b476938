"""Parse some lines of a text so that every node stands where it stands in the whole."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from flowlint.languages.python.reading import newer_syntax
from flowlint.languages.python.reading.grammar import Problem, parse, shift
from flowlint.languages.python.reading.layout import Layout
from flowlint.source import Span

# How many characters may be parsed in all: a multiple of the text, and this many at least.
_EFFORT, _LEAST_EFFORT = 8, 4_000_000
# What one character costs with libcst, and one line when the layout is looked at.
_NEWER_COST, _LINE_COST = 20, 10
# How many empty lines are parsed as fast as one character.
_FAR = 4


class Pieces:
    """The pieces of one text. Lines count from 0; problems and nodes count them from 1."""

    __slots__ = ("_effort", "_failed", "layout", "renewed")

    def __init__(self, text: str, problem: Problem) -> None:
        self.layout = Layout(text)
        low, high = self.layout.first(0, len(self.layout.lines)), len(self.layout.lines)
        self._failed: dict[tuple[int, int], Problem] = {}
        if low < high and self.layout.widths[low] == 0:
            self._failed[low, high] = problem
        self.renewed = 0
        self._effort = _EFFORT * len(text) + _LEAST_EFFORT

    @property
    def exhausted(self) -> bool:
        """Whether so much was parsed already that the rest has to be given up."""
        return self._effort <= 0

    def starts(self, low: int, high: int) -> list[int]:
        """The lines where statements of the suite in `low` up to `high` may begin, and `high`."""
        self._effort -= _LINE_COST * (high - low)
        return [*self.layout.starts(low, high), high]

    def read(self, low: int, high: int) -> list[ast.stmt] | Problem:
        """The statements on the lines `low` up to `high`."""
        known = self._failed.get((low, high))
        if known is not None:
            return known
        run = self.read_lines(low, self.layout.lines[low:high])
        if isinstance(run, Problem):
            self._failed[low, high] = run
        return run

    def read_lines(self, low: int, lines: list[str]) -> list[ast.stmt] | Problem:
        """The statements of lines that take the place of those from `low` on."""
        above = self._above(low)
        result = self.probe(low, lines, above)
        return result if isinstance(result, Problem) else _unwrapped(result, bool(above))

    def read_reindented(
        self, low: int, high: int, leads: dict[int, str]
    ) -> list[ast.stmt] | Problem:
        """The statements of some lines as if the given ones began with other white space."""
        lines = self.layout.lines[low:high]
        moved: dict[int, int] = {}
        for number, lead in leads.items():
            own = self.layout.lead(number)
            lines[number - low] = lead + lines[number - low][own:]
            moved[number + 1] = own - len(lead)
        run = self.read_lines(low, lines)
        if not isinstance(run, Problem):
            for node in (node for statement in run for node in ast.walk(statement)):
                _move_right(node, moved)
        return run

    def probe(self, low: int, lines: list[str], above: Sequence[str]) -> ast.Module | Problem:
        """Parse lines that take the place of those from `low` on, with other lines above them."""
        rows = low - len(above)
        text = "\n".join([*above, *lines, ""])
        # Far down, moving the nodes of a small piece costs less than parsing empty lines above it.
        moved = rows if rows < 0 or rows > _FAR * len(text) else 0
        padding = rows - moved
        self._effort -= len(text) + padding // _FAR
        result = parse("\n" * padding + text)
        if isinstance(result, Problem):
            return result.lowered(moved).within(low + 1, low + len(lines))
        if moved:
            shift(result.body, moved)
        return result

    def renew(self, low: int, lines: list[str], problem: Problem) -> newer_syntax.Newer | None:
        """Read lines as newer Python than the running one; None if they are not that."""
        text = "\n".join(lines)
        if not newer_syntax.suspected(text, problem.message):
            return None
        self._effort -= _NEWER_COST * len(text)
        above = self._above(low)
        result = newer_syntax.modernise("\n".join([*above, text, ""]))
        if isinstance(result, ast.Module):
            result.body = _unwrapped(result, bool(above))
            shift(result.body, low - len(above))
        if result is not None:
            self.renewed += 1
        return result

    def stretch(self, path: str, cell: int | None, low: int, high: int) -> Span:
        """The place of the code on the lines `low` up to `high`."""
        layout = self.layout
        last = layout.last(low, high)
        return Span(
            path, low + 1, layout.lead(low) + 1, last + 1, len(layout.lines[last]) + 1, cell
        )

    def nothing(self, low: int, high: int) -> ast.Pass:
        """The statement that stands for the lost ones on the lines `low` up to `high`."""
        last = self.layout.last(low, high)
        return ast.Pass(
            lineno=low + 1,
            col_offset=self.layout.lead(low),
            end_lineno=last + 1,
            end_col_offset=len(self.layout.lines[last].encode()),
        )

    def _above(self, low: int) -> list[str]:
        return ["if 1:"] if self.layout.widths[low] > 0 else []


def _unwrapped(module: ast.Module, wrapped: bool) -> list[ast.stmt]:
    """The statements of a module, without the `if` that only stood above indented ones."""
    first = module.body[0] if module.body else None
    if wrapped and isinstance(first, ast.If):
        return first.body + module.body[1:]
    return module.body


def _move_right(node: ast.AST, by_line: dict[int, int]) -> None:
    """Move the ends of a node that stand on the given lines."""
    state = node.__dict__
    if "lineno" in state:
        state["col_offset"] += by_line.get(state["lineno"], 0)
        state["end_col_offset"] += by_line.get(state["end_lineno"], 0)
