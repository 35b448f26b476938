"""The world as a node sees it: what is around it, and what it may do to the run."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from time import time
from typing import TYPE_CHECKING, Any

from flowrt.authoring import Edge, FlowState, Node, NodeResult, Region
from flowrt.engine.addresses import Key
from flowrt.engine.context import RegionResult
from flowrt.engine.plain import run_at_once, walk_region
from flowrt.engine.plan import Plan
from flowrt.engine.states import Activity

if TYPE_CHECKING:
    from flowrt.engine.run import Run

TASK_EVERY = 25
"""Regions within regions that share one stack, which Python bounds."""


@dataclass(slots=True)
class Around:
    """What nodes of one region share: their scope, and the outputs seen from inside."""

    scope: str
    outputs: dict[str, Any]
    results: dict[str, NodeResult]
    visits: dict[str, int] = field(default_factory=dict)

    def inside(self, scope: str) -> Around:
        """The surroundings of a region within this one."""
        return Around(scope, dict(self.outputs), dict(self.results))


class Context:
    """The world as one attempt of a node sees it (see `NodeContext`)."""

    __slots__ = (
        "activity", "around", "attempt", "cancelled", "incoming", "key", "node", "paused_before",
        "run", "signal", "state",
    )  # fmt: skip

    def __init__(
        self,
        run: Run,
        around: Around,
        node: Node,
        state: FlowState,
        incoming: Edge | None,
        key: Key,
        activity: Activity,
    ) -> None:
        self.run = run
        self.around = around
        self.node = node
        self.state = state
        self.incoming = incoming
        self.key = key
        self.activity = activity
        self.attempt = activity.attempt
        self.cancelled = False
        self.paused_before = key in run.journal.waiting
        self.signal = run.signal_for(key)

    @property
    def flow(self) -> str:
        """The name of the flow."""
        return self.run.flow.name

    @property
    def run_id(self) -> str | None:
        """The run, None when it is kept nowhere."""
        return self.run.run_id

    @property
    def outputs(self) -> Mapping[str, Any]:
        """The latest output of each node that completed, here and around."""
        return self.around.outputs

    @property
    def results(self) -> Mapping[str, NodeResult]:
        """How the latest visit of each node ended, here and around."""
        return self.around.results

    @property
    def input(self) -> Any:
        """What the run was started with."""
        return self.run.input

    @property
    def services(self) -> Mapping[str, Any]:
        """What the caller gave the run."""
        return self.run.services

    @property
    def pause_data(self) -> Mapping[str, Any]:
        """What this visit told with its latest pause; empty when it did not pause."""
        event = self.run.journal.waiting.get(self.key)
        data = event.data.get("data") if event is not None else None
        return data if isinstance(data, Mapping) else {}

    @property
    def visit(self) -> int:
        """How often this node was started in this region, from 1."""
        return self.key[2]

    def heartbeat(self, detail: str | None = None) -> None:
        """Tell that the node is alive, and perhaps what it is at."""
        self.activity.heartbeat = time()
        if detail is not None:
            self.activity.detail = detail
        self.run.live.changed()

    def keep(self, label: str, content: str, suffix: str = ".txt") -> None:
        """Keep a text beside the run, under a name made of its content."""
        log = self.run.log
        if log is None or not content:
            return
        name = log.put_artifact(content.encode("utf-8", "surrogatepass"), suffix)
        about = {"label": label, "artifact": name, "size": len(content)}
        self.run.journal.write("artifact_written", self.key, self.attempt, about)

    async def run_region(
        self,
        region: Region,
        state: FlowState,
        *,
        kind: str,
        iteration: int | None = None,
        fail: bool = True,
    ) -> RegionResult:
        """Run a region of this node."""
        plan = self.run.plan_of(region)
        if self.run.unwatched and plan.table is not None:
            return await self._run_plainly(plan, state, fail=fail)
        scope = f"{self.key[0]}/{self.key[1]}#{self.key[2]}:{kind}"
        if region.name:
            scope += f".{region.name}"
        if iteration is not None:
            scope += f"[{iteration}]"
        about = {"kind": kind, "iteration": iteration, "parent": self.key[1]}
        self.run.journal.write("region_started", (scope, "", 0), data=about)
        graph = self.run.run_graph(plan, state, self.around.inside(scope), catch=not fail)
        is_deep = self.key[0].count("/") % TASK_EVERY == TASK_EVERY - 1
        result = await (asyncio.ensure_future(graph) if is_deep else graph)
        failed = result.error is not None
        end = {**about, "outcome": "failed" if failed else "ok", "caught": failed and not fail}
        self.run.journal.write("region_ended", (scope, "", 0), data=end)
        return result

    def at_once(self, region: Region) -> Callable[[FlowState], RegionResult] | None:
        """How to run a region that never waits and that nobody watches."""
        plan = self.run.plan_of(region)
        if not (self.run.unwatched and plan.prompt):
            return None
        stop = self.run.cancellation
        return partial(run_at_once, self.flow, plan, path=self.run.path, stop=stop)

    async def _run_plainly(self, plan: Plan, state: FlowState, *, fail: bool) -> RegionResult:
        """Run a plain region that nobody watches and nothing bounds or writes down."""
        outputs: dict[str, Any] = {}
        goes_on = plan.hops[plan.entry]
        stop = self.run.cancellation.here() if goes_on else self.run.cancellation
        try:
            name, left = await walk_region(self.flow, plan, state, outputs, self.run.path, stop)
        except Exception as error:
            if fail:
                raise
            return RegionResult(state, outputs, None, error)
        return RegionResult(left, outputs, name)

    async def run_flow(self, name: str, state: FlowState) -> RegionResult:
        """Run another flow inside this one, as deep as the depth guard allows."""
        return await self.run.run_subflow(name, state, self.key, self.around)
