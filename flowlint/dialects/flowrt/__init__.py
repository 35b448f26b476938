"""flowrt, the reference runtime: flows in Python, and as data in JSON and YAML."""

from __future__ import annotations

from dataclasses import replace

from flowlint.dialects.flowrt.model import FLOW, TYPES
from flowlint.dialects.flowrt.parts import CallableFinder, part_of_built, part_of_mapping
from flowlint.dialects.flowrt.reading import Reader
from flowlint.dialects.flowrt.shape import document_shape, says_flow
from flowlint.graph.model import FlowGraph
from flowlint.values.model import Built, Mapped, Value


class Flowrt:
    """The dialect of flowrt."""

    name = "flowrt"
    types = TYPES
    constants: dict[str, str] = {}  # noqa: RUF012

    def graph(self, built: Built) -> FlowGraph | None:
        """The flow that a `Flow(…)` call makes; None for calls without any of its fields."""
        if built.model is not FLOW:
            return None
        part = part_of_built(built)
        if not part.fields.keys() & {"nodes", "edges", "entry"} and not part.spread:
            return None
        return Reader(part, built).graph()

    def document(self, value: Value, find: CallableFinder) -> FlowGraph | None:
        """The flow that a file of data is; None for data that does not say it is one.

        `find` looks up functions that the data names.
        """
        if not isinstance(value, Mapped) or not says_flow(value):
            return None
        graph = Reader(part_of_mapping("flow", value, "The flow"), None, find).graph()
        wrong = tuple(document_shape(value))
        return replace(graph, violations=wrong, malformed=True) if wrong else graph


DIALECT = Flowrt()
