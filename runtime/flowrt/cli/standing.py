"""How a run stands, as told by what it wrote down and by whether a process has it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, get_args

from flowrt.stores.base import Event, Manifest, RunStatus, RunStore

INTERRUPTED = "interrupted"
STATUSES = (*get_args(RunStatus), INTERRUPTED)
"""What `status_of` can say."""

OVER = frozenset({"completed", "cancelled"})
"""A run that ended so is not gone on with."""

_ENDS = frozenset({"node_completed", "node_failed", "node_skipped", "node_blocked", "node_waiting"})


def status_of(store: RunStore, manifest: Manifest) -> str:
    """The status of a run; one whose process is gone is interrupted."""
    if manifest.status in OVER:
        return manifest.status
    if store.is_open(manifest.run_id):
        return "running"
    return INTERRUPTED if manifest.status == "running" else manifest.status


def under_way(
    events: Iterable[Event], live: Iterable[Mapping[str, Any]]
) -> list[Mapping[str, Any]]:
    """The nodes that were under way when a run was broken off or cancelled, as live views show
    nodes.

    The latest live view knows those that had only begun, the trace which of them ended since.
    """
    begun: dict[tuple[str, str, int], Mapping[str, Any]] = {}
    ended: set[tuple[str, str, int]] = set()
    for event in events:
        key = (event.scope, event.node, event.visit)
        if event.type == "run_resumed":
            begun.clear()
        elif event.type == "node_started":
            ended.discard(key)
            begun[key] = {
                "node": event.node,
                "scope": event.scope,
                "visit": event.visit,
                "state": "running",
                "attempt": event.attempt,
                "since": event.at,
            }
        elif event.type in _ENDS:
            ended.add(key)
            begun.pop(key, None)
    seen = {_key(node): node for node in live}
    return list({**begun, **{key: node for key, node in seen.items() if key not in ended}}.values())


def _key(node: Mapping[str, Any]) -> tuple[str, str, int]:
    return str(node.get("scope") or ""), str(node.get("node")), int(node.get("visit") or 0)
