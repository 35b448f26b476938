"""The fields that plans of tools may have."""

from __future__ import annotations

from flowlint.dialects.agentsflow.shapes import (
    FLAG,
    MAPPING,
    NEEDED,
    NO_TEXT,
    TEXT,
    About,
    Maker,
    Shape,
)

BY = Maker("ExecutionPlan", "ExecutionPlan(…) raises")

PLAN: Shape = {
    "name": NEEDED,
    "objective": NEEDED,
    "nodes": About("list", required=True),
    "metadata": MAPPING,
}
METADATA: Shape = {
    "max_parallel_tasks": About("whole", least=1, most=128),
    "execution_timeout": About("number", above=0, null=True),
    "checkpoint": FLAG,
    "durable": FLAG,
}
NODE: Shape = {
    "id": NEEDED,
    "tool": NEEDED,
    "args": MAPPING,
    "store_as": NEEDED,
    "depends_on": About("names"),
    "when": NO_TEXT,
    "for_each": About("mapping", null=True),
    "facets": MAPPING,
    "timeout": About("number", above=0, null=True),
    "retry": MAPPING,
    "description": NO_TEXT,
}
FOR_EACH: Shape = {
    "source": NEEDED,
    "select": NO_TEXT,
    "as": TEXT,
    "alias": TEXT,
    "max_items": About("whole", least=1, most=100_000),
    "max_concurrency": About("whole", least=1, most=64),
    "on_item_error": About("text", choices=("fail", "collect", "skip")),
    "skip_existing": FLAG,
}
RETRY: Shape = {
    "max_attempts": About("whole", least=1, most=10),
    "backoff_seconds": About("number", least=0, most=60),
}
FACETS: Shape = {
    "paths": About("labels"),
    "counts": About("labels"),
    "group_counts": About("labels"),
    "max_group_keys": About("whole", least=1, most=200),
}
PARTS = (("for_each", FOR_EACH), ("facets", FACETS), ("retry", RETRY))
"""The fields of a node that are records themselves."""

MAX_PARALLEL = 10
MAX_CONCURRENCY = 8
"""What a plan and a fan-out state by default."""
