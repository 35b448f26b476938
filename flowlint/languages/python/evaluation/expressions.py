"""Expressions: constants, names, containers, comprehensions, operators."""

from __future__ import annotations

import ast
from collections.abc import Callable

from flowlint.graph.model import ALWAYS, Presence
from flowlint.languages.python.evaluation import containers, definitions, dunders
from flowlint.languages.python.evaluation.assigning import assign, elements
from flowlint.languages.python.evaluation.calling import evaluate_call
from flowlint.languages.python.evaluation.comprehensions import comprehension
from flowlint.languages.python.evaluation.machine import Machine, value_key
from flowlint.languages.python.evaluation.missing import missing_name
from flowlint.languages.python.evaluation.operators import compare, operated
from flowlint.languages.python.evaluation.scopes import Scope
from flowlint.languages.python.evaluation.sequences import unique
from flowlint.languages.python.evaluation.testing import test, truth
from flowlint.values.conditions import alternatives
from flowlint.values.model import (
    Choice,
    Class,
    Const,
    Entry,
    External,
    Generic,
    Item,
    Mapped,
    Origin,
    Sequence,
    Unknown,
    Value,
)


def _constant(machine: Machine, node: ast.expr, scope: Scope) -> Value:
    assert isinstance(node, ast.Constant)
    value = node.value
    origin = machine.origin(node, scope)
    if value is Ellipsis:
        return Unknown("an ellipsis", origin, "...")
    return Const(value, origin)


def _name(machine: Machine, node: ast.expr, scope: Scope) -> Value:
    assert isinstance(node, ast.Name)
    found = scope.lookup(node.id, machine.known)
    if found is not None:
        return found
    if node.id in BUILTIN_NAMES:
        return External(f"builtins.{node.id}", machine.origin(node, scope))
    if node.id == "__name__":
        return Unknown("how the module is run", machine.origin(node, scope), "__name__")
    key = f"{scope.module.path}:{node.id}"
    unknown = Unknown(f"`{node.id}` is not defined here", machine.origin(node, scope), key)
    unknown.missing = lambda: missing_name(scope.module, node.id)
    return unknown


BUILTIN_NAMES = frozenset(dir(__import__("builtins"))) - {"__name__"}


def _attribute(machine: Machine, node: ast.expr, scope: Scope) -> Value:
    assert isinstance(node, ast.Attribute)
    base = machine.evaluate(node.value, scope)
    origin = machine.origin(node, scope)
    return machine.for_each(base, lambda v: machine.attribute(v, node.attr, origin), origin)


def _sequence(machine: Machine, node: ast.expr, scope: Scope) -> Value:
    assert isinstance(node, ast.List | ast.Tuple | ast.Set)
    origin = machine.origin(node, scope)
    kind = "list" if isinstance(node, ast.List) else "tuple"
    made = Sequence("set" if isinstance(node, ast.Set) else kind, [], origin)  # type: ignore[arg-type]
    for element in node.elts:
        if isinstance(element, ast.Starred):
            value = machine.evaluate(element.value, scope)
            items, rest = elements(machine, value, machine.origin(element, scope))
            made.items += items
            made.rest = made.rest or rest
        else:
            place = machine.origin(element, scope)
            made.items.append(Item(machine.evaluate(element, scope), place=place))
    if made.kind == "set":
        made.items = unique(made.items)
    return made


def _mapping(machine: Machine, node: ast.expr, scope: Scope) -> Value:
    assert isinstance(node, ast.Dict)
    made = Mapped([], machine.origin(node, scope))
    for key, value_node in zip(node.keys, node.values, strict=True):
        value = machine.evaluate(value_node, scope)
        if key is not None:
            place = machine.origin(value_node, scope)
            made.entries.append(Entry(machine.evaluate(key, scope), value, place=place))
            continue
        for presence, single in alternatives(value, machine.known):
            if isinstance(single, Mapped):
                made.entries += [
                    Entry(e.key, e.value, e.presence | presence, e.place) for e in single.entries
                ]
                made.rest = made.rest or single.rest
            else:
                made.rest = Unknown("unknown entries", machine.origin(value_node, scope))
    return made


