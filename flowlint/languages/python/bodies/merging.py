"""`|=` and `+=` on mappings and lists, which change them under every name that they go by."""

from __future__ import annotations

import ast
from dataclasses import replace

from flowlint.languages.bodies.names import Container, Names, changing
from flowlint.languages.bodies.tables import spread
from flowlint.languages.python.bodies import puts
from flowlint.languages.python.bodies.frame import Frame
from flowlint.values.bodies import Given, Givens, Parameter, Row, Table


def merge(frame: Frame, node: ast.AugAssign, name: str, value: Givens, names: Names) -> bool:
    """Change what a name stands for in place; false where it is not known to be changed so."""
    held = names[name]
    change = changing(names, held, name)
    if isinstance(node.op, ast.BitOr) and all(isinstance(one, Table | Parameter) for one in held):
        for owner in held:
            if isinstance(owner, Parameter):
                puts.merge(frame, owner, value)
            else:
                change(owner, lambda one: _with_all(frame, one, value, node))
        return True
    if isinstance(node.op, ast.Add) and all(_is_list(one) for one in held):
        for owner in held:
            change(owner, lambda one: _longer(frame, one, value))
        return True
    for owner in held:
        # Another value stands there as well, and what comes of it is told apart.
        change(owner, lambda one: replace(one, more=True))
    return False


def _is_list(given: Given) -> bool:
    return isinstance(given, Row) and given.kind == "list"


def _with_all(frame: Frame, held: Container, value: Givens, node: ast.AST) -> Given:
    return spread(held, value, frame.span(node)) if isinstance(held, Table) else held


def _longer(frame: Frame, held: Container, value: Givens) -> Given:
    added = value[0] if len(value) == 1 else None
    if not isinstance(held, Row):
        return held
    if not isinstance(added, Row):
        return replace(held, more=True)
    return replace(
        held,
        items=(*held.items, *added.items),
        more=held.more or added.more,
        repeated=held.repeated or added.repeated or bool(frame.loops),
    )
