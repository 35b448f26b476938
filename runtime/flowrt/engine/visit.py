"""One visit of a node: its attempts with timeout, heartbeat, retry and cancellation."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from time import time
from typing import TYPE_CHECKING, Any

from flowrt.authoring import Edge, FlowState, Node, NodeResult, Outcome, Region, Retry
from flowrt.engine.context import Output, Pause, RegionResult, Signal
from flowrt.engine.journal import Key
from flowrt.engine.plain import run_at_once, walk_region
from flowrt.engine.plan import Plan
from flowrt.engine.states import Activity
from flowrt.errors import FlowError, NodeCancelledError, NodeTimeoutError
from flowrt.merging import isolate
from flowrt.registry import find_kind

if TYPE_CHECKING:
    from flowrt.engine.run import Run


TASK_EVERY = 25
"""Regions within regions that share one stack, which Python bounds."""


class WaitingError(BaseException):
    """Raised through regions and flows when all that is left waits for somebody."""

    def __init__(self, keys: list[str], state: FlowState | None = None) -> None:
        super().__init__(", ".join(keys))
        self.keys = keys
        self.state = state


class HaltedError(BaseException):
    """Raised through regions when the kill switch stops the run before a node."""

    def __init__(self, node: str) -> None:
        super().__init__(node)
        self.node = node
        self.state: FlowState | None = None


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


@dataclass(slots=True)
class Ended:
    """How a visit ended: its result, the state it leaves, and the error if it failed."""

    result: NodeResult
    state: FlowState
    error: BaseException | None = None
    recalled: Mapping[str, Any] | None = None
    """What was written down of the routes taken, where this was recalled."""


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
        return partial(run_at_once, self.flow, plan, path=self.run.path)

    async def _run_plainly(self, plan: Plan, state: FlowState, *, fail: bool) -> RegionResult:
        """Run a plain region that nobody watches and nothing bounds or writes down."""
        outputs: dict[str, Any] = {}
        try:
            name, left = await walk_region(self.flow, plan, state, outputs, self.run.path)
        except Exception as error:
            if fail:
                raise
            return RegionResult(state, outputs, None, error)
        return RegionResult(left, outputs, name)

    async def run_flow(self, name: str, state: FlowState) -> RegionResult:
        """Run another flow inside this one, as deep as the depth guard allows."""
        return await self.run.run_subflow(name, state, self.key, self.around)


async def visit(
    run: Run, around: Around, node: Node, state: FlowState, incoming: Edge | None
) -> Ended:
    """Run a node once, with all its attempts. Failures are in what is returned.

    Raises Pause when the node waits, HaltedError when the kill switch forbids to start it and
    StepLimitError when the run took its steps.
    """
    number = around.visits.get(node.name, 0) + 1
    around.visits[node.name] = number
    key = (around.scope, node.name, number)
    recorded = run.journal.recall(key)
    if recorded is not None:
        return run.recalled(around, node, recorded, state)
    pause = run.still_waits(key)
    if pause is not None:
        raise pause
    activity = run.live.begin(key)
    activity.detail = node.detail
    try:
        # A node with regions holds no slot while the nodes in them ask for theirs.
        if run.slots is None or node.regions:
            return await _attempts(run, around, node, state, incoming, key, activity)
        async with run.slots:
            return await _attempts(run, around, node, state, incoming, key, activity)
    finally:
        if activity.state != "waiting":
            run.live.end(key)


async def _attempts(
    run: Run,
    around: Around,
    node: Node,
    state: FlowState,
    incoming: Edge | None,
    key: Key,
    activity: Activity,
) -> Ended:
    """Try a node until it ends well or may not be tried again."""
    run.before_node(node.name)
    started = time()
    used = run.journal.attempts.get(key, 0)
    while True:
        activity.attempt = used + 1
        activity.become("running")
        run.live.started(node, key, activity)
        # A try that fails half way leaves nothing behind for the next one.
        given = state if node.retry is None else isolate(state)
        context = Context(run, around, node, given, incoming, key, activity)
        try:
            output = await _attempt(run, context)
        except (Pause, WaitingError, HaltedError):
            activity.become("waiting")
            raise
        except (Exception, asyncio.CancelledError) as raised:
            error = _own_failure(run, node, raised)
            used += 1
            outcome = outcome_of(error)
            if not hasattr(error, "__notes__"):
                error.add_note(f"in node `{node.name}` of flow `{run.flow.name}`")
            activity.become("failed")
            if node.retry is not None and used < node.retry.attempts:
                if isinstance(error, node.retry.on) and outcome != "cancelled":
                    pause_for = pause_before(node.retry, used)
                    told = {"error": _told(error), "outcome": outcome, "again_in": pause_for}
                    run.journal.write("attempt_failed", key, used, told)
                    activity.become("ready")
                    await asyncio.sleep(pause_for)
                    continue
            result = NodeResult(node.name, outcome, used, None, _told(error), started, time())
            around.results[node.name] = result
            if node.after:
                await _after_failure(run, context, error)
            return Ended(result, state, error)
        activity.become("completed")
        left = context.state if output.state is None else output.state
        into = node.config.get("into") if node.config else None
        if isinstance(into, str):
            left = {**left, into: output.value}
        result = NodeResult(node.name, "ok", used + 1, output.value, None, started, time())
        around.outputs[node.name] = output.value
        around.results[node.name] = result
        return Ended(result, left)


def _own_failure(run: Run, node: Node, raised: BaseException) -> Exception:
    """What ended an attempt, as a failure of the node. Raises again what ends more than it."""
    if run.is_bound(raised):
        raise raised
    if isinstance(raised, Exception):
        return raised
    task = asyncio.current_task()
    if task is None or task.cancelling():
        raise raised
    error = NodeCancelledError(f"what node `{node.name}` waited for was cancelled")
    error.__cause__ = raised
    return error


def outcome_of(error: BaseException) -> Outcome:
    """How a node ended that this error ended."""
    if isinstance(error, NodeCancelledError):
        return "cancelled"
    return "timed_out" if isinstance(error, TimeoutError) else "failed"


async def _attempt(run: Run, context: Context) -> Output:
    node = context.node
    kind = find_kind(node.kind)
    if kind is None:
        raise FlowError(f"there is no node kind `{node.kind}` (node `{node.name}`)")
    if node.heartbeat is not None:
        beating = asyncio.ensure_future(_beat(context, node.heartbeat))
    else:
        beating = None
    try:
        if node.before:
            await run.actions_before(node.before, context)
        output = await _within(kind.execute(context), node, context)
        if node.after:
            return await run.actions_after(node.after, context, output)
        return output
    finally:
        if beating is not None:
            beating.cancel()


async def _after_failure(run: Run, context: Context, error: Exception) -> None:
    """Run the actions meant for failures. The node hands on what it was given all the same."""
    try:
        await run.actions_after_failure(context.node.after, context, error)
    except Exception as fault:
        error.add_note(f"and an action after it failed: {_told(fault)}")


async def _within(work: Any, node: Node, context: Context) -> Output:
    """Do the work within the node's timeout; past it the work is cancelled."""
    limit = node.timeout
    if limit is None or limit == 0:
        output: Output = await work
        return output
    try:
        async with asyncio.timeout(limit) as deadline:
            output = await work
    except TimeoutError as error:
        if not deadline.expired():
            raise
        context.cancelled = True
        raise NodeTimeoutError(f"node `{node.name}` took longer than its {limit:g} s") from error
    return output


async def _beat(context: Context, every: float) -> None:
    while True:
        await asyncio.sleep(every)
        context.heartbeat()


def pause_before(retry: Retry, failures: int) -> float:
    """Seconds to wait after so many failures: exponential, limited, with jitter."""
    pause = min(retry.delay * retry.factor ** (failures - 1), retry.max_delay)
    if retry.jitter:
        pause *= 1 + retry.jitter * random.uniform(-1, 1)
    return max(0.0, pause)


def _told(error: BaseException) -> str:
    return f"{type(error).__name__}: {error}" if str(error) else type(error).__name__


__all__ = ["Around", "Context", "Ended", "HaltedError", "Signal", "WaitingError", "visit"]
