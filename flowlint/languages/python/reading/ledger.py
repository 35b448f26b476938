"""The account of a broken text: what was kept, what is at fault and what was lost."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field

from flowlint.languages.python.reading.grammar import Problem
from flowlint.languages.python.reading.module import SyntaxFault
from flowlint.languages.python.reading.pieces import Pieces
from flowlint.source import Span

_MOST_FAULTS, _MOST_LOST = 100, 1000


@dataclass(slots=True)
class Salvage:
    """What was kept of a broken text, and what was not."""

    statements: list[ast.stmt] = field(default_factory=list)
    faults: list[SyntaxFault] = field(default_factory=list)
    lost: list[Span] = field(default_factory=list)


@dataclass(slots=True)
class Suite:
    """The statements kept so far on one level of indentation."""

    depth: int
    kept: list[ast.stmt] = field(default_factory=list)


class Ledger:
    """Writes down faults and losses, one fault for one slip. Lines count from 0."""

    __slots__ = ("_cell", "_echo", "_path", "_pieces", "found", "muted")

    def __init__(self, path: str, cell: int | None, pieces: Pieces) -> None:
        self.found = Salvage()
        self.muted = False
        self._path = path
        self._cell = cell
        self._pieces = pieces
        self._echo = (-1, -1)

    @property
    def full(self) -> bool:
        """Whether so much was lost that the text can hardly be Python."""
        return len(self.found.lost) > _MOST_LOST

    def entries(self) -> tuple[int, int, int]:
        """How many faults, losses and newer pieces there are."""
        return len(self.found.faults), len(self.found.lost), self._pieces.renewed

    def echoes(self, low: int) -> bool:
        """Whether a broken line directly follows another one, which is mostly the same slip."""
        return self._echo == (low, self._pieces.layout.widths[low])

    def expect_echo(self, low: int) -> None:
        """If this line is broken, it is by the slip that was just reported."""
        self._echo = (low, self._pieces.layout.widths[low])

    def keep(self, run: list[ast.stmt], low: int, high: int, suite: Suite) -> None:
        """Keep the sound statements of some lines."""
        suite.kept += run
        if self._echo[0] == low and not any(map(is_code, run)):
            # Prose that happens to parse does not end what a lost quote has begun.
            self._echo = (self._pieces.layout.first(high), self._echo[1])

    def lose(self, low: int, high: int, problem: Problem | None, suite: Suite) -> None:
        """Pass over lines that give no statement."""
        if problem is not None:
            self.fault(problem)
        layout = self._pieces.layout
        self._echo = (layout.first(high), layout.widths[low])
        self.miss(low, high)
        suite.kept.append(self._pieces.nothing(low, high))

    def miss(self, low: int, high: int) -> None:
        """Some code on these lines is not in the tree."""
        self.found.lost.append(self._pieces.stretch(self._path, self._cell, low, high))

    def fault(self, problem: Problem) -> None:
        """Report a problem, unless it only echoes the one before it."""
        if not self.muted and len(self.found.faults) < _MOST_FAULTS:
            span = problem.span(self._path, self._cell, self._pieces.layout.lines)
            self.found.faults.append(SyntaxFault(span, problem.message))


def is_code(statement: ast.stmt) -> bool:
    """Whether a statement is hardly prose that happens to parse."""
    if isinstance(statement, ast.AnnAssign):
        return statement.value is not None
    return not isinstance(statement, ast.Expr) or isinstance(statement.value, ast.Call)
