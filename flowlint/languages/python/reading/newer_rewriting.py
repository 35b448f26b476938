"""Rewrite newer Python into what the running Python accepts, every node where it was.

What has no counterpart is cut out of the text, leaving white space or a placeholder name of the
same length; placeholders are then replaced in the tree by nodes that are composed from parts.
"""

from __future__ import annotations

import ast
import re
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import TypedDict

import libcst as cst
from libcst.metadata import CodeRange, MetadataWrapper, PositionProvider

from flowlint.languages.python.reading.grammar import UNREADABLE, Problem, parse, shift
from flowlint.languages.python.reading.layout import string_starts
from flowlint.languages.python.reading.newer_syntax import Newer, Unreadable

_TEMPLATE = re.compile(r"(?<!\w)(?:[tT][rR]?|[rR][tT])\Z")
_TEMPLATE_START = re.compile(rb"(?:[tT][rR]?|[rR][tT])[\"']")
_ESCAPED_OR_QUOTE = re.compile(r'(\\.)|"', re.DOTALL)
_Formatted = cst.FormattedString | cst.TemplatedString
_Strings = _Formatted | cst.ConcatenatedString
_Expression = cst.FormattedStringExpression | cst.TemplatedStringExpression
_Texts = cst.FormattedStringText | cst.TemplatedStringText


class _Place(TypedDict):
    """Where a node stands, as the syntax tree says it."""

    lineno: int
    col_offset: int
    end_lineno: int
    end_col_offset: int


class CannotRewriteError(Exception):
    """There is no way to say this in the running Python."""


@dataclass(frozen=True, slots=True)
class _Cut:
    """A stretch of text to take out, and the node to put there if it was an expression."""

    start: int
    end: int
    node: ast.expr | None = None


def rewrite(text: str) -> Newer | None:
    """The tree of newer Python; None if libcst does not accept it either."""
    plain, templates = _as_format_strings(text)
    tree = parse(plain) if templates else None
    if not isinstance(tree, ast.Module):
        try:
            module = cst.parse_module(plain)
        except Exception:
            # libcst raises several errors besides its syntax error for what it cannot represent.
            return None
        try:
            tree = _Rewriter(plain, module).tree()
        except (CannotRewriteError, RecursionError):
            return Unreadable()
    if templates:
        _make_opaque(tree, text)
    return tree


def _as_format_strings(text: str) -> tuple[str, bool]:
    """Template strings as f-strings, which have the same grammar; and whether there are any."""
    pieces: list[str] = []
    done = 0
    for start in string_starts(text):
        prefix = _TEMPLATE.search(text, max(done, start - 3), start)
        if prefix is not None:
            pieces += [text[done : prefix.start()], re.sub("[tT]", "f", prefix.group())]
            done = start
    return "".join([*pieces, text[done:]]), bool(pieces)


def _make_opaque(tree: ast.AST, text: str) -> None:
    """Replace the f-strings of a tree that are template strings in the text."""
    lines = [line.encode() for line in text.split("\n")]

    def opaque(node: ast.expr) -> ast.expr | None:
        if not isinstance(node, ast.JoinedStr):
            return None
        start = lines[node.lineno - 1][node.col_offset :]
        return _opaque(node) if _TEMPLATE_START.match(start) else None

    _swap(tree, opaque)


def _opaque(string: ast.JoinedStr) -> ast.Call:
    """A value that nobody knows, made from the expressions of a string."""
    parts = [node.value for node in ast.walk(string) if isinstance(node, ast.FormattedValue)]
    name = ast.copy_location(ast.Name(id=UNREADABLE, ctx=ast.Load()), string)
    return ast.copy_location(ast.Call(func=name, args=parts, keywords=[]), string)


def _swap(tree: ast.AST, choose: Callable[[ast.expr], ast.expr | None]) -> None:
    """Replace every expression of a tree for which `choose` has another one."""
    for node in ast.walk(tree):
        for name, value in ast.iter_fields(node):
            if isinstance(value, ast.expr):
                setattr(node, name, choose(value) or value)
            elif isinstance(value, list):
                value[:] = [choose(v) or v if isinstance(v, ast.expr) else v for v in value]


