"""What can be told of one function: its declared return, its code, its meaning as a guard."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from flowlint.graph.guards import Formula
from flowlint.languages.python.evaluation import guards, raising, returning
from flowlint.languages.python.evaluation.annotations import parsed_text
from flowlint.languages.python.evaluation.scopes import (
    FunctionDefinition,
    ModuleScope,
    NodeOrigin,
    Scope,
)
from flowlint.languages.python.nodes import children, kept_with_node, walk
from flowlint.values.bodies import Body
from flowlint.values.model import (
    Function,
    Unknown,
    Value,
)
from flowlint.values.readers import Wanted

if TYPE_CHECKING:
    from flowlint.languages.python.evaluation.machine import Machine


class Reader:
    """Reads one function on demand (see `flowlint.values.readers.FunctionReader`)."""

    __slots__ = ("definition", "machine")

    def __init__(self, machine: Machine, definition: FunctionDefinition) -> None:
        self.machine = machine
        self.definition = definition

    def returns(self) -> Value | None:
        """The declared return type, resolved as Python's `get_type_hints` would resolve it.

        Annotations that are texts are looked up among the names of the module only; when one
        of the function's annotations does not resolve there, none of them counts.
        """
        node = self.definition.node
        if isinstance(node, ast.Lambda):
            return None
        unresolved = self._unresolved(node)
        if unresolved is not None:
            return Unknown("an annotation does not resolve", self._origin(unresolved))
        return None if node.returns is None else self._declared(node.returns)

    def parameter(self, position: int) -> Value | None:
        """The declared type of a parameter, as `returns` gives that of the result."""
        node = self.definition.node
        parameters = _all_args(node.args)
        if isinstance(node, ast.Lambda) or position >= len(parameters):
            return None
        annotation = parameters[position].annotation
        if annotation is None:
            return None
        if self._unresolved(node) is not None:
            if not _has_star(self.definition.scope.module):
                return None
            return Unknown("an annotation does not resolve", self._origin(annotation))
        known = self.definition.types.get(parameters[position].arg)
        return self._declared(annotation) if known is None else known

    def _unresolved(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> ast.expr | None:
        """The first annotation with a text that does not resolve in the module."""
        module = self.definition.scope.module
        annotations = [a.annotation for a in _all_args(node.args) if a.annotation is not None]
        if node.returns is not None:
            annotations.append(node.returns)
        for annotation in annotations:
            for text in _texts(annotation, everything=module.future_annotations):
                if text is None or not _resolves(text, module):
                    return annotation
        return None

    def for_types_only(self) -> tuple[str, NodeOrigin] | None:
        """A name in a declaration that is only imported for type checkers, and where it is."""
        node = self.definition.node
        annotation = None if isinstance(node, ast.Lambda) else self._unresolved(node)
        if annotation is None:
            return None
        module = self.definition.scope.module
        imported = _imported_for_types(module.parsed.tree)
        for text in _texts(annotation, everything=module.future_annotations):
            for inner in walk(text) if text is not None else ():
                if isinstance(inner, ast.Name) and inner.id in imported:
                    if not _resolves(inner, module):
                        return inner.id, self._origin(annotation)
        return None

    def _declared(self, annotation: ast.expr) -> Value:
        module = self.definition.scope.module
        return self._type(
            annotation, module if module.future_annotations else self.definition.scope
        )

    def _type(self, node: ast.expr, scope: Scope) -> Value:
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            inner = parsed_text(node)
            if inner is None:
                return Unknown("an annotation does not resolve", self._origin(node))
            return self._type(inner, self.definition.scope.module)
        return self.machine.evaluate(node, scope)

    def _origin(self, node: ast.AST) -> NodeOrigin:
        return NodeOrigin(self.definition.module, node)

    def guard(self) -> Formula | None:
        """The function as a condition on its first argument, None outside the fragment."""
        return guards.formula(self.machine, self.definition)

    def text(self) -> str:
        """What the function returns, as it was written: for lambdas, their condition."""
        node = self.definition.node
        return self.machine.text(node.body) if isinstance(node, ast.Lambda) else node.name

    def names_used(self) -> frozenset[str]:
        """Every name and attribute in the function's own code."""
        return _names_used(self.definition.node)

    def mentions(self) -> Iterator[Value]:
        """What the names in the function's code stand for, as far as that is known already."""
        scope: Scope | None = self.definition.scope
        names = self.names_used()
        while scope is not None:
            for name in names & scope.names.keys():
                yield scope.names[name]
            scope = scope.parent

    def changes(self) -> Iterator[Value]:
        """What the function's code may change of what is outside of it.

        These are the things it calls a method of, or writes an element or attribute of.
        """
        written: set[str] = set()
        for node in walk(self.definition.node):
            target: ast.expr | None = None
            if isinstance(node, ast.Call):
                target = node.func
            elif isinstance(node, ast.Subscript | ast.Attribute):
                target = node if isinstance(node.ctx, ast.Store | ast.Del) else None
            while isinstance(target, ast.Attribute | ast.Subscript):
                target = target.value
            if isinstance(target, ast.Name):
                written.add(target.id)
        scope: Scope | None = self.definition.scope
        while scope is not None:
            for name in written & scope.names.keys():
                if not isinstance(scope.names[name], Function):
                    yield scope.names[name]
            scope = scope.parent

    def positional_parameters(self) -> int:
        """How many parameters can be given by position, `*args` not counted."""
        args = self.definition.node.args
        return len(args.posonlyargs) + len(args.args)

    def arguments(self, receiver: Value | None) -> Wanted:
        """What the function wants to be called with, on an object where it is bound to one."""
        from flowlint.languages.python.bodies.functions import parameters

        args = self.definition.node.args
        defaults = self.definition.defaults
        places = parameters(self.definition, receiver)
        required = tuple(name for name in places if name not in defaults)
        named = tuple(arg.arg for arg in args.kwonlyargs if arg.arg not in defaults)
        return Wanted(None if args.vararg is not None else len(places), required, named)

    def may_return(self, qualified: frozenset[str]) -> bool:
        """Whether a returned value may be an instance of one of these types, or is unknown."""
        return returning.Returns(self.machine, qualified).of(self.definition, 0)

    def body(
        self,
        receiver: Value | None,
        given: tuple[Value, ...] = (),
        named: Mapping[str, Value] | None = None,
    ) -> Body:
        """What its code may return and reads, on an object where it is bound to one."""
        from flowlint.languages.python.bodies.keeping import body_of
        from flowlint.languages.python.bodies.reader import read_body

        if given or named:
            return read_body(self.machine, self.definition, receiver, given, named or {})
        return body_of(self.machine, self.definition, receiver)

    def runs(self, receiver: Value | None, names: frozenset[str], word: str) -> NodeOrigin | None:
        """Where its code, or that of a function it calls, runs one of these."""
        from flowlint.languages.python.evaluation import reaching

        return reaching.runs(self.machine, (self.definition, receiver), names, word)

    def may_run(self, receiver: Value | None, names: frozenset[str], word: str) -> bool:
        """Whether its code, or that of a function it calls, may run one of these."""
        from flowlint.languages.python.evaluation import reaching

        return reaching.may_run(self.machine, (self.definition, receiver), names, word)

    def may_raise(self) -> bool:
        """Whether the function may end the run that calls it, or that cannot be told."""
        return raising.may_raise(self.machine, self.definition)


