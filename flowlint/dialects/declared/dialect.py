"""A declared system as a dialect beside those that are code."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from flowlint.dialects.declared.declaration import System
from flowlint.dialects.declared.reader import Reader
from flowlint.dialects.declared.types import types_of
from flowlint.dialects.surroundings import Surroundings
from flowlint.graph.model import FlowGraph, Semantics
from flowlint.values.following import TypeModel
from flowlint.values.model import Built


class DeclaredDialect:
    """The dialect of one declared system."""

    constants: Mapping[str, str] = {}

    def __init__(self, system: System) -> None:
        self._system = system
        self._types = types_of(system)

    @property
    def name(self) -> str:
        """How the system is called in output and settings."""
        return self._system.name

    @property
    def semantics(self) -> tuple[Semantics, ...]:
        """What the system does with a flow, as it is declared."""
        return (self._system.semantics,)

    @property
    def types(self) -> tuple[TypeModel, ...]:
        """The types whose instances are to be followed."""
        return self._types.all

    def graph(self, built: Built, _: Surroundings) -> FlowGraph | None:
        """The flow that a followed object is, None where it states nothing that is declared."""
        if built.model is not self._types.flow:
            return None
        return Reader(self._system, self._types, built).graph()


@cache
def declared_dialect(system: System) -> DeclaredDialect:
    """The one dialect of a system."""
    return DeclaredDialect(system)
