"""Statements in a body: what they do to its names, and how they leave it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import TYPE_CHECKING

from flowlint.languages.bodies.given import joined
from flowlint.languages.bodies.names import Names, meet
from flowlint.languages.typescript.bodies import tests
from flowlint.languages.typescript.bodies.assigning import write
from flowlint.languages.typescript.bodies.attempts import attempt
from flowlint.languages.typescript.bodies.closures import closure
from flowlint.languages.typescript.bodies.frame import MAX_NESTING, Frame, Jump
from flowlint.languages.typescript.bodies.hoisting import note_declared, reopen
from flowlint.languages.typescript.bodies.patterns import bind
from flowlint.languages.typescript.bodies.switching import switch
from flowlint.languages.typescript.bodies.widening import widened
from flowlint.languages.typescript.reading.module import children
from flowlint.values.bodies import Givens, Opaque, Plain, Row

if TYPE_CHECKING:
    from tree_sitter import Node

Handler = Callable[[Frame, "Node", Names], Names | None]

ROUNDS = 2
"""How often the body of a loop is read: what it gave once may be what it begins with."""


def read(frame: Frame, names: Names) -> Givens:
    """What a function returns, with these names to begin with."""
    doubts = frame.work.doubts
    try:
        return _read(frame, names)
    finally:
        frame.work.doubts = doubts


def _read(frame: Frame, names: Names) -> Givens:
    body = frame.node.child_by_field_name("body")
    if body is None:
        return frame.opaque("a function without a body", frame.node)
    if body.type != "statement_block":
        found = frame.evaluate(body, names)
        note(frame, names)
        return found
    left = block(frame, children(body), names)
    if _is_generator(frame.node):
        return frame.opaque("what it yields", frame.node)
    if left is not None:
        frame.returns.append(frame.undefined(body, sure=False))
    return joined(*frame.returns)


def _is_generator(node: Node) -> bool:
    return "generator" in node.type or any(child.type == "*" for child in node.children[:4])


def block(frame: Frame, body: Sequence[Node], names: Names) -> Names | None:
    """The names after statements, None where nothing gets there."""
    if frame.work.nesting >= MAX_NESTING:
        return names
    frame.work.nesting += 1
    try:
        going: Names | None = names
        for statement in body:
            if statement.type == "function_declaration":
                _declare_function(frame, statement, names)
        for statement in body:
            if going is None:
                return None
            frame.step()
            going = _HANDLERS.get(statement.type, _other)(frame, statement, going)
            if going is not None:
                note(frame, going)
        return going
    finally:
        frame.work.nesting -= 1


def note(frame: Frame, names: Names) -> None:
    """Note the names after a statement, for whoever watches: the next one may fail."""
    if frame.shared:
        reopen(frame, names)
    for watch in frame.watches:
        watch.append(dict(names))


def _declare_function(frame: Frame, node: Node, names: Names) -> None:
    name = node.child_by_field_name("name")
    if name is not None:
        note_declared(frame, node)
        names[frame.text(name)] = closure(frame, node, names)


def _scoped(frame: Frame, node: Node, names: Names) -> Names | None:
    """A block: what it declares is gone after it."""
    body = children(node)
    declared = {name for statement in body for name in _declared(frame, statement)}
    hidden = {name: names[name] for name in declared if name in names}
    left = block(frame, body, names)
    if left is not None and declared:
        left = {name: held for name, held in left.items() if name not in declared}
        left.update(hidden)
    return left


def _declared(frame: Frame, statement: Node) -> list[str]:
    if statement.type != "lexical_declaration":
        return []
    names: Names = {}
    for part in children(statement):
        pattern = part.child_by_field_name("name")
        if pattern is not None and pattern.type == "identifier":
            names[frame.text(pattern)] = ()
    return list(names)


def inner(frame: Frame, node: Node | None, names: Names | None) -> Names | None:
    """A statement or block that another one holds."""
    if node is None or names is None:
        return names
    if node.type == "statement_block":
        return _scoped(frame, node, names)
    return block(frame, [node], names)


def _other(frame: Frame, node: Node, names: Names) -> Names:
    for child in children(node):
        frame.leak(frame.evaluate(child, names))
    return names


def _nothing(_frame: Frame, _node: Node, names: Names) -> Names:
    return names


def _expression(frame: Frame, node: Node, names: Names) -> Names:
    for child in children(node):
        frame.evaluate(child, names)
    return names


def _declaration(frame: Frame, node: Node, names: Names) -> Names:
    for part in children(node):
        target, value = part.child_by_field_name("name"), part.child_by_field_name("value")
        if target is None:
            continue
        givens = frame.undefined(part) if value is None else frame.evaluate(value, names)
        bind(frame, target, givens, names)
    return names


def _return(frame: Frame, node: Node, names: Names) -> None:
    parts = children(node)
    frame.returns.append(frame.evaluate(parts[0], names) if parts else frame.undefined(node))


def _throw(frame: Frame, node: Node, names: Names) -> None:
    for part in children(node):
        frame.leak(frame.evaluate(part, names))


def _if(frame: Frame, node: Node, names: Names) -> Names | None:
    test = node.child_by_field_name("condition")
    if test is None:
        return names
    holds, fails = tests.part(frame, test, names)
    is_open = holds is not None and fails is not None
    frame.work.doubts += is_open
    then = inner(frame, node.child_by_field_name("consequence"), holds)
    other = node.child_by_field_name("alternative")
    if other is not None and fails is not None:
        parts = children(other)
        fails = inner(frame, parts[0] if parts else None, fails)
    # Where one way has left the function, the test decides on all that follows as well.
    if then is not None and fails is not None:
        frame.work.doubts -= is_open
    return meet([then, fails])


def _loop(frame: Frame, body: Node | None, names: Names, test: Node | None) -> Names | None:
    """A loop that may go round any number of times, and end before every one."""
    jump = Jump(is_loop=True)
    going: Names | None = names
    left: list[Names | None] = []
    for _ in range(ROUNDS):
        if going is None:
            break
        holds, fails = tests.part(frame, test, going) if test is not None else (going, None)
        left.append(fails)
        if holds is None:
            going = None
            break
        frame.jumps.append(jump)
        after = _in_doubt(frame, body, dict(holds))
        frame.jumps.pop()
        before, going = going, meet([after, *jump.continues])
        jump.continues.clear()
        if going is not None and _adds_nothing(before, going):
            break
    else:
        going = widened(frame, body, before, going)
    if going is not None and test is not None:
        left.append(tests.part(frame, test, going)[1])
    return meet([*left, *jump.breaks])


def _adds_nothing(before: Names, after: Names, own: Collection[str] = ()) -> bool:
    """Whether the next round would begin as this one did; `own`: the names that it binds itself."""
    return all(name in own or before.get(name) is givens for name, givens in after.items())


def _in_doubt(frame: Frame, node: Node | None, names: Names) -> Names | None:
    """A statement that need not be come to, or that a run may leave the function in."""
    returned = len(frame.returns)
    frame.work.doubts += 1
    after = inner(frame, node, names)
    if len(frame.returns) == returned:
        frame.work.doubts -= 1
    return after


def _while(frame: Frame, node: Node, names: Names) -> Names | None:
    return _loop(
        frame, node.child_by_field_name("body"), names, node.child_by_field_name("condition")
    )


def _do(frame: Frame, node: Node, names: Names) -> Names | None:
    jump = Jump(is_loop=True)
    frame.jumps.append(jump)
    after = inner(frame, node.child_by_field_name("body"), names)
    frame.jumps.pop()
    going = meet([after, *jump.continues])
    if going is None:
        return meet(list(jump.breaks))
    test = node.child_by_field_name("condition")
    holds, fails = tests.part(frame, test, going) if test is not None else (going, going)
    again = _while(frame, node, holds) if holds is not None else None
    return meet([fails, again, *jump.breaks])


def _for(frame: Frame, node: Node, names: Names) -> Names | None:
    start = node.child_by_field_name("initializer")
    if start is not None:
        names = block(frame, [start], names) or names
    condition = node.child_by_field_name("condition")
    step = node.child_by_field_name("increment")
    if condition is not None and condition.type == "expression_statement":
        parts = children(condition)
        condition = parts[0] if parts else None
    if step is not None:
        # What it counts is not followed.
        frame.evaluate(step, names)
    if condition is not None and condition.type == "empty_statement":
        condition = None
    return _loop(frame, node.child_by_field_name("body"), names, condition)


def _for_in(frame: Frame, node: Node, names: Names) -> Names | None:
    """`for (… of …)` and `for (… in …)`."""
    target, source = node.child_by_field_name("left"), node.child_by_field_name("right")
    operator = node.child_by_field_name("operator")
    if target is None or source is None:
        return names
    givens = frame.evaluate(source, names)
    is_of = operator is not None and operator.type == "of"
    elements = _elements(frame, givens, source) if is_of else frame.opaque("a key", source)
    jump = Jump(is_loop=True)
    going: Names | None = names
    for _ in range(ROUNDS):
        if going is None:
            break
        within = dict(going)
        if node.child_by_field_name("kind") is None:
            write(frame, target, elements, within)
        else:
            bind(frame, target, elements, within)
        own = within.keys() - going.keys()
        frame.jumps.append(jump)
        after = _in_doubt(frame, node.child_by_field_name("body"), within)
        frame.jumps.pop()
        before, going = going, meet([going, after, *jump.continues])
        jump.continues.clear()
        if going is not None and _adds_nothing(before, going, own):
            break
    else:
        going = widened(frame, node, before, going)
    return meet([going, *jump.breaks])


def _elements(frame: Frame, givens: Givens, node: Node) -> Givens:
    found: list[Givens] = []
    for given in givens:
        if isinstance(given, Row) and not given.more:
            found += given.items
        else:
            frame.leak((given,))
            read = given.read if isinstance(given, Opaque) else None
            found.append(frame.opaque("an element of what it goes through", node, read))
    return joined(*found) if found else frame.opaque("an element", node)


def _break(frame: Frame, node: Node, names: Names) -> None:
    if children(node):
        # To a label: any of those around may be meant.
        for jump in frame.jumps:
            jump.breaks.append(dict(names))
    elif frame.jumps:
        frame.jumps[-1].breaks.append(dict(names))


def _continue(frame: Frame, _: Node, names: Names) -> None:
    for jump in reversed(frame.jumps):
        if jump.is_loop:
            jump.continues.append(dict(names))
            return


def _try(frame: Frame, node: Node, names: Names) -> Names | None:
    return attempt(frame, node, names, inner)


def _switch(frame: Frame, node: Node, names: Names) -> Names | None:
    return switch(frame, node, names, block)


def _labeled(frame: Frame, node: Node, names: Names) -> Names | None:
    jump = Jump(is_loop=False)
    frame.jumps.append(jump)
    left = inner(frame, node.child_by_field_name("body"), names)
    frame.jumps.pop()
    return meet([left, *jump.breaks])


def _class(frame: Frame, node: Node, names: Names) -> Names:
    name = node.child_by_field_name("name")
    if name is not None:
        names[frame.text(name)] = frame.opaque("a class that is defined here", node)
    return names


def is_constant(givens: Givens) -> bool:
    """Whether a value is one constant."""
    return len(givens) == 1 and isinstance(givens[0], Plain)


_HANDLERS: dict[str, Handler] = {
    "break_statement": _break,
    "class_declaration": _class,
    "comment": _nothing,
    "continue_statement": _continue,
    "do_statement": _do,
    "empty_statement": _nothing,
    "expression_statement": _expression,
    "for_in_statement": _for_in,
    "for_statement": _for,
    "function_declaration": _nothing,
    "if_statement": _if,
    "interface_declaration": _nothing,
    "labeled_statement": _labeled,
    "lexical_declaration": _declaration,
    "return_statement": _return,
    "statement_block": _scoped,
    "switch_statement": _switch,
    "throw_statement": _throw,
    "try_statement": _try,
    "type_alias_declaration": _nothing,
    "variable_declaration": _declaration,
    "while_statement": _while,
}
