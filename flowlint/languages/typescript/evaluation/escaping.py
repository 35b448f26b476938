"""Values that get out of sight: from there on anything may be done to them."""

from __future__ import annotations

from flowlint.languages.typescript.evaluation.containers import is_declared
from flowlint.languages.typescript.evaluation.machine import Machine, package_of
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
    Unknown,
    Value,
)

MAX_NESTING = 3
"""Containers within containers that are searched."""

READING_ONLY = frozenset(
    {
        "debug", "describe", "entries", "equal", "error", "expect", "info", "invoke", "it",
        "keys", "log", "stream", "stringify", "test", "values", "warn", "write",
    }
)  # fmt: skip
"""Functions that read what they are given and keep it as it is, by the last part of the name."""

READING_PACKAGES = frozenset(
    {
        "Array", "BigInt", "Boolean", "Date", "Error", "Intl", "JSON", "Math", "Number", "Promise",
        "RegExp", "String", "Symbol", "TypeError", "assert", "chai", "console", "crypto", "fs",
        "isFinite", "isNaN", "node:assert", "node:fs", "node:path", "node:process", "node:test",
        "node:url", "node:util", "os", "parseFloat", "parseInt", "path", "performance", "process",
        "structuredClone", "url", "util", "vitest", "zod", "@jest/globals", "@langchain/core",
        "@langchain/openai", "@langchain/anthropic", "langchain", "setTimeout", "setInterval",
        "queueMicrotask",
    }
)  # fmt: skip
"""Packages and globals whose functions do not change what they are given."""


def escape(machine: Machine, arguments: Arguments, how: str, callee: str = "") -> None:
    """Note that what the arguments lead to is out of sight from here on.

    `callee` is the name of what is called: where that only reads, containers stay known.
    """
    for item in arguments.items:
        escape_value(machine, item.value, how, arguments.origin, callee)


def escape_value(
    machine: Machine, value: Value, how: str, origin: Origin, callee: str = ""
) -> None:
    """Note that a value, and what it leads to, is out of sight from here on."""
    reads = callee.rsplit(".", 1)[-1] in READING_ONLY
    reads = reads or (bool(callee) and package_of(callee) in READING_PACKAGES)
    _escape(value, how, origin, None if reads else machine, 0, set())


def escape_open(built: Built, origin: Origin) -> None:
    """Note that an object may have been changed unless it is finished."""
    if not any(operation.method in built.model.products for operation in built.operations):
        built.escapes.append(("the code is too large to follow", origin))


def _escape(
    value: Value,
    how: str,
    origin: Origin,
    machine: Machine | None,
    depth: int,
    seen: set[int],
) -> None:
    """`machine` None: what is given is only read."""
    if isinstance(value, Built) and not is_declared(value):
        if machine is not None and value.model.fluent:
            value.escapes.append((how, origin))
        return
    if depth > MAX_NESTING or id(value) in seen:
        return
    seen.add(id(value))
    inner: list[Value] = []
    if isinstance(value, Method):
        inner = [value.receiver]
    elif isinstance(value, Partial):
        inner = [value.target, *value.arguments]
    elif isinstance(value, Function) and machine is not None:
        inner = list(value.reader.changes())
        inner += [value.receiver] if isinstance(value.receiver, Instance) else []
    elif isinstance(value, Choice):
        inner = [single for _, single in value.alternatives]
    elif isinstance(value, Instance):
        inner = list(value.attributes.values())
    elif isinstance(value, Sequence):
        inner = [item.value for item in value.items]
    elif isinstance(value, Mapped):
        inner = [entry.value for entry in value.entries]
    for one in inner:
        _escape(one, how, origin, machine, depth + 1, seen)
    if isinstance(value, Sequence | Mapped) and machine is not None:
        disturb(machine, value, how, origin)


def disturb(machine: Machine, container: Sequence | Mapped, how: str, origin: Origin) -> None:
    """Unseen code may have filled, emptied or reordered a container: nothing in it is certain.

    A literal that is written into the call itself is nobody else's.
    """
    if container.disturbed or _is_inside(container.origin, origin):
        return
    container.disturbed = True
    if container.rest is None:
        container.rest = Unknown(f"it is {how}", container.origin, f"#{container.serial}")
    label = machine.literal(("disturbed", container.serial), "it is left as it was")
    parts = container.items if isinstance(container, Sequence) else container.entries
    for part in parts:
        part.presence |= {(label, True)}


def _is_inside(inner: Origin, outer: Origin) -> bool:
    from flowlint.languages.typescript.reading.module import Place

    if not isinstance(inner, Place) or not isinstance(outer, Place):
        return False
    return inner.module is outer.module and outer.start <= inner.start and inner.end <= outer.end
