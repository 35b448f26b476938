"""`try` and what is done when something fails: with the names of every moment in between."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from dataclasses import replace

from flowlint.languages.bodies.given import joined
from flowlint.languages.bodies.names import Container, Names, meet
from flowlint.languages.python.bodies.frame import Frame, Watch
from flowlint.values.bodies import Given, Row, Table

_WITHOUT_RISK = (
    *(ast.Return, ast.Pass, ast.Expr, ast.Constant, ast.List, ast.Tuple, ast.Dict),
    ast.expr_context,
)
"""What runs without anything that can fail, where it holds nothing else."""

Block = Callable[[Frame, Sequence[ast.stmt], Names], Names | None]
"""Reads statements; gives the names after them, None where nothing gets there."""


def note(frame: Frame, names: Names) -> None:
    """Note the names after a statement, for whoever watches: the next one may fail."""
    for watch in frame.watches:
        for name, givens in names.items():
            seen = watch.get(name)
            if seen is None:
                watch[name] = {id(givens): givens}
            else:
                seen[id(givens)] = givens


def attempt(frame: Frame, node: ast.Try | ast.TryStar, names: Names, block: Block) -> Names | None:
    """What a `try` does, with all of its parts."""
    if not node.finalbody:
        return _tried(frame, node, names, block)
    before, returned = dict(names), len(frame.returns)
    watch: Watch = {}
    frame.watches.append(watch)
    out = _tried(frame, node, names, block)
    frame.watches.pop()
    # It is also come to where something was raised or returned, and then is not gone on from.
    begun, until = _at_any_time(before, watch), len(frame.returns)
    failed = block(frame, node.finalbody, dict(begun))
    if failed is not None:
        changed = _containers(begun) ^ _containers(failed)
        frame.returns[returned:until] = [
            tuple(_touched(given, changed) for given in givens)
            for givens in frame.returns[returned:until]
        ]
    return block(frame, node.finalbody, dict(out)) if out is not None else None


def _tried(frame: Frame, node: ast.Try | ast.TryStar, names: Names, block: Block) -> Names | None:
    """The names where the body, or a handler, comes to its end."""
    before = dict(names)
    watch: Watch = {}
    frame.watches.append(watch)
    frame.work.tried += bool(node.handlers)
    after = block(frame, node.body, names)
    frame.work.tried -= bool(node.handlers)
    frame.watches.pop()
    ways = [block(frame, node.orelse, after) if after is not None else None]
    if _cannot_fail(node.body):
        return meet(ways)
    started = _at_any_time(before, watch)
    for handler in node.handlers:
        inner = dict(started)
        if handler.name is not None:
            inner[handler.name] = frame.opaque("an exception", handler)
        ways.append(block(frame, handler.body, inner))
    return meet(ways)


def _cannot_fail(body: Sequence[ast.stmt]) -> bool:
    """Whether nothing in statements can raise: they only give what is written there."""
    return all(isinstance(part, _WITHOUT_RISK) for one in body for part in ast.walk(one))


def _at_any_time(before: Names, watch: Watch) -> Names:
    """The names as they may be at any moment of what was watched."""
    seen: Names = {name: joined(*several.values()) for name, several in watch.items()}
    return meet([before, seen]) or before


def _containers(names: Names) -> set[Container]:
    return {
        replace(given, keys=tuple(replace(key, values=()) for key in given.keys))
        if isinstance(given, Table)
        else replace(given, items=((),) * len(given.items))
        for givens in names.values()
        for given in givens
        if isinstance(given, Table | Row)
    }


def _touched(given: Given, changed: set[Container]) -> Given:
    """What was returned, where it may have been changed before anybody got it."""
    if not isinstance(given, Table | Row):
        return given
    if all(container.identity != given.identity for container in changed):
        return given
    return replace(unsure(given), more=True)


def unsure(held: Container) -> Container:
    """A container from which something is gone; what, is not followed."""
    if not isinstance(held, Table):
        return replace(held, more=True)
    return replace(held, keys=tuple(replace(key, certain=False) for key in held.keys))
