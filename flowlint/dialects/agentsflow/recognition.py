"""Which files of data hold flows of AgentsFlow."""

from __future__ import annotations

from collections.abc import Iterator

from flowlint.dialects.agentsflow.blueprint_shapes import KINDS as BLUEPRINT_KINDS
from flowlint.dialects.agentsflow.model import CONDITIONS, CORE_TYPES
from flowlint.dialects.agentsflow.records import Record, record_of
from flowlint.values.model import Mapped, Sequence, Value

_OWN_TYPES = frozenset(CORE_TYPES) - {"start", "end"}
"""Types by which a node is plainly one of AgentsFlow: others have starts and ends as well."""


def says_definition(value: Mapped) -> bool:
    """Whether a mapping is a definition: named by `flow`, with a node of a type of AgentsFlow."""
    record = record_of(value)
    if record is None or record.text("flow") is None:
        return False
    nodes = list(_records(record.get("nodes")))
    if not nodes or not all("id" in node.fields and "type" in node.fields for node in nodes):
        return False
    return any(node.text("type") in _OWN_TYPES or "agent_ref" in node.fields for node in nodes)


def says_svelteflow(value: Mapped) -> bool:
    """Whether a mapping is what the editor of AgentsFlow keeps."""
    record = record_of(value)
    if record is None:
        return False
    datas: list[Record] = []
    for node in _records(record.get("nodes")):
        data = _data(node)
        if data is None:
            return False
        datas.append(data)
    edges = list(_records(record.get("edges")))
    if not datas:
        return False
    if not all({"source", "target"} <= edge.fields.keys() for edge in edges):
        return False
    conditions = [data.text("condition") for edge in edges if (data := _data(edge)) is not None]
    is_agents = any("agent_ref" in data.fields for data in datas)
    return is_agents and all(condition in CONDITIONS for condition in conditions)


def says_crew(value: Mapped) -> bool:
    """Whether a mapping is the definition of a crew: named, with agents as crews name them."""
    record = record_of(value)
    if record is None or record.text("name") is None:
        return False
    agents = list(_records(record.get("agents")))
    if not agents or not all("agent_id" in agent.fields for agent in agents):
        return False
    is_crew = bool({"execution_mode", "flow_relations"} & record.fields.keys())
    return is_crew or all("agent_class" in agent.fields for agent in agents)


def says_plan(value: Mapped) -> bool:
    """Whether a mapping is a plan of tools: with an objective, and nodes that store results."""
    record = record_of(value)
    if record is None or record.text("name") is None or "objective" not in record.fields:
        return False
    nodes = list(_records(record.get("nodes")))
    return any({"tool", "store_as"} <= node.fields.keys() for node in nodes)


def says_blueprint(value: Mapped) -> bool:
    """Whether a mapping is a blueprint: for an engine, with nodes of kinds."""
    record = record_of(value)
    if record is None or record.text("name") is None or "transitions" not in record.fields:
        return False
    nodes = list(_records(record.get("nodes")))
    is_kind = any(node.text("kind") in BLUEPRINT_KINDS for node in nodes)
    return "engine" in record.fields and is_kind


def _data(record: Record) -> Record | None:
    value = record.get("data")
    return record_of(value) if value is not None else None


def _records(value: Value | None) -> Iterator[Record]:
    for item in value.items if isinstance(value, Sequence) else ():
        record = record_of(item.value)
        if record is not None:
            yield record
