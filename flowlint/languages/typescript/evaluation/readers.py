"""What can be told of functions and classes, worked out only when a dialect asks for it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from flowlint.graph.guards import Formula
from flowlint.languages.typescript.evaluation.by_text import by_text
from flowlint.languages.typescript.evaluation.scopes import (
    ClassDefinition,
    FunctionDefinition,
    Scope,
)
from flowlint.languages.typescript.reading.module import Place, children
from flowlint.languages.typescript.reading.queries import captured
from flowlint.values.bodies import Body
from flowlint.values.model import Field, Function, Origin, Value
from flowlint.values.readers import Wanted

if TYPE_CHECKING:
    from tree_sitter import Node

    from flowlint.languages.typescript.evaluation.machine import Machine

NAMES = frozenset(
    {
        "identifier", "property_identifier", "shorthand_property_identifier",
        "shorthand_property_identifier_pattern",
    }
)  # fmt: skip


class Reader:
    """Tells dialects about one function."""

    __slots__ = ("definition", "machine")

    def __init__(self, machine: Machine, definition: FunctionDefinition) -> None:
        self.machine = machine
        self.definition = definition

    def returns(self) -> Value | None:
        """The declared type of what it returns, None when there is none."""
        from flowlint.languages.typescript.evaluation.types import type_value

        node = self.definition.node.child_by_field_name("return_type")
        return None if node is None else type_value(self.machine, node, self.definition.scope)

    def guard(self) -> Formula | None:
        """The function as a condition on its first argument, None outside the fragment."""
        return None

    def text(self) -> str:
        """What the function returns, as it was written: for arrows, their condition."""
        node = self.definition.node
        body = node.child_by_field_name("body")
        if body is not None and body.type != "statement_block":
            return self.definition.module.shown(body)
        name = node.child_by_field_name("name")
        return self.definition.module.text_of(name) if name is not None else "function"

    def names_used(self) -> frozenset[str]:
        """Every name and property in the function's own code."""
        return by_text(self.definition, "names", _names_in)

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

        These are the things it calls a method of, or writes a property or element of.
        """
        from flowlint.languages.typescript.evaluation.changing import changed_by

        return changed_by(self.definition)

    def positional_parameters(self) -> int:
        """How many parameters can be given by position, a rest not counted."""
        return sum(not _is_rest(part) for part in self._parameters())

    def _parameters(self) -> list[Node]:
        from flowlint.languages.typescript.evaluation.functions import parameters_of

        return parameters_of(self.definition.node)

    def parameter(self, position: int) -> Value | None:
        """The declared type of a parameter, as `returns` gives that of the result."""
        from flowlint.languages.typescript.evaluation.types import type_value

        parameters = self._parameters()
        if position >= len(parameters):
            return None
        node = parameters[position].child_by_field_name("type")
        return None if node is None else type_value(self.machine, node, self.definition.scope)

    def for_types_only(self) -> tuple[str, Origin] | None:
        """Nothing: declarations are gone at run time."""
        return None

    def arguments(self, receiver: Value | None) -> Wanted:
        """What the function wants to be called with.

        Nothing stops a call with fewer or more arguments: the required ones are those without a
        default that are not declared to be optional.
        """
        required: list[str] = []
        taken = 0
        more = False
        for part in self._parameters():
            if _is_rest(part):
                more = True
                continue
            taken += 1
            pattern = part.child_by_field_name("pattern") or part
            optional = part.type == "optional_parameter"
            if not optional and part.child_by_field_name("value") is None:
                required.append(self.definition.module.text_of(pattern))
        return Wanted(None if more else taken, tuple(required))

    def may_return(self, qualified: frozenset[str]) -> bool:
        """Whether a returned value may be an instance of one of these types, or is unknown."""
        from flowlint.languages.typescript.bodies.returning import may_return

        return may_return(self.body(None), qualified)

    def body(
        self,
        receiver: Value | None,
        given: tuple[Value, ...] = (),
        named: Mapping[str, Value] | None = None,
    ) -> Body:
        """What its code may return and reads, on an object where it is bound to one."""
        from flowlint.languages.typescript.bodies.keeping import body_of

        return body_of(self.machine, self.definition, receiver, given)

    def runs(self, receiver: Value | None, names: frozenset[str], word: str) -> Origin | None:
        """Where its code, or that of a function it calls, runs one of these."""
        from flowlint.languages.typescript.bodies import reaching

        return reaching.runs(self.machine, self.definition, names, word)

    def may_run(self, receiver: Value | None, names: frozenset[str], word: str) -> bool:
        """Whether its code, or that of a function it calls, may run one of these."""
        from flowlint.languages.typescript.bodies import reaching

        return reaching.may_run(self.machine, self.definition, names, word)

    def may_raise(self) -> bool:
        """Whether the function may end the run that calls it: what it calls may throw."""
        return by_text(self.definition, "raising", _raises)


_NAMED = f"[{' '.join(f'({name})' for name in sorted(NAMES))}] @name"


def _names_in(definition: FunctionDefinition) -> frozenset[str]:
    text = definition.module.text_of
    found = captured(definition.module, definition.node, _NAMED).get("name", ())
    return frozenset(map(text, found))


def _raises(definition: FunctionDefinition) -> bool:
    raising = ("throw_statement", "call_expression", "new_expression", "await_expression")
    return any(node.type in raising for node in walk(definition.node))


def _is_rest(part: Node) -> bool:
    pattern = part.child_by_field_name("pattern")
    return part.type == "rest_pattern" or (pattern is not None and pattern.type == "rest_pattern")


def walk(node: Node) -> Iterator[Node]:
    """A node and all named nodes in it, in the order of the text."""
    stack = [node]
    while stack:
        current = stack.pop()
        yield current
        stack += reversed(current.named_children)


class TypeScriptClassReader:
    """Tells dialects about one class."""

    __slots__ = ("definition", "machine")

    def __init__(self, machine: Machine, definition: ClassDefinition) -> None:
        self.machine = machine
        self.definition = definition

    def fields(self) -> tuple[Field, ...]:
        """The fields that the body of the class itself declares."""
        from flowlint.languages.typescript.evaluation.types import type_value

        definition = self.definition
        body = definition.node.child_by_field_name("body")
        found: list[Field] = []
        for part in children(body) if body is not None else []:
            name, declared = part.child_by_field_name("name"), part.child_by_field_name("type")
            if part.type == "public_field_definition" and name is not None and declared is not None:
                found.append(
                    Field(
                        definition.module.text_of(name),
                        type_value(self.machine, declared, definition.scope),
                        Place(definition.module, name.start_byte, name.end_byte),
                    )
                )
        return tuple(found)

    def hidden_fields(self) -> str | None:
        """Why the class itself may declare other fields than those, None when it does not."""
        return None

    def annotations(self) -> Mapping[str, Value]:
        """The declared types of its fields."""
        return {field.name: field.annotation for field in self.fields()}

    def method(self, name: str) -> Function | None:
        """The method that instances have under a name, None when none can be seen."""
        found = self.definition.methods.get(name)
        return self.machine.inner.get(found.key) if found is not None else None

    def scope(self) -> object:
        """The language's own record of the names in the class; nothing for a dialect."""
        return self.definition
