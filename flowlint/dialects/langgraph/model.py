"""What LangGraph is: its builder's names and methods, its constants, its semantics."""

from __future__ import annotations

from dataclasses import replace

from flowlint.dialects.langgraph.contents import names_held
from flowlint.dialects.langgraph.javascript import model as javascript
from flowlint.graph.model import END, START, Semantics
from flowlint.values.following import TypeModel


def _qualified(*names: str) -> frozenset[str]:
    modules = ("", ".state", ".message", ".graph")
    return frozenset(f"langgraph.graph{inner}.{name}" for inner in modules for name in names)


STATE_GRAPH = TypeModel(
    "langgraph.StateGraph",
    _qualified("StateGraph"),
    fluent=frozenset(
        {
            "add_node",
            "add_edge",
            "add_conditional_edges",
            "add_sequence",
            "set_entry_point",
            "set_conditional_entry_point",
            "set_finish_point",
            "set_node_defaults",
            "validate",
        }
    ),
    products=frozenset({"compile"}),
    copies=frozenset({"with_config"}),
    readers=frozenset(
        {
            "get_graph",
            "get_input_jsonschema",
            "get_output_jsonschema",
            "get_schema",
            "support_multiple_edges",
        }
    ),
    containers=frozenset(
        {"branches", "channels", "compiled", "edges", "nodes", "schemas", "waiting_edges"}
    ),
    held=names_held,
)

OTHER_GRAPH = replace(
    STATE_GRAPH, key="langgraph.MessageGraph", qualified=_qualified("MessageGraph", "Graph")
)
"""The builders of earlier versions, which are given no schema."""
GRAPHS = (STATE_GRAPH, OTHER_GRAPH)

CONSTANTS = {
    f"langgraph.{module}.{name}": value
    for module in ("graph", "constants", "graph.state", "graph.graph", "graph.message")
    for name, value in (("START", START), ("END", END))
}

SEMANTICS = Semantics(
    system="LangGraph",
    built_by="compile()",
    routing="all",
    join="any",
    cycles="allowed",
    end="implicit",
    unmatched_route="ends-silently",
    failure="raises",
    on_unreachable="silent",
    on_unknown_name="rejected",
    on_duplicate_node="refused-at-once",
    on_missing_entry="rejected",
    on_empty="rejected",
    on_duplicate_edge="collapsed",
    guards="sync-or-async",
    default_step_bound=10_007,
    step_bound_name="recursion_limit",
    start_marker="START",
    end_marker="END",
    supersteps=True,
    unknown_case_error="KeyError",
    no_route_error="ValueError",
    start_route_error="ValueError",
    send_to_end_error="InvalidUpdateError",
    conflict_error="InvalidUpdateError",
    drops_unknown_keys=True,
    missing_key_error="KeyError",
    odd_update_error="InvalidUpdateError",
    step_bound_error="GraphRecursionError",
)

COMMAND = javascript.COMMAND | {"langgraph.types.Command", "langgraph.graph.Command"}
SEND = javascript.SEND | {f"langgraph.{module}.Send" for module in ("types", "constants", "graph")}
SENDS = COMMAND | SEND
PAUSING = javascript.PAUSING | {
    "langgraph.types.interrupt",
    "langgraph.graph.interrupt",
    "langgraph.errors.NodeInterrupt",
}
"""What stops a run until somebody goes on with it."""
RUNS = frozenset({"invoke", "ainvoke", "stream", "astream", "astream_events", "batch", "abatch"})
"""What runs a compiled flow."""
OVERWRITE = javascript.OVERWRITE | {"langgraph.types.Overwrite"}
LITERAL = frozenset({"typing.Literal", "typing_extensions.Literal"})
UNIONS = frozenset({"typing.Union", "typing.Optional", "typing_extensions.Union"})

KNOWN_ROUTERS: dict[str, tuple[str, ...]] = {
    "langgraph.prebuilt.tools_condition": ("tools", END),
    "langgraph.prebuilt.tool_node.tools_condition": ("tools", END),
    **javascript.KNOWN_ROUTERS,
}
"""Routers of LangGraph's own, with where they lead to."""

RUNNABLE_NAMES: dict[str, str] = {
    "langgraph.prebuilt.ToolNode": "tools",
    "langgraph.prebuilt.tool_node.ToolNode": "tools",
    **dict.fromkeys(javascript.TOOLS, "tools"),
}
"""The name that objects of LangGraph's own take as a node when they are given none."""

RESERVED_CHARACTERS = ("|", ":")

HANDLER_NODE = "__default_error_handler__"
