"""LangGraph: `StateGraph` built step by step, supersteps, checked when compiled."""

from __future__ import annotations

from flowlint.dialects.langgraph.model import CONSTANTS, STATE_GRAPH
from flowlint.dialects.langgraph.reading import read_graph
from flowlint.graph.model import FlowGraph
from flowlint.values.model import Built


class LangGraph:
    """The dialect of LangGraph's graph API."""

    name = "langgraph"
    types = (STATE_GRAPH,)
    constants = CONSTANTS

    def graph(self, built: Built) -> FlowGraph | None:
        """The flow that a builder holds when all was done to it."""
        return read_graph(built) if built.model is STATE_GRAPH else None


DIALECT = LangGraph()
