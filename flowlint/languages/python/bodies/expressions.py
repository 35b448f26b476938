"""Expressions in a body: every value that they may have."""

from __future__ import annotations

import ast
from collections.abc import Callable

from flowlint.languages.bodies.given import joined, sought, truth
from flowlint.languages.bodies.names import Names
from flowlint.languages.bodies.tables import spread, with_key
from flowlint.languages.python.bodies import calls, puts, tests
from flowlint.languages.python.bodies.frame import Frame
from flowlint.languages.python.nodes import children
from flowlint.values.bodies import (
    Given,
    Givens,
    Opaque,
    Parameter,
    Plain,
    Row,
    Table,
    Thing,
)

Handler = Callable[[Frame, ast.expr, Names], Givens]


def evaluate(frame: Frame, node: ast.expr, names: Names) -> Givens:
    """Every value of an expression. Raises TooLongError past the limits."""
    frame.step()
    handler = _HANDLERS.get(type(node))
    if handler is not None:
        return handler(frame, node, names)
    _visit(frame, node, names)
    return frame.opaque("an expression that is not followed", node)


def _visit(frame: Frame, node: ast.AST, names: Names) -> None:
    """Look at the parts of an expression for what they read."""
    for child in children(node):
        if isinstance(child, ast.expr):
            frame.leak(evaluate(frame, child, names))
        elif isinstance(child, ast.keyword | ast.comprehension):
            _visit(frame, child, names)


def _constant(frame: Frame, node: ast.expr, _: Names) -> Givens:
    assert isinstance(node, ast.Constant)
    value = node.value
    if value is Ellipsis:
        return frame.opaque("`...`", node)
    return (Plain(value, frame.span(node)),)


def _name(frame: Frame, node: ast.expr, names: Names) -> Givens:
    assert isinstance(node, ast.Name)
    found = names.get(node.id)
    if found is not None:
        return tuple(_here(given, frame, node) for given in found)
    value = frame.look_up(node.id)
    if value is None:
        return frame.opaque(f"`{node.id}` is not known", node)
    return frame.of_value(value, node)


def _here(given: Given, frame: Frame, node: ast.AST) -> Given:
    """A parameter is told where it is used; constants and containers where they were written."""
    return Parameter(given.number, frame.span(node)) if isinstance(given, Parameter) else given


def _attribute(frame: Frame, node: ast.expr, names: Names) -> Givens:
    assert isinstance(node, ast.Attribute)
    found = [_member(frame, owner, node) for owner in evaluate(frame, node.value, names)]
    return joined(*found)


def _member(frame: Frame, owner: Given, node: ast.Attribute) -> Givens:
    if isinstance(owner, Parameter):
        frame.reads(owner.number, node.attr, node, "dot")
        return frame.opaque(f"`{node.attr}` of what it is given", node, node.attr)
    if isinstance(owner, Thing):
        value = frame.work.machine.attribute(owner.value, node.attr, frame.origin(node))  # type: ignore[arg-type]
        return frame.of_value(value, node)
    if isinstance(owner, Plain) and owner.member is not None and node.attr in ("value", "name"):
        own = owner.value if node.attr == "value" else owner.member.rsplit(".", 1)[-1]
        return (Plain(own, owner.span),)
    return frame.opaque("an attribute", node)


def _subscript(frame: Frame, node: ast.expr, names: Names) -> Givens:
    assert isinstance(node, ast.Subscript)
    owners = evaluate(frame, node.value, names)
    index = evaluate(frame, node.slice, names)
    return joined(*(_element(frame, owner, index, node) for owner in owners))


def _element(frame: Frame, owner: Given, index: Givens, node: ast.Subscript) -> Givens:
    plain = index[0] if len(index) == 1 and isinstance(index[0], Plain) else None
    key = sought(index) or (plain.value if plain is not None else None)
    if isinstance(owner, Parameter):
        if isinstance(key, str):
            frame.reads(owner.number, key, node, "item")
            return frame.opaque(f"`{key}` of what it is given", node, key)
        frame.work.leaks.add(owner.number)
    if isinstance(owner, Table):
        if isinstance(key, str):
            held = next((entry for entry in reversed(owner.keys) if entry.name == key), None)
            if held is not None:
                unsure = frame.opaque(f"`{key}` of a mapping", node) if owner.more else ()
                return joined(held.values, unsure)
            return frame.opaque(f"`{key}` of a mapping", node)
        if not owner.more and owner.whole is None and owner.keys:
            return joined(*(entry.values for entry in owner.keys))
    if isinstance(owner, Row) and not owner.more and not owner.repeated:
        if isinstance(key, int) and -len(owner.items) <= key < len(owner.items):
            return owner.items[key]
        if not isinstance(node.slice, ast.Slice) and owner.items:
            return joined(*owner.items)
    return frame.opaque("an element", node)


