"""Keep what is sound of a text that does not parse.

A suite is cut into blocks at the lines where statements may begin. The longest stretch of
blocks that parses is kept; the block after it is broken, and if it is a compound statement its
header and the sound statements of its bodies are kept in the same way.
"""

from __future__ import annotations

import ast
from bisect import bisect_right
from itertools import pairwise

from flowlint.languages.python.reading.compound import (
    Header,
    begins_compound,
    fill,
    header_of,
    looks_compound,
    mended,
    mended_tops,
    skeleton,
)
from flowlint.languages.python.reading.grammar import Problem
from flowlint.languages.python.reading.layout import Clause
from flowlint.languages.python.reading.ledger import Ledger, Salvage, Suite, is_code
from flowlint.languages.python.reading.pieces import Pieces

_DEEPEST, _MOST_CLAUSES = 40, 2000
_WHOLE_BLOCK_LINES = 300
# How many lines inside of strings are looked at to see whether they are code.
_GLIMPSES = 20
# What is no item of a list or a call, even if it is read by itself.
_UNMISTAKABLE = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.If, ast.For, ast.Return)


def salvage(path: str, cell: int | None, text: str, problem: Problem) -> Salvage:
    """Read a text of which `problem` is what `parse` said. Call it inside `quiet()`."""
    worker = _Worker(path, cell, text, problem)
    found = worker.ledger.found
    try:
        found.statements = worker.suite(0, len(worker.layout.lines), 0)
    except RecursionError:
        # The caller has used up the stack; the fault at least is told.
        worker.ledger.miss(0, len(worker.layout.lines))
        worker.ledger.fault(problem)
    if not found.faults and not worker.pieces.renewed:
        worker.ledger.fault(problem)
    found.faults.sort(key=lambda fault: fault.span.start())
    found.lost.sort()
    return found


