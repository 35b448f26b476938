"""Tells what was done to a builder of LangGraph.js as Python's edition would be told it.

Names of methods and arguments become those of Python, objects of options become arguments with
names, and what adds several things at once becomes several operations. Places stay as they are.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from flowlint.dialects.langgraph.javascript.model import GRAPHS, METHODS
from flowlint.dialects.reading import alternatives, live_entries, text_of
from flowlint.graph.model import ALWAYS, Presence
from flowlint.values.model import (
    Argument,
    Arguments,
    Built,
    Call,
    Choice,
    Const,
    Entry,
    External,
    Function,
    Mapped,
    Operation,
    Sequence,
    Unknown,
    Use,
    Value,
)

NODE_OPTIONS = {
    "ends": "destinations",
    "defer": "defer",
    "input": "input_schema",
    "retryPolicy": "retry_policy",
    "cachePolicy": "cache_policy",
    "errorHandler": "error_handler",
    "timeout": "timeout",
    "metadata": "metadata",
}
COMPILE_OPTIONS = {
    "checkpointer": "checkpointer",
    "interruptBefore": "interrupt_before",
    "interruptAfter": "interrupt_after",
    "name": "name",
    "store": "store",
}
BUILDER_OPTIONS = {"input": "input_schema", "output": "output_schema", "context": "context_schema"}
STATES = ("state", "stateSchema", "input")
"""The keys of an object that says what the state is, in the order in which they are asked."""
RUNNABLES = frozenset(f"@langchain/core/runnables.RunnableLambda{made}" for made in ("", ".from"))
"""What makes a step of a function."""
CHANNELS = "langgraph.js.channels"
"""What a state is told as that is given as `{ channels: … }`."""

USES = {
    "invoke": "invoke",
    "stream": "stream",
    "batch": "batch",
    "streamEvents": "astream_events",
    "withConfig": "with_config",
}
CONFIG_AT = {"invoke": 1, "stream": 1, "batch": 1, "streamEvents": 1, "withConfig": 0}
CONFIG = {"recursionLimit": "recursion_limit", "configurable": "configurable"}
"""What matters of a config, with its names in Python's edition."""

UNKNOWN_OPTIONS = "the options of a node are not known"


def in_python_terms(built: Built) -> Built:
    """A builder of LangGraph.js as one of Python's edition; any other one as it is."""
    if built.model not in GRAPHS:
        return built
    operations = [single for operation in built.operations for single in _operations(operation)]
    return replace(built, arguments=_constructor(built.arguments), operations=operations)


def _operations(operation: Operation) -> Iterator[Operation]:
    method = METHODS.get(operation.method, operation.method)
    arguments = operation.arguments
    if arguments.spread:
        yield replace(operation, method=method)
    elif method == "add_node":
        nodes = list(_nodes(arguments)) or [(ALWAYS, [])]
        for presence, given in nodes:
            yield _single(operation, method, given, presence)
    elif method == "add_sequence":
        yield from _sequence(operation)
    elif method == "add_conditional_edges":
        yield from _conditional(operation)
    elif method == "compile":
        given = _compiled(arguments)
        yield replace(
            operation,
            method=method,
            arguments=Arguments(tuple(given), arguments.origin),
            uses=[(USES.get(name, name), origin) for name, origin in operation.uses],
            calls=[_use(use) for use in operation.calls],
        )
    elif method == "set_node_defaults":
        options = arguments.get("defaults", 0)
        found = _options(options, {"errorHandler": "error_handler"})
        yield _single(operation, method, found)
    else:
        yield replace(operation, method=method)


def _single(
    operation: Operation, method: str, given: Iterable[Argument], presence: Presence = ALWAYS
) -> Operation:
    return replace(
        operation,
        method=method,
        arguments=Arguments(tuple(given), operation.arguments.origin),
        presence=operation.presence | presence,
    )


def _at(arguments: Arguments, position: int) -> Argument | None:
    return arguments.find("", position)


