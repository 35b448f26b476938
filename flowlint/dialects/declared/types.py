"""What the languages have to follow for a declared system, and where it may be looked for."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache

from flowlint.dialects.declared.declaration import Edges, Entry, Field, Names, Nodes, System
from flowlint.values.following import ClassShape, TypeModel


@dataclass(frozen=True, slots=True)
class Types:
    """The types of one system: that of flows, and those of nodes and edges as they are declared."""

    flow: TypeModel
    nodes: tuple[TypeModel | None, ...]
    edges: tuple[TypeModel | None, ...]

    @property
    def all(self) -> tuple[TypeModel, ...]:
        """Each of them once."""
        parts = {one.key: one for one in (*self.nodes, *self.edges) if one is not None}
        return (self.flow, *parts.values())


@cache
def types_of(system: System) -> Types:
    """The types of a system."""
    wanted = _Shapes(system)
    made: dict[Names, TypeModel] = {}

    def part(one: Nodes | Edges, word: str) -> TypeModel | None:
        if not one.class_:
            return None
        if one.class_ not in made:
            key = f"declared.{system.name}.{word}.{len(made)}"
            made[one.class_] = TypeModel(
                key, _qualified(one.class_), wanted.shape(one.class_), roots_flow=False
            )
        return made[one.class_]

    nodes = tuple(part(one, "node") for one in system.nodes)
    edges = tuple(part(one, "edge") for one in system.edges)
    stated: tuple[Nodes | Edges | Entry, ...] = (*system.nodes, *system.edges, *system.entry)
    adding = {one.method for one in stated if one.method}
    flow = TypeModel(
        f"declared.{system.name}.flow",
        _qualified(system.flow),
        wanted.shape(system.flow),
        fluent=frozenset(
            {*adding, *system.chained, *system.hides} - {*system.finish, *system.reads}
        ),
        products=frozenset(system.finish),
        readers=frozenset(system.reads),
    )
    return Types(flow, nodes, edges)


def needles_of(systems: Iterable[System]) -> tuple[tuple[bytes, ...], ...]:
    """What a file of Python has to hold for one of the systems to find anything in it."""
    names = (name.rpartition(".")[2] for system in systems for name in system.flow)
    return tuple((name.encode(),) for name in dict.fromkeys(names))


def _qualified(names: Names) -> frozenset[str]:
    return frozenset(name for name in names if "." in name)


def _bare(names: Names) -> str | None:
    return next((name for name in names if "." not in name), None)


class _Shapes:
    """How the classes look that a declaration names by their bare names."""

    def __init__(self, system: System) -> None:
        self._system = system
        parts: tuple[Nodes | Edges | Entry, ...] = (*system.nodes, *system.edges, *system.entry)
        self._methods = frozenset(one.method for one in parts if one.method)
        self._parameters: dict[str, frozenset[str]] = {}
        bare = _bare(system.flow)
        if bare is not None:
            self._parameters[bare] = _words(one.argument for one in parts)
        made: tuple[Nodes | Edges, ...] = (*system.nodes, *system.edges)
        for one in made:
            name = _bare(one.class_)
            if name is not None:
                asked = self._parameters.get(name, frozenset())
                self._parameters[name] = asked | _named(one)

    def shape(self, names: Names) -> ClassShape | None:
        """The shape of a class, with those of the classes that have to stand beside it."""
        name = _bare(names)
        if name is None:
            return None
        siblings = {other: asked for other, asked in self._parameters.items() if other != name}
        methods = self._methods if names == self._system.flow else frozenset()
        return ClassShape(name, self._parameters[name], siblings, methods)


def _named(part: Nodes | Edges) -> frozenset[str]:
    fields: tuple[Field, ...]
    if isinstance(part, Nodes):
        fields = (part.name, part.run, part.kind)
    else:
        fields = (part.source, part.target, part.guard, part.label)
    return _words(fields)


def _words(fields: Iterable[Field]) -> frozenset[str]:
    """The argument that each field is first looked for by, where that has a name."""
    return frozenset(field[0] for field in fields if field and isinstance(field[0], str))
