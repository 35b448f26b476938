"""What functions write that is not their own, whenever they run: its value is not known by then."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from flowlint.languages.typescript.evaluation.functions import parameters_of
from flowlint.languages.typescript.reading.module import ParsedModule
from flowlint.languages.typescript.reading.queries import captured

if TYPE_CHECKING:
    from tree_sitter import Node

    from flowlint.languages.typescript.evaluation.machine import Machine

_WRITTEN = """
(assignment_expression left: (_) @target)
(augmented_assignment_expression left: (_) @target)
(update_expression argument: (_) @target)
(unary_expression operator: "delete" argument: (_) @target)
(call_expression function: (member_expression property: (property_identifier) @method))
"""
_BOUND = """
(variable_declarator name: (_) @name)
(function_declaration name: (_) @name)
(class_declaration name: (_) @name)
(catch_clause parameter: (_) @name)
(for_in_statement kind: _ left: (_) @name)
"""
_NAMES = "[(identifier) (shorthand_property_identifier_pattern)] @name"
_ADDING = frozenset({"add", "push", "unshift"})
"""Methods that leave all that was there before."""

_FILLING = _ADDING | {
    *("clear", "delete", "fill", "pop", "reverse", "set", "shift", "sort", "splice"),
}  # fmt: skip
"""Methods that change what they are called on."""

_FUNCTIONS = frozenset(
    {
        *("arrow_function", "function_declaration", "function_expression", "generator_function"),
        *("generator_function_declaration", "method_definition"),
    }
)


@dataclass(frozen=True, slots=True)
class LateWrites:
    """The names of variables and of properties that functions write, and the variables to whose
    values they only add."""

    names: frozenset[str] = frozenset()
    properties: frozenset[str] = frozenset()
    grown: frozenset[str] = frozenset()


def late_writes_of(machine: Machine, module: ParsedModule) -> LateWrites:
    """What the functions of a module write that is not their own; constructors left out."""
    found = machine.late_writes.get(module.serial)
    if not isinstance(found, LateWrites):
        found = machine.late_writes[module.serial] = _look(module)
    return found


def _look(module: ParsedModule) -> LateWrites:
    found = captured(module, module.tree.root_node, _WRITTEN)
    targets = [(target, False) for target in found.get("target", ())]
    for method in found.get("method", ()):
        name = module.text_of(method)
        called = method.parent if name in _FILLING else None
        owner = called.child_by_field_name("object") if called is not None else None
        targets += [(owner, name in _ADDING)] if owner is not None else []
    names: set[str] = set()
    properties: set[str] = set()
    grown: set[str] = set()
    own: dict[int, frozenset[str]] = {}
    for target, is_added_to in targets:
        function = _around(target)
        if function is None or _is_constructor(module, function):
            continue
        if target.type in ("member_expression", "subscript_expression"):
            _note_property(module, target, properties, names)
            continue
        if function.id not in own:
            own[function.id] = _own_names(module, function)
        written = _names_in(module, target) - own[function.id]
        if is_added_to:
            grown |= written
        else:
            names |= written
    return LateWrites(frozenset(names), frozenset(properties), frozenset(grown))


def _note_property(
    module: ParsedModule, target: Node, properties: set[str], names: set[str]
) -> None:
    """Note what an element or a property is written of."""
    key = target.child_by_field_name("property")
    if key is not None:
        properties.add(module.text_of(key))
        return
    owner = target.child_by_field_name("object")
    if owner is not None and owner.type == "identifier":
        names.add(module.text_of(owner))
    elif owner is not None and owner.type == "member_expression":
        _note_property(module, owner, properties, names)


def _around(node: Node) -> Node | None:
    """The innermost function around a node, None at the top of a module."""
    current = node.parent
    while current is not None and current.type not in _FUNCTIONS:
        current = current.parent
    return current


def _is_constructor(module: ParsedModule, function: Node) -> bool:
    name = function.child_by_field_name("name")
    is_method = function.type == "method_definition" and name is not None
    return is_method and name is not None and module.text_of(name) == "constructor"


def _names_in(module: ParsedModule, pattern: Node) -> frozenset[str]:
    if pattern.type == "identifier":
        return frozenset({module.text_of(pattern)})
    if not pattern.type.endswith("_pattern"):
        return frozenset()
    return frozenset(map(module.text_of, captured(module, pattern, _NAMES).get("name", ())))


def _own_names(module: ParsedModule, function: Node) -> frozenset[str]:
    """The names that a function binds itself."""
    bound = [*parameters_of(function), *captured(module, function, _BOUND).get("name", ())]
    found: set[str] = set()
    for pattern in bound:
        found.update(map(module.text_of, captured(module, pattern, _NAMES).get("name", ())))
    return frozenset(found)
