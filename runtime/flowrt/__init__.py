"""flowrt: the reference runtime of flowlint. Flows run here under the rules they are checked by.

Everything public can be imported from here; what is heavy is only loaded when it is used.
"""

from __future__ import annotations

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
from flowrt.errors import FlowError, FlowValidationError
from flowrt.flow import Flow
from flowrt.hooks import jsonl_checkpoint
from flowrt.registry import register_callable, register_kind

__all__ = [
    "DEFAULT_MAX_STEPS",
    "Edge",
    "EdgeCondition",
    "Flow",
    "FlowError",
    "FlowResult",
    "FlowState",
    "FlowValidationError",
    "KillSwitch",
    "Node",
    "NodeHook",
    "NodeKind",
    "NodeResult",
    "NodeRun",
    "Permissions",
    "Region",
    "Retry",
    "Switch",
    "jsonl_checkpoint",
    "register_callable",
    "register_kind",
]
