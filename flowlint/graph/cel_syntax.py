"""The syntax of CEL, the expression language of guards: enough to tell what is no expression.

The grammar is that of https://github.com/google/cel-spec/blob/master/doc/langdef.md. The tree
keeps what formulas and checks look at; everything else is `Other` with its parts.
"""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass

MAX_DEPTH = 60
_MACROS = frozenset({"all", "exists", "exists_one", "existsOne", "map", "filter"})
_RESERVED = frozenset(
    {
        *("as", "break", "const", "continue", "else", "for", "function", "if", "import", "let"),
        *("loop", "package", "namespace", "return", "var", "void", "while"),
    }
)
_INNER = r"(?:[^\\]|\\.)*?"
_STRING = (
    rf"""'{{3}}{_INNER}'{{3}}|"{{3}}{_INNER}"{{3}}|'(?:[^'\\\r\n]|\\.)*'|"(?:[^"\\\r\n]|\\.)*\""""
)
_RAW = r"""'{3}[\s\S]*?'{3}|"{3}[\s\S]*?"{3}|'[^'\r\n]*'|"[^"\r\n]*\""""
_TOKEN = re.compile(
    rf"""(?P<space>(?:\s|//[^\n]*)+)
    |(?P<raw>(?:[rR][bB]?|[bB][rR])(?:{_RAW}))
    |(?P<bytes>[bB](?:{_STRING}))
    |(?P<string>{_STRING})
    |(?P<float>\d+\.\d+(?:[eE][+-]?\d+)?|\d+[eE][+-]?\d+|\.\d+(?:[eE][+-]?\d+)?)
    |(?P<int>(?:0x[0-9a-fA-F]+|\d+)[uU]?)
    |(?P<name>[_a-zA-Z][_a-zA-Z0-9]*)
    |(?P<sign>&&|\|\||[<>=!]=|[-+*/%<>!?:.,()\[\]{{}}])""",
    re.VERBOSE | re.DOTALL,
)


class CelError(Exception):
    """The text is no CEL expression. `offset` is where that shows."""

    def __init__(self, message: str, offset: int) -> None:
        super().__init__(message)
        self.message = message
        self.offset = offset


@dataclass(frozen=True, slots=True)
class Literal:
    """A constant; bytes and unsigned numbers are `Other`."""

    value: str | int | float | bool | None


@dataclass(frozen=True, slots=True)
class Name:
    """A variable."""

    name: str


@dataclass(frozen=True, slots=True)
class Select:
    """`operand.field`, or `operand["field"]` with a constant text."""

    operand: Tree
    field: str


@dataclass(frozen=True, slots=True)
class Binary:
    """An operation on two operands."""

    operator: str
    left: Tree
    right: Tree


@dataclass(frozen=True, slots=True)
class Negated:
    """`!operand`."""

    operand: Tree


@dataclass(frozen=True, slots=True)
class ListOf:
    """A list."""

    items: tuple[Tree, ...]


@dataclass(frozen=True, slots=True)
class Other:
    """Anything else, with its parts. `binds` is a variable that a macro brings along, `calls` the
    function or method that is called."""

    parts: tuple[Tree, ...] = ()
    binds: str | None = None
    calls: str | None = None


Tree = Literal | Name | Select | Binary | Negated | ListOf | Other
_Token = tuple[str, str, int]

_PRECEDENCE = {
    "||": 1,
    "&&": 2,
    **dict.fromkeys(("<", "<=", ">", ">=", "==", "!=", "in"), 3),
    **dict.fromkeys("+-", 4),
    **dict.fromkeys("*/%", 5),
}


def parse_cel(text: str) -> Tree:
    """The tree of an expression. Raises CelError when it is none."""
    parser = _Parser(_tokens(text), len(text))
    tree = parser.expression(0)
    parser.finish()
    return tree


def free_names(tree: Tree) -> list[str]:
    """The variables that the expression takes from outside, in the order of their mention."""
    return list(dict.fromkeys(path[0] for path in mentions(tree) if isinstance(path, tuple)))


def mentions(tree: Tree) -> list[tuple[str, ...] | str]:
    """What the expression takes from outside, as often as it does: variables, each with the fields
    that are read of it, and, as texts, the functions and methods that it calls."""
    found: list[tuple[str, ...] | str] = []
    pending: list[tuple[Tree, frozenset[str], tuple[str, ...]]] = [(tree, frozenset(), ())]
    while pending:
        part, bound, fields = pending.pop()
        match part:
            case Name(name):
                if name not in bound:
                    found.append((name, *fields))
            case Select(operand, field):
                pending.append((operand, bound, (field, *fields)))
            case Negated(operand):
                pending.append((operand, bound, ()))
            case Binary(left=left, right=right):
                pending += [(right, bound, ()), (left, bound, ())]
            case ListOf(items):
                pending += [(item, bound, ()) for item in reversed(items)]
            case Other(parts, binds, calls):
                if calls is not None:
                    found.append(calls)
                inner = bound | {binds} if binds is not None else bound
                pending += [
                    (other, inner if place else bound, ()) for place, other in enumerate(parts)
                ][::-1]
    return found


