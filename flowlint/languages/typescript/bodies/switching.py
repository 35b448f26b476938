"""`switch` in a body: which values of a name come to which of its cases."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from flowlint.languages.bodies.names import Names, meet
from flowlint.languages.typescript.bodies.frame import Frame, Jump
from flowlint.languages.typescript.bodies.kinds import Seen, looked_at
from flowlint.languages.typescript.reading.module import children
from flowlint.values.bodies import Given, Givens, Plain

if TYPE_CHECKING:
    from tree_sitter import Node

Block = Callable[[Frame, Sequence["Node"], Names], Names | None]


def switch(frame: Frame, node: Node, names: Names, block: Block) -> Names | None:
    """The names after a `switch`. Cases without `break` go on into the next one."""
    value = node.child_by_field_name("value")
    body = node.child_by_field_name("body")
    if value is None or body is None:
        return names
    asked = children(value)[0] if value.type == "parenthesized_expression" else value
    frame.evaluate(asked, names)
    asked_of = looked_at(frame, asked, names)
    jump = Jump(is_loop=False)
    frame.jumps.append(jump)
    left: Names | None = names
    falling: Names | None = None
    has_default = False
    cases = children(body)
    frame.work.doubts += 1
    returned = len(frame.returns)
    every = [_constant(frame, case, names) for case in cases]
    for case, constant in zip(cases, every, strict=True):
        if case.type == "switch_default":
            has_default = True
            entering = _without(asked_of, names, every)
        else:
            entering, left = _split(asked_of, left, constant)
        begun = meet([falling, entering])
        falling = block(frame, _statements(case), dict(begun)) if begun is not None else None
    frame.jumps.pop()
    if len(frame.returns) == returned:
        frame.work.doubts -= 1
    return meet([falling, None if has_default else left, *jump.breaks])


def _constant(frame: Frame, case: Node, names: Names) -> Plain | None:
    value = case.child_by_field_name("value")
    found: Givens = frame.evaluate(value, names) if value is not None else ()
    given = found[0] if len(found) == 1 else None
    return given if isinstance(given, Plain) else None


def _statements(case: Node) -> list[Node]:
    value = case.child_by_field_name("value")
    return [part for part in children(case) if value is None or part.id != value.id]


def _split(
    asked_of: tuple[str, Seen] | None, names: Names | None, constant: Plain | None
) -> tuple[Names | None, Names | None]:
    """The names where a case is taken, and where it is not."""
    if names is None:
        return None, None
    if asked_of is None or asked_of[0] not in names or constant is None:
        return dict(names), dict(names)
    name, seen = asked_of
    held = tuple(given for given in names[name] if _equals(seen(given), constant) is not False)
    rest = tuple(given for given in names[name] if _equals(seen(given), constant) is not True)
    taken = {**names, name: held} if held else None
    return taken, ({**names, name: rest} if rest else None)


def _without(
    asked_of: tuple[str, Seen] | None, names: Names, every: list[Plain | None]
) -> Names | None:
    """The names where no case is taken."""
    left: Names | None = names
    for constant in every:
        if constant is not None:
            _, left = _split(asked_of, left, constant)
    return left


def _equals(given: Given | None, constant: Plain) -> bool | None:
    if not isinstance(given, Plain):
        return None
    return type(given.value) is type(constant.value) and given.value == constant.value
