"""The dialects, and what they tell the languages."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from types import ModuleType
from typing import TYPE_CHECKING, Protocol, cast

from flowlint.dialects.surroundings import Surroundings
from flowlint.graph.model import FlowGraph, Semantics
from flowlint.plugins.installed import DIALECTS, installed
from flowlint.values.following import Models, TypeModel, join_models
from flowlint.values.model import Built, Value

if TYPE_CHECKING:
    from flowlint.dialects.declared.declaration import System


class Dialect(Protocol):
    """One system: which types to follow, and how to read a graph from what was followed."""

    @property
    def name(self) -> str:
        """How the system is called in output and settings."""

    @property
    def semantics(self) -> tuple[Semantics, ...]:
        """What the system does with a flow; several where the flow chooses."""

    @property
    def types(self) -> tuple[TypeModel, ...]:
        """The types whose instances are to be followed."""

    @property
    def constants(self) -> Mapping[str, str]:
        """Constants of the system by their qualified names."""

    def graph(self, built: Built, around: Surroundings) -> FlowGraph | None:
        """The flow that a followed object is, None when it turns out to be none."""


class DataDialect(Protocol):
    """A system whose flows are also written as data."""

    def document(self, value: Value, around: Surroundings) -> FlowGraph | None:
        """The flow that a file of data is; None for data that does not say it is one."""


@dataclass(frozen=True, slots=True)
class DialectEntry:
    """A dialect with its documentation (Markdown with fixed headings).

    `origin` is the distribution that brings the dialect, with its version; None: flowlint itself.
    What is asked of the dialect of a plugin may raise anything.
    """

    dialect: Dialect
    docs: str
    origin: str | None = None

    @property
    def name(self) -> str:
        """How the system is called in output and settings."""
        return self.dialect.name

    @property
    def reads_data(self) -> bool:
        """Whether flows of the system are also written as data."""
        return hasattr(self.dialect, "document") or hasattr(self.dialect, "documents")

    @property
    def refuses_repeats(self) -> bool:
        """Whether data in which a key is written twice is refused, as many readers do not."""
        return bool(getattr(self.dialect, "refuses_repeats", False))

    @property
    def distributions(self) -> tuple[str, ...]:
        """Of which distributions it asks the version that a project uses, as far as it says so."""
        return tuple(getattr(self.dialect, "distributions", ()))

    def flow(self, built: Built, around: Surroundings) -> FlowGraph | None:
        """The flow that a followed object is, None when it turns out to be none."""
        return self._own(self.dialect.graph(built, around))

    def flows(self, built: Built, around: Surroundings) -> list[FlowGraph]:
        """The flows that a followed object is or holds."""
        several = getattr(self.dialect, "graphs", None)
        found = several(built, around) if several else (self.dialect.graph(built, around),)
        return [graph for one in found if (graph := self._own(one)) is not None]

    def remarks(self, built: Built, around: Surroundings) -> list[FlowGraph]:
        """What a followed object shows to be wrong with flows that are told elsewhere."""
        told = getattr(self.dialect, "remarks", None)
        return list(told(built, around)) if told is not None else []

    def documents(self, value: Value, around: Surroundings) -> list[FlowGraph]:
        """The flows that a file of data holds; none for data that does not say it is one."""
        several = getattr(self.dialect, "documents", None)
        if several is not None:
            found = several(value, around)
        else:
            found = (cast(DataDialect, self.dialect).document(value, around),)
        return [graph for one in found if (graph := self._own(one)) is not None]

    def _own(self, graph: FlowGraph | None) -> FlowGraph | None:
        if graph is not None and self.origin is not None:
            if not isinstance(graph, FlowGraph):
                raise TypeError(f"gives {type(graph).__name__} for a flow")
            if graph.dialect != self.name:
                raise ValueError(f"gives a flow of the dialect `{graph.dialect}`")
        return graph


@cache
def built_in_dialects() -> tuple[DialectEntry, ...]:
    """The dialects of flowlint. A module of one defines `DIALECT` and a docstring."""
    from flowlint.dialects import acpx, agentsflow, flowrt, hydraflow, langgraph, objectstack

    modules: tuple[ModuleType, ...] = (
        hydraflow,
        langgraph,
        flowrt,
        acpx,
        objectstack,
        agentsflow,
    )
    return tuple(DialectEntry(m.DIALECT, (m.__doc__ or "").strip()) for m in modules)


@cache
def all_dialects() -> tuple[DialectEntry, ...]:
    """The dialects of flowlint, then those of plugins."""
    if not installed(DIALECTS):
        return built_in_dialects()
    from flowlint.dialects.plugins import plugin_dialects

    return (*built_in_dialects(), *plugin_dialects().entries)


def dialects_with(systems: tuple[System, ...]) -> tuple[DialectEntry, ...]:
    """All dialects, then those of systems that settings declare."""
    return _dialects_with(systems) if systems else all_dialects()


@cache
def _dialects_with(systems: tuple[System, ...]) -> tuple[DialectEntry, ...]:
    from flowlint.dialects.declared.dialect import declared_dialect
    from flowlint.dialects.declared.docs import docs_of

    own = (DialectEntry(declared_dialect(one), docs_of(one)) for one in systems)
    return (*all_dialects(), *own)


def find_dialect(name: str, systems: tuple[System, ...] = ()) -> DialectEntry | None:
    """The dialect of this name, in any case; None when there is none."""
    found = dialects_with(systems)
    return next((entry for entry in found if entry.name == name.lower()), None)


@cache
def data_dialects() -> tuple[DialectEntry, ...]:
    """The dialects whose flows are also written as data."""
    return tuple(entry for entry in all_dialects() if entry.reads_data)


def models(systems: tuple[System, ...] = ()) -> Models:
    """What the languages have to follow for all dialects together, with those of settings."""
    return _models(systems)


@cache
def _models(systems: tuple[System, ...]) -> Models:
    entries = dialects_with(systems)
    constants: dict[str, str] = {}
    for entry in entries:
        constants.update(entry.dialect.constants)
    return join_models(tuple(t for e in entries for t in e.dialect.types), constants)


def dialect_of(model: TypeModel, systems: tuple[System, ...] = ()) -> DialectEntry | None:
    """The dialect that a followed type belongs to."""
    found = dialects_with(systems)
    return next((entry for entry in found if model in entry.dialect.types), None)