def _tokens(text: str) -> list[_Token]:
    tokens: list[_Token] = []
    offset = 0
    while offset < len(text):
        found = _TOKEN.match(text, offset)
        if found is None or found.lastgroup is None:
            is_open = text[offset] in "'\""
            fault = "this text is never closed" if is_open else f"`{text[offset]}` means nothing"
            raise CelError(fault, offset)
        if found.lastgroup != "space":
            tokens.append((found.lastgroup, found[0], offset))
        offset = found.end()
    return tokens


class _Parser:
    def __init__(self, tokens: list[_Token], end: int) -> None:
        self.tokens = tokens
        self.place = 0
        self.end = end

    def _peek(self) -> str:
        """The next sign or keyword, empty for a constant or at the end."""
        if self.place >= len(self.tokens):
            return ""
        kind, text, _ = self.tokens[self.place]
        return text if kind in ("sign", "name") else ""

    def _next(self) -> _Token:
        if self.place >= len(self.tokens):
            raise CelError("something is missing at the end", self.end)
        self.place += 1
        return self.tokens[self.place - 1]

    def _accept(self, sign: str) -> bool:
        if self._peek() == sign:
            self.place += 1
            return True
        return False

    def _expect(self, sign: str) -> None:
        _, text, offset = self._next()
        if text != sign:
            raise CelError(f"`{sign}` is missing before `{text}`", offset)

    def finish(self) -> None:
        """Nothing may be left."""
        if self.place < len(self.tokens):
            _, text, offset = self.tokens[self.place]
            raise CelError(f"`{text}` does not belong here", offset)

    def expression(self, depth: int) -> Tree:
        """A whole expression, with `? :`."""
        if depth > MAX_DEPTH:
            raise CelError("it is nested too deeply", self.end)
        condition = self._binary(1, depth)
        if not self._accept("?"):
            return condition
        chosen = self._binary(1, depth)
        self._expect(":")
        return Other((condition, chosen, self.expression(depth + 1)))

    def _binary(self, lowest: int, depth: int) -> Tree:
        left = self._unary(depth)
        while True:
            operator = self._peek()
            rank = _PRECEDENCE.get(operator, 0)
            if rank < lowest:
                return left
            self.place += 1
            left = Binary(operator, left, self._binary(rank + 1, depth))

    def _unary(self, depth: int) -> Tree:
        sign = self._peek()
        if sign not in ("!", "-"):
            return self._member(depth)
        count = 0
        while self._accept(sign):
            count += 1
        operand = self._member(depth)
        if sign == "-":
            if count == 1 and isinstance(operand, Literal):
                value = operand.value
                if isinstance(value, int | float) and not isinstance(value, bool):
                    return Literal(-value)
            return Other((operand,))
        return Negated(operand) if count % 2 else Negated(Negated(operand))

    def _member(self, depth: int) -> Tree:
        tree = self._primary(depth)
        while True:
            if self._accept("."):
                kind, field, offset = self._next()
                if kind != "name" or field in ("in", "true", "false", "null"):
                    raise CelError(f"a name is missing before `{field}`", offset)
                if self._accept("("):
                    tree = self._method(tree, field, self._arguments(")", depth))
                else:
                    tree = Select(tree, field)
            elif self._accept("["):
                key = self.expression(depth + 1)
                self._expect("]")
                is_field = isinstance(key, Literal) and isinstance(key.value, str)
                tree = Select(tree, str(key.value)) if is_field else Other((tree, key))  # type: ignore[union-attr]
            elif self._peek() == "{" and _is_type_name(tree):
                self.place += 1
                tree = Other((*self._fields(depth),))
            else:
                return tree

    def _method(self, target: Tree, name: str, arguments: list[Tree]) -> Tree:
        if name in _MACROS and len(arguments) > 1 and isinstance(arguments[0], Name):
            return Other((target, *arguments[1:]), arguments[0].name, name)
        return Other((target, *arguments), calls=name)

    def _primary(self, depth: int) -> Tree:
        kind, text, offset = self._next()
        if text == "-" and self._at_number():
            # Only met after `!`: there the grammar has no minus sign, but negative numbers.
            number = self._primary(depth)
            return Literal(-number.value) if isinstance(number, Literal) else number  # type: ignore[operator]
        match kind:
            case "name":
                return self._named(text, offset, depth)
            case "int":
                return (
                    Other()
                    if text[-1] in "uU"
                    else Literal(int(text, 0) if "x" in text else int(text))
                )
            case "float":
                return Literal(float(text))
            case "string":
                return _string(text, offset)
            case "bytes" | "raw":
                is_text = kind == "raw" and "b" not in text[:2].lower()
                return Literal(_raw(text)) if is_text else Other()
        if text == "(":
            tree = self.expression(depth + 1)
            self._expect(")")
            return tree
        if text == "[":
            return ListOf(tuple(self._arguments("]", depth)))
        if text == "{":
            return Other(tuple(self._pairs(depth)))
        if text == ".":
            kind, name, offset = self._next()
            if kind == "name" and name not in ("true", "false", "null"):
                return self._named(name, offset, depth)
        raise CelError(f"`{text}` does not belong here", offset)

    def _at_number(self) -> bool:
        """Whether a number comes next that a sign can be part of."""
        if self.place == len(self.tokens):
            return False
        kind, text, _ = self.tokens[self.place]
        return kind == "float" or (kind == "int" and text[-1] not in "uU")

    def _named(self, name: str, offset: int, depth: int) -> Tree:
        if name in ("true", "false", "null"):
            return Literal({"true": True, "false": False, "null": None}[name])
        if name == "in" or (name in _RESERVED and not self._begins_message()):
            raise CelError(f"`{name}` is a reserved word", offset)
        if self._accept("("):
            return Other(tuple(self._arguments(")", depth)), calls=name)
        return Name(name)

    def _begins_message(self) -> bool:
        """Whether a name just read is that of a type, with its fields in braces behind it."""
        place = self.place
        while [text for _, text, _ in self.tokens[place : place + 1]] == ["."]:
            place += 2
        return [text for _, text, _ in self.tokens[place : place + 1]] == ["{"]

    def _arguments(self, closing: str, depth: int) -> list[Tree]:
        found: list[Tree] = []
        while not self._accept(closing):
            found.append(self.expression(depth + 1))
            if not self._accept(","):
                self._expect(closing)
                break
            if closing == ")" and self._peek() == ")":
                raise CelError("an argument is missing before `)`", self.tokens[self.place][2])
        return found

    def _pairs(self, depth: int) -> list[Tree]:
        found: list[Tree] = []
        while not self._accept("}"):
            found.append(self.expression(depth + 1))
            self._expect(":")
            found.append(self.expression(depth + 1))
            if not self._accept(","):
                self._expect("}")
                break
        return found

    def _fields(self, depth: int) -> list[Tree]:
        found: list[Tree] = []
        while not self._accept("}"):
            kind, name, offset = self._next()
            if kind != "name":
                raise CelError(f"a name is missing before `{name}`", offset)
            self._expect(":")
            found.append(self.expression(depth + 1))
            if not self._accept(","):
                self._expect("}")
                break
        return found


