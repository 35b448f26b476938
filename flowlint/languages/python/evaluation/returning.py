"""Whether a function may return certain objects, as its code tells without being followed."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from flowlint.languages.python.evaluation.scopes import FunctionDefinition
from flowlint.languages.python.nodes import children, kept_with_node
from flowlint.values.model import External, Function

if TYPE_CHECKING:
    from flowlint.languages.python.evaluation.machine import Machine

_TELLING = frozenset(
    {
        *(ast.AnnAssign, ast.Assign, ast.AsyncFor, ast.For, ast.NamedExpr, ast.Return),
        *(ast.Yield, ast.YieldFrom),
    }
)
"""The syntax that tells what a function returns, or what its names stand for."""


class Returns:
    """Looks at every `return` of a function and, where it calls one, of the function called."""

    def __init__(self, machine: Machine, qualified: frozenset[str]) -> None:
        self.machine = machine
        self.qualified = qualified

    def of(self, definition: FunctionDefinition, depth: int) -> bool:
        """Whether a function may return one of them, or that cannot be told."""
        node = definition.node
        if isinstance(node, ast.Lambda):
            return self._expression(node.body, definition, {}, depth)
        assigned: dict[str, list[ast.expr]] = {}
        returned: list[ast.expr] = []
        for inner in _own_nodes(node):
            if type(inner) not in _TELLING:
                continue
            if isinstance(inner, ast.Return | ast.Yield) and inner.value is not None:
                returned.append(inner.value)
            elif isinstance(inner, ast.YieldFrom):
                return True
            elif isinstance(inner, ast.Assign):
                for target in inner.targets:
                    if isinstance(target, ast.Name):
                        assigned.setdefault(target.id, []).append(inner.value)
                    elif isinstance(target, ast.Tuple | ast.List):
                        for element in target.elts:
                            if isinstance(element, ast.Name):
                                assigned.setdefault(element.id, []).append(inner)  # type: ignore[arg-type]
            elif isinstance(inner, ast.AnnAssign | ast.NamedExpr) and inner.value is not None:
                if isinstance(inner.target, ast.Name):
                    assigned.setdefault(inner.target.id, []).append(inner.value)
            elif isinstance(inner, ast.For | ast.AsyncFor) and isinstance(inner.target, ast.Name):
                assigned.setdefault(inner.target.id, []).append(inner)  # type: ignore[arg-type]
        return any(self._expression(value, definition, assigned, depth) for value in returned)

    def _expression(
        self,
        node: ast.AST,
        definition: FunctionDefinition,
        assigned: dict[str, list[ast.expr]],
        depth: int,
    ) -> bool:
        plain = ast.Dict | ast.DictComp | ast.Constant | ast.JoinedStr | ast.Compare | ast.Set
        if isinstance(node, plain):
            return False
        if isinstance(node, ast.List | ast.Tuple):
            return any(self._expression(e, definition, assigned, depth) for e in node.elts)
        if isinstance(node, ast.IfExp):
            return self._expression(node.body, definition, assigned, depth) or self._expression(
                node.orelse, definition, assigned, depth
            )
        if isinstance(node, ast.Await | ast.NamedExpr):
            return self._expression(node.value, definition, assigned, depth)
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
            return self._expression(node.left, definition, assigned, depth)
        if isinstance(node, ast.Name):
            return self._name(node, definition, assigned, depth)
        if isinstance(node, ast.Call):
            return self._call(node, definition, depth)
        return True

    def _name(
        self,
        node: ast.Name,
        definition: FunctionDefinition,
        assigned: dict[str, list[ast.expr]],
        depth: int,
    ) -> bool:
        args = definition.node.args
        parameters = [a.arg for a in (*args.posonlyargs, *args.args)]
        values = assigned.get(node.id)
        if values is None:
            first_two = parameters[:2] if parameters[:1] in (["self"], ["cls"]) else parameters[:1]
            return node.id not in first_two
        rest = {name: found for name, found in assigned.items() if name != node.id}
        return any(self._expression(value, definition, rest, depth) for value in values)

    def _call(self, node: ast.Call, definition: FunctionDefinition, depth: int) -> bool:
        name = node.func
        if isinstance(name, ast.Name) and name.id in ("dict", "list", "str", "set", "tuple"):
            return False
        if not isinstance(name, ast.Name):
            return True
        callee = definition.scope.lookup(name.id, self.machine.known)
        if isinstance(callee, Function) and isinstance(callee.definition, FunctionDefinition):
            return depth > 3 or self.of(callee.definition, depth + 1)
        if isinstance(callee, External):
            return callee.qualified in self.qualified or "." not in callee.qualified
        return True


@kept_with_node
def _own_nodes(node: ast.FunctionDef | ast.AsyncFunctionDef) -> list[ast.AST]:
    found: list[ast.AST] = []
    stack: list[ast.AST] = list(node.body)
    nested = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)
    while stack:
        current = stack.pop()
        found.append(current)
        if not isinstance(current, nested):
            stack.extend(children(current))
    return found
