"""LangGraph: `StateGraph` built step by step, supersteps, checked when compiled."""

from __future__ import annotations

from flowlint.dialects.langgraph.model import CONSTANTS, GRAPHS
from flowlint.dialects.langgraph.reading import read_graph
from flowlint.dialects.langgraph.releases import release_of
from flowlint.dialects.surroundings import Surroundings
from flowlint.graph.model import FlowGraph
from flowlint.values.model import Built

DISTRIBUTION = "langgraph"


class LangGraph:
    """The dialect of LangGraph's graph API."""

    name = "langgraph"
    types = GRAPHS
    constants = CONSTANTS

    def graph(self, built: Built, around: Surroundings) -> FlowGraph | None:
        """The flow that a builder holds when all was done to it.

        None for a builder that comes in as an argument of a function nobody was seen to call:
        what it holds already is out of sight.
        """
        if built.model not in GRAPHS or built.parameter:
            return None
        return read_graph(built, release_of(around.version_of(DISTRIBUTION)))


DIALECT = LangGraph()

__all__ = ["DIALECT"]
