"""The single nodes and edges of a flow, wherever its system lets them be stated."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from flowlint.dialects.declared.declaration import Edges, Field, Nodes
from flowlint.dialects.reading import alternatives, listed, live_entries, reason_of, relative
from flowlint.graph.model import ALWAYS, Presence
from flowlint.source import Span
from flowlint.values.following import TypeModel
from flowlint.values.model import (
    Argument,
    Arguments,
    Built,
    Class,
    Const,
    Function,
    Mapped,
    Origin,
    Partial,
    Sequence,
    Value,
)


@dataclass(frozen=True, slots=True)
class Piece:
    """One item: its value or the arguments that it is made with, and the key it is held by."""

    presence: Presence
    span: Span
    value: Value | None = None
    key: Argument | None = None
    arguments: Arguments | None = None

    def part(self, field: Field) -> Argument | None:
        """What stands at a field of it, None where there is nothing."""
        for one in field:
            found = self._at(one)
            if found is not None:
                return found
        return None

    @property
    def may_hold_more(self) -> bool:
        """Whether parts of it may be there that are not known."""
        if self.arguments is not None:
            return self.arguments.spread
        return isinstance(self.value, Sequence) and self.value.rest is not None

    def holds_besides(self, read: list[Argument]) -> bool:
        """Whether it has other parts than those that were read."""
        if self.arguments is not None:
            return any(not any(one is part for part in read) for one in self.arguments.items)
        if self.key is not None or not isinstance(self.value, Sequence):
            return False
        values = [item.value for item in self.value.items]
        return any(not any(one is part.value for part in read) for one in values)

    def _at(self, one: str | int) -> Argument | None:
        if self.arguments is not None:
            if isinstance(one, str):
                return self.arguments.find(one)
            return self.arguments.find("", one)
        if isinstance(one, int) and isinstance(self.value, Sequence):
            items = self.value.items
            if one < len(items) and not any(item.presence for item in items[: one + 1]):
                return Argument(items[one].value, place=items[one].place)
        return None


@dataclass(frozen=True, slots=True)
class Lost:
    """An item, or many, of which it is not known what they are."""

    span: Span
    reason: str


class Pieces:
    """Finds the items of one declared place in a flow."""

    def __init__(self, built: Built, where: Nodes | Edges, model: TypeModel | None) -> None:
        self._built = built
        self._where = where
        self._model = model
        is_tuple = isinstance(where, Edges) and model is None
        self._item = where.item or ("object" if model else "tuple" if is_tuple else "callable")

    @property
    def item(self) -> str:
        """What stands for one of them."""
        return self._item

    def is_stated(self) -> bool:
        """Whether the flow states any, or may do so."""
        where = self._where
        if where.method:
            return any(one.method == where.method for one in self._built.operations)
        return self.argument() is not None or self._built.arguments.spread

    def argument(self) -> Argument | None:
        """The argument that holds them."""
        return Piece(ALWAYS, self._built.origin.span(), arguments=self._built.arguments).part(
            self._where.argument
        )

    def all(self) -> Iterator[Piece | Lost]:
        """Each item, and what hides some."""
        where = self._where
        if where.argument:
            given = self.argument()
            if given is not None:
                yield from self._held(given.value, ALWAYS, where.take or "list")
            elif self._built.arguments.spread:
                yield Lost(self._built.origin.span(), "arguments are spread that are not known")
            return
        for operation in self._built.operations:
            if operation.method == where.method:
                presence = relative(operation, self._built)
                yield from self._called(operation.arguments, operation.origin, presence)

    def _called(
        self, arguments: Arguments, origin: Origin, presence: Presence
    ) -> Iterator[Piece | Lost]:
        take = self._where.take or "call"
        if take == "call":
            first = arguments.find("", 0) or next(iter(arguments.items), None)
            value = first.value if first is not None else None
            yield Piece(presence, origin.span(), value, arguments=arguments)
        elif take == "each":
            for item in arguments.positional():
                if item.spread:
                    yield Lost(origin.span(), reason_of(item.value))
                else:
                    yield from self._items(item.value, presence, item.place)
        elif take == "keywords":
            for item in arguments.items:
                if item.spread == "**":
                    yield Lost(origin.span(), reason_of(item.value))
                elif item.name is not None:
                    key = Argument(Const(item.name, item.place or item.value.origin))
                    span = (item.place or item.value.origin).span()
                    yield Piece(presence, span, item.value, key)
        else:
            given = arguments.find("", 0) or next(
                (i for i in arguments.items if not i.spread), None
            )
            if given is not None:
                yield from self._held(given.value, presence, take)
            elif arguments.spread:
                yield Lost(origin.span(), "arguments are spread that are not known")

    def _held(self, value: Value, presence: Presence, take: str) -> Iterator[Piece | Lost]:
        for under, single in alternatives(value, presence):
            if take == "mapping":
                yield from self._mapped(single, under)
                continue
            found = listed(single)
            if found is None:
                yield Lost(single.origin.span(), reason_of(single))
                continue
            items, rest = found
            if rest is not None:
                yield Lost(single.origin.span(), rest.reason)
            for item in items:
                yield from self._items(item.value, under | item.presence, item.place)

    def _mapped(self, value: Value, presence: Presence) -> Iterator[Piece | Lost]:
        if not isinstance(value, Mapped):
            yield Lost(value.origin.span(), reason_of(value))
            return
        if value.rest is not None:
            yield Lost(value.origin.span(), value.rest.reason)
        for held, entry in live_entries(value):
            under = presence | held - self._built.presence
            origin = entry.place or entry.key.origin
            yield Piece(under, origin.span(), entry.value, Argument(entry.key))

    def _items(
        self, value: Value, presence: Presence, place: Origin | None
    ) -> Iterator[Piece | Lost]:
        for held, single in alternatives(value, presence):
            under = held - self._built.presence
            # What has a name of its own is shown where the flow names it.
            is_named = isinstance(single, Function | Class | Partial) and place is not None
            span = (place if is_named and place is not None else single.origin).span()
            if self._item != "object":
                yield Piece(under, span, single)
            elif isinstance(single, Built) and single.model is self._model:
                yield Piece(under, span, single, arguments=single.arguments)
            else:
                yield Lost(span, reason_of(single))
