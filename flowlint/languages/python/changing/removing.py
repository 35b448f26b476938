"""Removing elements of lists, statements, and links of chains of calls."""

from __future__ import annotations

import ast
import re

from flowlint.languages.edits import Made
from flowlint.languages.python.changing.code import Code
from flowlint.source import Edit, Span

_COMMA = re.compile(r"[ \t\f\n]*,[ \t\f\n]*")
_ADDERS = frozenset({"add", "append"})
_BLOCKS = ("body", "orelse", "finalbody")


def remove(span: Span, code: Code) -> Made | None:
    """Remove what stands at a place; None where it cannot be taken away alone."""
    node = code.at(span)
    if node is None:
        return None
    parent = code.parents.get(node)
    if isinstance(parent, ast.List | ast.Tuple) and isinstance(parent.ctx, ast.Load):
        return _element(node, parent, code)
    if isinstance(parent, ast.Call) and _is_added(node, parent):
        node, parent = parent, code.parents.get(parent)
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
        return None
    receiver = node.func.value
    if isinstance(receiver, ast.Call):
        return _link(receiver, node, code)
    if isinstance(parent, ast.Expr):
        return _statement(parent, code)
    is_called_on = isinstance(parent, ast.Attribute) and isinstance(receiver, ast.Name)
    return _link(receiver, node, code) if is_called_on else None


def _is_added(node: ast.AST, call: ast.Call) -> bool:
    """Whether the call only puts a value into a list."""
    is_adder = isinstance(call.func, ast.Attribute) and call.func.attr in _ADDERS
    return is_adder and call.args == [node] and not call.keywords


def _element(node: ast.AST, holder: ast.List | ast.Tuple, code: Code) -> Made | None:
    elements = holder.elts
    at = elements.index(node)  # type: ignore[arg-type]
    start, end = code.start(node), code.end(node)
    comma = code.skip(end)
    has_comma = code.text[comma : comma + 1] == ","
    is_last = at == len(elements) - 1
    if not has_comma and not (is_last and code.end(holder) - comma <= 1):
        return None
    extra: tuple[Edit, ...] = ()
    if isinstance(holder, ast.Tuple) and len(elements) == 2:
        # A tuple of one element needs a comma.
        if is_last and not has_comma:
            after = code.text.index(",", code.end(elements[0])) + 1
            return Made((code.edit(after, end, ""),), "#" in code.text[after:start])
        if not is_last and code.text[code.skip(code.end(elements[1]))] != ",":
            behind = code.end(elements[1])
            extra = (code.edit(behind, behind, ","),)
    stop = comma + 1 if has_comma else end
    if "#" in code.text[end:stop]:
        return None
    if code.is_alone(start, stop):
        return _with(_lines(start, stop, code), extra)
    if has_comma and is_last:
        return _with(_trimmed(start, stop, code), extra)
    if has_comma:
        following = code.skip_blanks(stop)
        if code.text[following : following + 1] in ("\n", "#"):
            return _with(_trimmed(start, stop, code), extra)
        return Made((code.edit(start, following, ""), *extra))
    if at and _COMMA.fullmatch(code.text, code.end(elements[at - 1]), start):
        return Made((code.edit(code.end(elements[at - 1]), end, ""),))
    return Made((code.edit(start, end, ""),))


def _with(made: Made, extra: tuple[Edit, ...]) -> Made:
    return Made((*made.edits, *extra), made.drops_comment)


def _trimmed(start: int, stop: int, code: Code) -> Made:
    """Without the blanks before it, unless they indent a line."""
    before = code.before(start)
    if before.strip():
        start -= len(before) - len(before.rstrip(" \t"))
    return Made((code.edit(start, stop, ""),))


def _lines(start: int, stop: int, code: Code) -> Made:
    """Whole lines, with the comment at their end."""
    has_comment = code.ends_in_comment(stop)
    begin, end = code.line_start(start), code.line_end(stop)
    first, last = code.module.bounds(start)
    # The last line goes with the end of the line before it.
    is_last = end > last or code.text[end - 1] != "\n"
    if is_last and begin > first:
        begin, end = begin - 1, min(end, last)
    return Made((code.edit(begin, end, ""),), has_comment)


def _statement(node: ast.Expr, code: Code) -> Made | None:
    start, end = code.start(node), code.end(node)
    block = _block_of(node, code)
    if block == [node] and not isinstance(code.parents.get(node), ast.Module):
        return Made((code.edit(start, end, "pass"),))
    if not code.is_alone(start, end):
        return None
    return _lines(start, end, code)


def _block_of(node: ast.Expr, code: Code) -> list[ast.stmt]:
    parent = code.parents.get(node)
    for name in _BLOCKS:
        block = getattr(parent, name, None)
        if isinstance(block, list) and node in block:
            return block
    return []


def _link(receiver: ast.expr, node: ast.Call, code: Code) -> Made | None:
    """One call of a chain goes, what it is called on and what is called on it stay."""
    start, end = code.end(receiver), code.end(node)
    dot = code.skip(start)
    if code.text[dot : dot + 1] != ".":
        return None
    if code.is_alone(dot, end):
        return _lines(dot, end, code)
    return Made((code.edit(start, end, ""),), "#" in code.text[start:dot])
