"""The trees of unchanged statements live on when a file is read again.

What was found out about a tree is kept with it (`languages.python.nodes`), so that a keystroke
costs the statement in which it falls. What lies below a change moves in place, so the former
reading of the file is of no use afterwards.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence

from flowlint.languages.python.reading.module import ParsedModule
from flowlint.languages.python.reading.standing import touched_names


def reuse(former: ParsedModule, parsed: ParsedModule) -> None:
    """Put statements of `former` in the place of those of `parsed` that are the same text."""
    before, after = former.text.split("\n"), parsed.text.split("\n")
    reuse_statements(former.tree.body, parsed.tree.body, before, after)
    tell_changes(former, parsed)


def tell_changes(former: ParsedModule, parsed: ParsedModule) -> None:
    """Tell `parsed`, which has taken over statements of `former`, what is not as it was."""
    old = former.tree.body
    kept = set(map(id, parsed.tree.body)).intersection(map(id, old))
    changed = [one for one in (*old, *parsed.tree.body) if id(one) not in kept]
    parsed.follows(former, touched_names(parsed.tree.body, changed))


def reuse_statements(
    former: list[ast.stmt], statements: list[ast.stmt], before: list[str], after: list[str]
) -> None:
    """Put statements of `former` in the place of those that are the same text, in place."""
    kept = 0
    shortest = min(len(former), len(statements))
    while kept < shortest and _is_same(former[kept], statements[kept], before, after):
        _take(former[kept], statements, kept)
        kept += 1
    behind = 0
    while behind < shortest - kept and _is_same(
        former[-1 - behind], statements[-1 - behind], before, after
    ):
        _take(former[-1 - behind], statements, len(statements) - 1 - behind)
        behind += 1
    if len(former) - behind == len(statements) - behind == kept + 1:
        old, new = former[kept], statements[kept]
        if isinstance(old, ast.ClassDef) and isinstance(new, ast.ClassDef):
            reuse_statements(old.body, new.body, before, after)


def _is_same(old: ast.stmt, new: ast.stmt, before: Sequence[str], after: Sequence[str]) -> bool:
    if type(old) is not type(new) or old.col_offset != new.col_offset:
        return False
    first, end = first_line(old), old.end_lineno or old.lineno
    new_first, new_end = first_line(new), new.end_lineno or new.lineno
    if end - first != new_end - new_first:
        return False
    return before[first - 1 : end] == after[new_first - 1 : new_end]


def first_line(node: ast.stmt) -> int:
    """The line on which a statement begins, with its decorators."""
    decorators: list[ast.expr] = getattr(node, "decorator_list", [])
    return min([node.lineno, *(decorator.lineno for decorator in decorators)])


def _take(old: ast.stmt, statements: list[ast.stmt], index: int) -> None:
    moved = statements[index].lineno - old.lineno
    if moved:
        ast.increment_lineno(old, moved)
    statements[index] = old
