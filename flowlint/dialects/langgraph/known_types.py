"""What is known of types outside the project that stand in schemas: data, no code."""

from __future__ import annotations

import sys
from typing import Literal

Kind = Literal["last", "reducer", "managed", "other"]

TYPING = ("typing", "typing_extensions")

ANNOTATED = frozenset(f"{module}.Annotated" for module in TYPING)
REQUIREDNESS = frozenset(f"{m}.{name}" for m in TYPING for name in ("Required", "NotRequired"))
TYPED_DICT = frozenset({f"{module}.TypedDict" for module in TYPING})
MODELS = frozenset({"pydantic.BaseModel", "pydantic.main.BaseModel", "pydantic.v1.BaseModel"})

BARE_BASES = frozenset(
    {"abc.ABC", "pydantic.generics.GenericModel"}
    | {f"{m}.{name}" for m in TYPING for name in ("Generic", "Protocol", "NamedTuple", "TypedDict")}
    | MODELS
)
"""Bases outside the project that bring no field; so do all classes that are built in."""

ADDING = frozenset(
    {f"operator.{name}" for name in ("add", "concat", "iadd", "iconcat", "__add__", "__concat__")}
    | {f"_operator.{name}" for name in ("add", "concat", "iadd", "iconcat")}
)
"""Reducers that put what they are given after what is there, also where it is there already."""

REDUCERS = (
    ADDING
    | frozenset(
        f"operator.{name}"
        for name in ("and_", "floordiv", "iand", "ior", "mod", "mul", "or_", "pow", "sub", "xor")
    )
    | frozenset(
        f"{module}.add_messages"
        for module in ("langgraph.graph", "langgraph.graph.message", "langgraph.graph.state")
    )
    | {"langgraph.graph.ui.ui_message_reducer"}
)
"""Functions of two arguments outside the project."""

CHANNELS: dict[str, Kind] = {
    "AnyValue": "other",
    "BinaryOperatorAggregate": "reducer",
    "DeltaChannel": "reducer",
    "DynamicBarrierValue": "other",
    "EphemeralValue": "other",
    "LastValue": "last",
    "LastValueAfterFinish": "other",
    "NamedBarrierValue": "other",
    "Topic": "other",
    "UntrackedValue": "other",
}
"""The classes of `langgraph.channels`, by the last part of their names."""

MANAGED_TYPES = frozenset({"IsLastStep", "RemainingSteps"})
"""Types of `langgraph.managed` to which LangGraph itself gives a value."""

MANAGERS = frozenset({"IsLastStepManager", "RemainingStepsManager", "SharedValue"})
"""Notes of `langgraph.managed` that make a type such a one."""

STATES: dict[str, dict[str, Kind]] = {
    "langgraph.graph.MessagesState": {"messages": "reducer"},
    "langgraph.graph.message.MessagesState": {"messages": "reducer"},
    "langgraph.prebuilt.chat_agent_executor.AgentState": {
        "messages": "reducer",
        "remaining_steps": "managed",
    },
    "langgraph.prebuilt.chat_agent_executor.AgentStatePydantic": {
        "messages": "reducer",
        "remaining_steps": "managed",
    },
    "langgraph.prebuilt.chat_agent_executor.AgentStateWithStructuredResponse": {
        "messages": "reducer",
        "remaining_steps": "managed",
        "structured_response": "last",
    },
    **{
        f"langchain_core.messages{module}.ToolCall": {
            "name": "last",
            "args": "last",
            "id": "last",
            "type": "last",
        }
        for module in ("", ".tool")
    },
    **{
        f"langchain.agents{module}.AgentState": {
            "messages": "reducer",
            "jump_to": "other",
            "structured_response": "last",
        }
        for module in ("", ".middleware", ".middleware.types")
    },
}
"""States and other types with keys that come with LangGraph and LangChain."""

PLAIN_ROOTS = frozenset(sys.stdlib_module_names) | {
    "builtins",
    "httpx",
    "langchain_anthropic",
    "langchain_community",
    "langchain_core",
    "langchain_openai",
    "networkx",
    "numpy",
    "openai",
    "pandas",
    "polars",
    "pydantic",
    "sqlalchemy",
    "typing_extensions",
}
"""Packages none of whose types is a shorthand for a type with a reducer."""

PLAIN_NOTES = ("annotated_types.", "pydantic.", "pydantic_core.")
"""Packages whose objects, as notes on a type, are neither channels nor can they be called."""

TYPE_MAKERS = frozenset(
    {f"{m}.{name}" for m in TYPING for name in ("NewType", "TypedDict", "TypeVar")}
    | {
        f"pydantic.{name}"
        for name in ("conbytes", "condate", "condecimal", "confloat", "confrozenset", "conint")
    }
    | {f"pydantic.{name}" for name in ("conlist", "conset", "constr")}
)
"""What makes types whose notes LangGraph makes nothing of."""

SCHEMALESS = frozenset(
    {
        "langgraph.prebuilt.ToolNode",
        "langgraph.prebuilt.tool_node.ToolNode",
        "langgraph.prebuilt.create_react_agent",
        "langgraph.prebuilt.chat_agent_executor.create_react_agent",
        "langchain.agents.create_agent",
        "langgraph_supervisor.create_supervisor",
        "langgraph_swarm.create_swarm",
        "deepagents.create_deep_agent",
    }
)
"""What makes nodes and routers of which LangGraph reads no annotation."""

RUNNABLES = ("langchain_core.runnables.", "langchain.schema.runnable.")
"""Where the objects are from of which LangGraph reads no annotation, but of one kind."""

STATELESS_ROUTERS = frozenset(
    {
        "langgraph.prebuilt.tools_condition",
        "langgraph.prebuilt.tool_node.tools_condition",
    }
)
"""Routers of LangGraph's own whose annotations add no key."""
