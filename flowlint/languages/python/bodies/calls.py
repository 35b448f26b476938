"""Calls in a body: of methods of what is known, of functions of the project, of anything else."""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import replace

from flowlint.languages.bodies.given import joined, sought
from flowlint.languages.bodies.names import Changing, Container, Names, change, changing
from flowlint.languages.bodies.tables import spread, with_key, without
from flowlint.languages.python.bodies import puts
from flowlint.languages.python.bodies.frame import Frame
from flowlint.languages.python.bodies.functions import every_argument, follow
from flowlint.values.bodies import (
    Given,
    Givens,
    Made,
    Opaque,
    Parameter,
    Plain,
    Row,
    Table,
    Thing,
    Whole,
)
from flowlint.values.model import Class, External, Function, Partial

TRUTHS = frozenset({"all", "any", "bool", "callable", "hasattr", "isinstance", "issubclass"})
READING = frozenset(
    {"float", "id", "int", "len", "max", "min", "print", "repr", "str", "sum", "type"}
)
"""Functions that neither keep nor change what they are given."""
CASTS = frozenset({"typing.cast", "typing_extensions.cast"})
COPYING = frozenset({"list", "sorted", "tuple", "set", "reversed"})


def call(frame: Frame, node: ast.expr, names: Names) -> Givens:
    """Every value that a call may give."""
    assert isinstance(node, ast.Call)
    if frame.wanted:
        return _called(frame, node, names)
    skims, frame.skims = frame.skims, True
    try:
        return _called(frame, node, names)
    finally:
        frame.skims = skims


def _called(frame: Frame, node: ast.Call, names: Names) -> Givens:
    func = node.func
    if isinstance(func, ast.Attribute):
        owners = frame.evaluate(func.value, names)
        act = changing(names, owners, _by(func.value))
        found = [_method(frame, owner, func, node, names, act) for owner in owners]
        return joined(*found)
    if isinstance(func, ast.Name) and func.id not in names and frame.look_up(func.id) is None:
        if frame.is_passed_over(func.id):
            frame.leak(every_argument(frame, node, names))
            return frame.opaque(f"what `{func.id}` gives", node)
        return _built_in(frame, func.id, node, names)
    called = frame.evaluate(func, names)
    return joined(*(_of(frame, given, node, names) for given in called))


def _of(frame: Frame, called: Given, node: ast.Call, names: Names) -> Givens:
    if isinstance(called, Thing):
        value = called.value
        if isinstance(value, Function):
            return follow(frame, value, node, names)
        if isinstance(value, External):
            return _made(frame, value.qualified, node, names)
        if isinstance(value, Class):
            return _made(frame, value.qualified, node, names)
        if isinstance(value, Partial) and isinstance(value.target, Function):
            frame.leak(every_argument(frame, node, names))
            return frame.opaque("what a partial call gives", node)
    frame.leak(every_argument(frame, node, names))
    return frame.opaque("what a call gives that is out of sight", node)


def _made(frame: Frame, qualified: str, node: ast.Call, names: Names) -> Givens:
    """What code outside of the project, or a class, makes of its arguments."""
    if qualified in CASTS and len(node.args) == 2:
        return frame.evaluate(node.args[1], names)
    arguments: dict[str, Givens] = {}
    more = False
    for number, argument in enumerate(node.args):
        if isinstance(argument, ast.Starred):
            more = True
            frame.leak(frame.evaluate(argument.value, names))
        else:
            arguments[str(number)] = frame.evaluate(argument, names)
    for keyword in node.keywords:
        givens = frame.evaluate(keyword.value, names)
        if keyword.arg is not None:
            arguments[keyword.arg] = givens
            continue
        table = givens[0] if len(givens) == 1 else None
        if isinstance(table, Table) and not table.more and table.whole is None:
            arguments.update({key.name: key.values for key in table.keys if key.certain})
            more = more or not all(key.certain for key in table.keys)
        else:
            more = True
            frame.leak(givens)
    for givens in arguments.values():
        frame.leak(givens)
    return (Made(qualified, arguments, frame.span(node), more),)


def _by(node: ast.expr) -> str | None:
    """The name by which something is meant, None where it is meant otherwise."""
    return node.id if isinstance(node, ast.Name) else None