def _joined(machine: Machine, node: ast.expr, scope: Scope) -> Value:
    assert isinstance(node, ast.JoinedStr)
    parts: list[Value] = []
    for part in node.values:
        if isinstance(part, ast.FormattedValue):
            parts.append(_formatted(machine, part, scope))
        else:
            parts.append(machine.evaluate(part, scope))
    return _concatenated(machine, parts, origin_node=node, scope=scope)


def _formatted(machine: Machine, part: ast.FormattedValue, scope: Scope) -> Value:
    """One `{…}` of an f-string."""
    origin = machine.origin(part, scope)
    value = machine.evaluate(part.value, scope)
    if part.conversion == -1 and part.format_spec is None:
        return _text_of(value, origin)
    spec = machine.evaluate(part.format_spec, scope) if part.format_spec else Const("", origin)

    def shown(single: Value) -> Value:
        if not isinstance(single, Const) or single.enum or not isinstance(spec, Const):
            return Unknown("formatted", origin)
        if len(str(spec.value)) > MAX_SPEC:
            return Unknown("formatted", origin)
        try:
            return Const(format(_converted(single.value, part.conversion), str(spec.value)), origin)
        except (TypeError, ValueError):
            return Unknown("formatted", origin)

    return machine.for_each(value, shown, origin)


def _converted(value: object, conversion: int) -> object:
    if conversion == ord("r"):
        return repr(value)
    if conversion == ord("a"):
        return ascii(value)
    return str(value) if conversion == ord("s") else value


MAX_SPEC = 3
"""Characters of a format, so that no text grows without bound."""


def _concatenated(
    machine: Machine, parts: list[Value], *, origin_node: ast.expr, scope: Scope
) -> Value:
    origin = machine.origin(origin_node, scope)
    variants: list[tuple[Presence, list[Value]]] = [(ALWAYS, [])]
    for part in parts:
        found = alternatives(part, machine.known)
        variants = [(p | q, [*done, v]) for p, done in variants for q, v in found]
        if len(variants) > 32:
            return Unknown("too many possible texts", origin)
    results: list[tuple[Presence, Value]] = []
    for presence, values in variants:
        texts = [v.value for v in values if isinstance(v, Const) and isinstance(v.value, str)]
        if len(texts) == len(values):
            results.append((presence, Const("".join(texts), origin)))
            continue
        keys = [value_key(value) for value in values]
        key = None if None in keys else "f:" + "|".join(k or "" for k in keys)
        results.append((presence, Unknown("a text that is put together", origin, key)))
    return results[0][1] if len(results) == 1 else Choice(tuple(results), origin)


def _text_of(value: Value, origin: object) -> Value:
    """What a value becomes inside an f-string."""
    if isinstance(value, Choice):
        return Choice(tuple((p, _text_of(v, origin)) for p, v in value.alternatives), value.origin)
    if not isinstance(value, Const):
        return value if isinstance(value, Unknown) else Unknown("not a constant", value.origin)
    if value.enum and not isinstance(value.value, str):
        return Unknown("a member of an enumeration as text", value.origin)
    if value.enum and value.member is not None and not value.enum.startswith("StrEnum:"):
        return Unknown("a member of an enumeration as text", value.origin)
    if isinstance(value.value, str | int | float | bool | None):
        return Const(str(value.value), value.origin)
    return Unknown("not a text", value.origin)


def _binary(machine: Machine, node: ast.expr, scope: Scope) -> Value:
    assert isinstance(node, ast.BinOp)
    left = machine.evaluate(node.left, scope)
    right = machine.evaluate(node.right, scope)
    origin = machine.origin(node, scope)

    def combine(one: Value) -> Value:
        return machine.for_each(
            right, lambda two: operated(machine, node.op, one, two, origin), origin
        )

    return machine.for_each(left, combine, origin)


