"""Values that get out of sight: from there on anything may be done to them."""

from __future__ import annotations

from flowlint.languages.python.evaluation.holdings import owner_of
from flowlint.languages.python.evaluation.machine import Machine
from flowlint.languages.python.evaluation.openness import disturb
from flowlint.values.model import (
    Arguments,
    Built,
    Choice,
    Function,
    Instance,
    Mapped,
    Method,
    Origin,
    Partial,
    Sequence,
    Value,
)

MAX_NESTING = 3
"""Containers within containers that are searched."""

READING_ONLY = frozenset(
    {
        "bind_tools", "critical", "debug", "dumps", "error", "exception", "format", "info",
        "invoke", "ainvoke", "join", "len", "log", "print", "repr", "str", "stream", "astream",
        "type",
        "warning", "with_config", "with_structured_output", "write", "from_messages", "dump",
        "isinstance", "issubclass", "getLogger", "Field", "field", "ToolNode", "HumanMessage",
        "SystemMessage", "AIMessage", "batch", "abatch", "run",
    }
)  # fmt: skip
"""Functions that read what they are given and keep it as it is, by the last part of the name."""

READING_MODULES = frozenset(
    {
        "asyncio", "datetime", "hashlib", "inspect", "json", "langchain", "langchain_core",
        "langchain_openai", "langgraph", "langsmith", "logging", "math", "os", "pathlib", "pprint",
        "pydantic", "pytest", "re", "rich", "statistics", "string", "structlog", "sys", "textwrap",
        "time", "typing", "typing_extensions", "uuid", "warnings", "yaml",
    }
)  # fmt: skip
"""Modules whose functions do not change the containers they are given."""


def escape(
    arguments: Arguments, how: str, machine: Machine | None = None, callee: str = ""
) -> None:
    """Note that what the arguments lead to is out of sight from here on.

    `callee` is the name of what is called: where that only reads, containers stay known.
    """
    for item in arguments.items:
        escape_value(item.value, how, arguments.origin, machine, callee)


def escape_value(
    value: Value, how: str, origin: Origin, machine: Machine | None, callee: str = ""
) -> None:
    """Note that a value, and what it leads to, is out of sight from here on."""
    reads = callee.rsplit(".", 1)[-1] in READING_ONLY
    reads = reads or ("." in callee and callee.split(".", 1)[0] in READING_MODULES)
    _escape(value, how, origin, None if reads else machine, 0, set())


def escape_reach(function: Function, how: str, origin: Origin) -> None:
    """Note that what a function can reach by itself is out of sight."""
    for value in function.reader.mentions():
        if isinstance(value, Built | Sequence | Mapped):
            _escape(value, how, origin, None, 0, set())
    if isinstance(function.receiver, Instance):
        for value in function.receiver.attributes.values():
            _escape(value, how, origin, None, 0, set())


def escape_open(built: Built, origin: Origin) -> None:
    """Note that an object may have been changed unless it is finished."""
    if not any(operation.method in built.model.products for operation in built.operations):
        built.escapes.append(("the code is too large to follow", origin))


_LEADING = (Choice, Function, Instance, Mapped, Method, Partial, Sequence)
"""Values that lead to others."""


def _escape(
    value: Value,
    how: str,
    origin: Origin,
    machine: Machine | None,
    depth: int,
    seen: set[int],
) -> None:
    """`machine` None: the containers themselves are only read."""
    if isinstance(value, Built):
        value.escapes.append((how, origin))
        return
    if not isinstance(value, _LEADING) or depth > MAX_NESTING or id(value) in seen:
        return
    seen.add(id(value))
    if isinstance(value, Method) and machine is None and owner_of(value) is not None:
        return
    if isinstance(value, Method):
        _escape(value.receiver, how, origin, machine, depth + 1, seen)
    elif isinstance(value, Partial):
        for inner in (value.target, *value.arguments, *value.keywords.values()):
            _escape(inner, how, origin, machine, depth + 1, seen)
    elif isinstance(value, Function):
        if machine is not None:
            _escape_closure(value, how, origin, machine, depth, seen)
    elif isinstance(value, Choice):
        for _, single in value.alternatives:
            _escape(single, how, origin, machine, depth + 1, seen)
    elif isinstance(value, Instance):
        for inner in list(value.attributes.values()):
            _escape(inner, how, origin, machine, depth + 1, seen)
    elif isinstance(value, Sequence | Mapped):
        for inner in _inside(value):
            _escape(inner, how, origin, machine, depth + 1, seen)
        if machine is not None:
            disturb(machine, value, how)


def _inside(value: Sequence | Mapped) -> list[Value]:
    if isinstance(value, Sequence):
        return [item.value for item in value.items]
    return [entry.value for entry in value.entries]


def _escape_closure(
    function: Function, how: str, origin: Origin, machine: Machine, depth: int, seen: set[int]
) -> None:
    """What a function changes may be changed whenever unseen code calls it."""
    if function.receiver is not None:
        _escape(function.receiver, how, origin, machine, depth + 1, seen)
    for value in function.reader.changes():
        _escape(value, how, origin, machine, depth + 1, seen)