@kept_with_node
def _names_used(node: ast.AST) -> frozenset[str]:
    names: set[str] = set()
    for inner in walk(node):
        if isinstance(inner, ast.Name):
            names.add(inner.id)
        elif isinstance(inner, ast.Attribute):
            names.add(inner.attr)
    return frozenset(names)


def _all_args(args: ast.arguments) -> list[ast.arg]:
    """All parameters in the order of the function's signature."""
    several = [args.vararg] if args.vararg is not None else []
    named = [args.kwarg] if args.kwarg is not None else []
    return [*args.posonlyargs, *args.args, *several, *args.kwonlyargs, *named]


def _texts(annotation: ast.expr, *, everything: bool) -> list[ast.expr | None]:
    """The parts of an annotation that are resolved late: texts, or all of it.

    Texts inside `Literal[…]` are values, not names.
    """
    if everything:
        if isinstance(annotation, ast.Constant) and isinstance(annotation.value, str):
            return [parsed_text(annotation)]
        return [annotation]
    if isinstance(annotation, ast.Constant) and isinstance(annotation.value, str):
        return [parsed_text(annotation)]
    if isinstance(annotation, ast.Subscript):
        name = annotation.value
        last = name.attr if isinstance(name, ast.Attribute) else getattr(name, "id", "")
        if last in ("Literal", "Annotated"):
            return []
        return _texts(annotation.slice, everything=False)
    found: list[ast.expr | None] = []
    for child in children(annotation):
        if isinstance(child, ast.expr):
            found += _texts(child, everything=False)
    return found


def _resolves(node: ast.expr, module: Scope) -> bool:
    """Whether every name of an annotation is one of the module's, or built in."""
    literal_texts = (
        isinstance(node, ast.Subscript)
        and getattr(node.value, "id", getattr(node.value, "attr", "")) == "Literal"
    )
    if isinstance(node, ast.Name):
        return module.lookup(node.id, frozenset()) is not None or node.id in BUILTINS
    if literal_texts and isinstance(node, ast.Subscript):
        return _resolves(node.value, module) and all(
            _resolves(child, module) for child in walk(node.slice) if isinstance(child, ast.Name)
        )
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        inner = parsed_text(node)
        return inner is not None and _resolves(inner, module)
    return all(_resolves(child, module) for child in children(node) if isinstance(child, ast.expr))


def _imported_for_types(tree: ast.Module) -> frozenset[str]:
    """The names that a module imports under `if TYPE_CHECKING:`."""
    found: set[str] = set()
    for statement in tree.body:
        if not isinstance(statement, ast.If):
            continue
        last = statement.test.attr if isinstance(statement.test, ast.Attribute) else None
        if "TYPE_CHECKING" not in (last, getattr(statement.test, "id", None)):
            continue
        for inner in statement.body:
            if isinstance(inner, ast.Import | ast.ImportFrom):
                found |= {(alias.asname or alias.name).partition(".")[0] for alias in inner.names}
    return frozenset(found)


def _has_star(module: ModuleScope) -> bool:
    """Whether an import may bring names that are out of sight."""
    return _imports_star(module.parsed.tree)


@kept_with_node
def _imports_star(tree: ast.Module) -> bool:
    return any(
        isinstance(statement, ast.ImportFrom) and any(a.name == "*" for a in statement.names)
        for statement in walk(tree)
    )


BUILTINS = frozenset(dir(__import__("builtins")))
