"""Small flows in which every edge that applies is taken, as AgentsFlow has them."""

from __future__ import annotations

import json
import shutil
from collections.abc import AsyncIterator, Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from flowrt import Edge, Flow, Node, Retry, Switch
from flowrt.authoring import FlowResult
from flowrt.engine.states import Activity
from flowrt.stores.base import Event, RunStore
from flowrt.stores.folder import FolderStore

State = dict[str, Any]

Make = Callable[[list[str]], Flow]
"""Makes a flow whose nodes note in a list that they ran."""

AT_ONCE = Retry(attempts=3, delay=0)
"""Three tries without a pause between them."""


def writes(key: str, value: Any = True) -> Any:
    """A step that writes one key."""

    async def run(state: State) -> State:
        return {**state, key: value}

    return run


async def same(state: State) -> State:
    """A step that leaves the state as it is."""
    return state


async def fails(state: State) -> State:
    """A step that fails."""
    raise RuntimeError("broken")


async def times_out(state: State) -> State:
    """A step that fails with a timeout of its own."""
    raise TimeoutError("too late")


def fails_times(times: int, key: str = "done") -> Any:
    """A step that fails so often before it writes a key."""
    left = [times]

    async def run(state: State) -> State:
        if left[0] > 0:
            left[0] -= 1
            raise ConnectionError("not yet")
        return {**state, key: True}

    return run


def flow(
    nodes: str | Sequence[Node], edges: Iterable[Edge | Switch], entry: str = "", **options: Any
) -> Flow:
    """A flow that takes all edges; letters stand for steps that write their own name."""
    made = [Node(name, writes(name)) for name in nodes] if isinstance(nodes, str) else list(nodes)
    options.setdefault("routing", "all")
    return Flow(nodes=made, edges=list(edges), entry=entry or made[0].name, **options)


class Listener:
    """Keeps what an observer is told, with the state that each node was in."""

    def __init__(self) -> None:
        self.events: list[Event] = []
        self.states: list[tuple[str, str, int]] = []
        self._active: Mapping[Any, Activity] = {}

    def watch(self, active: Mapping[Any, Activity]) -> None:
        self._active = active

    def event(self, event: Event) -> None:
        self.events.append(event)
        self.states += [(a.node, a.state, a.attempt) for a in self.active()]

    def active(self) -> list[Activity]:
        """What is under way right now."""
        return list(self._active.values())

    def told(self, *types: str) -> list[str]:
        """The nodes of the events of these types, in order."""
        return [event.node for event in self.events if event.type in types]


def types_of(store: RunStore, run_id: str | None) -> list[tuple[str, str]]:
    """The events of a run that is kept: type and node."""
    assert run_id is not None
    return [(event.type, event.node) for event in store.trace(run_id).events]


async def broken_off(
    make: Make, folder: Path, state: State
) -> AsyncIterator[tuple[list[str], FlowResult, list[str]]]:
    """Run a flow, and go on with it from behind each event of its trace as if it had died there.

    Gives the nodes that had completed, the result, and the nodes that ran after that.
    """
    whole = FolderStore(folder / "whole")
    await make([]).run(state, store=whole, run_id="r1")
    events = whole.trace("r1").events
    lines = (folder / "whole" / "r1" / "trace.ndjson").read_bytes().splitlines(keepends=True)
    assert len(lines) == len(events)
    told = json.loads((folder / "whole" / "r1" / "manifest.json").read_text())
    # As it is while a run goes on.
    begun = {**told, "status": "running", "events": 0}
    for cut in range(1, len(lines)):
        part = folder / f"cut-{cut}"
        shutil.copytree(folder / "whole", part)
        (part / "r1" / "trace.ndjson").write_bytes(b"".join(lines[:cut]))
        (part / "r1" / "manifest.json").write_text(json.dumps(begun))
        ran: list[str] = []
        result = await make(ran).resume_run("r1", FolderStore(part))
        done = [event.node for event in events[:cut] if event.type == "node_completed"]
        yield done, result, ran
