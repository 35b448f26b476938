"""Lifecycle actions: small things done before and after a node, from an open registry."""

from __future__ import annotations

from flowrt.actions.registry import (
    Action,
    ActionCall,
    ActionConfig,
    all_actions,
    find_action,
    not_told_yet,
    register_action,
    run_actions,
)

__all__ = [
    "Action",
    "ActionCall",
    "ActionConfig",
    "all_actions",
    "find_action",
    "not_told_yet",
    "register_action",
    "run_actions",
]
