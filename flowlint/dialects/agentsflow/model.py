"""The types of AgentsFlow, as the languages follow them, and its own names."""

from __future__ import annotations

from flowlint.dialects.agentsflow.materialized import nodes_made
from flowlint.values.following import ClassShape, TypeModel
from flowlint.values.model import Built, Origin, Value

_PACKAGES = (
    "parrot.bots.flows",
    "parrot.bots.flows.core",
    "parrot.bots.flows.core.node",
    "parrot.bots.flows.flow",
    "parrot.bots.flows.flow.definition",
    "parrot.bots.flows.flow.flow",
    "parrot.bots.flows.flow.loader",
    "parrot.bots.flows.flow.nodes",
)


def names_of(*names: str) -> frozenset[str]:
    """The names under which something of the package can be imported."""
    return frozenset(f"{package}.{name}" for package in _PACKAGES for name in names)


NODE_FIELDS = frozenset({"id", "type", "agent_ref", "max_retries", "config"})
EDGE_FIELDS = frozenset({"from_", "to", "condition", "predicate", "priority"})
FLOW_FIELDS = frozenset({"flow", "version", "nodes", "edges", "metadata"})

BUILDER_METHODS = frozenset({"add_node", "add_edge"})
RUN = "run_flow"
LEGACY_METHODS = frozenset(
    {
        *("add_agent", "add_end_node", "add_start_node"),
        *("on_condition", "on_error", "on_success", "task_flow"),
    }
)
"""What the builder of earlier releases had."""


def _gives(built: Built, method: str, origin: Origin) -> Value | None:
    return nodes_made(built, method, origin, DEFINITION, NODES[0])


FLOW = TypeModel(
    "agentsflow.AgentsFlow",
    names_of("AgentsFlow"),
    ClassShape(
        "AgentsFlow",
        frozenset({"name", "definition", "agent_registry", "checkpoint"}),
        {},
    ),
    products=BUILDER_METHODS | LEGACY_METHODS | {RUN},
    gives=_gives,
    readers=frozenset({"add_node_event_listener", "resume", "suspend", "to_definition"}),
)
"""The builder: nodes and edges are added to it."""

LEGACY = TypeModel(
    "agentsflow.LegacyAgentsFlow",
    frozenset(f"{module}.AgentsFlow" for module in ("parrot.bots.flow", "parrot.bots.flow.fsm")),
    products=FLOW.products,
    readers=FLOW.readers,
)
"""The builder of earlier releases, from a module that is gone."""
_GONE = ("parrot.bots.flow", "parrot.bots.flow.definition", "parrot.bots.flow.loader")
_GONE_CREWS = ("parrot.bots.orchestration", "parrot.bots.orchestration.crew")
GONE = (
    *(
        TypeModel(f"agentsflow.gone.{name}", frozenset(f"{package}.{name}" for package in packages))
        for packages, name in ((_GONE, "FlowDefinition"), (_GONE_CREWS, "AgentCrew"))
    ),
    *(
        TypeModel(
            f"agentsflow.gone.{owner}.{method}",
            frozenset(f"{package}.{owner}.{method}" for package in _GONE),
        )
        for owner, method in (
            *(("FlowLoader", "from_dict"), ("FlowLoader", "load_from_file")),
            ("FlowDefinition", "model_validate"),
        )
    ),
)
"""What modules made that are gone."""

DEFINITION = TypeModel(
    "agentsflow.FlowDefinition",
    names_of("FlowDefinition"),
    ClassShape("FlowDefinition", FLOW_FIELDS, {"EdgeDefinition": EDGE_FIELDS}),
    readers=frozenset({"model_dump", "model_dump_json", "model_copy"}),
)
NODE_DEFINITION = TypeModel(
    "agentsflow.NodeDefinition",
    names_of("NodeDefinition"),
    ClassShape("NodeDefinition", NODE_FIELDS, {"EdgeDefinition": EDGE_FIELDS}),
    roots_flow=False,
)
EDGE_DEFINITION = TypeModel(
    "agentsflow.EdgeDefinition",
    names_of("EdgeDefinition"),
    ClassShape("EdgeDefinition", EDGE_FIELDS, {"NodeDefinition": NODE_FIELDS}),
    roots_flow=False,
)
FROM_DATA = TypeModel(
    "agentsflow.from_dict",
    frozenset(
        f"{owner}.{name}"
        for owner, methods in (
            ("FlowLoader", ("from_dict",)),
            ("FlowDefinition", ("model_validate", "parse_obj")),
        )
        for name in methods
        for owner in names_of(owner)
    ),
)
"""Calls that make a definition of a mapping."""
LOADED = TypeModel(
    "agentsflow.to_agents_flow",
    frozenset(f"{owner}.to_agents_flow" for owner in names_of("FlowLoader")),
    products=FLOW.products,
    readers=FLOW.readers,
    roots_flow=False,
)
"""The call that makes a flow of a definition of which it keeps nodes and the ends of edges."""
_EDITOR = ("parrot.bots.flows.flow.svelteflow",)
TO_EDITOR = TypeModel(
    "agentsflow.to_svelteflow",
    frozenset(f"{package}.to_svelteflow" for package in _EDITOR),
    roots_flow=False,
)
FROM_EDITOR = TypeModel(
    "agentsflow.from_svelteflow",
    frozenset(f"{package}.from_svelteflow" for package in _EDITOR),
)
"""Calls that make a document of the editor of a definition, and a definition of one."""

KINDS = {
    "AgentNode": "agent",
    "StartNode": "start",
    "EndNode": "end",
    "DecisionNode": "decision",
    "DecisionFlowNode": "decision",
    "InteractiveDecisionNode": "interactive_decision",
    "InteractiveDecisionFlowNode": "interactive_decision",
    "SynthesisNode": "synthesis",
}
"""The classes of nodes, with the types that definitions name them by."""

NODES = tuple(
    TypeModel(f"agentsflow.{name}", names_of(name), roots_flow=False) for name in ("Node", *KINDS)
)
RUN_DEFINITION = TypeModel(
    "agentsflow.from_definition",
    frozenset(f"{owner}.from_definition" for owner in FLOW.qualified),
    products=FLOW.products,
    readers=FLOW.readers,
    gives=_gives,
)
"""The call that makes a flow of a definition, in the mode in which joins wait for all."""
TYPES = (
    FLOW,
    LEGACY,
    *GONE,
    DEFINITION,
    NODE_DEFINITION,
    EDGE_DEFINITION,
    FROM_DATA,
    RUN_DEFINITION,
    LOADED,
    TO_EDITOR,
    FROM_EDITOR,
    *NODES,
)

DEFAULT_IDS = {"StartNode": "__start__", "EndNode": "__end__"}
"""The ids of nodes that need not state one."""

CORE_TYPES = ("agent", "start", "end", "decision", "interactive_decision", "synthesis")
"""The node types that the package itself registers; others may be registered by anybody."""

CONDITIONS = ("always", "on_success", "on_error", "on_timeout", "on_condition")

OUTCOMES = {"on_error": "error", "on_timeout": "timeout"}
"""Conditions under which an edge counts after a failure of its source."""
