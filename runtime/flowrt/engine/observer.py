"""Watching a run from the same process, whether or not it is kept."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from flowrt.engine.states import Activity
from flowrt.stores.base import Event


class Observer(Protocol):
    """Is told of a run as it happens. What it raises ends the run."""

    def watch(self, active: Mapping[tuple[str, str, int], Activity]) -> None:
        """The run begins. `active` always holds the visits that are under way, also later."""

    def event(self, event: Event) -> None:
        """Something happened; where the run is kept, it is written down already."""
