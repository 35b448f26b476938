"""The syntax of CEL, the expression language of guards: enough to tell what is no expression.

The grammar is that of https://github.com/google/cel-spec/blob/master/doc/langdef.md. The tree
keeps what formulas and checks look at; everything else is `Other` with its parts.
"""

from __future__ import annotations

from dataclasses import dataclass

from flowlint.graph.cel_functions import MACROS, Form
from flowlint.graph.cel_tokens import CelError, Token, number_of, raw_of, text_of, tokens_of

__all__ = [
    "Binary",
    "CelError",
    "ListOf",
    "Literal",
    "Name",
    "Negated",
    "Other",
    "Select",
    "Tree",
    "free_names",
    "mentions",
    "parse_cel",
]

MAX_DEPTH = 95
"""How deep an expression may be nested: just as deep as where flowrt evaluates it."""
_MOST_SHOWN = 60
_CONSTANTS = ("in", "true", "false", "null")
_RESERVED = frozenset(
    {
        *("as", "break", "const", "continue", "else", "for", "function", "if", "import", "let"),
        *("loop", "package", "namespace", "return", "var", "void", "while"),
    }
)


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
    """`operand.field`, or `operand["field"]` with a constant text, which is `quoted`."""

    operand: Tree
    field: str
    quoted: bool = False


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
    function or method that is called, in the way `form`, with `given` values."""

    parts: tuple[Tree, ...] = ()
    binds: str | None = None
    calls: str | None = None
    form: Form = "function"
    given: int = 0


Tree = Literal | Name | Select | Binary | Negated | ListOf | Other

_PRECEDENCE = {
    "||": 1,
    "&&": 2,
    **dict.fromkeys(("<", "<=", ">", ">=", "==", "!=", "in"), 3),
    **dict.fromkeys("+-", 4),
    **dict.fromkeys("*/%", 5),
}


def parse_cel(text: str) -> Tree:
    """The tree of an expression. Raises CelError when it is none."""
    parser = _Parser(tokens_of(text), len(text))
    tree = parser.expression(0)
    parser.finish()
    return tree


def free_names(tree: Tree) -> list[str]:
    """The variables that the expression takes from outside, in the order of their mention."""
    return list(dict.fromkeys(path[0] for path in mentions(tree) if isinstance(path, tuple)))


def parts_of(tree: Tree) -> tuple[Tree, ...]:
    """The expressions that one is put together of."""
    match tree:
        case Select(operand) | Negated(operand):
            return (operand,)
        case Binary(left=left, right=right):
            return (left, right)
        case ListOf(parts) | Other(parts):
            return parts
        case Literal() | Name():
            return ()


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


class _Parser:
    def __init__(self, tokens: list[Token], end: int) -> None:
        self.tokens = tokens
        self.place = 0
        self.end = end

    def _peek(self) -> str:
        """The next sign or keyword, empty for a constant or at the end."""
        if self.place >= len(self.tokens):
            return ""
        kind, text, _ = self.tokens[self.place]
        return text if kind in ("sign", "name") else ""

    def _next(self) -> Token:
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
            raise CelError(f"`{sign}` is missing before `{_short(text)}`", offset)

    def finish(self) -> None:
        """Nothing may be left."""
        if self.place < len(self.tokens):
            _, text, offset = self.tokens[self.place]
            raise CelError(f"`{_short(text)}` does not belong here", offset)

    def expression(self, depth: int) -> Tree:
        """A whole expression, with `? :`."""
        if depth > MAX_DEPTH:
            raise CelError("it is nested too deeply", self.end)
        condition = self._binary(depth)
        if not self._accept("?"):
            return condition
        chosen = self._binary(depth)
        self._expect(":")
        return Other((condition, chosen, self.expression(depth + 1)))

    def _binary(self, depth: int) -> Tree:
        operands, operators = [self._unary(depth)], [""]
        while rank := _PRECEDENCE.get(operator := self._peek(), 0):
            self.place += 1
            _reduce(operands, operators, rank)
            operators.append(operator)
            operands.append(self._unary(depth))
        _reduce(operands, operators, 1)
        return operands[0]

    def _unary(self, depth: int) -> Tree:
        sign = self._peek()
        if sign not in ("!", "-"):
            return self._member(depth)
        count = 0
        while self._accept(sign):
            count += 1
        if sign == "-":
            # The last sign is part of the number that follows.
            is_number = self._at_number()
            if is_number:
                self.place -= 1
            operand = self._member(depth)
            return operand if is_number and count == 1 else Other((operand,))
        operand = self._member(depth)
        return Negated(operand) if count % 2 else Negated(Negated(operand))

    def _member(self, depth: int) -> Tree:
        tree = self._primary(depth)
        while True:
            if self._accept("."):
                kind, field, offset = self._next()
                if kind != "name" or field in _CONSTANTS:
                    raise CelError(f"a name is missing before `{_short(field)}`", offset)
                if self._accept("("):
                    tree = _method(tree, field, self._arguments(")", depth), offset)
                else:
                    tree = Select(tree, field)
            elif self._accept("["):
                key = self.expression(depth + 1)
                self._expect("]")
                is_field = isinstance(key, Literal) and isinstance(key.value, str)
                tree = Select(tree, str(key.value), True) if is_field else Other((tree, key))  # type: ignore[union-attr]
            elif self._peek() == "{" and _is_type_name(tree):
                self.place += 1
                tree = Other((*self._fields(depth),))
            else:
                return tree

    def _primary(self, depth: int) -> Tree:
        kind, text, offset = self._next()
        if text == "-" and self._at_number():
            # The smallest number has no positive one; after `!` the grammar has no minus sign.
            kind, digits, offset = self._next()
            return _number(kind, f"-{digits}", offset)
        match kind:
            case "name":
                return self._named(text, offset, depth)
            case "int" | "float":
                return _number(kind, text, offset)
            case "string":
                return Literal(text_of(text, offset))
            case "bytes" | "raw":
                is_text = kind == "raw" and "b" not in text[:2].lower()
                return Literal(raw_of(text)) if is_text else Other()
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
        raise CelError(f"`{_short(text)}` does not belong here", offset)

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
            parts = tuple(self._arguments(")", depth))
            is_has = name == "has" and len(parts) == 1
            if is_has and (not isinstance(parts[0], Select) or parts[0].quoted):
                raise CelError("`has` takes a field, as in `has(state.x)`", offset)
            form: Form = "macro" if is_has else "function"
            return Other(parts, calls=name, form=form, given=len(parts))
        return Name(name)

    def _begins_message(self) -> bool:
        """Whether a name just read is that of a type, with its fields in braces behind it."""
        place = self.place
        while [text for _, text, _ in self.tokens[place : place + 1]] == ["."]:
            place += 2
        return [text for _, text, _ in self.tokens[place : place + 1]] == ["{"]

    def _arguments(self, closing: str, depth: int) -> list[Tree]:
        found: list[Tree] = []
        if closing == "]":
            self._pass_comma(closing)
        while not self._accept(closing):
            found.append(self.expression(depth + 1))
            if not self._accept(","):
                self._expect(closing)
                break
            if closing == ")" and self._peek() == ")":
                raise CelError("an argument is missing before `)`", self.tokens[self.place][2])
        return found

    def _pass_comma(self, closing: str) -> None:
        """A comma alone between brackets is nothing to the engine."""
        if [text for _, text, _ in self.tokens[self.place : self.place + 2]] == [",", closing]:
            self.place += 1

    def _pairs(self, depth: int) -> list[Tree]:
        found: list[Tree] = []
        self._pass_comma("}")
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
        self._pass_comma("}")
        while not self._accept("}"):
            kind, name, offset = self._next()
            if kind != "name" or name in _CONSTANTS:
                raise CelError(f"a name is missing before `{_short(name)}`", offset)
            self._expect(":")
            found.append(self.expression(depth + 1))
            if not self._accept(","):
                self._expect("}")
                break
        return found


def _short(text: str) -> str:
    return text if len(text) <= _MOST_SHOWN else f"{text[:_MOST_SHOWN]}…"


def _reduce(operands: list[Tree], operators: list[str], rank: int) -> None:
    """Apply the last operators that bind at least as tightly as one of this rank."""
    while _PRECEDENCE.get(operators[-1], 0) >= rank:
        right, left = operands.pop(), operands.pop()
        operands.append(Binary(operators.pop(), left, right))


def _method(target: Tree, name: str, arguments: list[Tree], offset: int) -> Tree:
    count = len(arguments)
    if name in MACROS and (count == 2 or (count == 3 and name == "map")):
        variable = arguments[0]
        if not isinstance(variable, Name):
            said = f"what comes first in `{name}` has to be the name of a variable"
            raise CelError(said, offset)
        return Other((target, *arguments[1:]), variable.name, name, "macro", count)
    return Other((target, *arguments), calls=name, form="method", given=count)


def _number(kind: str, digits: str, offset: int) -> Tree:
    number = number_of(kind, digits, offset)
    return Other() if number is None else Literal(number)


def _is_type_name(tree: Tree) -> bool:
    while isinstance(tree, Select):
        tree = tree.operand
    return isinstance(tree, Name)
