"""flowrt: the reference runtime of flowlint. Flows run here under the rules they are checked by.

Everything public can be imported from here; what is heavy is only loaded when it is used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from flowrt.authoring import (
    DEFAULT_MAX_STEPS,
    Edge,
    EdgeCondition,
    FlowResult,
    FlowState,
    KillSwitch,
    Node,
    NodeHook,
    NodeKind,
    NodeResult,
    NodeRun,
    Permissions,
    Region,
    Retry,
    Switch,
)
from flowrt.engine.context import Kind, NodeContext, Output, Pause
from flowrt.errors import FlowError, FlowValidationError
from flowrt.flow import Flow
from flowrt.hooks import jsonl_checkpoint
from flowrt.registry import register_callable, register_kind

if TYPE_CHECKING:
    from flowrt.actions import Action, ActionCall, ActionConfig, register_action
    from flowrt.definition.export import to_dict
    from flowrt.definition.load import from_dict, from_json, from_yaml, load_file
    from flowrt.definition.model import FlowDefinition
    from flowrt.parsing import parse_json
    from flowrt.stores.definitions import FolderDefinitions, open_definitions
    from flowrt.stores.redis import RedisDefinitions
    from flowrt.stores.runs import open_store

_HEAVY = {
    "Action": "flowrt.actions",
    "ActionCall": "flowrt.actions",
    "ActionConfig": "flowrt.actions",
    "FlowDefinition": "flowrt.definition.model",
    "FolderDefinitions": "flowrt.stores.definitions",
    "RedisDefinitions": "flowrt.stores.redis",
    "open_definitions": "flowrt.stores.definitions",
    "to_dict": "flowrt.definition.export",
    "register_action": "flowrt.actions",
    "from_dict": "flowrt.definition.load",
    "from_json": "flowrt.definition.load",
    "from_yaml": "flowrt.definition.load",
    "load_file": "flowrt.definition.load",
    "open_store": "flowrt.stores.runs",
    "parse_json": "flowrt.parsing",
}
"""Module by name of what is only loaded when it is first asked for."""

__all__ = [
    "DEFAULT_MAX_STEPS",
    "Action",
    "ActionCall",
    "ActionConfig",
    "Edge",
    "EdgeCondition",
    "Flow",
    "FlowDefinition",
    "FlowError",
    "FlowResult",
    "FlowState",
    "FlowValidationError",
    "FolderDefinitions",
    "KillSwitch",
    "Kind",
    "Node",
    "NodeContext",
    "NodeHook",
    "NodeKind",
    "NodeResult",
    "NodeRun",
    "Output",
    "Pause",
    "Permissions",
    "RedisDefinitions",
    "Region",
    "Retry",
    "Switch",
    "from_dict",
    "from_json",
    "from_yaml",
    "jsonl_checkpoint",
    "load_file",
    "open_definitions",
    "open_store",
    "parse_json",
    "register_action",
    "register_callable",
    "register_kind",
    "to_dict",
]


def __getattr__(name: str) -> Any:
    if name not in _HEAVY:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_HEAVY[name]), name)
