"""What the top of a module declares, imports and exports, without evaluating anything."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from flowlint.languages.typescript.reading.literals import unescaped
from flowlint.languages.typescript.reading.module import ParsedModule, children

if TYPE_CHECKING:
    from tree_sitter import Node

DECLARATIONS = frozenset(
    {
        "abstract_class_declaration", "class_declaration", "enum_declaration",
        "function_declaration", "generator_function_declaration", "internal_module",
        "lexical_declaration", "module", "variable_declaration",
    }
)  # fmt: skip

TYPES = frozenset(
    {
        "abstract_class_declaration", "class_declaration", "enum_declaration",
        "interface_declaration", "type_alias_declaration",
    }
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Imported:
    """A name that an import binds: `name` of a module; "*" for all of it, "" as `require` does."""

    specifier: str
    name: str
    node: Node


@dataclass(slots=True)
class Outline:
    """The statements of a module by the names they bind, its imports and its exports."""

    statements: list[Node] = field(default_factory=list)
    declared: dict[str, list[Node]] = field(default_factory=dict)
    types: dict[str, Node] = field(default_factory=dict)
    imports: dict[str, Imported] = field(default_factory=dict)
    exports: dict[str, tuple[str, Node]] = field(default_factory=dict)
    """The local names by those they are exported under, with where."""
    passed_on: dict[str, Imported] = field(default_factory=dict)
    """What is exported of other modules, by the names under which it is."""
    stars: list[str] = field(default_factory=list)
    """The modules of which everything is exported."""
    default: Node | None = None
    """The expression that is exported as the default."""
    assigned: Node | None = None
    """What `module.exports =` or `export =` exports."""


def outline_of(module: ParsedModule) -> Outline:
    """Look over the top of a module."""
    outline = Outline()
    for statement in children(module.tree.root_node):
        outline.statements.append(statement)
        if statement.type == "import_statement":
            _note_import(module, statement, outline)
        elif statement.type == "export_statement":
            _note_export(module, statement, outline)
        else:
            _note_declared(module, statement, outline)
            _note_commonjs(module, statement, outline)
    return outline


def text_in(module: ParsedModule, node: Node | None) -> str:
    """The text of a string literal."""
    if node is None:
        return ""
    return unescaped(module.text_of(node)[1:-1])


def name_of(module: ParsedModule, node: Node | None) -> str:
    """A name as it is written, also one between quotes."""
    if node is None:
        return ""
    return text_in(module, node) if node.type == "string" else module.text_of(node)


def _note_import(module: ParsedModule, node: Node, outline: Outline) -> None:
    source = node.child_by_field_name("source")
    specifier = text_in(module, source)
    for clause in children(node):
        if clause.type == "import_require_clause":
            names = children(clause)
            specifier = text_in(module, clause.child_by_field_name("source"))
            outline.imports[module.text_of(names[0])] = Imported(specifier, "", names[0])
        elif clause.type == "import_clause":
            for part in children(clause):
                _note_clause(module, part, specifier, outline)


def _note_clause(module: ParsedModule, part: Node, specifier: str, outline: Outline) -> None:
    if part.type == "identifier":
        outline.imports[module.text_of(part)] = Imported(specifier, "default", part)
    elif part.type == "namespace_import":
        for name in children(part):
            outline.imports[module.text_of(name)] = Imported(specifier, "*", name)
    elif part.type == "named_imports":
        for one in children(part):
            if one.type != "import_specifier":
                continue
            called = one.child_by_field_name("name")
            alias = one.child_by_field_name("alias") or called
            found = Imported(specifier, name_of(module, called), one)
            outline.imports[name_of(module, alias)] = found


def _note_export(module: ParsedModule, node: Node, outline: Outline) -> None:
    source = node.child_by_field_name("source")
    declaration = node.child_by_field_name("declaration")
    is_default = any(child.type == "default" for child in node.children)
    if declaration is not None:
        before = set(outline.declared) | set(outline.types)
        _note_declared(module, declaration, outline, node)
        name = declaration.child_by_field_name("name")
        if is_default:
            if name is not None:
                outline.exports["default"] = (module.text_of(name), node)
            else:
                outline.default = declaration
            return
        for bound in declared_names(module, declaration):
            outline.exports[bound] = (bound, node)
        for bound in (set(outline.declared) | set(outline.types)) - before:
            outline.exports.setdefault(bound, (bound, node))
        return
    value = node.child_by_field_name("value")
    if value is not None:
        outline.default = value
        return
    specifier = text_in(module, source)
    parts = children(node)
    named = [part for part in parts if part.type in ("export_clause", "namespace_export")]
    if source is not None and not named:
        outline.stars.append(specifier)
    for part in named:
        _note_clause_of_export(module, part, specifier if source is not None else None, outline)
    if source is None and not named and parts:
        outline.assigned = parts[0]


def _note_clause_of_export(
    module: ParsedModule, part: Node, specifier: str | None, outline: Outline
) -> None:
    if part.type == "namespace_export":
        for name in children(part):
            outline.passed_on[name_of(module, name)] = Imported(specifier or "", "*", name)
        return
    for one in children(part):
        if one.type != "export_specifier":
            continue
        called = one.child_by_field_name("name")
        alias = one.child_by_field_name("alias") or called
        if specifier is None:
            outline.exports[name_of(module, alias)] = (name_of(module, called), one)
        else:
            found = Imported(specifier, name_of(module, called), one)
            outline.passed_on[name_of(module, alias)] = found


def _note_declared(
    module: ParsedModule, node: Node, outline: Outline, statement: Node | None = None
) -> None:
    inner = node
    if node.type in ("ambient_declaration", "expression_statement"):
        parts = children(node)
        inner = parts[0] if parts else node
    name = inner.child_by_field_name("name")
    if inner.type in TYPES and name is not None:
        outline.types.setdefault(module.text_of(name), inner)
    if node.type == "ambient_declaration":
        return
    for bound in declared_names(module, inner):
        outline.declared.setdefault(bound, []).append(statement or node)


def declared_names(module: ParsedModule, node: Node) -> Iterator[str]:
    """The names that a declaration binds, also inside of compound statements."""
    if node.type in ("lexical_declaration", "variable_declaration"):
        for one in children(node):
            target = one.child_by_field_name("name") if one.type == "variable_declarator" else None
            if target is not None:
                yield from pattern_names(module, target)
    elif node.type in DECLARATIONS:
        name = node.child_by_field_name("name")
        if name is not None:
            yield module.text_of(name)
    elif node.type in ("if_statement", "try_statement", "for_in_statement", "for_statement"):
        yield from _var_names(module, node)


def _var_names(module: ParsedModule, node: Node) -> Iterator[str]:
    stack = [node]
    while stack:
        current = stack.pop()
        if current.type == "variable_declaration":
            yield from declared_names(module, current)
        elif not current.type.endswith(("function", "function_declaration", "expression")):
            stack += current.named_children


def pattern_names(module: ParsedModule, target: Node) -> Iterator[str]:
    """The names that a pattern binds."""
    stack = [target]
    while stack:
        node = stack.pop()
        if node.type in ("identifier", "shorthand_property_identifier_pattern"):
            yield module.text_of(node)
        elif node.type in ("assignment_pattern", "object_assignment_pattern"):
            left = node.child_by_field_name("left")
            stack += [left] if left is not None else []
        elif node.type == "pair_pattern":
            value = node.child_by_field_name("value")
            stack += [value] if value is not None else []
        elif node.type in ("object_pattern", "array_pattern", "rest_pattern"):
            stack += children(node)


def _note_commonjs(module: ParsedModule, statement: Node, outline: Outline) -> None:
    """`module.exports = …` and `const x = require("y")` at the top of a module."""
    if statement.type == "expression_statement":
        parts = children(statement)
        node = parts[0] if parts else statement
        if node.type == "assignment_expression":
            left = node.child_by_field_name("left")
            right = node.child_by_field_name("right")
            if left is not None and module.text_of(left) == "module.exports":
                outline.assigned = right
            elif left is not None and right is not None and left.type == "member_expression":
                owner = left.child_by_field_name("object")
                name = left.child_by_field_name("property")
                text = module.text_of(owner) if owner is not None else ""
                if text in ("module.exports", "exports") and name is not None:
                    outline.exports[module.text_of(name)] = ("", right)
