"""Tests that pytest runs once for each of several values."""

from __future__ import annotations

import ast

from flowlint.languages.python.evaluation.machine import Machine
from flowlint.languages.python.evaluation.scopes import Scope
from flowlint.values.model import Const, Sequence, Value

MAX_CASES = 8


def parametrized(
    machine: Machine, node: ast.FunctionDef | ast.AsyncFunctionDef, scope: Scope
) -> list[dict[str, Value]]:
    """The arguments of each run that `pytest.mark.parametrize` asks for; one empty without it."""
    cases: list[dict[str, Value]] = [{}]
    for decorator in node.decorator_list:
        if not (isinstance(decorator, ast.Call) and len(decorator.args) > 1):
            continue
        if not (isinstance(decorator.func, ast.Attribute) and decorator.func.attr == "parametrize"):
            continue
        given = _cases(machine, decorator, scope)
        if given and len(cases) * len(given) <= MAX_CASES:
            cases = [case | more for case in cases for more in given]
    return cases


def _cases(machine: Machine, node: ast.Call, scope: Scope) -> list[dict[str, Value]]:
    names = _names(machine.evaluate(node.args[0], scope))
    values = machine.evaluate(node.args[1], scope)
    if not names or not isinstance(values, Sequence) or values.rest is not None:
        return []
    cases: list[dict[str, Value]] = []
    for item in values.items:
        if len(names) == 1:
            cases.append({names[0]: item.value})
        elif isinstance(item.value, Sequence) and len(item.value.items) == len(names):
            parts = [part.value for part in item.value.items]
            cases.append(dict(zip(names, parts, strict=True)))
        else:
            return []
    return cases


def _names(value: Value) -> list[str]:
    if isinstance(value, Const) and isinstance(value.value, str):
        return [name.strip() for name in value.value.split(",") if name.strip()]
    if isinstance(value, Sequence):
        texts = [i.value.value for i in value.items if isinstance(i.value, Const)]
        return [text for text in texts if isinstance(text, str)]
    return []