def _conditional(frame: Frame, node: ast.expr, names: Names) -> Givens:
    assert isinstance(node, ast.IfExp)
    holds, fails = tests.part(frame, node.test, names)
    found: list[Givens] = []
    for way, branch in ((holds, node.body), (fails, node.orelse)):
        if way is not None:
            found.append(evaluate(frame, branch, way))
    return joined(*found)


def _boolean(frame: Frame, node: ast.expr, names: Names) -> Givens:
    assert isinstance(node, ast.BoolOp)
    stops = isinstance(node.op, ast.Or)
    found: list[Givens] = []
    for value in node.values[:-1]:
        givens = evaluate(frame, value, names)
        found.append(tuple(given for given in givens if truth(given) is not (not stops)))
        if givens and all(truth(given) is stops for given in givens):
            return joined(*found)
    return joined(*found, evaluate(frame, node.values[-1], names))


def _awaited(frame: Frame, node: ast.expr, names: Names) -> Givens:
    assert isinstance(node, ast.Await)
    return evaluate(frame, node.value, names)


def _named(frame: Frame, node: ast.expr, names: Names) -> Givens:
    assert isinstance(node, ast.NamedExpr)
    givens = evaluate(frame, node.value, names)
    names[node.target.id] = givens
    return givens


def _dict(frame: Frame, node: ast.expr, names: Names) -> Givens:
    assert isinstance(node, ast.Dict)
    table = Table((), frame.span(node), identity=frame.work.number())
    for key, value in zip(node.keys, node.values, strict=True):
        if key is None:
            table = spread(table, evaluate(frame, value, names), frame.span(node))
            continue
        givens = frame.beside(value, names)
        written = evaluate(frame, key, names)
        table = with_key(table, written, givens, frame.span(key))
    return (table,)


def _row(frame: Frame, node: ast.expr, names: Names) -> Givens:
    assert isinstance(node, ast.List | ast.Tuple | ast.Set)
    kind = type(node).__name__.lower()
    items: list[Givens] = []
    more = repeated = False
    for element in node.elts:
        if not isinstance(element, ast.Starred):
            items.append(evaluate(frame, element, names))
            continue
        inner = evaluate(frame, element.value, names)
        if len(inner) == 1 and isinstance(inner[0], Row):
            items += inner[0].items
            more, repeated = more or inner[0].more, repeated or inner[0].repeated
        else:
            frame.leak(inner)
            more = True
    number = frame.work.number()
    return (Row(kind, tuple(items), frame.span(node), more, repeated, number),)


def _comprehension(frame: Frame, node: ast.expr, names: Names) -> Givens:
    assert isinstance(node, ast.ListComp | ast.SetComp | ast.GeneratorExp)
    inner = generated(frame, node.generators, names)
    element = evaluate(frame, node.elt, inner)
    number = frame.work.number()
    return (Row("list", (element,), frame.span(node), False, True, number),)


def generated(frame: Frame, generators: list[ast.comprehension], names: Names) -> Names:
    """The names inside a comprehension."""
    inner = dict(names)
    for generator in generators:
        elements = each(frame, evaluate(frame, generator.iter, inner), generator.iter)
        bind(frame, generator.target, elements, inner)
        for test in generator.ifs:
            holds, _ = tests.part(frame, test, inner)
            inner = holds if holds is not None else inner
    return inner


def each(frame: Frame, givens: Givens, node: ast.AST) -> Givens:
    """The values that going through something gives, one after the other."""
    found: list[Givens] = []
    for given in givens:
        if isinstance(given, Row) and not given.more:
            found += given.items
        elif isinstance(given, Table) and not given.more and given.whole is None:
            found.append(tuple(key.member or Plain(key.name, key.span) for key in given.keys))
        else:
            frame.leak((given,))
            read = given.read if isinstance(given, Opaque) else None
            found.append(frame.opaque("an element of what it goes through", node, read))
    return joined(*found)


def bind(frame: Frame, target: ast.expr, givens: Givens, names: Names) -> None:
    """Give a target values: a name, several, an element or an attribute."""
    if isinstance(target, ast.Name):
        if target.id not in frame.outside:
            names[target.id] = givens
    elif isinstance(target, ast.Starred):
        bind(frame, target.value, frame.opaque("the rest of a list", target), names)
    elif isinstance(target, ast.Tuple | ast.List):
        for number, element in enumerate(target.elts):
            bind(frame, element, _part(frame, givens, number, len(target.elts), element), names)
    elif isinstance(target, ast.Subscript):
        calls.write_element(frame, target, givens, names)
    elif isinstance(target, ast.Attribute):
        for owner in evaluate(frame, target.value, names):
            if isinstance(owner, Parameter):
                puts.put(frame, owner, (Plain(target.attr, frame.span(target)),), target)


