"""The types of crews and their agents, as the languages follow them."""

from __future__ import annotations

from flowlint.values.following import ClassShape, TypeModel

_PACKAGES = ("parrot.bots.flows", "parrot.bots.flows.crew", "parrot.bots.flows.crew.crew")
_DEFINITIONS = ("parrot.models.crew_definition", "parrot.models", "parrot.handlers.crew.models")


def _names(packages: tuple[str, ...], name: str) -> frozenset[str]:
    return frozenset(f"{package}.{name}" for package in packages)


CREW = TypeModel(
    "agentsflow.AgentCrew",
    _names(_PACKAGES, "AgentCrew"),
    ClassShape(
        "AgentCrew", frozenset({"agents", "shared_tool_manager", "agent_execution_timeout"}), {}
    ),
    products=frozenset(
        {"add_agent", "add_tool_node", "remove_agent", "run_flow", "run_sequential", "task_flow"}
    ),
    readers=frozenset(
        {
            *("add_shared_tool", "ask", "build_execution_document", "clear_memory"),
            *("get_agent_result", "get_agent_status", "get_agent_statuses"),
            *("get_execution_summary", "get_memory_snapshot", "on_complete", "on_error"),
            *("run", "run_loop", "run_parallel", "search_execution", "summary"),
            *("validate_workflow", "visualize_workflow"),
        }
    ),
)
"""A crew of agents, which follow each other as `task_flow` says."""

AGENTS = tuple(
    TypeModel(
        f"agentsflow.agent.{name}",
        frozenset(f"{package}.{name}" for package in packages),
        roots_flow=False,
        kept=frozenset({"name"}),
    )
    for name, packages in (
        ("BasicAgent", ("parrot.bots", "parrot.bots.agent")),
        ("Agent", ("parrot.bots", "parrot.bots.agent")),
        ("Chatbot", ("parrot.bots", "parrot.bots.chatbot")),
        ("WebSearchAgent", ("parrot.bots.search",)),
    )
)
"""What runs in a crew: agents are told apart by their names."""

_AGENT_FIELDS = frozenset({"agent_id", "agent_class"})
_RELATION_FIELDS = frozenset({"source", "target"})
CREW_DEFINITION = TypeModel(
    "agentsflow.CrewDefinition",
    _names(_DEFINITIONS, "CrewDefinition"),
    ClassShape(
        "CrewDefinition",
        frozenset({"agents", "execution_mode", "flow_relations"}),
        {"FlowRelation": _RELATION_FIELDS},
    ),
    readers=frozenset(
        {"member_aliases", "member_names", "model_copy", "model_dump", "model_dump_json"}
    ),
)
CREW_FROM_DATA = TypeModel(
    "agentsflow.crew_from_data",
    frozenset(f"{owner}.model_validate" for owner in CREW_DEFINITION.qualified),
)
"""The call that makes a definition of a mapping."""
_PARTS = tuple(
    TypeModel(
        f"agentsflow.{name}",
        _names(_DEFINITIONS, name),
        ClassShape(name, fields, siblings),
        roots_flow=False,
    )
    for name, fields, siblings in (
        ("AgentDefinition", _AGENT_FIELDS, {"FlowRelation": _RELATION_FIELDS}),
        ("ToolNodeDefinition", frozenset({"node_id", "tool"}), {"FlowRelation": _RELATION_FIELDS}),
        ("FlowRelation", _RELATION_FIELDS, {"AgentDefinition": _AGENT_FIELDS}),
    )
)

CREW_TYPES = (CREW, CREW_DEFINITION, CREW_FROM_DATA, *_PARTS, *AGENTS)
