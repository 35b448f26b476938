"""A file that was read before is read again where it has changed.

The statements at the top of a module stand for themselves: when what lies between two of them is
replaced by something that is Python on its own, the whole is Python too, with the same trees
before and behind. Wherever that is not so, the file is read as a whole.
"""

from __future__ import annotations

import ast
from bisect import bisect_left, bisect_right

from flowlint.languages.python.reading.decoding import decode
from flowlint.languages.python.reading.grammar import Problem, parse, quiet, shift
from flowlint.languages.python.reading.module import ParsedModule
from flowlint.languages.python.reading.reuse import first_line, reuse_statements, tell_changes


def reread(former: ParsedModule, path: str, data: bytes) -> ParsedModule | None:
    """What `data` says, by the trees of the former reading; None: read it as a whole."""
    if not former.is_whole or not former.tree.body:
        return None
    decoded = decode(path, data)
    if decoded.faults:
        return None
    before, after = former.text.split("\n"), decoded.text.split("\n")
    head, tail = _same_ends(before, after)
    body = former.tree.body
    # A statement stays if it and the line behind it, where it could go on, are as they were.
    kept = bisect_left(body, head, key=lambda one: one.end_lineno or one.lineno)
    behind = bisect_right(body, len(before) - tail, key=first_line)
    if behind < kept:
        return None
    first = (body[kept - 1].end_lineno or 0) if kept else 0
    last = first_line(body[behind]) - 1 if behind < len(body) else len(before)
    middle = after[first : last + len(after) - len(before)]
    statements = _parsed(middle, first)
    if statements is None or _shares_line(body, kept, behind):
        return None
    reuse_statements(body[kept:behind], statements, before, after)
    tree = ast.Module(body=[*body[:kept], *statements, *body[behind:]], type_ignores=[])
    moved = len(after) - len(before)
    if moved:
        for one in body[behind:]:
            ast.increment_lineno(one, moved)
    parsed = ParsedModule(path, decoded.text, tree)
    tell_changes(former, parsed)
    return parsed


def _same_ends(before: list[str], after: list[str]) -> tuple[int, int]:
    """How many lines are the same at the beginning, and how many of the others at the end."""
    shortest = min(len(before), len(after))
    head = 0
    while head < shortest and before[head] == after[head]:
        head += 1
    tail = 0
    while tail < shortest - head and before[-1 - tail] == after[-1 - tail]:
        tail += 1
    return head, tail


def _parsed(lines: list[str], above: int) -> list[ast.stmt] | None:
    with quiet():
        tree = parse("\n".join(lines))
    if isinstance(tree, Problem):
        return None
    shift(tree.body, above)
    return tree.body


def _shares_line(body: list[ast.stmt], kept: int, behind: int) -> bool:
    """Whether a statement that stays stands on a line with one that does not."""
    ends = kept and kept < len(body) and first_line(body[kept]) == body[kept - 1].end_lineno
    begins = 0 < behind < len(body) and first_line(body[behind]) == body[behind - 1].end_lineno
    return bool(ends or begins)