def _unary(machine: Machine, node: ast.expr, scope: Scope) -> Value:
    assert isinstance(node, ast.UnaryOp)
    if isinstance(node.op, ast.Not):
        return _test_value(machine, node, scope)
    value = machine.evaluate(node.operand, scope)
    if isinstance(value, Const) and isinstance(value.value, int | float):
        if isinstance(node.op, ast.USub):
            return Const(-value.value, machine.origin(node, scope))
        if isinstance(node.op, ast.UAdd):
            return value
    result = dunders.unary(machine, node.op, value, machine.origin(node, scope))
    return result or Unknown("the result of an operation", machine.origin(node, scope))


def _test_value(machine: Machine, node: ast.expr, scope: Scope) -> Value:
    """A test as a value: true or false, each under its condition."""
    origin = machine.origin(node, scope)
    when_true, when_false = test(machine, node, scope)
    if when_true is None or when_false is None:
        return Const(when_true is not None, origin)
    return Choice(((when_true, Const(True, origin)), (when_false, Const(False, origin))), origin)


def _boolean(machine: Machine, node: ast.expr, scope: Scope) -> Value:
    """`a or b` is `a` where it is true and `b` elsewhere; `and` the reverse."""
    assert isinstance(node, ast.BoolOp)
    stops_on = isinstance(node.op, ast.Or)
    mark = machine.mark()
    chosen: list[tuple[Presence, Value]] = []
    so_far: Presence = ALWAYS
    for index, operand in enumerate(node.values):
        value = machine.evaluate(operand, scope)
        if index == len(node.values) - 1:
            chosen.append((so_far, value))
            break
        when_true, when_false = truth(machine, value, operand)
        stop, go = (when_true, when_false) if stops_on else (when_false, when_true)
        if stop is not None:
            chosen.append((so_far | stop, value))
        if go is None:
            break
        machine.add(go)
        so_far |= go
    machine.restore(mark)
    if len(chosen) == 1:
        return chosen[0][1]
    return Choice(tuple(chosen), machine.origin(node, scope))


def _compare(machine: Machine, node: ast.expr, scope: Scope) -> Value:
    assert isinstance(node, ast.Compare)
    left = machine.evaluate(node.left, scope)
    origin = machine.origin(node, scope)
    if len(node.ops) != 1:
        return Unknown("a chain of comparisons", origin)
    right = machine.evaluate(node.comparators[0], scope)
    op = node.ops[0]

    def against(one: Value) -> Value:
        return machine.for_each(right, lambda two: compare(machine, op, one, two, origin), origin)

    return machine.for_each(left, against, origin)


def _conditional(machine: Machine, node: ast.expr, scope: Scope) -> Value:
    assert isinstance(node, ast.IfExp)
    when_true, when_false = test(machine, node.test, scope)
    results: list[tuple[Presence, Value]] = []
    for presence, branch in ((when_true, node.body), (when_false, node.orelse)):
        if presence is None:
            continue
        mark = machine.mark()
        machine.add(presence)
        results.append((presence, machine.evaluate(branch, scope)))
        machine.restore(mark)
    if len(results) == 1:
        return results[0][1]
    return Choice(tuple(results), machine.origin(node, scope))


def _lambda(machine: Machine, node: ast.expr, scope: Scope) -> Value:
    assert isinstance(node, ast.Lambda)
    machine.inner_scopes[node] = scope
    return definitions.function_value(machine, node, scope)


def _walrus(machine: Machine, node: ast.expr, scope: Scope) -> Value:
    assert isinstance(node, ast.NamedExpr)
    value = machine.evaluate(node.value, scope)
    assign(machine, node.target, value, scope)
    return value


def _await(machine: Machine, node: ast.expr, scope: Scope) -> Value:
    assert isinstance(node, ast.Await)
    return machine.evaluate(node.value, scope)


