"""The types of flowrt and the parameters of their constructors."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from flowlint.values.following import TypeModel


def _type(name: str, *modules: str, roots_flow: bool = False) -> TypeModel:
    return TypeModel(
        f"flowrt.{name}",
        frozenset({f"flowrt.{name}", *(f"flowrt.{module}.{name}" for module in modules)}),
        readers=frozenset({"run", "resume", "resume_run"}),
        roots_flow=roots_flow,
    )


FLOW = _type("Flow", "flow", roots_flow=True)
NODE = _type("Node", "authoring")
EDGE = _type("Edge", "authoring")
SWITCH = _type("Switch", "authoring")
REGION = _type("Region", "authoring")
RETRY = _type("Retry", "authoring")
DEFINITION = _type("FlowDefinition", "definition.model", roots_flow=True)
FROM_DATA = TypeModel(
    "flowrt.from_dict",
    frozenset(
        {
            "flowrt.from_dict",
            "flowrt.definition.load.from_dict",
            "flowrt.definition.building.parse_definition",
            "flowrt.definition.building.build_flow",
            *(f"{name}.model_validate" for name in DEFINITION.qualified),
        }
    ),
    readers=DEFINITION.readers,
)
"""Functions that make a flow, or its definition, of a mapping."""
TYPES = (FLOW, NODE, EDGE, SWITCH, REGION, RETRY, DEFINITION, FROM_DATA)

PARAMETERS: Mapping[TypeModel, tuple[tuple[str, ...], tuple[str, ...]]] = MappingProxyType(
    {
        FLOW: (
            (),
            (
                "nodes",
                "edges",
                "entry",
                "on_node",
                "checkpoint",
                "kill_switch",
                "max_steps",
                "name",
                "title",
                "routing",
                "max_parallel",
                "merge",
                "permissions",
            ),
        ),
        NODE: (
            ("name", "run", "kind"),
            (
                "timeout",
                "retry",
                "heartbeat",
                "join",
                "config",
                "before",
                "after",
                "detail",
                "regions",
            ),
        ),
        EDGE: (("src", "dst", "when"), ("outcome", "priority", "prompt")),
        SWITCH: (("src", "on", "cases"), ("default", "priority")),
        REGION: (("nodes", "edges", "entry", "routing", "name"), ()),
        RETRY: (("attempts", "delay", "factor", "max_delay", "jitter", "on"), ()),
    }
)
"""Parameters by position, and those that have to be named."""

REQUIRED: Mapping[TypeModel, tuple[str, ...]] = MappingProxyType(
    {
        FLOW: ("nodes", "edges", "entry"),
        NODE: ("name",),
        EDGE: ("src", "dst"),
        SWITCH: ("src", "on", "cases"),
        REGION: ("nodes", "edges", "entry"),
        RETRY: (),
    }
)
