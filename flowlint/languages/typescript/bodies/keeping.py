"""What was read of a body is kept, as long as all that it rests on is the same.

Only what is plain data is kept, and only of functions that stand right in a module.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from flowlint.languages.bodies.moving import moved
from flowlint.languages.typescript.bodies.grounds import Grounds, grounds_of, stretch_of
from flowlint.languages.typescript.bodies.reader import read_body
from flowlint.languages.typescript.evaluation.scopes import FunctionDefinition, ModuleScope
from flowlint.source import Span
from flowlint.values.bodies import Body, Givens, Made, Row, Table, Thing
from flowlint.values.model import Const, Mapped, Unknown

if TYPE_CHECKING:
    from flowlint.languages.typescript.evaluation.machine import Machine
    from flowlint.values.model import Value

MAX_KEPT = 4_000
"""Functions of which what was read is kept."""

Given = tuple[tuple[str, str], ...]
"""What is known of the arguments that a function already has: their kinds, and why no more is."""

_kept: dict[tuple[str, int, int, Given, int], tuple[Grounds, Body]] = {}
"""By what tells a function from others, and its line; 0: of those alike, the one read last."""


def body_of(
    machine: Machine,
    definition: FunctionDefinition,
    receiver: Value | None,
    given: tuple[Value, ...] = (),
) -> Body:
    """What a function's code tells, read once in an evaluation, or as it was in the last one.

    Arguments that it already has are `given`.
    """
    said = tuple(found for found in map(_said, given) if found is not None)
    if len(said) < len(given):
        return read_body(machine, definition, receiver, given)
    key = (definition.key, id(definition.scope), getattr(receiver, "serial", None), said)
    found = machine.bodies.get(key)
    if found is None:
        found = _kept_or_read(machine, definition, receiver, given, said)
        machine.bodies[key] = found
    return found


def _said(value: Value) -> tuple[str, str] | None:
    """What is known of an argument; None for what is not kept."""
    match value:
        case Unknown():
            return type(value).__name__, value.reason
        case Const():
            return type(value.value).__name__, repr(value.value)
        case Mapped(rest=None):
            parts = [(_said(entry.key), _said(entry.value)) for entry in value.entries]
            if all(None not in part for part in parts):
                return "an object", repr(parts)
    return None


def _kept_or_read(
    machine: Machine,
    definition: FunctionDefinition,
    receiver: Value | None,
    given: tuple[Value, ...],
    said: Given,
) -> Body:
    scope, node = definition.scope, definition.node
    text = definition.module.text.data[node.start_byte : node.end_byte]
    if not isinstance(scope, ModuleScope) or (receiver is not None and b"this" in text):
        return read_body(machine, definition, receiver, given)
    path, own = definition.module.path, stretch_of(definition.module, node)
    alike = (path, own.column, own.digest, said)
    grounds = grounds_of(machine, scope, node)
    body = None
    for line in (own.line, 0):
        kept = _kept.get((*alike, line))
        if body is None and kept is not None and grounds is not None and kept[0].is_like(grounds):
            body = kept[1] if kept[0] == grounds else _moved(kept[1], path, kept[0], grounds)
    if body is None:
        body = read_body(machine, definition, receiver, given)
        if body.unread is not None or not _is_data(body.returns):
            return body
    if grounds is None:
        return body
    for line in (own.line, 0):
        _kept.pop((*alike, line), None)
        if len(_kept) >= MAX_KEPT:
            del _kept[next(iter(_kept))]
        _kept[(*alike, line)] = grounds, body
    return body


def _moved(body: Body, path: str, before: Grounds, after: Grounds) -> Body | None:
    """What was read where all that it rests on is the same, but on other lines.

    None where something of it stands in none of the stretches.
    """
    down = {
        line: new.line - old.line
        for old, new in zip(before.stretches, after.stretches, strict=True)
        for line in range(old.line, old.line + old.lines + 1)
    }

    def span(span: Span) -> Span:
        lines = down[span.line] if span.path == path else 0
        if not lines:
            return span
        return replace(span, line=span.line + lines, end_line=span.end_line + lines)

    try:
        return moved(body, span)
    except KeyError:
        return None


def _is_data(givens: Givens) -> bool:
    """Whether values hold nothing that belongs to one evaluation."""
    for given in givens:
        match given:
            case Thing():
                return False
            case Table(keys=keys):
                if not all(_is_data(key.values) for key in keys):
                    return False
            case Row(items=items):
                if not all(map(_is_data, items)):
                    return False
            case Made(arguments=arguments):
                if not all(map(_is_data, arguments.values())):
                    return False
    return True
