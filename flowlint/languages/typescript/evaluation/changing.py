"""What the code of a function may change of what is outside of it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from flowlint.languages.typescript.evaluation.outline import pattern_names
from flowlint.languages.typescript.evaluation.scopes import FunctionDefinition, Scope
from flowlint.languages.typescript.reading.module import ParsedModule
from flowlint.values.model import Function, Value

if TYPE_CHECKING:
    from tree_sitter import Node

LOOKING = frozenset(
    {
        "at", "concat", "endsWith", "entries", "every", "filter", "find", "findIndex", "findLast",
        "flat", "flatMap", "forEach", "get", "has", "hasOwnProperty", "includes", "indexOf",
        "join", "keys", "lastIndexOf", "map", "match", "padEnd", "padStart", "reduce", "repeat",
        "replace", "replaceAll", "slice", "some", "split", "startsWith", "test", "then", "toFixed",
        "toLowerCase", "toReversed", "toSorted", "toString", "toUpperCase", "trim", "values",
    }
)  # fmt: skip
"""Methods of arrays, maps and texts that leave them as they are."""

STEPS = frozenset({"member_expression", "subscript_expression", "non_null_expression"})

WRITES = frozenset({"assignment_expression", "augmented_assignment_expression"})


def changed_by(definition: FunctionDefinition) -> Iterator[Value]:
    """What a function calls a method of, or writes a property or element of."""
    names = _changed_names(definition.node, definition.module)
    scope: Scope | None = definition.scope
    while scope is not None and names:
        for name in names & scope.names.keys():
            if not isinstance(scope.names[name], Function):
                yield scope.names[name]
        names = names - scope.names.keys()
        scope = scope.parent


def _changed_names(node: Node, module: ParsedModule) -> set[str]:
    """The names of other scopes that are the first of what is changed."""
    changed: set[str] = set()
    own: set[str] = set()
    stack = [node]
    while stack:
        current = stack.pop()
        stack += current.named_children
        kind = current.type
        if kind == "call_expression":
            callee = current.child_by_field_name("function")
            if callee is not None and callee.type == "member_expression":
                method = callee.child_by_field_name("property")
                if method is not None and module.text_of(method) not in LOOKING:
                    _note_first(callee, module, changed)
                if module.text_of(callee) == "Object.assign":
                    _note_argument(current, module, changed)
        elif kind in WRITES or kind == "update_expression":
            field = "argument" if kind == "update_expression" else "left"
            target = current.child_by_field_name(field)
            if target is not None and target.type in STEPS:
                _note_first(target, module, changed)
        elif kind == "unary_expression" and current.children[0].type == "delete":
            target = current.child_by_field_name("argument")
            if target is not None:
                _note_first(target, module, changed)
        elif kind in ("required_parameter", "optional_parameter"):
            pattern = current.child_by_field_name("pattern")
            own.update(pattern_names(module, pattern) if pattern is not None else ())
        elif kind == "variable_declarator":
            target = current.child_by_field_name("name")
            own.update(pattern_names(module, target) if target is not None else ())
        elif kind == "arrow_function":
            alone = current.child_by_field_name("parameter")
            own.update(pattern_names(module, alone) if alone is not None else ())
    return changed - own


def _note_first(target: Node, module: ParsedModule, names: set[str]) -> None:
    """Note the name that a chain of properties begins with."""
    current: Node | None = target
    while current is not None and current.type in STEPS:
        inner = current.child_by_field_name("object")
        current = inner if inner is not None else next(iter(current.named_children), None)
    if current is not None and current.type == "identifier":
        names.add(module.text_of(current))


def _note_argument(call: Node, module: ParsedModule, names: set[str]) -> None:
    arguments = call.child_by_field_name("arguments")
    if arguments is not None and arguments.named_children:
        _note_first(arguments.named_children[0], module, names)