def _method(
    frame: Frame,
    owner: Given,
    func: ast.Attribute,
    node: ast.Call,
    names: Names,
    change: Changing,
) -> Givens:
    name = func.attr
    if isinstance(owner, Parameter):
        return _of_parameter(frame, owner, name, node, names)
    if isinstance(owner, Table):
        return _of_table(frame, owner, name, node, names, change)
    if isinstance(owner, Row):
        return _of_row(frame, owner, name, node, names, change)
    if isinstance(owner, Thing):
        value = frame.work.machine.attribute(owner.value, name, frame.origin(func))  # type: ignore[arg-type]
        return joined(*(_of(frame, given, node, names) for given in frame.of_value(value, func)))
    if isinstance(owner, Plain) and isinstance(owner.value, str):
        if name in ("lower", "upper", "strip") and not node.args and not node.keywords:
            return (Plain(getattr(owner.value, name)(), owner.span),)
        if name in ("startswith", "endswith", "isdigit"):
            frame.leak(every_argument(frame, node, names))
            return frame.either(node)
    frame.leak(every_argument(frame, node, names))
    read = owner.read if isinstance(owner, Opaque) else None
    return frame.opaque(f"what `{name}()` gives", node, read)


def _of_parameter(
    frame: Frame, owner: Parameter, name: str, node: ast.Call, names: Names
) -> Givens:
    if name == "update":
        puts.update(frame, owner, node, names)
        return (Plain(None, frame.span(node)),)
    arguments = [frame.evaluate(argument, names) for argument in node.args]
    if name in puts.TAKING:
        frame.work.changed.add(owner.number)
    elif name in puts.SETTING and arguments:
        puts.put(frame, owner, arguments[0], node)
    key = sought(arguments[0]) if arguments else None
    if name in ("get", "pop", "setdefault") and key is not None:
        is_needed = name == "pop" and len(arguments) == 1
        frame.reads(owner.number, key, node, "item" if is_needed else "get")
        held = frame.opaque(f"`{key}` of what it is given", node, key)
        return joined(held, arguments[1] if len(arguments) > 1 else ())
    if name in ("copy", "model_copy", "dict", "model_dump") and not node.args:
        whole = Whole(owner.number, frame.span(node))
        table = Table((), frame.span(node), whole=whole, identity=frame.work.number())
        for keyword in node.keywords:
            if keyword.arg == "update":
                table = spread(table, frame.evaluate(keyword.value, names), frame.span(node))
        return (table,)
    frame.leak((owner,))
    return frame.opaque(f"what `{name}()` gives", node)


def _of_table(
    frame: Frame, owner: Table, name: str, node: ast.Call, names: Names, change: Changing
) -> Givens:
    arguments = [frame.evaluate(argument, names) for argument in node.args]
    if name == "update":
        keywords = [(k.arg, frame.evaluate(k.value, names)) for k in node.keywords]

        def update(held: Container) -> Given:
            assert isinstance(held, Table)
            for argument in arguments:
                held = spread(held, argument, frame.span(node))
            for key, values in keywords:
                if key is None:
                    held = spread(held, values, frame.span(node))
                else:
                    plain = (Plain(key, frame.span(node)),)
                    held = with_key(held, plain, values, frame.span(node))
            return held

        change(owner, update)
        return (Plain(None, frame.span(node)),)
    key = arguments[0] if arguments else ()
    text = sought(key)
    if name in ("get", "pop", "setdefault"):
        default = arguments[1] if len(arguments) > 1 else (Plain(None, frame.span(node)),)
        found = _looked_up(frame, owner, text, default, node)
        if name == "pop" and text is not None:
            change(owner, _taking_away(text))
        if name == "setdefault":
            put = _putting(frame, key, default, node)
            if not any(held.name == text and held.certain for held in owner.keys):
                change(owner, put)
        return found
    if name == "copy":
        return (replace(owner, identity=frame.work.number()),)
    if name in ("keys", "values", "items"):
        return frame.opaque(f"what `{name}()` gives", node)
    change(owner, lambda held: replace(held, more=True))
    return frame.opaque(f"what `{name}()` gives", node)


def _taking_away(name: str) -> Callable[[Container], Given]:
    def take(held: Container) -> Given:
        return without(held, name) if isinstance(held, Table) else held

    return take


def _putting(
    frame: Frame, key: Givens, values: Givens, node: ast.AST
) -> Callable[[Container], Given]:
    def put(held: Container) -> Given:
        return with_key(held, key, values, frame.span(node)) if isinstance(held, Table) else held

    return put