def _part(frame: Frame, givens: Givens, number: int, count: int, node: ast.AST) -> Givens:
    """One of the values that something is taken apart into."""
    found: list[Givens] = []
    for given in givens:
        if isinstance(given, Row) and not (given.more or given.repeated):
            if len(given.items) == count:
                found.append(given.items[number])
                continue
        found.append(frame.opaque("a part of a value", node))
    return joined(*found)


def _dict_comprehension(frame: Frame, node: ast.expr, names: Names) -> Givens:
    assert isinstance(node, ast.DictComp)
    inner = generated(frame, node.generators, names)
    evaluate(frame, node.key, inner)
    frame.leak(evaluate(frame, node.value, inner))
    return (Table((), frame.span(node), more=True, identity=frame.work.number()),)


def _comparison(frame: Frame, node: ast.expr, names: Names) -> Givens:
    assert isinstance(node, ast.Compare)
    operands = [evaluate(frame, operand, names) for operand in (node.left, *node.comparators)]
    for op, left, right in zip(node.ops, operands, operands[1:], strict=False):
        if isinstance(op, ast.In | ast.NotIn):
            tests.asked(frame, left, right, node)
    return frame.either(node)


def _unary(frame: Frame, node: ast.expr, names: Names) -> Givens:
    assert isinstance(node, ast.UnaryOp)
    givens = evaluate(frame, node.operand, names)
    if isinstance(node.op, ast.Not):
        return frame.either(node)
    if isinstance(node.op, ast.USub) and len(givens) == 1 and isinstance(givens[0], Plain):
        value = givens[0].value
        if isinstance(value, int | float):
            return (Plain(-value, frame.span(node)),)
    return frame.opaque("a computed value", node)


def _binary(frame: Frame, node: ast.expr, names: Names) -> Givens:
    assert isinstance(node, ast.BinOp)
    left, right = evaluate(frame, node.left, names), evaluate(frame, node.right, names)
    if isinstance(node.op, ast.BitOr) and len(left) == 1 and isinstance(left[0], Table):
        base = Table(left[0].keys, left[0].span, left[0].more, left[0].whole, frame.work.number())
        return (spread(base, right, frame.span(node)),)
    if isinstance(node.op, ast.BitOr) and len(left) == 1 and isinstance(left[0], Parameter):
        base = Table((), frame.span(node), identity=frame.work.number())
        return (spread(spread(base, left, frame.span(node)), right, frame.span(node)),)
    if isinstance(node.op, ast.Add) and len(left) == len(right) == 1:
        one, other = left[0], right[0]
        if isinstance(one, Row) and isinstance(other, Row):
            return (
                Row(
                    one.kind,
                    (*one.items, *other.items),
                    one.span,
                    one.more or other.more,
                    one.repeated or other.repeated,
                    frame.work.number(),
                ),
            )
        if isinstance(one, Plain) and isinstance(other, Plain):
            if isinstance(one.value, str) and isinstance(other.value, str):
                return (Plain(one.value + other.value, frame.span(node)),)
    frame.leak(left)
    frame.leak(right)
    return frame.opaque("a computed value", node)


def _text(frame: Frame, node: ast.expr, names: Names) -> Givens:
    assert isinstance(node, ast.JoinedStr)
    parts: list[str] | None = []
    for value in node.values:
        inner = value.value if isinstance(value, ast.FormattedValue) else value
        givens = evaluate(frame, inner, names)
        # How a member of an enumeration is printed is another matter.
        is_plain = len(givens) == 1 and isinstance(givens[0], Plain) and not givens[0].member
        if isinstance(value, ast.FormattedValue) and (value.format_spec or value.conversion != -1):
            is_plain = False
        if parts is not None and is_plain:
            parts.append(str(givens[0].value))  # type: ignore[union-attr]
        else:
            parts = None
    if parts is None:
        return frame.opaque("a text that is built when it runs", node)
    return (Plain("".join(parts), frame.span(node)),)


def _unfollowed(frame: Frame, node: ast.expr, _: Names) -> Givens:
    return frame.opaque("a function made on the spot", node)


_HANDLERS: dict[type[ast.expr], Handler] = {
    ast.Attribute: _attribute,
    ast.Await: _awaited,
    ast.BinOp: _binary,
    ast.BoolOp: _boolean,
    ast.Call: calls.call,
    ast.Compare: _comparison,
    ast.Constant: _constant,
    ast.Dict: _dict,
    ast.DictComp: _dict_comprehension,
    ast.GeneratorExp: _comprehension,
    ast.IfExp: _conditional,
    ast.JoinedStr: _text,
    ast.Lambda: _unfollowed,
    ast.List: _row,
    ast.ListComp: _comprehension,
    ast.Name: _name,
    ast.NamedExpr: _named,
    ast.Set: _row,
    ast.SetComp: _comprehension,
    ast.Subscript: _subscript,
    ast.Tuple: _row,
    ast.UnaryOp: _unary,
}
