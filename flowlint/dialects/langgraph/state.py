"""The state of a graph: the keys of its schemas, and of those that its nodes and routers take."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from flowlint.dialects.langgraph.editions import Edition
from flowlint.dialects.langgraph.schemas import ROOT, Keys
from flowlint.dialects.langgraph.taken import taken_by, taken_by_node, taken_by_router
from flowlint.dialects.langgraph.targets import named_step
from flowlint.dialects.reading import alternatives, written
from flowlint.graph.code import Channel, StateSchema
from flowlint.graph.model import Violation
from flowlint.source import Span
from flowlint.values.model import (
    Argument,
    Built,
    Class,
    Const,
    External,
    Generic,
    Operation,
    Sequence,
    Value,
)

FURTHER = (("input_schema", "input"), ("output_schema", "output"))
"""The names under which a builder takes further schemas, newer ones first."""


@dataclass(frozen=True, slots=True)
class Taken:
    """The keys of the state that a node is given, surely and at most. None: all, or any."""

    surely: frozenset[str] | None
    may_take: frozenset[str] | None = None


NOT_KNOWN = Taken(None)


class StateReader:
    """Collects the keys that a builder comes to know, in the order in which it does.

    `violations` tell of keys that it refuses.
    """

    def __init__(self, built: Built, edition: Edition) -> None:
        self.built = built
        self.edition = edition
        self.stated = built.arguments.find("state_schema", 0)
        self.keys = Keys()
        self.own: Keys | None = None
        """The keys of the state's own schema, once a node was asked about."""
        self.violations: list[Violation] = []

    def read(self, operations: Iterable[Operation]) -> StateSchema | None:
        """The state of what the builder makes of these operations, None where it has no schema."""
        built, stated = self.built, self.stated
        if stated is None:
            return None
        self.keys = self.edition.keys_of(stated.value, written(stated))
        if built.arguments.spread:
            self._more("the arguments of the builder are not known")
        if built.cls is not None:
            self._more(f"`{built.cls.name}` may add to its state by itself")
        own = frozenset(self.keys.channels)
        inputs, outputs = (_surely(built, names, own, self.edition) for names in FURTHER)
        may_input = _may_input(built, self.keys, self.edition)
        for names in FURTHER:
            further = next((a for a in map(built.arguments.find, names) if a is not None), None)
            if further is not None:
                self._join(_schemas(further, self.edition), written(further), "StateGraph")
        for operation in operations:
            self._apply(operation)
        if built.escapes:
            self._more(f"its nodes may name further keys: {built.escapes[0][0]}")
        channels, more = self.keys.channels, self.keys.more
        whole = more is None and set(channels) == {ROOT}
        span, name = written(stated), _name(stated.value)
        return StateSchema(channels, span, name, more, whole, inputs, outputs, may_input)

    def taken(self, operation: Operation, action: Value) -> Taken:
        """What a node is given: the keys of the schema that it names, or else the state's own."""
        if self.stated is None:
            return NOT_KNOWN
        place = operation.origin.span()
        if operation.method == "add_node":
            several = taken_by_node(operation.arguments, place, self.edition)
        else:
            several = list(taken_by(action, place, self.edition))
        if self.own is None:
            self.own = self.edition.keys_of(self.stated.value, written(self.stated))
        own = self.own
        return _taken([own if found is None else found for found in several or [None]])

    def taken_by_router(self, router: Value, place: Span) -> Taken | None:
        """What a router is given by its own declaration, None where it declares nothing."""
        several = list(taken_by_router(router, place, self.edition))
        known = [found for found in several if found is not None]
        if len(known) == len(several):
            return _taken(known) if known else NOT_KNOWN
        return NOT_KNOWN if known else None

    def _more(self, why: str) -> None:
        self.keys.more = self.keys.more or why

    def _apply(self, operation: Operation) -> None:
        """Take in what a node or router names."""
        arguments = operation.arguments
        place = operation.origin.span()
        several: list[Keys | None] = []
        match operation.method:
            case "add_node":
                several = taken_by_node(arguments, place, self.edition)
            case "add_conditional_edges":
                router = arguments.get("path", 1)
                several = list(taken_by_router(router, place, self.edition))
            case "set_conditional_entry_point":
                router = arguments.get("path", 0)
                several = list(taken_by_router(router, place, self.edition))
            case "add_sequence":
                self._add_sequence(operation)
        if operation.presence - self.built.presence or operation.caught:
            several = [*several, None]
        self._join(several, place, operation.method)

    def _add_sequence(self, operation: Operation) -> None:
        steps = operation.arguments.get("nodes", 0)
        if not isinstance(steps, Sequence) or steps.rest is not None:
            self._more("not all of its nodes are known")
        for item in steps.items if isinstance(steps, Sequence) else ():
            place = (item.place or operation.origin).span()
            several = list(taken_by(named_step(item.value)[1], place, self.edition))
            self._join(several, place, operation.method)

    def _join(self, several: list[Keys | None], place: Span, method: str) -> None:
        """Take in schemas of which one is named; None is the schema of the state itself."""
        for found in several:
            refused = self.keys.join(found) if found is not None else []
            if len(several) == 1:
                self.violations += [_refused(*pair, place, method) for pair in refused]


