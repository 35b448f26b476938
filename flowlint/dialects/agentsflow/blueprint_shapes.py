"""The fields that blueprints of workflows may have."""

from __future__ import annotations

from flowlint.dialects.agentsflow.crew_shapes import MODES
from flowlint.dialects.agentsflow.model import CONDITIONS
from flowlint.dialects.agentsflow.shapes import (
    MAPPING,
    NEEDED,
    NO_TEXT,
    TEXT,
    About,
    Maker,
    Shape,
)

BY = Maker("WorkflowBlueprint", "WorkflowBlueprint(…) raises")

ENGINES = ("crew", "flow")
KINDS = ("agent", "tool", "decision", "interactive_decision", "synthesis")
CREW_KINDS = ("agent", "tool")
"""The kinds of nodes, and those of which a crew can be made."""

CREW_CONDITIONS = ("always", "on_success")

BLUEPRINT: Shape = {
    "name": NEEDED,
    "description": TEXT,
    "engine": About("text", required=True, choices=ENGINES),
    "execution_mode": About("text", choices=MODES),
    "nodes": About("list", required=True),
    "transitions": About("list"),
    "shared_tools": About("names"),
}
NODE: Shape = {
    "id": NEEDED,
    "kind": About("text", required=True, choices=KINDS),
    "title": TEXT,
    "purpose": TEXT,
    "agent_ref": NO_TEXT,
    "agent_class": NO_TEXT,
    "system_prompt": NO_TEXT,
    "model": NO_TEXT,
    "tools": About("names"),
    "tool": NO_TEXT,
    "args": About("list"),
    "kwargs": MAPPING,
    "config": MAPPING,
}
TRANSITION: Shape = {
    "source": About("texts", required=True),
    "target": About("texts", required=True),
    "condition": About("text", choices=CONDITIONS),
    "predicate": NO_TEXT,
    "instruction": NO_TEXT,
}
