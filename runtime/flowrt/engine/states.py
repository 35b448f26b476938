"""The states a node goes through, and which may follow which."""

from __future__ import annotations

from dataclasses import dataclass, field
from time import time
from typing import Any, Literal

NodeState = Literal["idle", "ready", "running", "waiting", "completed", "failed", "blocked"]

FOLLOWING: dict[NodeState, frozenset[NodeState]] = {
    "idle": frozenset({"ready", "blocked", "failed"}),
    "ready": frozenset({"running", "blocked", "failed"}),
    "running": frozenset({"completed", "failed", "waiting", "ready"}),
    "waiting": frozenset({"ready", "running"}),
    "failed": frozenset({"ready"}),
    "blocked": frozenset({"ready"}),
    "completed": frozenset(),
}
"""Failed leads to ready when a node is tried again, waiting when it is gone on with."""


@dataclass(slots=True)
class Activity:
    """One visit of a node as it is right now. Times are seconds since the epoch."""

    node: str
    scope: str
    visit: int
    state: NodeState = "idle"
    attempt: int = 0
    since: float = field(default_factory=time)
    heartbeat: float | None = None
    detail: str | None = None

    def become(self, state: NodeState) -> None:
        """Go to another state. Raises ValueError for one that cannot follow."""
        if state not in FOLLOWING[self.state]:
            raise ValueError(f"node `{self.node}` cannot go from {self.state} to {state}")
        self.state = state
        self.since = time()

    def shown(self) -> dict[str, Any]:
        """The activity as live views and stores show it."""
        return {
            "node": self.node,
            "scope": self.scope,
            "visit": self.visit,
            "state": self.state,
            "attempt": self.attempt,
            "since": self.since,
            "heartbeat": self.heartbeat,
            "detail": self.detail,
        }