class _Worker:
    """One broken text being taken apart. Lines count from 0 here, as in the layout."""

    __slots__ = ("_whole", "layout", "ledger", "pieces")

    def __init__(self, path: str, cell: int | None, text: str, problem: Problem) -> None:
        self.pieces = Pieces(text, problem)
        self.layout = self.pieces.layout
        self.ledger = Ledger(path, cell, self.pieces)
        self._whole = problem

    def suite(self, low: int, high: int, depth: int) -> list[ast.stmt]:
        """The statements of one suite. What is broken in it is reported and passed over."""
        suite = Suite(depth)
        low = self.layout.first(low, high)
        while low < high:
            low = self.layout.first(self._blocks(low, high, suite), high)
        return suite.kept

    def _blocks(self, low: int, high: int, suite: Suite) -> int:
        """Read blocks from `low` on; the line from which the layout has to be seen anew."""
        starts = self.pieces.starts(low, high)
        index, count = 0, len(starts) - 1
        size = count
        while index < count:
            if self.pieces.exhausted or self.ledger.full:
                self.ledger.lose(starts[index], high, None, suite)
                return high
            end = min(index + size, count)
            run = self.pieces.read(starts[index], starts[end])
            if not isinstance(run, Problem):
                self.ledger.keep(run, starts[index], starts[end], suite)
                index, size = end, size * 2
                continue
            if run.cut_off and end < count:
                size *= 4
                continue
            first = index
            index = self._skip_sound(starts, index, end, run, suite)
            cause = run if index > first else None
            block = [*starts[index : index + 3], high][:3]
            resume = self._broken(block[0], block[1], block[2], cause, suite)
            if resume not in block:
                return resume
            index = starts.index(resume, index)
            size = max(4, size // 4)
        return high

    def _skip_sound(
        self, starts: list[int], index: int, end: int, cause: Problem, suite: Suite
    ) -> int:
        """Keep the blocks before the broken one, and tell which that is."""
        broken = min(bisect_right(starts, cause.line - 1) - 1, end - 1)
        while broken > index:
            run = self.pieces.read(starts[index], starts[broken])
            if not isinstance(run, Problem):
                self.ledger.keep(run, starts[index], starts[broken], suite)
                return broken
            broken = min(bisect_right(starts, run.line - 1) - 1, broken - 1)
        return index

    def _broken(self, low: int, high: int, beyond: int, cause: Problem | None, suite: Suite) -> int:
        """Keep what is sound of one block that breaks its suite; the line after what was read.

        `beyond` is where the block after it ends, and `cause` is what was said of it together
        with sound blocks before it, if there are any.
        """
        high, trust = self._extent(low, high)
        run = self.pieces.read(low, high)
        if not isinstance(run, Problem):
            suite.kept += run
            if cause is not None:
                self.ledger.fault(cause)
            return high
        self.ledger.muted = self.ledger.echoes(low)
        end = self._moved(low, high, beyond, run, suite) if run.misplaced and trust else None
        if end is None:
            low = self._shortened(low, high, run, suite)
            self._take_apart(low, high, run, suite, trust_strings=trust)
        self.ledger.muted = False
        return high if end is None else end

    def _extent(self, low: int, high: int) -> tuple[int, bool]:
        """Where a broken block ends, and whether its quotes can be trusted to pair up.

        If a quote is missing or half typed, what follows is taken for the inside of a string and
        the strings for code. It shows by an open string, or by a string that reads like code.
        """
        code = self._code_in_strings(low, high)
        if self.layout.ends_in_string(low, high):
            return high if code is None else code, False
        if code is None:
            return high, True
        first, last = self.layout.string_around(low, high, code)
        if not self.layout.ends_in_string(low, last + 1):
            run = self.pieces.read(low, last + 1)
            if not isinstance(run, Problem) or run.cut_off or run.line - 1 < first:
                return high, True
        return code, False

    def _code_in_strings(self, low: int, high: int) -> int | None:
        """The first line that is taken for the inside of a string but reads like code."""
        loose = self.layout.starts(low, high, trust_strings=False)
        glimpses = 0
        for start, end in pairwise([*loose[1:], high]):
            if not self.layout.resembles_code(start):
                continue
            glimpses += 1
            run = self.pieces.read(start, end)
            if not isinstance(run, Problem) and any(map(is_code, run)):
                return start
            if glimpses == _GLIMPSES:
                break
        return None

    def _shortened(self, low: int, high: int, problem: Problem, suite: Suite) -> int:
        """Keep what stands above a line that only seemed to continue it; where that line is."""
        line = problem.line - 1
        if not low < line < high or self.layout.widths[line] > self.layout.widths[low]:
            return low
        if begins_compound(self.layout.lines[low]) and not self.layout.closes(line):
            return low
        run = self.pieces.read(low, line)
        if isinstance(run, Problem):
            return low
        suite.kept += run
        return line

    def _take_apart(
        self, low: int, high: int, problem: Problem, suite: Suite, *, trust_strings: bool
    ) -> None:
        """Keep the sound parts of a block that does not parse by itself."""
        if suite.depth < _DEEPEST and self.layout.indents_after(low, high):
            clauses = self.layout.clauses(low, high, trust_strings=trust_strings)
            if looks_compound(self.layout, clauses) and len(clauses) < _MOST_CLAUSES:
                self._compound(low, high, problem, clauses, suite)
                return
        stray = problem.line - 1
        if problem.message == "unexpected indent" and low < stray < high:
            self._stray(low, stray, high, problem, suite)
            return
        if self._renew(low, high, problem, suite):
            return
        below = self.layout.first(low + 1, high)
        deeper = self.pieces.read(below, high) if below < high else problem
        if isinstance(deeper, Problem) or not any(isinstance(s, _UNMISTAKABLE) for s in deeper):
            self.ledger.lose(low, high, problem, suite)
            return
        self.ledger.lose(low, below, problem, suite)
        suite.kept += deeper

    def _compound(
        self, low: int, high: int, problem: Problem, clauses: list[Clause], suite: Suite
    ) -> None:
        """Keep the headers of a compound statement and what is sound of its bodies."""
        found = self.ledger.found
        before = self.ledger.entries()
        statement, headers = self._frame(low, high, clauses)
        self.ledger.muted = False
        kept: list[ast.stmt] = []
        bodies: dict[int, list[ast.stmt]] = {}
        for header in headers:
            body = self.suite(header.clause.body, header.clause.end, suite.depth + 1)
            kept += body
            bodies[header.pass_line + 1] = body
        if statement is not None:
            fill(statement, self.layout, bodies)
            kept = [statement]
        if self.ledger.entries() == before:
            self.ledger.fault(problem)
        if len(found.faults) > before[0] and suite.depth == 0 and high - low <= _WHOLE_BLOCK_LINES:
            # A newer string may run over lines that looked like statements of their own.
            newer = self.pieces.renew(low, self.layout.lines[low:high], problem)
            if isinstance(newer, ast.Module):
                del found.faults[before[0] :], found.lost[before[1] :]
                kept = newer.body
        suite.kept += kept

    def _frame(
        self, low: int, high: int, clauses: list[Clause]
    ) -> tuple[ast.stmt | None, list[Header]]:
        """A compound statement with `pass` for its bodies; broken headers are mended."""
        top = self.layout.lines[low : clauses[0].header]
        written = [header_of(self.layout, clause) for clause in clauses]
        headers = [header for header in written if header is not None]
        if len(headers) == len(written):
            lines = skeleton(top, headers)
            run = self.pieces.read_lines(low, lines)
            if isinstance(run, Problem):
                newer = self.pieces.renew(low, lines, run)
                run = newer.body if isinstance(newer, ast.Module) else run
            if not isinstance(run, Problem) and len(run) == 1:
                return run[0], headers
        headers = [
            header if header is not None and self._stands(header) else self._mend(clause)
            for header, clause in zip(written, clauses, strict=True)
        ]
        run = self.pieces.read_lines(low, skeleton(top, headers))
        if isinstance(run, Problem):
            self.ledger.fault(run)
            for above in mended_tops(top) if top else ():
                run = self.pieces.read_lines(low, skeleton(above, headers))
                if not isinstance(run, Problem):
                    break
            if top:
                self.ledger.miss(low, clauses[0].header)
        return None if isinstance(run, Problem) or len(run) != 1 else run[0], headers

    def _stands(self, header: Header) -> bool:
        """Whether a header is sound when nothing else is looked at."""
        if self.pieces.exhausted:
            return True
        lines = [*header.lines, *header.below]
        run = self.pieces.probe(header.clause.header, lines, header.above)
        return not isinstance(run, Problem)

    def _mend(self, clause: Clause) -> Header:
        """A header in place of a broken one, which is reported."""
        candidates = mended(self.layout, clause)
        lines = self.layout.lines[clause.header : clause.body]
        run = self.pieces.probe(clause.header, lines, candidates[0].above)
        self.ledger.fault(run if isinstance(run, Problem) else self._whole)
        for header in candidates[:-1]:
            if self._stands(header):
                return header
        self.ledger.miss(clause.header, clause.body)
        return candidates[-1]

    def _stray(self, low: int, stray: int, high: int, problem: Problem, suite: Suite) -> None:
        """Keep lines that stand too deep below a statement that has no body."""
        if self.layout.closes_level_of(low, stray, high):
            self.ledger.lose(low, high, problem, suite)
            return
        self.ledger.fault(problem)
        if suite.kept and self._rejoin(low, stray, high, suite):
            return
        run = self.pieces.read(low, stray)
        if isinstance(run, Problem):
            self.ledger.lose(low, stray, None, suite)
        else:
            suite.kept += run
        self.ledger.expect_echo(stray)
        while stray < high:
            width = self.layout.widths[stray]
            shallower = (n for n in range(stray, high) if 0 <= self.layout.widths[n] < width)
            end = next(shallower, high)
            suite.kept += self.suite(stray, end, suite.depth + 1)
            stray = end

    def _rejoin(self, low: int, stray: int, high: int, suite: Suite) -> bool:
        """Let deep lines go on with the statement that a dedented one has cut in two."""
        before = _first_line(suite.kept[-1]) - 1
        changed = {low: self.layout.lines[stray][: self.layout.lead(stray)]}
        run = self.pieces.read_reindented(before, high, changed)
        if isinstance(run, Problem) or len(run) != 1:
            lines = self.layout.lines[before:high]
            lines[low - before : stray - before] = [""] * (stray - low)
            run = self.pieces.read_lines(before, lines)
            if isinstance(run, Problem) or len(run) != 1:
                return False
            self.ledger.miss(low, stray)
        suite.kept[-1] = run[0]
        return True

    def _moved(
        self, low: int, high: int, beyond: int, problem: Problem, suite: Suite
    ) -> int | None:
        """Keep a block, or two, if they are sound but for one line that stands wrong."""
        line = problem.line - 1
        for moved, end in ((line, high), (line, beyond), (high, beyond)):
            if not low < moved < end:
                continue
            for lead in self.layout.leads_near(moved, low, end):
                run = self.pieces.read_reindented(low, end, {moved: lead})
                if not isinstance(run, Problem):
                    self.ledger.fault(problem.at(moved + 1, self.layout.lead(moved) + 1))
                    suite.kept += run
                    return end
        if high < beyond:
            lines = self.layout.lines[low:beyond]
            lines[high - low] = ""
            run = self.pieces.read_lines(low, lines)
            if not isinstance(run, Problem):
                self.ledger.fault(problem.at(high + 1, self.layout.lead(high) + 1))
                self.ledger.miss(high, high + 1)
                suite.kept += run
                return beyond
        return None

    def _renew(self, low: int, high: int, problem: Problem, suite: Suite) -> bool:
        """Keep a block that is newer Python than the running one, if that is what it is."""
        newer = self.pieces.renew(low, self.layout.lines[low:high], problem)
        if newer is None:
            return False
        if isinstance(newer, ast.Module):
            suite.kept += newer.body
        else:
            self.ledger.lose(low, high, None, suite)
        return True


def _first_line(statement: ast.stmt) -> int:
    """The line on which a statement begins, its decorators included."""
    decorators: list[ast.expr] = getattr(statement, "decorator_list", [])
    return min([statement.lineno, *(decorator.lineno for decorator in decorators)])
