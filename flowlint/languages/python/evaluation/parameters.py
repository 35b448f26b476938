"""Parameters of functions and the arguments they take."""

from __future__ import annotations

from flowlint.languages.python.evaluation.machine import Machine
from flowlint.languages.python.evaluation.scopes import FunctionDefinition, Scope
from flowlint.values.model import (
    Argument,
    Arguments,
    Const,
    Entry,
    Item,
    Mapped,
    Sequence,
    Unknown,
    Value,
)


def bind_parameters(
    machine: Machine,
    definition: FunctionDefinition,
    receiver: Value | None,
    arguments: Arguments,
    inner: Scope,
) -> None:
    """Give the parameters of a function what a call passes, or their defaults."""
    args = definition.node.args
    names = [arg.arg for arg in (*args.posonlyargs, *args.args)]
    positional = list(arguments.positional())
    if receiver is not None and definition.flavour != "static":
        positional.insert(0, Argument(receiver))
    bound: dict[str, Value] = {}
    spread = False
    extra: list[Item] = []
    for index, item in enumerate(positional):
        if item.spread:
            spread = True
            break
        if index < len(names):
            bound[names[index]] = item.value
        else:
            extra.append(Item(item.value))
    named: list[Entry] = []
    keywords = {*names, *(arg.arg for arg in args.kwonlyargs)}
    for item in arguments.items:
        if item.name is None:
            spread = spread or item.spread == "**"
        elif item.name in keywords:
            bound.setdefault(item.name, item.value)
        else:
            named.append(Entry(Const(item.name, arguments.origin), item.value))
    for arg in (*args.posonlyargs, *args.args, *args.kwonlyargs):
        value = bound.get(arg.arg)
        if value is None and not spread:
            value = definition.defaults.get(arg.arg)
        if value is None:
            place = arguments.origin
            value = Unknown(f"the argument `{arg.arg}`", place, f"#{machine.fresh()}:{arg.arg}")
        inner.names[arg.arg] = value
    rest = Unknown("more arguments", arguments.origin) if spread else None
    if args.vararg is not None:
        inner.names[args.vararg.arg] = Sequence("tuple", extra, arguments.origin, rest)
    if args.kwarg is not None:
        inner.names[args.kwarg.arg] = Mapped(named, arguments.origin, rest)
