"""Functions of one argument as formulas over terms of that argument."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from flowlint.graph.guards import (
    And,
    Compare,
    Constant,
    Formula,
    Member,
    Not,
    Or,
    Term,
    Truth,
    Truthy,
)
from flowlint.languages.python.evaluation.scopes import FunctionDefinition
from flowlint.languages.python.nodes import walk
from flowlint.values.model import Const, Function, Sequence

if TYPE_CHECKING:
    from flowlint.languages.python.evaluation.machine import Machine

MAX_DEPTH = 4

OPERATORS: dict[type[ast.cmpop], str] = {
    ast.Eq: "==",
    ast.NotEq: "!=",
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
    ast.Is: "is",
    ast.IsNot: "is not",
}

MIRRORED = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}


_PURE = frozenset({"bool", "float", "int", "isinstance", "len", "print", "str"})

_BEYOND = (
    *(ast.Yield, ast.YieldFrom, ast.Await, ast.Global, ast.Nonlocal, ast.Import, ast.ImportFrom),
    *(ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.With, ast.AsyncWith),
)
"""What a function with no other effect than to return does not hold."""


class OutsideError(Exception):
    """The function is not in the fragment that can be decided."""


def formula(machine: Machine, definition: FunctionDefinition) -> Formula | None:
    """The condition a function states of its first argument, None outside the fragment.

    In the fragment: one `return`, or `if` statements that each return, over comparisons of
    elements of the argument with constants, membership, truthiness, `and`, `or`, `not`.
    """
    try:
        return _Reading(machine, definition).whole()
    except OutsideError:
        return None


class _Reading:
    def __init__(self, machine: Machine, definition: FunctionDefinition, depth: int = 0) -> None:
        self.machine = machine
        self.definition = definition
        self.depth = depth
        args = definition.node.args
        names = [a.arg for a in (*args.posonlyargs, *args.args)]
        if names[:1] in (["self"], ["cls"]) and definition.owner is not None:
            names = names[1:]
        if not names:
            raise OutsideError
        self.state = names[0]

    def whole(self) -> Formula:
        node = self.definition.node
        if isinstance(node, ast.Lambda):
            return self.condition(node.body)
        if isinstance(node, ast.AsyncFunctionDef) or node.decorator_list:
            raise OutsideError
        body = node.body
        if body and isinstance(body[0], ast.Expr) and isinstance(body[0].value, ast.Constant):
            body = body[1:]
        if self.returns_nothing(body):
            return Truth(False)
        return self.block(body)

    def returns_nothing(self, body: list[ast.stmt]) -> bool:
        """Whether the function, without changing anything, always returns None, or raises."""
        nodes = [node for statement in body for node in walk(statement)]
        for node in nodes:
            if isinstance(node, ast.Return) and node.value is not None:
                return False
            if isinstance(node, ast.Call) and not self.is_harmless(node):
                return False
            if isinstance(node, ast.Name | ast.Attribute | ast.Subscript):
                if not isinstance(node.ctx, ast.Load):
                    return False
        return not any(isinstance(node, _BEYOND) for node in nodes)

    def is_harmless(self, node: ast.Call) -> bool:
        """Whether a call is known to change nothing."""
        if isinstance(node.func, ast.Name):
            return node.func.id in _PURE and not self.definition.scope.lookup(
                node.func.id, self.machine.known
            )
        return self.term(node) is not None

    def block(self, body: list[ast.stmt]) -> Formula:
        """The truth of what a block returns; falling off its end returns None, which is false."""
        if not body:
            return Truth(False)
        first, rest = body[0], body[1:]
        if isinstance(first, ast.Return):
            return self.condition(first.value) if first.value is not None else Truth(False)
        if isinstance(first, ast.If):
            test = self.condition(first.test)
            if not (_always_returns(first.body)):
                raise OutsideError
            then = self.block(first.body)
            other = self.block([*first.orelse, *rest])
            return Or((And((test, then)), And((Not(test), other))))
        if isinstance(first, ast.Pass):
            return self.block(rest)
        raise OutsideError

    def condition(self, node: ast.expr) -> Formula:
        """The truthiness of an expression."""
        if isinstance(node, ast.BoolOp):
            parts = tuple(self.condition(value) for value in node.values)
            return And(parts) if isinstance(node.op, ast.And) else Or(parts)
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            return Not(self.condition(node.operand))
        if isinstance(node, ast.IfExp):
            test = self.condition(node.test)
            then, other = self.condition(node.body), self.condition(node.orelse)
            return Or((And((test, then)), And((Not(test), other))))
        if isinstance(node, ast.Compare):
            return self.comparison(node)
        if isinstance(node, ast.Call):
            return self.called(node)
        term = self.term(node)
        if term is not None:
            return Truthy(term)
        return Truth(bool(self.constant(node)))

    def called(self, node: ast.Call) -> Formula:
        if isinstance(node.func, ast.Name) and node.func.id == "bool" and len(node.args) == 1:
            return self.condition(node.args[0])
        term = self.term(node)
        if term is not None:
            return Truthy(term)
        only_state = (
            len(node.args) == 1
            and not node.keywords
            and isinstance(node.args[0], ast.Name)
            and node.args[0].id == self.state
        )
        if only_state and isinstance(node.func, ast.Name) and self.depth < MAX_DEPTH:
            callee = self.definition.scope.lookup(node.func.id, self.machine.known)
            if isinstance(callee, Function) and not callee.is_async and not callee.decorators:
                inner = callee.definition
                if isinstance(inner, FunctionDefinition):
                    return _Reading(self.machine, inner, self.depth + 1).whole()
        raise OutsideError

    def comparison(self, node: ast.Compare) -> Formula:
        """A comparison; a chain `a < x < b` is the conjunction of its links."""
        parts: list[Formula] = []
        operands = [node.left, *node.comparators]
        for left, op, right in zip(operands, node.ops, operands[1:], strict=False):
            parts.append(self.link(left, op, right))
        return parts[0] if len(parts) == 1 else And(tuple(parts))

    def link(self, left: ast.expr, op: ast.cmpop, right: ast.expr) -> Formula:
        if isinstance(op, ast.In | ast.NotIn):
            term = self.term(left)
            if term is None:
                raise OutsideError
            member = Member(term, self.constants(right))
            return Not(member) if isinstance(op, ast.NotIn) else member
        symbol = OPERATORS.get(type(op))
        if symbol is None:
            raise OutsideError
        term = self.term(left)
        other = right
        if term is None:
            term, other = self.term(right), left
            symbol = MIRRORED.get(symbol, symbol)
        if term is None or self.term(other) is not None:
            raise OutsideError
        constant = self.constant(other)
        if symbol in ("is", "is not") and not (constant is None or isinstance(constant, bool)):
            raise OutsideError
        return Compare(term, symbol, constant)  # type: ignore[arg-type]

    def term(self, node: ast.expr) -> Term | None:
        """An element of the state that the expression reads, None when it reads none."""
        if isinstance(node, ast.Subscript):
            if isinstance(node.value, ast.Name) and node.value.id == self.state:
                return Term(f"{self.shown}[{self.constant(node.slice)!r}]")
            return None
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            owner = node.func.value
            is_get = node.func.attr == "get" and isinstance(owner, ast.Name)
            if is_get and getattr(owner, "id", "") == self.state and not node.keywords:
                if len(node.args) == 1:
                    return Term(self._variable(node.args[0]), "get")
                if len(node.args) == 2:
                    default = self.constant(node.args[1])
                    return Term(self._variable(node.args[0]), "get", default)
            return None
        if isinstance(node, ast.Attribute):
            if isinstance(node.value, ast.Name) and node.value.id == self.state:
                return Term(f"{self.shown}.{node.attr}")
        return None

    def _variable(self, key: ast.expr) -> str:
        return f"{self.shown}[{self.constant(key)!r}]"

    @property
    def shown(self) -> str:
        """How messages call the argument: the same for all guards of a node."""
        return "state"

    def constant(self, node: ast.expr) -> Constant:
        """A constant, also by the name of a module's constant or a member of an enumeration."""
        if any(isinstance(n, ast.Name) and n.id == self.state for n in walk(node)):
            raise OutsideError
        value = self.machine.evaluate(node, self.definition.scope)
        if not isinstance(value, Const) or isinstance(value.value, bytes | complex):
            raise OutsideError
        if value.enum:
            raise OutsideError
        return value.value

    def constants(self, node: ast.expr) -> tuple[Constant, ...]:
        value = self.machine.evaluate(node, self.definition.scope)
        if not isinstance(value, Sequence) or value.rest is not None:
            raise OutsideError
        found: list[Constant] = []
        for item in value.items:
            single = item.value
            if not isinstance(single, Const) or item.presence or single.enum:
                raise OutsideError
            if isinstance(single.value, bytes | complex):
                raise OutsideError
            found.append(single.value)
        return tuple(found)


def _always_returns(body: list[ast.stmt]) -> bool:
    if not body:
        return False
    last = body[-1]
    if isinstance(last, ast.Return):
        return True
    if isinstance(last, ast.If):
        return _always_returns(last.body) and _always_returns(last.orelse)
    return False