def _nodes(arguments: Arguments) -> Iterator[tuple[Presence, list[Argument]]]:
    """What `addNode` adds: one node, or those of an object or array."""
    first = _at(arguments, 0)
    if first is None:
        yield ALWAYS, []
        return
    value = first.value
    if isinstance(value, Mapped):
        yield from _of_object(value, with_options=False)
    elif isinstance(value, Sequence):
        yield from _of_array(value)
    else:
        action, options = _at(arguments, 1), _at(arguments, 2)
        named = _options(options.value if options is not None else None, NODE_OPTIONS)
        given = [_named(first, "node"), *([_action(action)] if action else [])]
        yield ALWAYS, [*given, *named]


def _action(argument: Argument) -> Argument:
    """What is to run; a `RunnableLambda` runs a function as it is."""
    value, name = argument.value, argument.name or "action"
    if isinstance(value, Call) and value.target in RUNNABLES:
        function = value.arguments.get("", 0)
        if isinstance(function, Mapped):
            found = (e.value for _, e in live_entries(function) if text_of(e.key) == "func")
            function = next(found, None)
        if isinstance(function, Function):
            return replace(argument, value=function, name=name)
    return replace(argument, name=name)


def _of_object(nodes: Mapped, *, with_options: bool) -> Iterator[tuple[Presence, list[Argument]]]:
    for presence, entry in live_entries(nodes):
        place = entry.key.origin
        yield presence, [Argument(entry.key, "node", place=place), Argument(entry.value, "action")]
    if nodes.rest is not None:
        yield ALWAYS, [Argument(nodes.rest, spread="*")]


def _of_array(nodes: Sequence) -> Iterator[tuple[Presence, list[Argument]]]:
    for item in nodes.items:
        parts = item.value
        if not isinstance(parts, Sequence) or parts.rest is not None or len(parts.items) < 2:
            yield item.presence, [Argument(parts, spread="*")]
            continue
        name, action, *more = parts.items
        options = _options(more[0].value if more else None, NODE_OPTIONS)
        yield (
            item.presence,
            [
                Argument(name.value, "node", place=name.place),
                Argument(action.value, "action", place=action.place),
                *options,
            ],
        )
    if nodes.rest is not None:
        yield ALWAYS, [Argument(nodes.rest, spread="*")]


def _sequence(operation: Operation) -> Iterator[Operation]:
    """A sequence as its nodes, each with an edge from the one before."""
    first = _at(operation.arguments, 0)
    value = first.value if first is not None else None
    if isinstance(value, Mapped):
        steps = list(_of_object(value, with_options=False))
    elif isinstance(value, Sequence):
        steps = list(_of_array(value))
    else:
        steps = []
    if not steps:
        kept = [_named(first, "nodes")] if first is not None else []
        yield _single(operation, "add_sequence", kept)
        return
    previous: Argument | None = None
    for presence, given in steps:
        yield _single(operation, "add_node", given, presence)
        if given[0].spread:
            previous = None
            continue
        name = given[0]
        if previous is not None:
            ends = [replace(previous, name="start_key"), replace(name, name="end_key")]
            yield _single(operation, "add_edge", ends, presence)
        previous = name


def _conditional(operation: Operation) -> Iterator[Operation]:
    """Conditional edges, also where all is given as one object."""
    arguments = operation.arguments
    first = _at(arguments, 0)
    if first is not None and isinstance(first.value, Mapped):
        named = {"source": "source", "path": "path", "pathMap": "path_map"}
        given = _options(first.value, named)
    else:
        names = ("source", "path", "path_map")
        several = [(name, _at(arguments, at)) for at, name in enumerate(names)]
        given = [_named(found, name) for name, found in several if found is not None]
    given = [_action(a) if a.name == "path" else a for a in given]
    kept = [a for a in given if a.name != "path_map" or not is_nothing(a.value)]
    yield _single(operation, "add_conditional_edges", kept)


def is_nothing(value: Value) -> bool:
    """Whether a value is `null` or `undefined`."""
    if isinstance(value, Const):
        return value.value is None
    return isinstance(value, External) and value.qualified == "undefined"


def _named(argument: Argument, name: str) -> Argument:
    return replace(argument, name=name)


