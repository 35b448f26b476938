"""Functions that a body defines itself: looked at where they are written, read where called."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from flowlint.languages.bodies.given import joined
from flowlint.languages.bodies.names import Names
from flowlint.languages.typescript.bodies.frame import MAX_CALLS, Closure, Frame
from flowlint.languages.typescript.bodies.patterns import bind_parameters
from flowlint.values.bodies import Givens, Thing

if TYPE_CHECKING:
    from tree_sitter import Node


def closure(frame: Frame, node: Node, names: Names) -> Givens:
    """A function as a value. What it does may be done at any time from here on."""
    made = Closure(node, frame, dict(names))
    glance(frame, made, names)
    return (Thing(made, frame.span(node)),)


def glance(frame: Frame, made: Closure, names: Names) -> None:
    """What a function that nobody is seen to call reads, and does to the names around it."""
    if frame.depth >= MAX_CALLS:
        return
    inner = _frame(frame, made)
    mine = dict(names)
    # It may run where something catches what it raises, or never.
    frame.work.tried += 1
    try:
        bind_parameters(inner, made.node, None, mine)
        after: list[Names] = [mine]
        inner.watches.append(after)
        frame.work.read(inner, mine)
    finally:
        frame.work.tried -= 1
    parameters = _own_names(inner, made)
    for late in after:
        for name, givens in late.items():
            if name in names and name not in parameters and givens != names[name]:
                names[name] = joined(names[name], givens)


def call_closure(frame: Frame, made: Closure, given: list[Givens], node: Node) -> Givens:
    """What such a function gives for these arguments."""
    if frame.depth >= MAX_CALLS or _runs(frame, made):
        for held in given:
            frame.leak(held)
        return frame.opaque("what a function gives", node)
    inner = _frame(frame, made)
    names = dict(made.names)
    bind_parameters(inner, made.node, given, names)
    return frame.work.read(inner, names)


def _frame(frame: Frame, made: Closure) -> Frame:
    around = made.frame
    receiver = around.receiver if made.node.type == "arrow_function" else None
    return Frame(frame.work, made.node, around.scope, receiver, frame.depth + 1, frame)


def _own_names(inner: Frame, made: Closure) -> set[str]:
    """The names that are the parameters of a function."""
    names: Names = {}
    quiet = replace(inner, watches=[])
    bind_parameters(quiet, made.node, None, names)
    return set(names)


def _runs(frame: Frame, made: Closure) -> bool:
    """Whether a function is being read: what it gives to itself tells nothing new."""
    around: Frame | None = frame
    while around is not None:
        if around.node.id == made.node.id:
            return True
        around = around.caller
    return False