def _taken(several: list[Keys]) -> Taken:
    surely = frozenset.intersection(*(frozenset(keys.channels) for keys in several))
    if not all(keys.is_dict and keys.more is None for keys in several):
        return Taken(surely)
    return Taken(surely, frozenset(key for keys in several for key in keys.channels))


def _may_input(built: Built, own: Keys, edition: Edition) -> frozenset[str] | None:
    """The keys that a run may take in, None where they are not all known."""
    if built.arguments.spread or built.cls is not None:
        return None
    stated = next((a for a in map(built.arguments.find, FURTHER[0]) if a is not None), None)
    several = [None] if stated is None else _schemas(stated, edition)
    every = [own if keys is None else keys for keys in several]
    if any(keys.more is not None for keys in every):
        return None
    return frozenset(key for keys in every for key in keys.channels)


def _schemas(stated: Argument, edition: Edition) -> list[Keys | None]:
    """The schemas that an argument may name."""
    return [
        None
        if isinstance(schema, Const) and schema.value is None
        else edition.keys_of(schema, written(stated))
        for _, schema in alternatives(stated.value)
    ]


def _refused(known: Channel, found: Channel, place: Span, method: str) -> Violation:
    key = found.key
    return Violation(
        place,
        f"The schema that this brings gives `{key}` a reducer, but the state has `{key}` without "
        f"one already: {method}() raises",
        f"give `{key}` the same reducer in both, or leave it out of one",
        related=(
            (f"`{key}` has a reducer here", found.span),
            (f"`{key}` has none here", known.span),
        ),
    )


def _surely(
    built: Built, names: tuple[str, str], keys: frozenset[str], edition: Edition
) -> frozenset[str]:
    """The keys that surely go in or out: those of a further schema, or else of the state."""
    stated = next((a for a in map(built.arguments.find, names) if a is not None), None)
    if built.arguments.spread or stated is None:
        return frozenset() if built.arguments.spread else keys
    found: list[frozenset[str]] = []
    for _, single in alternatives(stated.value):
        is_none = isinstance(single, Const) and single.value is None
        own = keys if is_none else frozenset(edition.keys_of(single, written(stated)).channels)
        found.append(own)
    return frozenset.intersection(*found) if found else frozenset()


def _name(schema: Value) -> str:
    """How a schema is called."""
    if isinstance(schema, Class):
        return schema.name
    if isinstance(schema, Generic):
        return _name(schema.base)
    return schema.qualified.rsplit(".", 1)[-1] if isinstance(schema, External) else ""