class _Finder(cst.CSTVisitor):
    """Collects the outermost nodes that the running Python may not know."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[cst.CSTNode] = []
        self._bare: list[cst.CSTNode] = []

    def on_visit(self, node: cst.CSTNode) -> bool:
        if isinstance(node, cst.ExceptHandler | cst.ExceptStarHandler):
            if isinstance(node.type, cst.Tuple) and not node.type.lpar:
                self._bare.append(node.type)
            return True
        if isinstance(node, _Strings | cst.TypeParameters) or node in self._bare:
            self.found.append(node)
            return False
        if isinstance(node, cst.TypeAlias):
            self.found.append(node)
        return True


class _Rewriter:
    """One text that libcst understands, on its way to a tree of the running Python."""

    def __init__(self, text: str, module: cst.Module) -> None:
        self._text = text
        self._module = module
        wrapper = MetadataWrapper(module, unsafe_skip_copy=True)
        self._ranges = wrapper.resolve(PositionProvider)
        self._starts = [0, *accumulate(len(line) + 1 for line in text.split("\n"))]

    def tree(self) -> ast.Module:
        """The tree of the whole text."""
        cuts = self._cuts(self._module)
        result = parse(self._without(0, len(self._text), cuts))
        if isinstance(result, Problem):
            raise CannotRewriteError
        self._put_back(result, cuts)
        return result

    def _cuts(self, node: cst.CSTNode) -> list[_Cut]:
        finder = _Finder()
        node.visit(finder)
        cuts = [self._cut(found) for found in finder.found]
        return [cut for cut in cuts if cut is not None]

    def _cut(self, node: cst.CSTNode) -> _Cut | None:
        start, end = self._offsets(node)
        if isinstance(node, cst.TypeParameters):
            return _Cut(start, end)
        if isinstance(node, cst.TypeAlias):
            name_start, end = self._offsets(node.name)
            place = self._place(name_start, end)
            return _Cut(start, end, ast.Name(id=node.name.value, ctx=ast.Store(), **place))
        if isinstance(node, cst.Tuple):
            return _Cut(start, end, self._expression(node, start, end))
        if not isinstance(parse(f"({self._text[start:end]}\n)"), Problem):
            return None
        return _Cut(start, end, self._string(node, self._place(start, end)))

    def _expression(self, node: cst.CSTNode, start: int, end: int) -> ast.expr:
        """The tree of one expression that stands somewhere in the text."""
        cuts = self._cuts(node)
        result = parse(f"({self._without(start, end, cuts)}\n)")
        if isinstance(result, Problem) or not isinstance(result.body[0], ast.Expr):
            raise CannotRewriteError
        expression = result.body[0].value
        bracketed = (expression.lineno, expression.col_offset) == (1, 0)
        place = self._place(start, end)
        shift([expression], place["lineno"] - 1, place["col_offset"] - 1)
        if bracketed:
            for name, value in place.items():
                setattr(expression, name, value)
        holder = ast.Expr(value=expression)
        self._put_back(holder, cuts)
        return holder.value

    def _string(self, node: cst.CSTNode, place: _Place) -> ast.expr:
        """A string with expressions, composed from its parts."""
        parts = list(_pieces(node))
        values = [value for part in parts for value in self._values(part, place)]
        string = ast.JoinedStr(values=_merged(values), **place)
        return _opaque(string) if any(isinstance(p, cst.TemplatedString) for p in parts) else string

    def _values(self, part: cst.CSTNode, place: _Place) -> list[ast.expr]:
        if isinstance(part, cst.SimpleString):
            return [ast.Constant(value=_literal(part.value), **place)]
        if not isinstance(part, _Formatted):
            raise CannotRewriteError
        return self._contents(part.parts, place, raw="r" in part.start.lower())

    def _contents(
        self, contents: Sequence[cst.CSTNode], place: _Place, *, raw: bool
    ) -> list[ast.expr]:
        values: list[ast.expr] = []
        for content in contents:
            if isinstance(content, _Texts):
                text = content.value.replace("{{", "{").replace("}}", "}")
                values.append(ast.Constant(value=text if raw else _unescaped(text), **place))
            elif isinstance(content, _Expression):
                values += self._formatted(content, place, raw=raw)
        return values

    def _formatted(self, node: _Expression, place: _Place, *, raw: bool) -> list[ast.expr]:
        code = self._module.code_for_node
        before = code(node.whitespace_before_expression)
        written = code(node.expression)
        start = self._offsets(node)[0] + 1 + len(before)
        end = start + len(written)
        if self._text[start:end] != written:
            raise CannotRewriteError
        conversion = ord(node.conversion) if node.conversion else -1
        spec: ast.expr | None = None
        if node.format_spec is not None:
            values = self._contents(node.format_spec, place, raw=raw)
            spec = ast.JoinedStr(values=values, **place)
        result: list[ast.expr] = []
        if node.equal is not None:
            shown = before + written + code(node.whitespace_after_expression) + code(node.equal)
            result.append(ast.Constant(value=shown, **place))
            if conversion == -1 and spec is None:
                conversion = ord("r")
        value = self._expression(node.expression, start, end)
        result.append(
            ast.FormattedValue(value=value, conversion=conversion, format_spec=spec, **place)
        )
        return result

    def _without(self, start: int, end: int, cuts: list[_Cut]) -> str:
        """A stretch of the text with every cut blanked; bytes and lines stay where they are."""
        pieces: list[str] = []
        for cut in cuts:
            pieces += [self._text[start : cut.start], _blank(self._text[cut.start : cut.end], cut)]
            start = cut.end
        return "".join([*pieces, self._text[start:end]])

    def _put_back(self, tree: ast.AST, cuts: list[_Cut]) -> None:
        """Replace the placeholders in a tree by the nodes that they stand for."""
        nodes: dict[tuple[int, int], ast.expr] = {}
        for cut in cuts:
            if cut.node is not None:
                place = self._place(cut.start, cut.end)
                bracket = place["end_lineno"] > place["lineno"]
                nodes[place["lineno"], place["col_offset"] + bracket] = cut.node

        def choose(node: ast.expr) -> ast.expr | None:
            found = isinstance(node, ast.Name) and node.id == "_"
            return nodes.get((node.lineno, node.col_offset)) if found else None

        _swap(tree, choose)

    def _offsets(self, node: cst.CSTNode) -> tuple[int, int]:
        code_range = self._ranges[node]
        if not isinstance(code_range, CodeRange):
            raise CannotRewriteError
        start, end = code_range.start, code_range.end
        return (
            self._starts[start.line - 1] + start.column,
            self._starts[end.line - 1] + end.column,
        )

    def _place(self, start: int, end: int) -> _Place:
        line, column = self._line_and_byte(start)
        end_line, end_column = self._line_and_byte(end)
        return _Place(
            lineno=line, col_offset=column, end_lineno=end_line, end_col_offset=end_column
        )

    def _line_and_byte(self, offset: int) -> tuple[int, int]:
        line = bisect_right(self._starts, offset)
        return line, len(self._text[self._starts[line - 1] : offset].encode())


def _pieces(node: cst.CSTNode) -> Iterator[cst.CSTNode]:
    if isinstance(node, cst.ConcatenatedString):
        yield from _pieces(node.left)
        yield from _pieces(node.right)
    else:
        yield node


def _merged(values: list[ast.expr]) -> list[ast.expr]:
    """Values with neighbouring texts made one, as the parser does."""
    merged: list[ast.expr] = []
    for value in values:
        text = value.value if isinstance(value, ast.Constant) else None
        last = merged[-1] if merged else None
        if isinstance(text, str) and isinstance(last, ast.Constant) and isinstance(last.value, str):
            last.value += text
        else:
            merged.append(value)
    return merged


def _unescaped(text: str) -> str:
    """The value of text that stands within quotes of any kind."""
    return _literal('"""' + _ESCAPED_OR_QUOTE.sub(lambda m: m[1] or '\\"', text) + '"""')


def _literal(code: str) -> str:
    try:
        value = ast.literal_eval(code)
    except (SyntaxError, ValueError) as error:
        raise CannotRewriteError from error
    if not isinstance(value, str):
        raise CannotRewriteError
    return value


def _blank(text: str, cut: _Cut) -> str:
    """White space of the same shape as `text`, around a placeholder if the cut has a node."""
    lines = [" " * len(line.encode()) for line in text.split("\n")]
    if cut.node is None:
        return "\\\n".join(lines)
    if len(lines) == 1:
        return "_" + lines[0][1:]
    lines[0] = "(_" + lines[0][2:]
    lines[-1] = lines[-1][:-1] + ")"
    return "\n".join(lines)
