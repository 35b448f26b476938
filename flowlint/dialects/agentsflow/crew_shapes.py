"""The fields that definitions of crews may have."""

from __future__ import annotations

from flowlint.dialects.agentsflow.shapes import (
    ANY,
    FLAG,
    MAPPING,
    NEEDED,
    NO_TEXT,
    TEXT,
    About,
    Maker,
    Shape,
)

MODES = ("sequential", "parallel", "flow", "loop")
BY = Maker("AgentCrew", "CrewDefinition(…) raises")

CREW: Shape = {
    "crew_id": TEXT,
    "tenant": TEXT,
    "name": NEEDED,
    "description": NO_TEXT,
    "execution_mode": About("text", choices=MODES),
    "agents": About("list", required=True),
    "tool_nodes": About("list"),
    "flow_relations": About("list"),
    "shared_tools": About("list"),
    "max_parallel_tasks": About("whole"),
    "generate_infographic": FLAG,
    "result_agent_name": TEXT,
    "enable_execution_wiki": FLAG,
    "execution_wiki_path": NO_TEXT,
    "metadata": MAPPING,
    "created_at": ANY,
    "updated_at": ANY,
}
AGENT: Shape = {
    "agent_id": NEEDED,
    "agent_class": TEXT,
    "name": NO_TEXT,
    "config": MAPPING,
    "tools": About("list"),
    "system_prompt": NO_TEXT,
}
TOOL: Shape = {
    "node_id": NEEDED,
    "tool": NEEDED,
    "name": NO_TEXT,
    "description": NO_TEXT,
    "args": About("list"),
    "kwargs": MAPPING,
}
RELATION: Shape = {
    "source": About("texts", required=True),
    "target": About("texts", required=True),
}