def _yield(machine: Machine, node: ast.expr, scope: Scope) -> Value:
    assert isinstance(node, ast.Yield | ast.YieldFrom)
    origin = machine.origin(node, scope)
    if node.value is not None and machine.frames:
        value = machine.evaluate(node.value, scope)
        frame = machine.frames[-1]
        presence = machine.present - frame.base
        if isinstance(node, ast.Yield):
            frame.yields.append((presence, value))
        else:
            items, _ = elements(machine, value, origin)
            frame.yields += [(presence | item.presence, item.value) for item in items]
    return Unknown("sent into a generator", origin)


def _subscript(machine: Machine, node: ast.expr, scope: Scope) -> Value:
    assert isinstance(node, ast.Subscript)
    origin = machine.origin(node, scope)
    base = machine.evaluate(node.value, scope)
    if isinstance(base, External) and base.qualified == "sys.modules":
        machine.distrust_all("`sys.modules` reaches everything", origin)
    if isinstance(base, External | Class | Generic):
        slices = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        return Generic(base, tuple(machine.evaluate(s, scope) for s in slices), origin)
    if isinstance(node.slice, ast.Slice):
        return machine.for_each(base, lambda v: _sliced(machine, v, node, scope), origin)
    key = machine.evaluate(node.slice, scope)

    def pick(container: Value) -> Value:
        return machine.for_each(key, lambda k: _element(machine, container, k, origin), origin)

    return machine.for_each(base, pick, origin)


def _element(machine: Machine, container: Value, key: Value, origin: Origin) -> Value:
    result = dunders.invoke(machine, container, "__getitem__", (key,), origin)
    return containers.element(machine, container, key) if result is None else result


def _sliced(machine: Machine, value: Value, node: ast.Subscript, scope: Scope) -> Value:
    assert isinstance(node.slice, ast.Slice)
    bounds: list[int | None] = []
    for part in (node.slice.lower, node.slice.upper, node.slice.step):
        bound = machine.evaluate(part, scope) if part is not None else None
        if bound is not None and not (isinstance(bound, Const) and isinstance(bound.value, int)):
            return Unknown("a slice with unknown bounds", machine.origin(node, scope))
        bounds.append(bound.value if isinstance(bound, Const) else None)  # type: ignore[arg-type]
    where = slice(*bounds)
    origin = machine.origin(node, scope)
    try:
        if isinstance(value, Sequence) and value.rest is None:
            if not any(item.presence for item in value.items):
                return Sequence(value.kind, value.items[where], origin)
        if isinstance(value, Const) and isinstance(value.value, str):
            return Const(value.value[where], origin)
    except ValueError:
        pass
    return Unknown("a slice of something unknown", origin)


def _starred(machine: Machine, node: ast.expr, scope: Scope) -> Value:
    assert isinstance(node, ast.Starred)
    return Unknown("an unpacked value", machine.origin(node, scope))


HANDLERS: dict[type[ast.expr], Callable[[Machine, ast.expr, Scope], Value]] = {
    ast.Constant: _constant,
    ast.Name: _name,
    ast.Attribute: _attribute,
    ast.List: _sequence,
    ast.Tuple: _sequence,
    ast.Set: _sequence,
    ast.Dict: _mapping,
    ast.JoinedStr: _joined,
    ast.BinOp: _binary,
    ast.UnaryOp: _unary,
    ast.BoolOp: _boolean,
    ast.Compare: _compare,
    ast.IfExp: _conditional,
    ast.Lambda: _lambda,
    ast.NamedExpr: _walrus,
    ast.Await: _await,
    ast.Yield: _yield,
    ast.YieldFrom: _yield,
    ast.ListComp: comprehension,
    ast.SetComp: comprehension,
    ast.GeneratorExp: comprehension,
    ast.DictComp: comprehension,
    ast.Subscript: _subscript,
    ast.Starred: _starred,
    ast.Call: evaluate_call,
}
