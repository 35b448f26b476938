"""The dialects, and what they tell the languages."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Protocol

from flowlint.dialects.surroundings import Surroundings
from flowlint.graph.model import FlowGraph
from flowlint.values.following import Models, TypeModel, join_models
from flowlint.values.model import Built, Value


class Dialect(Protocol):
    """One system: which types to follow, and how to read a graph from what was followed."""

    @property
    def name(self) -> str:
        """How the system is called in output and settings."""

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


@cache
def data_dialects() -> tuple[DataDialect, ...]:
    """The dialects of data."""
    from flowlint.dialects import flowrt

    return (flowrt.DIALECT,)


@cache
def dialects() -> tuple[Dialect, ...]:
    """All dialects there are."""
    from flowlint.dialects import flowrt, hydraflow, langgraph

    return (hydraflow.DIALECT, langgraph.DIALECT, flowrt.DIALECT)


@cache
def models() -> Models:
    """What the languages have to follow for all dialects together."""
    constants: dict[str, str] = {}
    for dialect in dialects():
        constants.update(dialect.constants)
    return join_models(tuple(t for d in dialects() for t in d.types), constants)


def dialect_of(model: TypeModel) -> Dialect | None:
    """The dialect that a followed type belongs to."""
    return next((d for d in dialects() if model in d.types), None)