def _is_type_name(tree: Tree) -> bool:
    while isinstance(tree, Select):
        tree = tree.operand
    return isinstance(tree, Name)


def _raw(text: str) -> str:
    body = text.lstrip("rRbB")
    width = 3 if body[:3] in ("'''", '"""') else 1
    return body[width:-width]


_ESCAPE = re.compile(
    r"""\\(?:([abfnrtv\\?"'`])|[xX]([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})
    |([0-3][0-7]{2})|(?P<wrong>.))""",
    re.VERBOSE | re.DOTALL,
)
_LETTERS = dict(zip("abfnrtv", "\a\b\f\n\r\t\v", strict=True))


def _string(text: str, offset: int) -> Literal:
    width = 3 if text[:3] in ("'''", '"""') else 1

    def unescaped(found: re.Match[str]) -> str:
        plain, *hexadecimal, octal, wrong = found.groups()
        if wrong is not None:
            raise CelError(f"`\\{wrong}` means nothing in a text", offset)
        if plain is not None:
            return _LETTERS.get(plain, plain)
        digits = next((code for code in hexadecimal if code is not None), None)
        code = int(digits, 16) if digits is not None else int(octal, 8)
        if code > sys.maxunicode or 0xD800 <= code < 0xE000:
            raise CelError("this text holds a character that there is not", offset)
        return chr(code)

    return Literal(_ESCAPE.sub(unescaped, text[width:-width]))
