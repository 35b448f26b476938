"""The nodes that a flow makes of its definition, which builders take over one by one."""

from __future__ import annotations

from flowlint.dialects.agentsflow.records import record_of
from flowlint.dialects.reading import listed, text_of
from flowlint.values.following import TypeModel
from flowlint.values.model import Argument, Arguments, Built, Entry, Mapped, Origin, Value

METHOD = "_materialize_nodes"
"""What gives them, by their ids."""


def nodes_made(
    built: Built, method: str, origin: Origin, definition: TypeModel, node: TypeModel
) -> Value | None:
    """What the method gives, None where the definition is not known."""
    given = built.arguments.get("definition", 0)
    if method != METHOD or not isinstance(given, Built) or given.model is not definition:
        return None
    nodes = given.arguments.get("nodes")
    found = listed(nodes) if nodes is not None else None
    if found is None or found[1] is not None:
        return None
    entries: list[Entry] = []
    for item in found[0]:
        record = record_of(item.value)
        named = record.find("id") if record is not None else None
        if named is None or text_of(named.value) is None:
            return None
        argument = Argument(named.value, "node_id", place=named.value.origin)
        arguments = Arguments((argument,), item.value.origin)
        made = Built(node, arguments, item.value.origin, built.presence | item.presence)
        entries.append(Entry(named.value, made, item.presence))
    return Mapped(entries, origin)
