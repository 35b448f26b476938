"""Statements in a body: what they do to its names, and how they leave it."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from dataclasses import replace

from flowlint.languages.bodies.given import constants, joined
from flowlint.languages.bodies.names import Names, change, meet
from flowlint.languages.python.bodies import tests
from flowlint.languages.python.bodies.attempts import attempt, note, unsure
from flowlint.languages.python.bodies.expressions import bind, each
from flowlint.languages.python.bodies.frame import Frame, Loop
from flowlint.languages.python.bodies.merging import merge
from flowlint.languages.python.evaluation.scopes import Scope
from flowlint.languages.python.nodes import children, kept_with_node, walk
from flowlint.values.bodies import Givens, Parameter, Plain, Row

Handler = Callable[[Frame, ast.stmt, Names], Names | None]

ROUNDS = 2
"""How often the body of a loop is read: what it gave once may be what it begins with."""


def read(frame: Frame, names: Names) -> Givens:
    """What a function returns, with these names to begin with."""
    node = frame.definition.node
    if isinstance(node, ast.Lambda):
        return frame.evaluate(node.body, names)
    if frame.shape.yields:
        return frame.opaque("what it yields", node)
    left = block(frame, node.body, names)
    if left is not None:
        last = node.body[-1]
        frame.returns.append((Plain(None, frame.span(last), sure=False),))
    return joined(*frame.returns)


def block(frame: Frame, body: Sequence[ast.stmt], names: Names) -> Names | None:
    """The names after statements, None where nothing gets there."""
    going: Names | None = names
    for statement in body:
        if going is None:
            return None
        frame.step()
        frame.wanted = _is_wanted(frame, statement)
        going = _HANDLERS.get(type(statement), _other)(frame, statement, going)
        if frame.watches and going is not None:
            note(frame, going)
    return going


def _is_wanted(frame: Frame, node: ast.stmt) -> bool:
    """Whether the values of a statement may become a part of what the function returns."""
    if isinstance(node, ast.Return):
        return True
    if isinstance(node, ast.Assign | ast.AnnAssign | ast.AugAssign | ast.Expr | ast.For):
        # Of what a node or router itself returns, nobody looks at what mappings hold.
        relevant = frame.shape.relevant if frame.depth else frame.shape.outline
        return not relevant.isdisjoint(_names_of_targets(node))
    return False


@kept_with_node
def _names_of_targets(node: ast.stmt) -> frozenset[str]:
    """The names in what a statement writes to, or in what it is."""
    inner = (part for target in _targets(node) for part in walk(target))
    return frozenset(part.id for part in inner if isinstance(part, ast.Name))


def _targets(node: ast.stmt) -> list[ast.expr]:
    if isinstance(node, ast.Assign):
        return node.targets
    if isinstance(node, ast.AnnAssign | ast.AugAssign | ast.For):
        return [node.target]
    return [node.value] if isinstance(node, ast.Expr) else []


def _other(frame: Frame, node: ast.stmt, names: Names) -> Names:
    for child in children(node):
        if isinstance(child, ast.expr):
            frame.leak(frame.evaluate(child, names))
    return names


def _assign(frame: Frame, node: ast.stmt, names: Names) -> Names:
    assert isinstance(node, ast.Assign)
    is_held = all(isinstance(target, ast.Subscript) for target in node.targets)
    givens = (frame.beside if is_held else frame.evaluate)(node.value, names)
    for target in node.targets:
        bind(frame, target, givens, names)
    return names


def _annotated(frame: Frame, node: ast.stmt, names: Names) -> Names:
    assert isinstance(node, ast.AnnAssign)
    if node.value is not None:
        bind(frame, node.target, frame.evaluate(node.value, names), names)
    return names


def _augmented(frame: Frame, node: ast.stmt, names: Names) -> Names:
    assert isinstance(node, ast.AugAssign)
    value = frame.evaluate(node.value, names)
    if isinstance(node.target, ast.Name) and node.target.id in names:
        if merge(frame, node, node.target.id, value, names):
            return names
        load = ast.copy_location(ast.Name(node.target.id, ast.Load()), node.target)
        operation = ast.copy_location(ast.BinOp(load, node.op, node.value), node)
        if isinstance(node.op, ast.Add | ast.BitOr):
            names[node.target.id] = frame.evaluate(operation, names)
        else:
            names[node.target.id] = frame.opaque("a computed value", node)
        if frame.loops and isinstance(node.op, ast.Add):
            _repeat(names, node.target.id)
    else:
        frame.leak(value)
        if isinstance(node.target, ast.Subscript):
            bind(frame, node.target, frame.opaque("a computed value", node), names)
    return names


def _repeat(names: Names, name: str) -> None:
    """What is added to a list in a loop may be there any number of times."""
    names[name] = tuple(
        replace(given, repeated=True) if isinstance(given, Row) else given for given in names[name]
    )


def _expression(frame: Frame, node: ast.stmt, names: Names) -> Names:
    assert isinstance(node, ast.Expr)
    frame.evaluate(node.value, names)
    return names


def _return(frame: Frame, node: ast.stmt, names: Names) -> None:
    assert isinstance(node, ast.Return)
    if node.value is None:
        frame.returns.append((Plain(None, frame.span(node)),))
    else:
        frame.returns.append(frame.evaluate(node.value, names))


def _raise(frame: Frame, node: ast.stmt, names: Names) -> None:
    assert isinstance(node, ast.Raise)
    if node.exc is not None:
        frame.leak(frame.evaluate(node.exc, names))


def _if(frame: Frame, node: ast.stmt, names: Names) -> Names | None:
    assert isinstance(node, ast.If)
    holds, fails = tests.part(frame, node.test, names)
    then = block(frame, node.body, holds) if holds is not None else None
    other = block(frame, node.orelse, fails) if fails is not None else None
    return meet([then, other])


def _for(frame: Frame, node: ast.stmt, names: Names) -> Names | None:
    assert isinstance(node, ast.For | ast.AsyncFor)
    givens = frame.evaluate(node.iter, names)
    elements = each(frame, givens, node.iter)
    loop = Loop()
    going: Names | None = names
    for _ in range(ROUNDS):
        if going is None:
            break
        inner = dict(going)
        bind(frame, node.target, elements, inner)
        frame.loops.append(loop)
        after = block(frame, node.body, inner)
        frame.loops.pop()
        going = meet([going, after, *loop.continues])
        loop.continues.clear()
    ended = block(frame, node.orelse, going) if going is not None else None
    return meet([ended, *loop.breaks])


def _while(frame: Frame, node: ast.stmt, names: Names) -> Names | None:
    assert isinstance(node, ast.While)
    loop = Loop()
    going: Names | None = names
    left: list[Names | None] = []
    for _ in range(ROUNDS):
        if going is None:
            break
        holds, fails = tests.part(frame, node.test, going)
        left.append(fails)
        if holds is None:
            break
        frame.loops.append(loop)
        after = block(frame, node.body, dict(holds))
        frame.loops.pop()
        going = meet([after, *loop.continues])
        loop.continues.clear()
    if going is not None:
        left.append(tests.part(frame, node.test, going)[1])
    out = meet(left)
    ended = block(frame, node.orelse, out) if out is not None else None
    return meet([ended, *loop.breaks])


def _break(frame: Frame, _: ast.stmt, names: Names) -> None:
    if frame.loops:
        frame.loops[-1].breaks.append(dict(names))


def _continue(frame: Frame, _: ast.stmt, names: Names) -> None:
    if frame.loops:
        frame.loops[-1].continues.append(dict(names))


def _try(frame: Frame, node: ast.stmt, names: Names) -> Names | None:
    assert isinstance(node, ast.Try | ast.TryStar)
    return attempt(frame, node, names, block)


def _with(frame: Frame, node: ast.stmt, names: Names) -> Names | None:
    assert isinstance(node, ast.With | ast.AsyncWith)
    for item in node.items:
        frame.leak(frame.evaluate(item.context_expr, names))
        if item.optional_vars is not None:
            target = item.optional_vars
            bind(frame, target, frame.opaque("what a context manager gives", target), names)
    return block(frame, node.body, names)


def _match(frame: Frame, node: ast.stmt, names: Names) -> Names | None:
    assert isinstance(node, ast.Match)
    frame.evaluate(node.subject, names)
    name = node.subject.id if isinstance(node.subject, ast.Name) else None
    ways: list[Names | None] = []
    left: Names | None = names
    for case in node.cases:
        if left is None:
            break
        inner = dict(left)
        matched = _constants(frame, case.pattern)
        if name is not None and matched is not None and name in inner:
            held = tuple(g for g in inner[name] if not isinstance(g, Plain) or g.equals in matched)
            rest = tuple(
                g for g in inner[name]
                if not isinstance(g, Plain) or g.equals not in matched or case.guard is not None
            )  # fmt: skip
            if not held:
                continue
            inner[name] = held
            left = {**left, name: rest} if rest else None
        for captured in _captured(case.pattern):
            inner[captured] = frame.opaque("a part of what is matched", case.pattern)
        going: Names | None = inner
        if case.guard is not None:
            going = tests.part(frame, case.guard, inner)[0]
        ways.append(block(frame, case.body, going) if going is not None else None)
        if case.guard is None and isinstance(case.pattern, ast.MatchAs):
            if case.pattern.pattern is None:
                left = None
    return meet([*ways, left])


def _constants(frame: Frame, pattern: ast.pattern) -> list[object] | None:
    """What a pattern of constants is equal to, None when it is another pattern."""
    if isinstance(pattern, ast.MatchSingleton):
        return [pattern.value]
    if isinstance(pattern, ast.MatchValue):
        givens = frame.evaluate(pattern.value, {})
        return constants(givens)
    if isinstance(pattern, ast.MatchOr):
        parts = [_constants(frame, part) for part in pattern.patterns]
        if any(part is None for part in parts):
            return None
        return [value for part in parts for value in part or ()]
    return None


def _captured(pattern: ast.pattern) -> list[str]:
    found: list[str] = []
    for node in walk(pattern):
        if isinstance(node, ast.MatchAs | ast.MatchStar) and node.name is not None:
            found.append(node.name)
        elif isinstance(node, ast.MatchMapping) and node.rest is not None:
            found.append(node.rest)
    return found


def _delete(frame: Frame, node: ast.stmt, names: Names) -> Names:
    assert isinstance(node, ast.Delete)
    for target in node.targets:
        if isinstance(target, ast.Subscript):
            for owner in frame.evaluate(target.value, names):
                change(names, owner, unsure)
                if isinstance(owner, Parameter):
                    frame.work.changed.add(owner.number)
    return names


def _outside(frame: Frame, node: ast.stmt, names: Names) -> Names:
    assert isinstance(node, ast.Global | ast.Nonlocal)
    frame.outside.update(node.names)
    for name in node.names:
        names[name] = frame.opaque(f"`{name}` belongs to code around it", node)
    return names


def _definition(frame: Frame, node: ast.stmt, names: Names) -> Names:
    """Imports and definitions within the body are evaluated, into a scope of their own."""
    machine = frame.work.machine
    if frame.inner is None:
        parent = frame.definition.scope
        frame.inner = Scope("function", frame.definition.qualified, parent)
    if isinstance(node, ast.Import | ast.ImportFrom):
        machine.execute([node], frame.inner)
        bound = [(alias.asname or alias.name).split(".", 1)[0] for alias in node.names]
        for name in bound:
            names.pop(name, None)
        return names
    assert isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
    names[node.name] = frame.opaque(f"`{node.name}`, which is defined here", node)
    return names


_HANDLERS: dict[type[ast.stmt], Handler] = {
    ast.AnnAssign: _annotated,
    ast.Assign: _assign,
    ast.AsyncFor: _for,
    ast.AsyncFunctionDef: _definition,
    ast.AsyncWith: _with,
    ast.AugAssign: _augmented,
    ast.Break: _break,
    ast.ClassDef: _definition,
    ast.Continue: _continue,
    ast.Delete: _delete,
    ast.Expr: _expression,
    ast.For: _for,
    ast.FunctionDef: _definition,
    ast.Global: _outside,
    ast.If: _if,
    ast.Import: _definition,
    ast.ImportFrom: _definition,
    ast.Match: _match,
    ast.Nonlocal: _outside,
    ast.Raise: _raise,
    ast.Return: _return,
    ast.Try: _try,
    ast.TryStar: _try,
    ast.While: _while,
    ast.With: _with,
}
