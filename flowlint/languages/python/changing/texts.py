"""Changing what literal texts and arguments say."""

from __future__ import annotations

import ast
import re

from flowlint.changes import AddCase, Marker, Rename, Reorder, SetField, UseMarker
from flowlint.languages.edits import Made, quoted
from flowlint.languages.python.changing.code import Code

_LITERAL = re.compile(r"""[rRuUbBfF]*("{3}|'{3}|"|')""")


def rename(change: Rename, code: Code) -> Made | None:
    """Another text, or another name for an argument."""
    keyword = _keyword(change, code)
    if keyword is not None:
        start = code.start(keyword)
        return Made((code.edit(start, start + len(change.old), change.new),))
    node = code.at(change.span)
    return None if node is None else _literal(node, change.old, change.new, code)


def _keyword(change: Rename, code: Code) -> ast.keyword | None:
    """The keyword of a call that stands there, by itself or by its value."""
    node = code.at(change.span, ast.keyword)
    if node is None:
        parent = code.parents.get(code.at(change.span) or code.module.tree)
        node = parent if isinstance(parent, ast.keyword) else None
    is_named = isinstance(node, ast.keyword) and node.arg == change.old
    return node if is_named and change.new.isidentifier() else None  # type: ignore[return-value]


def _literal(node: ast.AST, old: str, new: str, code: Code) -> Made | None:
    """A plain literal with another text between the same quotes."""
    quote = _quote(node, old, code)
    text = quoted(new, quote) if quote is not None else None
    return None if text is None else Made((code.edit(code.start(node), code.end(node), text),))


def _quote(node: ast.AST, old: str, code: Code) -> str | None:
    """The quotes of a single literal that says `old`."""
    if not isinstance(node, ast.Constant) or node.value != old:
        return None
    source = code.module.source(node)
    found = _LITERAL.match(source)
    # Literals side by side are one text, of which no part stands for the whole.
    if found is None or source[found.end() : -len(found[1])] != old:
        return None
    return found[1]


def use_marker(change: UseMarker, code: Code) -> Made | None:
    """A marker instead of the text that sounds like it."""
    node = code.at(change.span)
    quote = _quote(node, change.old, code) if node is not None else None
    if node is None or quote is None:
        return None
    text = _name_of(change.marker, code) or quoted(change.marker.value, quote)
    return None if text is None else Made((code.edit(code.start(node), code.end(node), text),))


def _name_of(marker: Marker, code: Code) -> str | None:
    """What the module calls a marker, None where it does not import it."""
    for node in code.module.tree.body:
        module = node.module or "" if isinstance(node, ast.ImportFrom) and not node.level else ""
        if isinstance(node, ast.ImportFrom) and module.partition(".")[0] == marker.package:
            for alias in node.names:
                if alias.name == marker.name:
                    return alias.asname or marker.name
    return None


def set_field(change: SetField, code: Code) -> Made | None:
    """An argument with a text, in the place of the one there or behind the others."""
    call = code.at(change.span, ast.Call)
    if not isinstance(call, ast.Call) or any(k.arg is None for k in call.keywords):
        return None
    given = next((k.value for k in call.keywords if k.arg == change.name), None)
    if given is None and change.position is not None and change.position < len(call.args):
        if any(isinstance(argument, ast.Starred) for argument in call.args):
            return None
        given = call.args[change.position]
    if given is not None:
        is_text = isinstance(given, ast.Constant) and isinstance(given.value, str)
        old = given.value if is_text and isinstance(given, ast.Constant) else None
        return _literal(given, old, change.value, code) if isinstance(old, str) else None
    last = max((code.end(part) for part in (*call.args, *call.keywords)), default=None)
    text = quoted(change.value)
    if last is None or text is None or code.text[code.skip(last)] not in ",)":
        return None
    return Made((code.edit(last, last, f", {change.name}={text}"),))


def add_case(change: AddCase, code: Code) -> Made | None:
    """One more case behind the others of a mapping or list."""
    known = code.at(change.beside)
    holder = code.parents.get(known) if known is not None else None
    if isinstance(holder, ast.Dict):
        first, last = holder.keys[-1], holder.values[-1]
        parts = [_written(text, change, first, code) for text in (change.value, change.target)]
    elif isinstance(holder, ast.List) and change.value == change.target:
        first = last = holder.elts[-1]
        parts = [_written(change.value, change, first, code)]
    else:
        return None
    known_parts = [part for part in parts if part is not None]
    if first is None or len(known_parts) < len(parts):
        return None
    return _behind(first, last, ": ".join(known_parts), code)


def _behind(first: ast.expr, last: ast.expr, text: str, code: Code) -> Made | None:
    """A part behind the last one, which begins with `first`, in a line of its own if that is."""
    end = code.end(last)
    comma = code.skip(end)
    if code.text[comma] not in ",}]":
        return None
    has_comma = code.text[comma] == ","
    stop = comma + 1 if has_comma else end
    indent = code.before(code.start(first))
    if indent.strip() or not code.is_alone(code.start(first), stop):
        return Made((code.edit(end, end, f", {text}"),))
    if not has_comma:
        return Made((code.edit(end, end, f",\n{indent}{text}"),))
    line_end = code.line_end(stop)
    return Made((code.edit(line_end, line_end, f"{indent}{text},\n"),))


def _written(value: str, change: AddCase, beside: ast.expr | None, code: Code) -> str | None:
    """A value as the code writes it, between quotes like those beside it."""
    marker = change.marker
    name = _name_of(marker, code) if marker is not None and marker.value == value else None
    if name is not None:
        return name
    is_text = isinstance(beside, ast.Constant) and isinstance(beside.value, str)
    quote = _quote(beside, beside.value, code) if is_text else None  # type: ignore[union-attr,arg-type]
    return quoted(value, quote or '"')


def reorder(change: Reorder, code: Code) -> Made | None:
    """Elements of one list in another order; commas and comments stay where they are."""
    nodes = [code.at(span) for span in change.spans]
    holders = {code.parents.get(node) for node in nodes if node is not None}
    if None in nodes or len(holders) != 1 or not isinstance(holders.pop(), ast.List | ast.Tuple):
        return None
    found = [node for node in nodes if node is not None]
    sources = [code.text[code.start(node) : code.end(node)] for node in found]
    return Made(
        tuple(
            code.edit(code.start(node), code.end(node), sources[number])
            for node, number in zip(found, change.order, strict=True)
            if sources[number] != code.text[code.start(node) : code.end(node)]
        )
    )
