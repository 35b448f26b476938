"""Values that get out of sight: from there on anything may be done to them."""

from __future__ import annotations

from flowlint.languages.typescript.evaluation.containers import is_declared
from flowlint.languages.typescript.evaluation.followed import package_of
from flowlint.languages.typescript.evaluation.machine import Machine
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
    _Escape(machine, how, origin, reads=reads).enter(value, 0)


def escape_open(built: Built, origin: Origin) -> None:
    """Note that an object may have been changed unless it is finished, or whole as it is made."""
    if built.model.fluent and not any(
        operation.method in built.model.products for operation in built.operations
    ):
        built.escapes.append(("the code is too large to follow", origin))


class _Escape:
    """One way out of sight; `reads`: what is given is only read, but callbacks are called."""

    def __init__(self, machine: Machine, how: str, origin: Origin, *, reads: bool) -> None:
        self.machine = machine
        self.how = how
        self.origin = origin
        self.reads = reads
        self.seen: set[int] = set()

    def enter(self, value: Value, depth: int) -> None:
        """Note that a value, and what it leads to, is out of sight."""
        if isinstance(value, Built) and not is_declared(value):
            if not self.reads and value.model.fluent:
                value.escapes.append((self.how, self.origin))
            return
        if depth > MAX_NESTING or id(value) in self.seen:
            return
        self.seen.add(id(value))
        for one in self._inside(value):
            self.enter(one, depth + 1)
        if isinstance(value, Sequence | Mapped) and not self.reads:
            disturb(self.machine, value, self.how, self.origin)
        elif isinstance(value, Function):
            called = _Escape(self.machine, self.how, self.origin, reads=False)
            for one in value.reader.changes():
                called.enter(one, depth + 1)

    def _inside(self, value: Value) -> list[Value]:
        if isinstance(value, Method):
            return [value.receiver]
        if isinstance(value, Partial):
            return [value.target, *value.arguments]
        if isinstance(value, Function) and not self.reads:
            return [value.receiver] if isinstance(value.receiver, Instance) else []
        if isinstance(value, Choice):
            return [single for _, single in value.alternatives]
        if isinstance(value, Instance):
            return list(value.attributes.values())
        if isinstance(value, Sequence):
            return [item.value for item in value.items]
        if isinstance(value, Mapped):
            return [entry.value for entry in value.entries]
        return []


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
