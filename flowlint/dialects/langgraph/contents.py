"""What the containers of a builder hold at some point of a program."""

from __future__ import annotations

from flowlint.dialects.reading import alternatives, text_of
from flowlint.graph.model import Presence
from flowlint.values.model import Built, Function

WITHOUT_NODES = frozenset(
    {
        "add_edge",
        "add_conditional_edges",
        "compile",
        "set_conditional_entry_point",
        "set_entry_point",
        "set_finish_point",
        "set_node_defaults",
        "validate",
    }
)


def names_held(built: Built, container: str) -> list[tuple[Presence, str]] | None:
    """The names of the nodes so far, each with its condition; None when they are not known."""
    if container != "nodes" or built.parameter or built.escapes or built.cls is not None:
        return None
    found: list[tuple[Presence, str]] = []
    for operation in built.operations:
        if operation.method in WITHOUT_NODES:
            continue
        first = operation.arguments.find("node", 0)
        if operation.method != "add_node" or first is None or operation.arguments.spread:
            return None
        for presence, value in alternatives(first.value, operation.presence):
            plain = isinstance(value, Function) and not value.decorators
            name = value.name if plain and isinstance(value, Function) else text_of(value)
            if name is None:
                return None
            found.append((presence, name))
    return found
