"""Imports: names of the project are followed, all others are external."""

from __future__ import annotations

import ast
import importlib

from flowlint.languages.python.evaluation.machine import Machine
from flowlint.languages.python.evaluation.openness import open_globals
from flowlint.languages.python.evaluation.program import bound_names
from flowlint.languages.python.evaluation.scopes import ModuleScope, Scope
from flowlint.values.model import Const, External, Module, Origin, Unknown, Value


def bind_imports(
    machine: Machine, node: ast.Import | ast.ImportFrom, scope: Scope, only: str | None = None
) -> None:
    """Bind the names of an import statement, or `only` one of them.

    At the top of a module the names that nothing else binds wait until somebody asks.
    """
    if only is None and isinstance(scope, ModuleScope) and not machine.frames:
        if all(_waits(scope, node, alias) for alias in node.names):
            return
    origin = machine.origin(node, scope)
    if isinstance(node, ast.Import):
        for alias in node.names:
            name = alias.name if alias.asname else alias.name.split(".", 1)[0]
            if only not in (None, alias.asname or name):
                continue
            value = _module(machine, name, scope.module, origin)
            scope.bind(alias.asname or name, value, machine.present, origin)
        return
    for alias in node.names:
        if alias.name == "*":
            _bind_star(machine, node, scope, origin)
            continue
        if only not in (None, alias.asname or alias.name):
            continue
        value = imported(machine, node, alias.name, scope.module, origin)
        scope.bind(alias.asname or alias.name, value, machine.present, origin)


def _waits(module: ModuleScope, node: ast.Import | ast.ImportFrom, alias: ast.alias) -> bool:
    if alias.name == "*":
        return False
    name = alias.asname or (
        alias.name if isinstance(node, ast.ImportFrom) else alias.name.split(".", 1)[0]
    )
    return binders(module, name) == [node]


def note_typing_only(body: list[ast.stmt], module: ModuleScope) -> None:
    """Note what is imported for type checkers only; at run time these names do not exist."""
    for statement in body:
        if isinstance(statement, ast.ImportFrom):
            for alias in statement.names:
                module.typing_only[alias.asname or alias.name] = (statement, alias.name)


def typing_only(machine: Machine, module: ModuleScope, name: str) -> Value | None:
    """What a name means that is imported for type checkers only."""
    if name not in module.typing_only:
        return None
    statement, imported_name = module.typing_only[name]
    return imported(machine, statement, imported_name, module, machine.origin(statement, module))


def imported(
    machine: Machine, node: ast.ImportFrom, name: str, importer: ModuleScope, origin: Origin
) -> Value:
    """What `from … import name` brings."""
    module_name = node.module or ""
    qualified = f"{module_name}.{name}"
    module: ModuleScope | None = None
    if not node.level:
        known = _known(machine, qualified, origin)
        if known is not None:
            module = _with_own(machine, qualified, module_name, importer)
            if module is None:
                return known
    module = module or machine.program.find(module_name, importer, node.level)
    if module is None:
        inner = machine.program.find(qualified, importer) if not node.level else None
        if inner is not None:
            return Module(inner.qualified, origin, inner)
        return External(qualified if not node.level else f".{qualified}", origin)
    return member(machine, module, name, origin)


def member(machine: Machine, module: ModuleScope, name: str, origin: Origin) -> Value:
    """A name of a module of the project."""
    qualified = f"{module.qualified}.{name}"
    known = _known(machine, qualified, origin)
    if known is not None and not _has_shape(machine, qualified):
        return known
    found = module.lookup(name, machine.known)
    if found is not None:
        return found
    if known is not None:
        return known
    inner = machine.program.submodule(module, name)
    if inner is not None:
        return Module(inner.qualified, origin, inner)
    return Unknown(
        f"`{module.qualified}` has no `{name}` that can be seen",
        origin,
        f"{module.qualified}.{name}",
    )


