"""A node's world written by hand, to drive executors without an engine."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from flowrt.authoring import Edge, Node, NodeResult, Region
from flowrt.engine.context import Output, RegionResult, Signal
from flowrt.registry import find_kind


@dataclass
class FakeContext:
    """Runs no regions and no flows; everything else is as given."""

    node: Node
    state: dict[str, Any] = field(default_factory=dict)
    outputs: dict[str, Any] = field(default_factory=dict)
    results: dict[str, NodeResult] = field(default_factory=dict)
    input: Any = None
    services: dict[str, Any] = field(default_factory=dict)
    incoming: Edge | None = None
    signal: Signal | None = None
    paused_before: bool = False
    pause_data: dict[str, Any] = field(default_factory=dict)
    run_id: str | None = None
    flow: str = "test flow"
    attempt: int = 1
    visit: int = 1
    cancelled: bool = False
    beats: list[str | None] = field(default_factory=list)
    kept: list[tuple[str, str, str]] = field(default_factory=list)

    def heartbeat(self, detail: str | None = None) -> None:
        self.beats.append(detail)

    def keep(self, label: str, content: str, suffix: str = ".txt") -> None:
        self.kept.append((label, content, suffix))

    async def run_region(self, region: Region, state: dict[str, Any], **_: Any) -> RegionResult:
        raise NotImplementedError

    def at_once(self, region: Region) -> None:
        return None

    async def run_flow(self, name: str, state: dict[str, Any]) -> RegionResult:
        self.outputs["ran"] = name
        return RegionResult({**state, "inner": name}, {"last": 7}, "last")


def context(kind: str, config: dict[str, Any] | None = None, **world: Any) -> FakeContext:
    run = world.pop("run", None)
    return FakeContext(Node("n", run, kind=kind, config=config or {}), **world)


async def execute(around: FakeContext) -> Output:
    kind = find_kind(around.node.kind)
    assert kind is not None
    return await kind.execute(around)


async def value(kind: str, config: dict[str, Any] | None = None, **world: Any) -> Any:
    return (await execute(context(kind, config, **world))).value
