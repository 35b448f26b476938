"""LangGraph: `StateGraph` built step by step, supersteps, checked when compiled."""

from __future__ import annotations

from flowlint.dialects.langgraph.model import CONSTANTS, GRAPHS
from flowlint.dialects.langgraph.reading import read_graph
from flowlint.dialects.reading import CallableFinder
from flowlint.graph.model import FlowGraph
from flowlint.values.model import Built


class LangGraph:
    """The dialect of LangGraph's graph API."""

    name = "langgraph"
    types = GRAPHS
    constants = CONSTANTS

    def graph(self, built: Built, _: CallableFinder) -> FlowGraph | None:
        """The flow that a builder holds when all was done to it.

        None for a builder that comes in as an argument of a function nobody was seen to call:
        what it holds already is out of sight.
        """
        if built.model not in GRAPHS or built.parameter:
            return None
        return read_graph(built)


DIALECT = LangGraph()

__all__ = ["DIALECT"]
