"""flowrt, the reference runtime: flows in Python, and as data in JSON and YAML."""

from __future__ import annotations

from dataclasses import replace

from flowlint.dialects.flowrt.data import data_of, first_unknown
from flowlint.dialects.flowrt.model import FLOW, TYPES
from flowlint.dialects.flowrt.parts import part_of_built, part_of_mapping
from flowlint.dialects.flowrt.reading import Reader
from flowlint.dialects.flowrt.shape import document_shape, says_flow
from flowlint.dialects.reading import CallableFinder
from flowlint.dialects.surroundings import Surroundings
from flowlint.graph.model import FlowGraph
from flowlint.values.model import Built, Mapped, Value


class Flowrt:
    """The dialect of flowrt."""

    name = "flowrt"
    types = TYPES
    constants: dict[str, str] = {}  # noqa: RUF012

    def graph(self, built: Built, around: Surroundings) -> FlowGraph | None:
        """The flow that a call makes; None for calls without any of a flow's fields."""
        data = data_of(built)
        if data is not None:
            return self._of_data(data, built, around.find)
        if built.model is not FLOW:
            return None
        part = part_of_built(built)
        if not part.fields.keys() & {"nodes", "edges", "entry"} and not part.spread:
            return None
        return Reader(part, built).graph()

    def document(self, value: Value, around: Surroundings) -> FlowGraph | None:
        """The flow that a file of data is; None for data that does not say it is one."""
        if not isinstance(value, Mapped) or not says_flow(value):
            return None
        return _checked(
            Reader(part_of_mapping("flow", value, "The flow"), None, around.find), value
        )

    def _of_data(self, data: Mapped, built: Built, find: CallableFinder) -> FlowGraph:
        """The flow that is written as data in code, where all of the data is known."""
        part = part_of_mapping("flow", data, "The flow")
        unknown = first_unknown(data)
        if unknown is None:
            return _checked(Reader(part, built, find), data)
        part.fields = {name: part.fields[name] for name in ("name",) if name in part.fields}
        part.spread = True
        return Reader(part, built).graph()


def _checked(reader: Reader, data: Mapped) -> FlowGraph:
    """The graph of data. Where the shape is wrong, that is all that is told."""
    graph = reader.graph()
    wrong = tuple(document_shape(data))
    return replace(graph, violations=wrong, malformed=True) if wrong else graph


DIALECT = Flowrt()
