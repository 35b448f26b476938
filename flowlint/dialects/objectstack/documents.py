"""Flows that are written as data: one in a file, several in a list, or in a stack."""

from __future__ import annotations

from collections.abc import Iterator

from flowlint.dialects.objectstack.objects import Obj, elements, object_of
from flowlint.dialects.objectstack.reading import flow_graph
from flowlint.dialects.objectstack.shapes import TYPES
from flowlint.graph.model import FlowGraph
from flowlint.suffixes import DATA_FLOW_SUFFIXES
from flowlint.values.model import Mapped, Sequence, Value

_OF_OTHERS = frozenset({"flowrt", "viewport", "connections"})
"""Keys of what is drawn or run by something else."""


def flows_in(value: Value) -> Iterator[FlowGraph]:
    """The flows that a document of data holds."""
    is_named = value.origin.span().path.endswith(DATA_FLOW_SUFFIXES)
    if isinstance(value, Sequence):
        for one in elements(value):
            yield from _flow(one, is_named=is_named)
    elif isinstance(value, Mapped):
        stack = object_of(value)
        if isinstance(stack.get("flows"), Sequence):
            for one in stack.items("flows"):
                yield from _flow(one, is_named=is_named)
        else:
            yield from _flow(value, is_named=is_named)


def _flow(value: Value, *, is_named: bool) -> Iterator[FlowGraph]:
    if not isinstance(value, Mapped):
        return
    obj = object_of(value)
    if _is_flow(obj, is_named=is_named):
        yield flow_graph(obj, obj.text("name") or "flow", None, is_parsed=False)


def _is_flow(obj: Obj, *, is_named: bool) -> bool:
    """Whether an object is a flow: data of other systems has nodes and edges as well."""
    if obj.fields.keys() & _OF_OTHERS:
        return False
    lists = [isinstance(obj.get(name), Sequence) for name in ("nodes", "edges")]
    if is_named and any(lists):
        return any(obj.text(name) is not None for name in ("type", "label"))
    if not all(lists) or obj.text("type") not in TYPES:
        return False
    return obj.text("label") is not None or any(map(_is_start, obj.items("nodes")))


def _is_start(node: Value) -> bool:
    return isinstance(node, Mapped) and object_of(node).text("type") == "start"
