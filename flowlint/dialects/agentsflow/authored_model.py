"""The types of plans and blueprints, as the languages follow them."""

from __future__ import annotations

from flowlint.values.following import ClassShape, TypeModel

_PLANS = ("parrot.bots.flows.plan", "parrot.bots.flows.plan.models")
_BLUEPRINTS = ("parrot.bots.flows.authoring", "parrot.bots.flows.authoring.blueprint")
_PLAN_NODE = frozenset({"id", "tool", "store_as"})
_TRANSITION = frozenset({"source", "target", "condition"})


def _names(packages: tuple[str, ...], name: str) -> frozenset[str]:
    return frozenset(f"{package}.{name}" for package in packages)


def _data(key: str, owner: TypeModel) -> TypeModel:
    """The call that makes one of a mapping."""
    return TypeModel(key, frozenset(f"{name}.model_validate" for name in owner.qualified))


_DUMPS = frozenset({"model_copy", "model_dump", "model_dump_json"})

PLAN = TypeModel(
    "agentsflow.ExecutionPlan",
    _names(_PLANS, "ExecutionPlan"),
    ClassShape(
        "ExecutionPlan", frozenset({"name", "objective", "nodes"}), {"PlanNode": _PLAN_NODE}
    ),
    readers=_DUMPS | {"node", "topological_order"},
)
PLAN_FROM_DATA = _data("agentsflow.plan_from_data", PLAN)
BLUEPRINT = TypeModel(
    "agentsflow.WorkflowBlueprint",
    _names(_BLUEPRINTS, "WorkflowBlueprint"),
    ClassShape(
        "WorkflowBlueprint",
        frozenset({"name", "engine", "nodes", "transitions"}),
        {"BlueprintTransition": _TRANSITION},
    ),
    readers=_DUMPS | {"node", "node_ids"},
)
BLUEPRINT_FROM_DATA = _data("agentsflow.blueprint_from_data", BLUEPRINT)

_PARTS = tuple(
    TypeModel(
        f"agentsflow.{name}", _names(packages, name), ClassShape(name, fields, {}), roots_flow=False
    )
    for packages, name, fields in (
        (_PLANS, "PlanNode", _PLAN_NODE),
        (_PLANS, "ForEach", frozenset({"source", "select", "max_items"})),
        (_PLANS, "FacetSpec", frozenset({"paths", "counts", "group_counts"})),
        (_PLANS, "RetryPolicy", frozenset({"max_attempts", "backoff_seconds"})),
        (_PLANS, "PlanMetadata", frozenset({"max_parallel_tasks", "durable"})),
        (_BLUEPRINTS, "BlueprintNode", frozenset({"id", "kind", "agent_ref"})),
        (_BLUEPRINTS, "BlueprintTransition", _TRANSITION),
    )
)

AUTHORED_TYPES = (PLAN, PLAN_FROM_DATA, BLUEPRINT, BLUEPRINT_FROM_DATA, *_PARTS)
