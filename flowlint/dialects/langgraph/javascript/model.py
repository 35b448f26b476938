"""What LangGraph.js is: its builders' names and methods, its constants, its semantics."""

from __future__ import annotations

from dataclasses import replace

from flowlint.graph.model import END, START, Semantics
from flowlint.values.following import TypeModel

PACKAGE = "@langchain/langgraph"
MODULES = (PACKAGE, f"{PACKAGE}/web", f"npm:{PACKAGE}")
"""Where the graph API is imported from."""
PREBUILT = (f"{PACKAGE}/prebuilt", f"npm:{PACKAGE}/prebuilt")


def named(*names: str, modules: tuple[str, ...] = MODULES) -> frozenset[str]:
    """The qualified names of what the modules export."""
    return frozenset(f"{module}.{name}" for module in modules for name in names)


METHODS = {
    "addNode": "add_node",
    "addEdge": "add_edge",
    "addConditionalEdges": "add_conditional_edges",
    "addSequence": "add_sequence",
    "setEntryPoint": "set_entry_point",
    "setFinishPoint": "set_finish_point",
    "setNodeDefaults": "set_node_defaults",
    "validate": "validate",
    "compile": "compile",
}
"""The methods of a builder, each with that of Python's edition which does the same."""

STATE_GRAPH = TypeModel(
    "langgraph.js.StateGraph",
    named("StateGraph"),
    fluent=frozenset(METHODS) - {"compile"},
    products=frozenset({"compile"}),
    copies=frozenset({"withConfig"}),
    readers=frozenset({"warnIfCompiled"}),
    containers=frozenset(
        {"branches", "channels", "compiled", "edges", "entryPoint", "nodes", "waitingEdges"}
    ),
)
MESSAGE_GRAPH = replace(
    STATE_GRAPH, key="langgraph.js.MessageGraph", qualified=named("MessageGraph")
)
PLAIN_GRAPH = replace(STATE_GRAPH, key="langgraph.js.Graph", qualified=named("Graph"))
"""The builders of earlier versions, which are given no schema."""
GRAPHS = (STATE_GRAPH, MESSAGE_GRAPH, PLAIN_GRAPH)

CONSTANTS = {
    f"{module}.{name}": value
    for module in MODULES
    for name, value in (("START", START), ("END", END), ("Command.PARENT", "__parent__"))
}

SEMANTICS = Semantics(
    system="LangGraph.js",
    built_by="compile()",
    routing="all",
    join="any",
    cycles="allowed",
    end="implicit",
    unmatched_route="ends-silently",
    failure="raises",
    # Nodes that no edge leads to are refused, but not parts that are cut off together.
    on_unreachable="silent",
    refuses_unnamed=True,
    on_unknown_name="rejected",
    on_duplicate_node="refused-at-once",
    on_missing_entry="silent",
    on_empty="silent",
    on_duplicate_edge="collapsed",
    guards="sync-or-async",
    default_step_bound=25,
    step_bound_name="recursionLimit",
    start_marker="START",
    end_marker="END",
    package="langgraph",
    supersteps=True,
    unknown_case_error="an Error",
    no_route_error="an Error",
    send_to_end_error="InvalidUpdateError",
    conflict_error="InvalidUpdateError",
    on_unknown_send="fails",
    unknown_send_error="InvalidUpdateError",
    drops_unknown_keys=True,
    odd_update_error="InvalidUpdateError",
    update_form="an object",
    nothing_form="nothing",
    step_bound_error="GraphRecursionError",
)

COMMAND = named("Command")
SEND = named("Send")
PAUSING = named("interrupt", "NodeInterrupt")
OVERWRITE = named("Overwrite")
KNOWN_ROUTERS = dict.fromkeys(named("toolsCondition", modules=PREBUILT), ("tools", END))
"""Routers of LangGraph.js's own, with what they return."""
TOOLS = named("ToolNode", modules=PREBUILT)
"""What makes nodes whose code hands over to no others."""