def _options(value: Value | None, names: Mapping[str, str]) -> list[Argument]:
    """The entries of an object of options as arguments; of one not known, all may be there."""
    if value is None or is_nothing(value):
        return []
    if isinstance(value, Choice):
        return _either(value, names)
    if not isinstance(value, Mapped):
        unknown = Unknown("the options are not known", value.origin)
        return [Argument(unknown, name) for name in dict.fromkeys(names.values())]
    found: dict[str, Argument] = {}
    for presence, entry in live_entries(value):
        name = names.get(str(entry.key.value)) if isinstance(entry.key, Const) else None
        if name is None or is_nothing(entry.value):
            continue
        given = entry.value
        if presence:
            given = Unknown("whether it is given is not known", given.origin)
        found[name] = Argument(given, name, place=entry.value.origin)
    if value.rest is not None:
        for name in names.values():
            found.setdefault(name, Argument(value.rest, name))
    return list(found.values())


def _either(value: Choice, names: Mapping[str, str]) -> list[Argument]:
    """The options of one of several objects: what not all of them say alike is not known."""
    several = [
        {str(a.name): a for a in _options(single, names)} for _, single in alternatives(value)
    ]
    every = dict.fromkeys(name for given in several for name in given)
    return [
        Argument(Unknown("whether it is given is not known", value.origin), name) for name in every
    ]


def _compiled(arguments: Arguments) -> list[Argument]:
    options = _at(arguments, 0)
    return _options(options.value if options is not None else None, COMPILE_OPTIONS)


def _use(use: Use) -> Use:
    """A run of what was compiled, with what matters of its config."""
    position = CONFIG_AT.get(use.method)
    if position is None:
        return use
    items = list(use.arguments.items)
    if position < len(items) and not use.arguments.spread:
        items[position] = replace(items[position], value=_config(items[position].value))
    arguments = Arguments(tuple(items), use.arguments.origin)
    return replace(use, method=USES[use.method], arguments=arguments)


def _config(value: Value) -> Value:
    if is_nothing(value):
        return Const(None, value.origin)
    if not isinstance(value, Mapped):
        return value
    entries = [
        Entry(
            Const(CONFIG[str(entry.key.value)], entry.key.origin),
            entry.value,
            presence,
            entry.place,
        )
        for presence, entry in live_entries(value)
        if isinstance(entry.key, Const) and entry.key.value in CONFIG
    ]
    return replace(value, entries=entries)


def _constructor(arguments: Arguments) -> Arguments:
    """The schemas that a builder is given."""
    first, second = _at(arguments, 0), _at(arguments, 1)
    if first is None or arguments.spread:
        return arguments
    given: list[Argument] = []
    options = second.value if second is not None else None
    if isinstance(options, Mapped):
        given += _options(options, BUILDER_OPTIONS)
    stated = first.value
    if isinstance(stated, Mapped):
        held = {
            str(entry.key.value): (presence, entry)
            for presence, entry in live_entries(stated)
            if isinstance(entry.key, Const)
        }
        state = next(
            (held[key] for key in STATES if key in held and _is_schema(held[key][1])), None
        )
        if state is not None:
            value: Value = state[1].value
            if state[0]:
                value = Unknown("whether it is given is not known", value.origin)
            inner = _options(stated, BUILDER_OPTIONS)
            given = [a for a in given if a.name not in {i.name for i in inner}] + inner
            return _with_state(Argument(value, place=value.origin), given, arguments)
        if "channels" in held:
            channels = held["channels"][1].value
            call = Call(CHANNELS, Arguments((Argument(channels),), stated.origin), stated.origin)
            return _with_state(replace(first, value=call), given, arguments)
    return _with_state(first, given, arguments)


def _with_state(state: Argument, given: list[Argument], arguments: Arguments) -> Arguments:
    return Arguments((_named(state, "state_schema"), *given), arguments.origin)


def _is_schema(entry: Entry) -> bool:
    """Whether an entry of an object may be a schema: keys of a state may be called like that.

    In an object that is the state itself, what is called `input` is a channel: a function.
    """
    value = entry.value
    if isinstance(value, External):
        return not value.qualified.endswith(".Annotation")
    if isinstance(value, Call):
        return not value.target.endswith(".Annotation")
    return not isinstance(value, Function | Const)
