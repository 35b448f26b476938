"""What an observer raises ends the run, whenever it was told."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from flowrt import Edge, Flow, Node
from flowrt.stores.base import Event

State = dict[str, Any]


class Breaks:
    """Raises when it is told, while a node takes its time, that it has begun."""

    def __init__(self) -> None:
        self.raised = asyncio.Event()

    def watch(self, active: object) -> None:
        """Nothing to remember."""

    def event(self, event: Event) -> None:
        if event.type == "node_started" and not self.raised.is_set():
            self.raised.set()
            raise OSError("nobody listens")


@pytest.mark.parametrize("routing", ["first", "all"])
@pytest.mark.parametrize("last", [False, True])
async def test_what_it_raises_beside_a_node_ends_the_run(routing: Any, last: bool) -> None:
    observer = Breaks()
    ran = []

    async def slow(state: State) -> State:
        await observer.raised.wait()
        return state

    async def after(state: State) -> State:
        ran.append("after")
        return state

    flow = Flow(
        nodes=[Node("slow", slow)] if last else [Node("slow", slow), Node("after", after)],
        edges=[] if last else [Edge("slow", "after")],
        entry="slow",
        routing=routing,
    )
    with pytest.raises(OSError, match="nobody listens"):
        await flow.run({}, observer=observer)
    assert ran == []