def _looked_up(
    frame: Frame, owner: Table, text: str | None, default: Givens, node: ast.AST
) -> Givens:
    if text is not None:
        held = next((key for key in owner.keys if key.name == text), None)
        if held is not None and held.certain:
            return held.values
        if held is not None:
            return joined(held.values, default)
        if not owner.more and owner.whole is None:
            return default
        return joined(frame.opaque(f"`{text}` of a mapping", node), default)
    if owner.more or owner.whole is not None:
        return joined(frame.opaque("an element of a mapping", node), default)
    return joined(*(key.values for key in owner.keys), default)


def _of_row(
    frame: Frame, owner: Row, name: str, node: ast.Call, names: Names, change: Changing
) -> Givens:
    arguments = [frame.evaluate(argument, names) for argument in node.args]
    nothing: Givens = (Plain(None, frame.span(node)),)
    if name in ("append", "add", "insert") and arguments:
        added = arguments[-1]
        repeated = bool(frame.loops)

        def append(held: Container) -> Given:
            assert isinstance(held, Row)
            return replace(held, items=(*held.items, added), repeated=held.repeated or repeated)

        change(owner, append)
        return nothing
    if name == "extend" and arguments:
        inner = arguments[0][0] if len(arguments[0]) == 1 else None

        def extend(held: Container) -> Given:
            assert isinstance(held, Row)
            if not isinstance(inner, Row):
                return replace(held, more=True)
            return replace(
                held,
                items=(*held.items, *inner.items),
                more=held.more or inner.more,
                repeated=held.repeated or inner.repeated or bool(frame.loops),
            )

        change(owner, extend)
        return nothing
    if name in ("index", "count"):
        return frame.opaque(f"what `{name}()` gives", node)
    if name == "copy":
        return (replace(owner, identity=frame.work.number()),)
    if name == "pop" and owner.items and not owner.more:
        return joined(*owner.items)
    change(owner, lambda held: replace(held, more=True))
    return frame.opaque(f"what `{name}()` gives", node)


def _built_in(frame: Frame, name: str, node: ast.Call, names: Names) -> Givens:
    if name == "dict":
        table = Table((), frame.span(node), identity=frame.work.number())
        for argument in node.args:
            table = spread(table, frame.evaluate(argument, names), frame.span(node))
        for keyword in node.keywords:
            if keyword.arg is None:
                table = spread(table, frame.evaluate(keyword.value, names), frame.span(node))
            else:
                values = frame.beside(keyword.value, names)
                key = (Plain(keyword.arg, frame.span(keyword)),)
                table = with_key(table, key, values, frame.span(keyword))
        return (table,)
    if name in COPYING and len(node.args) == 1:
        givens = frame.evaluate(node.args[0], names)
        if len(givens) == 1 and isinstance(givens[0], Row):
            return (replace(givens[0], kind=name, identity=frame.work.number()),)
        frame.leak(givens)
        items = (frame.opaque("an element", node),)
        return (Row(name, items, frame.span(node), True, True, frame.work.number()),)
    if name in COPYING and not node.args:
        return (Row(name, (), frame.span(node), identity=frame.work.number()),)
    if name in TRUTHS:
        for argument in node.args:
            frame.evaluate(argument, names)
        return frame.either(node)
    nodes = [a.value if isinstance(a, ast.Starred) else a for a in node.args]
    nodes += [keyword.value for keyword in node.keywords]
    for held in [frame.evaluate(inner, names) for inner in nodes]:
        if name in READING:
            continue
        frame.leak(held)
        for given in held:
            change(names, given, lambda container: replace(container, more=True))
    return frame.opaque(f"what `{name}()` gives", node)


def write_element(frame: Frame, target: ast.Subscript, givens: Givens, names: Names) -> None:
    """What `x[key] = value` does."""
    owners = frame.evaluate(target.value, names)
    key = frame.evaluate(target.slice, names)
    put = _putting(frame, key, givens, target)
    change = changing(names, owners, _by(target.value))
    for owner in owners:
        if isinstance(owner, Table):
            change(owner, put)
        elif isinstance(owner, Row):
            change(owner, lambda held: replace(held, more=True))
        elif isinstance(owner, Parameter):
            puts.put(frame, owner, key, target)
