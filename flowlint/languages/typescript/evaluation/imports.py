"""What modules declare, import and export, worked out when somebody asks for it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flowlint.graph.model import ALWAYS
from flowlint.languages.typescript.evaluation.machine import Machine
from flowlint.languages.typescript.evaluation.outline import Imported, Outline, text_in
from flowlint.languages.typescript.evaluation.scopes import ModuleScope
from flowlint.languages.typescript.reading.module import Place
from flowlint.languages.typescript.reading.words import words_of
from flowlint.values.conditions import alternatives
from flowlint.values.model import (
    Const,
    Entry,
    External,
    Function,
    Mapped,
    Module,
    Origin,
    Unknown,
    Value,
)

if TYPE_CHECKING:
    from tree_sitter import Node

ELSEWHERE = frozenset(
    {"expression_statement", "if_statement", "for_in_statement", "for_statement", "try_statement"}
)
"""Statements at the top of a module that may change what others declare."""


def bind_late(machine: Machine, module: ModuleScope, name: str) -> Value | None:
    """What a module binds a name to that was not evaluated yet; None: nothing does."""
    if name in module.pending:
        return None
    outline = machine.program.outline(module)
    imported = outline.imports.get(name)
    if imported is None and name not in outline.declared:
        return None
    module.pending.add(name)
    mark = machine.mark()
    frames, machine.frames = machine.frames, []
    machine.reset()
    try:
        if imported is not None:
            origin = module.parsed.place(imported.node)
            module.names[name] = resolve(machine, imported, module, origin)
        else:
            _run(machine, module, outline.declared[name])
            if name in module.names and _can_change(module.names[name]):
                _run(machine, module, _changing(module, outline, name))
    finally:
        machine.restore(mark)
        machine.frames = frames
        module.pending.discard(name)
    return module.names.get(name)


def _run(machine: Machine, module: ModuleScope, statements: list[Node]) -> None:
    for statement in statements:
        if statement.id not in module.ran:
            machine.execute([statement], module)


def _can_change(value: Value) -> bool:
    """Whether a value is one that something else may be done to later."""
    return not isinstance(value, Const | External | Function)


def _changing(module: ModuleScope, outline: Outline, name: str) -> list[Node]:
    """The statements at the top of a module that may change what a name stands for.

    They name it, or something that does so in turn.
    """
    names = {name.encode()}
    texts = [
        (statement, words_of(module.parsed, statement).all)
        for statement in outline.statements
        if statement.type != "import_statement"
    ]
    of_names: dict[int, list[bytes]] = {}
    for declared, statements in outline.declared.items():
        for statement in statements:
            of_names.setdefault(statement.id, []).append(declared.encode())
    size = 0
    while size != len(names):
        size = len(names)
        for statement, words in texts:
            if statement.id in of_names and not names.isdisjoint(words):
                names.update(of_names[statement.id])
    return [
        statement
        for statement, words in texts
        if statement.type in ELSEWHERE and not names.isdisjoint(words)
    ]


def resolve(machine: Machine, imported: Imported, module: ModuleScope, origin: Origin) -> Value:
    """What an import brings."""
    if imported.name == "*":
        return import_whole(machine, imported.specifier, module, origin)
    if imported.name == "":
        return required(machine, imported.specifier, module, origin)
    path = machine.program.find(imported.specifier, module)
    if path is None:
        return _outside(machine, imported.specifier, imported.name, origin)
    found = _loaded(machine, path, origin)
    if isinstance(found, Module) and isinstance(found.definition, ModuleScope):
        return exported(machine, found.definition, imported.name, origin)
    return found if imported.name == "default" else machine.member(found, imported.name, origin)


def _outside(machine: Machine, specifier: str, name: str, origin: Origin) -> Value:
    if specifier.startswith((".", "/")):
        key = f"{specifier}.{name}"
        return Unknown(f"`{specifier}`, which cannot be read", origin, key)
    qualified = f"{specifier}.{name}"
    if qualified in machine.models.constants:
        return Const(machine.models.constants[qualified], origin)
    return External(qualified, origin)


def import_whole(machine: Machine, specifier: str, module: ModuleScope, origin: Origin) -> Value:
    """A module with all that it exports."""
    path = machine.program.find(specifier, module)
    if path is None:
        if specifier.startswith((".", "/")):
            return Unknown(f"`{specifier}`, which cannot be read", origin, specifier)
        return External(specifier, origin)
    return _loaded(machine, path, origin)


def required(machine: Machine, specifier: str, module: ModuleScope, origin: Origin) -> Value:
    """What `require` gives: what a module assigns to its exports, or all that it exports."""
    whole = import_whole(machine, specifier, module, origin)
    if isinstance(whole, Module) and isinstance(whole.definition, ModuleScope):
        other = whole.definition
        if machine.program.outline(other).assigned is not None:
            return exported(machine, other, "default", origin)
    return whole


def _loaded(machine: Machine, path: str, origin: Origin) -> Value:
    if path.endswith(".json"):
        from flowlint.languages.json.frontend import read_json

        try:
            documents = read_json(path, machine.program.files.read(path))
        except OSError:
            return Unknown(f"`{path}`, which cannot be read", origin)
        if documents.values and not documents.faults:
            return documents.values[0]
        return Unknown(f"`{path}`, which cannot be read", origin)
    module = machine.program.load(path)
    if module is None:
        return Unknown(f"`{path}`, which cannot be read", origin)
    return Module(module.qualified, Place(module.parsed, 0, 0), module)


def exported(machine: Machine, module: ModuleScope, name: str, origin: Origin) -> Value:
    """What a module exports under a name."""
    found = _exported(machine, module, name, set())
    if found is not None:
        return found
    return Unknown(f"`{name}`, which the module does not export", origin)


def all_exported(
    machine: Machine, module: ModuleScope, origin: Origin
) -> tuple[list[Entry], Unknown | None]:
    """All that a module exports by name, and why there may be more."""
    names, is_whole = _names_exported(machine, module, set())
    entries = [
        Entry(Const(name, origin), exported(machine, module, name, origin)) for name in names
    ]
    return entries, None if is_whole else Unknown("what another module passes on", origin)


def _names_exported(
    machine: Machine, module: ModuleScope, seen: set[int]
) -> tuple[dict[str, None], bool]:
    """The names under which a module exports, and whether these are all."""
    if id(module) in seen:
        return {}, True
    seen.add(id(module))
    outline = machine.program.outline(module)
    names = dict.fromkeys([*outline.exports, *outline.passed_on])
    is_whole = outline.assigned is None
    if outline.default is not None:
        names["default"] = None
    for specifier in outline.stars:
        path = machine.program.find(specifier, module)
        other = machine.program.load(path) if path is not None else None
        if other is None:
            is_whole = False
            continue
        found, is_known = _names_exported(machine, other, seen)
        names.update((name, None) for name in found if name != "default")
        is_whole = is_whole and is_known
    return names, is_whole


def _exported(machine: Machine, module: ModuleScope, name: str, seen: set[int]) -> Value | None:
    if name in module.exported:
        return module.exported[name]
    if id(module) in seen:
        return None
    seen.add(id(module))
    outline = machine.program.outline(module)
    value = _own(machine, module, name)
    if value is None and name in outline.passed_on:
        passed = outline.passed_on[name]
        value = _passed(machine, passed, module, seen)
    if value is None and name != "default":
        for specifier in outline.stars:
            path = machine.program.find(specifier, module)
            if path is None:
                if not specifier.startswith("."):
                    value = value or _outside_star(machine, specifier, name, module)
                continue
            other = machine.program.load(path)
            value = _exported(machine, other, name, seen) if other is not None else None
            if value is not None:
                break
    if value is not None:
        module.exported[name] = value
    return value


def _outside_star(machine: Machine, specifier: str, name: str, module: ModuleScope) -> Value | None:
    """What a package brings that a module passes on whole: certain for what dialects know."""
    qualified = f"{specifier}.{name}"
    if qualified in machine.models.type_of or qualified in machine.models.constants:
        return _outside(machine, specifier, name, Place(module.parsed, 0, 0))
    return None


def _passed(
    machine: Machine, passed: Imported, module: ModuleScope, seen: set[int]
) -> Value | None:
    origin = module.parsed.place(passed.node)
    path = machine.program.find(passed.specifier, module)
    if passed.name == "*" or path is None or path.endswith(".json"):
        return resolve(machine, passed, module, origin)
    other = machine.program.load(path)
    return _exported(machine, other, passed.name, seen) if other is not None else None


def _own(machine: Machine, module: ModuleScope, name: str) -> Value | None:
    """What a module exports of its own."""
    outline = machine.program.outline(module)
    if name == "default" and outline.default is not None:
        return default_value(machine, module, outline.default)
    if name in outline.exports:
        local, node = outline.exports[name]
        if local:
            return module.lookup(local, ALWAYS)
        return _evaluated(machine, module, node)
    if outline.assigned is not None:
        whole = _evaluated(machine, module, outline.assigned)
        if name == "default":
            return whole
        if isinstance(whole, Mapped):
            return machine.member(whole, name, module.parsed.place(outline.assigned))
    return None


def default_value(machine: Machine, module: ModuleScope, node: Node) -> Value:
    """What a module exports as its default; it is worked out once."""
    from flowlint.languages.typescript.evaluation.assigning import name_value

    if "default" not in module.exported:
        value = _evaluated(machine, module, node)
        for _, single in alternatives(value):
            name_value(machine, single, "default")
        module.exported["default"] = value
    return module.exported["default"]


def _evaluated(machine: Machine, module: ModuleScope, node: Node) -> Value:
    key = f"[[{node.start_byte}]]"
    if key in module.exported:
        return module.exported[key]
    if key in module.pending:
        return Unknown("a module that needs itself", module.parsed.place(node))
    module.pending.add(key)
    mark = machine.mark()
    frames, machine.frames = machine.frames, []
    machine.reset()
    try:
        if node.type in ("function_declaration", "class_declaration", "arrow_function"):
            from flowlint.languages.typescript.evaluation.functions import declared

            if node.type == "class_declaration":
                from flowlint.languages.typescript.evaluation.classes import define_class

                value: Value = define_class(machine, node, module)
            else:
                value = declared(machine, node, module)
        else:
            value = machine.evaluate(node, module)
    finally:
        machine.restore(mark)
        machine.frames = frames
        module.pending.discard(key)
    module.exported[key] = value
    return value


def run_whole(machine: Machine, module: ModuleScope, node: Node) -> None:
    """Run a module that is imported for what it does, and not for what it exports."""
    from flowlint.languages.typescript.evaluation.functions import within

    specifier = text_in(module.parsed, node.child_by_field_name("source"))
    path = machine.program.find(specifier, module)
    other = machine.program.load(path) if path is not None and not path.endswith(".json") else None
    if other is None or other.whole:
        return
    other.whole = True
    statements = machine.program.outline(other).statements

    def act() -> Value:
        machine.execute(statements, other)
        return Const(None, other.parsed.place(other.parsed.tree.root_node))

    frames, machine.frames = machine.frames, []
    within(machine, machine.steps // 2, act)
    machine.frames = frames
