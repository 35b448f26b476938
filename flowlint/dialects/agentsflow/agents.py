"""Agents by their names, by which crews know them."""

from __future__ import annotations

from flowlint.dialects.agentsflow.crew_model import AGENTS, CREW
from flowlint.dialects.reading import text_of
from flowlint.values.model import Built, Instance, Product, Value


def name_of_agent(value: Value) -> str | None:
    """The name of an agent, None where it is not known."""
    if isinstance(value, Product):
        given = value.operation.arguments.get("node_id", 1)
        is_tool = value.source.model is CREW and value.operation.method == "add_tool_node"
        return text_of(given) if is_tool and given is not None else None
    if isinstance(value, Instance):
        held = value.attributes.get("name")
        return text_of(held) if held is not None else None
    if not isinstance(value, Built) or value.model not in AGENTS:
        return None
    held = value.attributes.get("name")
    if held is not None:
        return text_of(held)
    if value.cls is not None and value.cls.reader.method("__init__") is not None:
        return None
    named = value.arguments.find("name", 0)
    return text_of(named.value) if named is not None else None
