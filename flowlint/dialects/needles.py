"""Which bytes a file must hold for a dialect to find anything in it.

This module imports nothing: it is all that is known of the dialects while files are sifted. Plugins
add rows of their own when they are loaded.
"""

NEEDLES: list[tuple[bytes, ...]] = [
    # LangGraph. `add_node` alone is every graph library's; a helper that only fills somebody's
    # builder is read from where it is called.
    (b"Graph", b"StateGraph"),
    (b"Graph", b"MessageGraph"),
    (b"langgraph", b"add_node"),
    # HydraFlow, under whatever name its classes are imported; edges may come from elsewhere.
    (b"Flow", b"Edge"),
    (b"Flow", b"entry", b"edges", b"nodes"),
    (b"Flow", b"Flow(", b"**"),
    # AgentsFlow, whose classes have names of their own.
    (b"Flow", b"AgentsFlow"),
    (b"Flow", b"FlowDefinition"),
    (b"Crew", b"AgentCrew"),
    (b"Crew", b"CrewDefinition"),
    (b"ExecutionPlan",),
    (b"WorkflowBlueprint",),
    # flowrt, under whatever name its classes are imported.
    (b"flowrt",),
]
"""A file may mention a dialect if all the needles of at least one row occur in it.

The first of a row is the one that is looked for fastest: the longest, or that with rare letters.
Rows that begin alike stand together, so that it is looked for once.
"""

DATA_NEEDLES: list[tuple[bytes, ...]] = [
    (b"flowrt",),
    # AgentsFlow: agents are named so, and conditions of edges.
    (b"agent_ref",),
    (b"on_condition",),
    (b"on_success",),
    # Crews of AgentsFlow.
    (b"agent_id", b"agents"),
    # Plans and blueprints of AgentsFlow.
    (b"store_as", b"objective"),
    (b"transitions", b"engine"),
    # ObjectStack: its flows have a node of the type `start`.
    (b"edges", b"nodes", b"start"),
]
"""The same for files of data, which say what they are by a key."""

SCRIPT_NEEDLES: list[tuple[bytes, ...]] = [
    # LangGraph.js, however it is imported.
    (b"StateGraph",),
    (b"@langchain/langgraph", b"addNode"),
    # acpx, also imported from where it is not: `defineFlow` is read where it comes from a helper.
    (b"acpx/flows",),
    (b"defineFlow",),
    # ObjectStack: flows may be values of a declared type that no function builds.
    (b"@objectstack/",),
]
"""The same for files of TypeScript and JavaScript."""

NAMED_NEEDLES: list[tuple[bytes, ...]] = [(b"edges", b"nodes")]
"""What else may be in scripts whose names say that they hold a flow."""
