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

CREW_TYPES = (CREW, *AGENTS)
