"""Arguments of calls in a body, and what becomes of values that go out of sight."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from flowlint.languages.bodies.names import Names, change
from flowlint.languages.typescript.bodies.frame import Frame
from flowlint.languages.typescript.reading.module import children
from flowlint.values.bodies import Givens, Row, Table

if TYPE_CHECKING:
    from tree_sitter import Node


def arguments(frame: Frame, node: Node, names: Names) -> list[Givens] | None:
    """The values of the arguments; None where one of them stands for several."""
    listed = node.child_by_field_name("arguments")
    if listed is None:
        return []
    if listed.type == "template_string":
        frame.evaluate(listed, names)
        return None
    found: list[Givens] = []
    is_open = False
    for part in children(listed):
        held = frame.evaluate(part, names)
        if part.type == "spread_element":
            rows = [given for given in held if isinstance(given, Row)]
            if len(held) == 1 and rows and not (rows[0].more or rows[0].repeated):
                found += rows[0].items
                continue
            is_open = True
            frame.leak(held)
        found.append(held)
    return None if is_open else found


def escape(frame: Frame, held: Givens, names: Names) -> None:
    """Values that go where nobody looks; containers among them may be changed from now on."""
    frame.leak(held)
    for given in held:
        change(names, given, lambda container: replace(container, more=True))
        if isinstance(given, Table):
            for key in given.keys:
                frame.leak(key.values)
        elif isinstance(given, Row):
            for item in given.items:
                frame.leak(item)
