"""Which types a language follows, as dialects tell it: data, no code."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from flowlint.graph.model import Presence

if TYPE_CHECKING:
    from flowlint.values.model import Built, Origin, Value


@dataclass(frozen=True, slots=True)
class ClassShape:
    """How a class of the project looks when it is meant by a dialect, wherever it is defined.

    `siblings` are classes defined in the same module, each with parameters of its constructor
    (or fields) that must be there. `methods` must be written in the class itself.
    """

    name: str
    parameters: frozenset[str]
    siblings: Mapping[str, frozenset[str]]
    methods: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class TypeModel:
    """A type whose instances a dialect wants followed, as data for any language.

    `qualified` are the names it is known by outside the project, `shape` recognises it inside
    the project. Methods: `fluent` ones return the object itself, `products` make something of
    it, `readers` change nothing; any other method lets the object escape. `copies` are methods of
    what `products` make that give the same again, set up in some way.
    """

    key: str
    qualified: frozenset[str]
    shape: ClassShape | None = None
    fluent: frozenset[str] = frozenset()
    products: frozenset[str] = frozenset()
    copies: frozenset[str] = frozenset()
    readers: frozenset[str] = frozenset()
    containers: frozenset[str] = frozenset()
    """Attributes that hold what was built so far, and that can be written past the methods."""
    held: Callable[[Built, str], list[tuple[Presence, str]] | None] | None = None
    """The names in a container at some point, each with its condition, None if not known."""
    gives: Callable[[Built, str, Origin], Value | None] | None = None
    """What a method gives, where that is plain from how the object was made; None: follow it."""
    roots_flow: bool = True
    """Whether an instance is a flow of its own, not only a part of one."""
    kept: frozenset[str] = frozenset()
    """Attributes that hold the argument of the same name, where no code is seen to say else."""
    annotates: frozenset[str] = frozenset()
    """Qualified names of types: a value that is declared as one of them is an instance whose only
    argument is the value. Only languages with such declarations know them."""
    exported: frozenset[str] = frozenset()
    """Modules: an object that is the default export of a module that imports one of them is such an
    instance, and so is that of a file called as `*.flow.ts`. Only languages with such exports know
    them."""


@dataclass(frozen=True, slots=True)
class Models:
    """All that a language is told of the systems: types to follow and constants by name.

    `constants` are values of names outside the project, such as an end marker.
    """

    types: tuple[TypeModel, ...]
    constants: Mapping[str, str]
    type_of: Mapping[str, TypeModel]
    """The types by every qualified name."""


def join_models(types: tuple[TypeModel, ...], constants: Mapping[str, str]) -> Models:
    """Index the models of several dialects."""
    names = {name: model for model in types for name in model.qualified}
    return Models(types, constants, names)
