"""Compound statements without their bodies: headers are kept, mended or stubbed."""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass

from flowlint.languages.python.reading.grammar import UNREADABLE
from flowlint.languages.python.reading.layout import Clause, Layout, mask

_KEYWORD = re.compile(
    r"(?:async[ \t]+)?(def|class|if|elif|else|for|while|with|try|except|finally|match|case)\b"
)
_NAMED = re.compile(r"(?:async[ \t]+)?(?:def|class)[ \t]+(\w+)")
_STUBS = {
    "def": "def _():",
    "class": "class _:",
    "elif": f"elif {UNREADABLE}:",
    "else": "else:",
    "for": f"for _ in {UNREADABLE}:",
    "while": f"while {UNREADABLE}:",
    "with": f"with {UNREADABLE}:",
    "try": "try:",
    "except": f"except {UNREADABLE}:",
    "finally": "finally:",
    "match": f"match {UNREADABLE}:",
    "case": "case _:",
}
_ABOVE = {"else": "if 1: pass", "elif": "if 1: pass", "except": "try: pass", "finally": "try: pass"}


@dataclass(frozen=True, slots=True)
class Header:
    """The lines of a clause's header, closed by `pass` in place of its body."""

    clause: Clause
    keyword: str
    lines: tuple[str, ...]
    pass_line: int

    @property
    def above(self) -> tuple[str, ...]:
        """The lines that must stand above for the header to be a statement of its own."""
        lead = _lead(self.lines[0])
        if self.keyword == "case":
            return ("match 0:",)
        outer = ("if 1:",) if lead else ()
        inner = _ABOVE.get(self.keyword)
        return outer if inner is None else (*outer, lead + inner)

    @property
    def below(self) -> tuple[str, ...]:
        """The lines that must stand below for the header to be a statement of its own."""
        return (f"{_lead(self.lines[0])}finally: pass",) if self.keyword == "try" else ()


def header_of(layout: Layout, clause: Clause) -> Header | None:
    """The header as it is written, if it ends with a colon or has its body on its line."""
    lines = layout.lines[clause.header : clause.body]
    keyword = _keyword(lines[0])
    code = mask("\n".join(lines)).split("\n")[-1].rstrip()
    if code.endswith(":"):
        lines = [*lines[:-1], f"{lines[-1][: len(code)]} pass"]
    elif layout.first(clause.body, clause.end) < clause.end:
        return None
    return Header(clause, keyword, tuple(lines), clause.body - 1)


def mended(layout: Layout, clause: Clause) -> list[Header]:
    """Headers to try in place of a broken one, the closest first."""
    lines = layout.lines[clause.header : clause.body]
    keyword = _keyword(lines[0])
    code = mask("\n".join(lines)).split("\n")[-1].rstrip()
    closed = [*lines[:-1], f"{lines[-1][: len(code)]}: pass"]
    lead = _lead(lines[0])
    stub = _STUBS.get(keyword, f"if {UNREADABLE}:")
    named = _NAMED.match(lines[0], len(lead))
    if named is not None:
        stub = named.group() + ("():" if keyword == "def" else ":")
    stubbed = [f"{lead}{stub} pass", *[""] * (len(lines) - 1)]
    return [
        Header(clause, keyword, tuple(closed), clause.body - 1),
        Header(clause, keyword, tuple(stubbed), clause.header),
    ]


def skeleton(top: list[str], headers: list[Header]) -> list[str]:
    """A compound statement: what stands above it, its headers, and empty lines for its bodies."""
    lines = list(top)
    for header in headers:
        lines += header.lines
        lines += [""] * (header.clause.end - header.clause.body)
    return lines


def mended_tops(top: list[str]) -> list[list[str]]:
    """What to write above a compound statement if its decorators or its `match` are broken."""
    blank = [""] * len(top)
    if not top or _keyword(top[0]) != "match":
        return [blank]
    code = mask(top[0]).rstrip()
    closed = f"{top[0][: len(code)]}:"
    return [[closed, *top[1:]], [f"{_lead(top[0])}{_STUBS['match']}", *blank[1:]]]


def fill(statement: ast.stmt, layout: Layout, bodies: dict[int, list[ast.stmt]]) -> None:
    """Put bodies in the places of the `pass` statements on the given lines (from 1)."""
    nodes = list(ast.walk(statement))
    for node in nodes:
        clamp(node, layout.lines)
        for name in ("body", "orelse", "finalbody"):
            block = getattr(node, name, None)
            if isinstance(block, list) and len(block) == 1 and isinstance(block[0], ast.Pass):
                setattr(node, name, bodies.get(block[0].lineno) or block)
    for node in reversed(nodes):
        _settle_end(node)


def begins_compound(line: str) -> bool:
    """Whether a line begins like a compound statement or a clause of one."""
    return _keyword(line) != ""


def clamp(node: ast.AST, lines: list[str]) -> None:
    """Keep what was written beyond the end of a line within that line."""
    state = node.__dict__
    if "lineno" in state:
        for line, column in (("lineno", "col_offset"), ("end_lineno", "end_col_offset")):
            state[column] = min(state[column], len(lines[state[line] - 1].encode()))


def looks_compound(layout: Layout, clauses: list[Clause]) -> bool:
    """Whether the first clause begins like a compound statement or ends like one."""
    if not clauses:
        return False
    first = layout.lines[clauses[0].header]
    return _keyword(first) != "" or mask(first).rstrip().endswith(":")


def _keyword(line: str) -> str:
    match = _KEYWORD.match(line.lstrip(" \t\f"))
    return match.group(1) if match else ""


def _lead(line: str) -> str:
    return line[: len(line) - len(line.lstrip(" \t\f"))]


def _settle_end(node: ast.AST) -> None:
    """Let a statement end where the last statement inside of it ends."""
    if not isinstance(node, ast.stmt | ast.excepthandler):
        return
    for name in ("body", "handlers", "orelse", "finalbody", "cases"):
        block = getattr(node, name, None)
        if not isinstance(block, list) or not block:
            continue
        last = block[-1].body[-1] if isinstance(block[-1], ast.match_case) else block[-1]
        end = (last.end_lineno, last.end_col_offset)
        if end > (node.end_lineno or 0, node.end_col_offset or 0):
            node.end_lineno, node.end_col_offset = end
