"""What the syntax of a function tells before it is read: whether it yields, which names matter."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from dataclasses import dataclass

from flowlint.languages.python.evaluation.scopes import FunctionNode
from flowlint.languages.python.nodes import children, kept_with_node, walk

_FUNCTIONS = frozenset({ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda})
_OPERATORS = frozenset(
    {ast.Load, ast.Store, ast.Del}
    | {*ast.operator.__subclasses__(), *ast.cmpop.__subclasses__()}
    | {*ast.unaryop.__subclasses__(), *ast.boolop.__subclasses__()}
)
"""Parts of the syntax without parts of their own."""

_NOTED = frozenset(
    {
        *(ast.AnnAssign, ast.Assign, ast.AsyncFor, ast.AugAssign, ast.Call, ast.For),
        *(ast.NamedExpr, ast.Return, ast.Subscript, ast.Yield, ast.YieldFrom, ast.withitem),
    }
)
_ASKING = frozenset({"get", "items", "pop", "setdefault", "values"})
"""Methods that give what a mapping holds."""


@dataclass(frozen=True, slots=True)
class Shape:
    """`relevant` are the names that what the function returns may be made of.

    `outline` are those of them that matter where nobody looks at what the mappings hold that it
    returns.
    """

    yields: bool
    relevant: frozenset[str]
    outline: frozenset[str]


@kept_with_node
def shape_of(node: FunctionNode) -> Shape:
    """Look at all of a function's own syntax once."""
    if isinstance(node, ast.Lambda):
        return Shape(False, frozenset(), frozenset())
    looking = _Looking()
    for statement in node.body:
        looking.look(statement)
    return looking.shape()


Found = tuple[frozenset[str], frozenset[str]]
"""The names in a part of the syntax: all of them, and those beside what mappings in it hold."""

_NONE: Found = (frozenset(), frozenset())


class _Looking:
    """One pass over a function, from the leaves up, so that each name is looked at once."""

    def __init__(self) -> None:
        self.yields = False
        self.wanted: set[str] = set()
        self.wanted_outside: set[str] = set()
        self.made_of: dict[str, set[str]] = {}
        self.made_outside: dict[str, set[str]] = {}
        self.looked_into: set[str] = set()
        """Names of which elements are asked for."""

    def shape(self) -> Shape:
        """What all of it comes to."""
        outside = {
            name: self.made_of[name] if name in self.looked_into else made
            for name, made in self.made_outside.items()
        }
        return Shape(
            self.yields,
            frozenset(_closed(self.wanted, self.made_of)),
            frozenset(_closed(self.wanted_outside, outside)),
        )

    def look(self, node: ast.AST) -> Found:
        """Look at a part, and give the names in it."""
        kind = type(node)
        if kind is ast.Name:
            own = frozenset((node.id,))  # type: ignore[attr-defined]
            return own, own
        if kind is ast.Constant or kind in _OPERATORS:
            return _NONE
        if kind in _FUNCTIONS:
            return _names(node), _names(node)
        if isinstance(node, ast.Dict):
            return self._look_at_mapping(node)
        if kind not in _NOTED:
            found = _together([self.look(child) for child in children(node)])
            # What a mapping holds matters to who asks for an element of it.
            return (found[0], found[0]) if kind is ast.Attribute else found
        parts: dict[str, Found] = {}
        for field in node._fields:
            child = getattr(node, field, None)
            if isinstance(child, ast.AST):
                parts[field] = self.look(child)
            elif isinstance(child, list):
                several = [self.look(one) for one in child if isinstance(one, ast.AST)]
                if several:
                    parts[field] = _together(several)
        found = _together(parts.values())
        self._note(node, parts, found)
        return (found[0], found[0]) if kind is ast.Subscript else found

    def _look_at_mapping(self, node: ast.Dict) -> Found:
        keys = _together([self.look(key) for key in node.keys if key is not None])
        held: list[Found] = []
        for key, value in zip(node.keys, node.values, strict=True):
            every, outside = self.look(value)
            held.append((every, outside if key is None else frozenset()))
        return _together([keys, *held])

    def _note(self, node: ast.AST, parts: dict[str, Found], found: Found) -> None:
        match node:
            case ast.Yield() | ast.YieldFrom():
                self.yields = True
            case ast.Return():
                self.wanted |= found[0]
                self.wanted_outside |= found[1]
            case ast.Assign():
                is_held = all(isinstance(target, ast.Subscript) for target in node.targets)
                self._made(parts.get("targets"), parts.get("value"), is_held)
            case ast.AnnAssign() | ast.AugAssign() | ast.NamedExpr():
                self._made(parts.get("target"), parts.get("value"))
            case ast.For() | ast.AsyncFor():
                self._made(parts.get("target"), parts.get("iter"))
            case ast.withitem():
                self._made(parts.get("optional_vars"), parts.get("context_expr"))
            case ast.Call(func=ast.Attribute(attr=name)):
                self._made(parts.get("func"), found)
                if name in _ASKING:
                    self.looked_into |= parts.get("func", _NONE)[0]
            case ast.Subscript(ctx=ast.Load()):
                self.looked_into |= parts.get("value", _NONE)[0]

    def _made(self, targets: Found | None, of: Found | None, is_held: bool = False) -> None:
        every, outside = of or _NONE
        for name in (targets or _NONE)[0]:
            self.made_of.setdefault(name, set()).update(every)
            made = self.made_outside.setdefault(name, set())
            if not is_held:
                made |= outside


def _together(several: Iterable[Found]) -> Found:
    told = [one for one in several if one[0]]
    if len(told) < 2:
        return told[0] if told else _NONE
    return frozenset().union(*[one[0] for one in told]), frozenset().union(
        *[one[1] for one in told]
    )


def _closed(wanted: set[str], made_of: dict[str, set[str]]) -> set[str]:
    found: set[str] = set()
    waiting = list(wanted)
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            waiting += made_of.get(name, ())
    return found


@kept_with_node
def _names(node: ast.AST) -> frozenset[str]:
    return frozenset(inner.id for inner in walk(node) if isinstance(inner, ast.Name))