def _with_own(
    machine: Machine, qualified: str, module_name: str, importer: ModuleScope
) -> ModuleScope | None:
    """The project's own module of a name that anybody may use: its classes show what it is."""
    if not _has_shape(machine, qualified):
        return None
    return machine.program.find(module_name, importer)


def _has_shape(machine: Machine, qualified: str) -> bool:
    model = machine.models.type_of.get(qualified)
    return model is not None and model.shape is not None


def _known(machine: Machine, qualified: str, origin: Origin) -> Value | None:
    """A name that a dialect knows, wherever it is found."""
    if qualified in machine.models.constants:
        return Const(machine.models.constants[qualified], origin)
    if qualified in machine.models.type_of:
        return External(qualified, origin)
    return None


def _module(machine: Machine, name: str, importer: ModuleScope, origin: Origin) -> Value:
    found = machine.program.find(name, importer)
    if found is None:
        return External(name, origin)
    return Module(found.qualified, origin, found)


def _bind_star(machine: Machine, node: ast.ImportFrom, scope: Scope, origin: Origin) -> None:
    module = machine.program.find(node.module or "", scope.module, node.level)
    if module is None:
        _bind_external_star(machine, node.module or "", scope, origin)
        return
    names = [name for statement in module.parsed.tree.body for name in bound_names(statement)]
    for name in dict.fromkeys(names):
        if not name.startswith("_") and name != "*":
            scope.bind(name, member(machine, module, name, origin), machine.present, origin)


STANDARD = frozenset({"collections", "dataclasses", "enum", "functools", "operator", "typing"})
"""Modules of the standard library whose names a star import may bring."""


def _bind_external_star(machine: Machine, module: str, scope: Scope, origin: Origin) -> None:
    """Of a module out of sight a star import brings the names that are known to matter."""
    standard = "typing" if module == "typing_extensions" else module
    if standard in STANDARD:
        for name in getattr(importlib.import_module(standard), "__all__", ()):
            scope.bind(name, External(f"{module}.{name}", origin), machine.present, origin)
    for qualified in (*machine.models.constants, *machine.models.type_of):
        prefix, _, name = qualified.rpartition(".")
        known = _known(machine, qualified, origin) if prefix == module else None
        if known is not None:
            scope.bind(name, known, machine.present, origin)


def bind_late(machine: Machine, module: ModuleScope, name: str) -> Value | None:
    """Evaluate as much of a module as it takes to know one of its names."""
    if name in module.pending:
        return None
    statements = binders(module, name)
    if not statements:
        if not module.started and _has_star(module):
            _run(machine, module)
            return module.names.get(name)
        return None
    simple = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Import | ast.ImportFrom
    mark = machine.mark()
    machine.reset()
    try:
        if len(statements) == 1 and (module.started or isinstance(statements[0], simple)):
            module.pending.add(name)
            if isinstance(statements[0], ast.Import | ast.ImportFrom):
                bind_imports(machine, statements[0], module, only=name)
            else:
                machine.execute(statements, module)
        elif not module.started:
            _run(machine, module)
    finally:
        module.pending.discard(name)
        machine.restore(mark)
    return module.names.get(name)


def _run(machine: Machine, module: ModuleScope) -> None:
    module.started = True
    machine.execute(module.parsed.tree.body, module)
    open_globals(machine, module)


def binders(module: ModuleScope, name: str) -> list[ast.stmt]:
    """The top-level statements of a module that bind a name."""
    if module.outline is None:
        module.outline = {}
        for statement in module.parsed.tree.body:
            for bound in dict.fromkeys(bound_names(statement)):
                module.outline.setdefault(bound, []).append(statement)
    return module.outline.get(name, [])


def _has_star(module: ModuleScope) -> bool:
    return any(
        isinstance(s, ast.ImportFrom) and any(a.name == "*" for a in s.names)
        for s in module.parsed.tree.body
    )
