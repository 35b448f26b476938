"""Which node is meant where a flow mentions one: by its name, or by what stands for it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from flowlint.dialects.declared.declaration import System
from flowlint.dialects.declared.pieces import Piece
from flowlint.dialects.reading import alternatives, bare_function, text_of
from flowlint.graph.model import ALWAYS, END, START, Presence
from flowlint.values.model import (
    Built,
    Call,
    Class,
    Const,
    External,
    Function,
    Generic,
    Instance,
    Partial,
    Sequence,
    Union,
    Value,
)

_UNIONS = frozenset({"typing.Union", "typing.Optional", "typing_extensions.Union"})
_WRAPPERS = frozenset({"typing.Annotated", "typing_extensions.Annotated"})
_LITERALS = frozenset({"typing.Literal", "typing_extensions.Literal"})


@dataclass(frozen=True, slots=True)
class Mention:
    """A node that is meant, None where that cannot be told, at a value under a condition."""

    presence: Presence
    value: Value
    name: str | None


class Naming:
    """Knows the nodes of a flow by what stands for them."""

    def __init__(self, system: System, *, by_own_name: bool) -> None:
        self._ends = frozenset(system.ends)
        self._starts = frozenset(system.starts)
        self._by_own_name = by_own_name
        """Whether functions and classes are nodes by the names they were defined with."""
        self._known: dict[object, str] = {}

    def note(self, value: Value | None, name: str) -> None:
        """A value stands for the node of a name; where it stands for two, for none."""
        key = _key(value) if value is not None else None
        if key is not None:
            self._known[key] = name if self._known.get(key, name) == name else ""

    def mentioned(self, value: Value, presence: Presence = ALWAYS) -> Iterator[Mention]:
        """The nodes that a value names, also several in a list."""
        for under, single in alternatives(value, presence):
            if isinstance(single, Sequence):
                if single.rest is not None:
                    yield Mention(under, single.rest, None)
                for item in single.items:
                    yield from self.mentioned(item.value, under | item.presence)
            elif not (isinstance(single, Const) and single.value is None):
                yield Mention(under, single, self._name(single))

    def declared(self, value: Value) -> Iterator[Mention]:
        """The nodes that a declared type tells, each a member of a union or a literal."""
        if isinstance(value, Union):
            for member in value.members:
                yield from self.declared(member)
        elif isinstance(value, Generic) and isinstance(value.base, External):
            base = value.base.qualified
            if base in _UNIONS:
                for member in value.arguments:
                    yield from self.declared(member)
            elif base in _WRAPPERS and value.arguments:
                yield from self.declared(value.arguments[0])
            elif base in _LITERALS:
                for member in value.arguments:
                    yield Mention(ALWAYS, member, self._name(member))
            else:
                yield Mention(ALWAYS, value, self._name(value))
        elif not (isinstance(value, Const) and value.value is None):
            # A text is the name of a class here, which the language did not find.
            name = None if isinstance(value, Const) else self._name(value)
            yield Mention(ALWAYS, value, name)

    def _name(self, value: Value) -> str | None:
        marker = self._marker(value)
        if marker is not None:
            return marker
        text = text_of(value)
        if text is not None:
            return text
        key = _key(value)
        known = self._known.get(key) if key is not None else None
        if known is not None:
            return known or None
        if not self._by_own_name:
            return None
        if isinstance(value, Generic):
            value = value.base
        function = bare_function(value)
        if function is not None:
            return function.name if not function.decorators else None
        return value.name if isinstance(value, Class) else None

    def _marker(self, value: Value) -> str | None:
        word = text_of(value)
        if isinstance(value, Generic):
            value = value.base
        if isinstance(value, External):
            word = value.qualified
        elif isinstance(value, Call):
            word = value.target
        if word in self._ends:
            return END
        return START if word in self._starts else None


def own_name(piece: Piece, item: str) -> tuple[str, Value] | None:
    """The name that a function, a class or a text gives to the node it stands for."""
    value = piece.value
    if value is None:
        return None
    if item == "name":
        text = text_of(value)
        return (text, value) if text is not None else None
    if item == "class":
        return (value.name, value) if isinstance(value, Class) else None
    function = bare_function(value)
    if function is not None and not isinstance(value, Partial):
        return function.name, function
    return None


def _key(value: Value) -> object:
    if isinstance(value, Generic):
        value = value.base
    while isinstance(value, Partial):
        value = value.target
    if isinstance(value, Instance):
        value = value.cls
    if isinstance(value, Function):
        receiver = value.receiver
        return value.qualified, getattr(receiver, "serial", None)
    if isinstance(value, Class | Built):
        return value.serial
    return None
