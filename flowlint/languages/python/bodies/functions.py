"""Calls of functions of the project: read with what they are given, and told once."""

from __future__ import annotations

import ast
from dataclasses import replace

from flowlint.languages.bodies.given import joined
from flowlint.languages.bodies.names import Names, change
from flowlint.languages.python.bodies.frame import MAX_CALLS, Frame
from flowlint.languages.python.evaluation.scopes import FunctionDefinition
from flowlint.values.bodies import Givens, Opaque, Parameter, Plain, Thing
from flowlint.values.model import Function, Value


def follow(frame: Frame, function: Function, node: ast.Call, names: Names) -> Givens:
    """What a function of the project returns, read with these arguments."""
    definition = function.definition
    is_open = function.decorators or frame.depth >= MAX_CALLS or not frame.wanted
    if is_open or not isinstance(definition, FunctionDefinition) or _runs(frame, definition):
        frame.leak(every_argument(frame, node, names))
        return frame.opaque(f"what `{function.name}` gives", node)
    inner = Frame(frame.work, definition, function.receiver, frame.depth + 1, frame)
    given = begin(inner)
    if not _bind(frame, node, names, inner, given):
        frame.leak(every_argument(frame, node, names))
        return frame.opaque(f"what `{function.name}` gives", node)
    key = _call_key(inner, given)
    if key is None:
        return frame.work.read(inner, given)
    found = frame.work.called.get(key)
    if found is None:
        found = frame.work.read(inner, given)
        # Two calls never give the same container.
        if all(isinstance(one, Plain | Opaque | Thing) for one in found):
            frame.work.called[key] = found
    return found


def _runs(frame: Frame, definition: FunctionDefinition) -> bool:
    """Whether a function is being read: what it gives to itself tells nothing new."""
    around: Frame | None = frame
    while around is not None:
        if around.definition.node is definition.node:
            return True
        around = around.caller
    return False


def _call_key(frame: Frame, given: Names) -> object:
    """What is the same for calls that do the same, None where that is not plain."""
    arguments: list[object] = []
    for name, held in given.items():
        for one in held:
            if isinstance(one, Plain):
                arguments.append((name, one.enum, one.member, type(one.value), one.value))
            elif isinstance(one, Parameter):
                arguments.append((name, one.number))
            elif isinstance(one, Opaque):
                arguments.append((name, one.read))
            elif isinstance(one, Thing):
                arguments.append((name, id(one.value)))
            else:
                return None
    definition, tried = frame.definition, bool(frame.work.tried)
    receiver = getattr(frame.receiver, "serial", None)
    return definition.node, definition.scope, receiver, tried, tuple(arguments)


def parameters(definition: FunctionDefinition, receiver: Value | None) -> list[str]:
    """The names of the parameters that can be given by position, the receiver not counted."""
    args = definition.node.args
    found = [arg.arg for arg in (*args.posonlyargs, *args.args)]
    if receiver is not None:
        return found[1:]
    is_method = definition.owner is not None and definition.flavour != "static"
    return found[1:] if is_method and found[:1] in (["self"], ["cls"]) else found


def begin(frame: Frame) -> Names:
    """The names a function begins with, none of its arguments given: defaults, or nothing known."""
    definition = frame.definition
    args = definition.node.args
    names: Names = {}
    every = [*args.posonlyargs, *args.args, *args.kwonlyargs]
    every += [arg for arg in (args.vararg, args.kwarg) if arg is not None]
    for arg in every:
        default = definition.defaults.get(arg.arg)
        if default is not None:
            names[arg.arg] = frame.of_value(default, arg)
        else:
            names[arg.arg] = frame.opaque(f"the argument `{arg.arg}`", arg)
    if frame.receiver is not None and every:
        names[every[0].arg] = (Thing(frame.receiver, frame.span(every[0])),)
    return names


def _bind(frame: Frame, node: ast.Call, names: Names, inner: Frame, given: Names) -> bool:
    """Give a function its arguments; false when they cannot be told apart."""
    if any(isinstance(argument, ast.Starred) for argument in node.args):
        return False
    places = parameters(inner.definition, inner.receiver)
    if len(node.args) > len(places):
        return False
    values: Names = {}
    for name, argument in zip(places, node.args, strict=False):
        values[name] = frame.evaluate(argument, names)
    for keyword in node.keywords:
        if keyword.arg is None or keyword.arg not in given:
            return False
        values[keyword.arg] = frame.evaluate(keyword.value, names)
    for name, held in values.items():
        given[name] = held
        for single in held:
            # What a function does to a container it is given is not followed back.
            change(names, single, lambda container: replace(container, more=True))
    return True


def every_argument(frame: Frame, node: ast.Call, names: Names) -> Givens:
    """The values of all arguments together; containers among them may be changed from now on."""
    values = [argument.value if isinstance(argument, ast.Starred) else argument
              for argument in node.args]  # fmt: skip
    values += [keyword.value for keyword in node.keywords]
    found = joined(*(frame.evaluate(value, names) for value in values))
    for given in found:
        change(names, given, lambda held: replace(held, more=True))
    return found
