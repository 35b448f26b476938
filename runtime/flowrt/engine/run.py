"""One run of a flow: what its nodes share, what it writes down, how it ends."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from copy import copy
from time import time
from typing import TYPE_CHECKING, Any

from flowrt.authoring import FlowResult, FlowState, Node, Region
from flowrt.engine.addresses import Key, addresses
from flowrt.engine.cancelling import Cancellation
from flowrt.engine.context import Output, Pause, RegionResult, Signal
from flowrt.engine.journal import Journal
from flowrt.engine.live import Live
from flowrt.engine.plain import call_hooks, stops
from flowrt.engine.plan import Plan
from flowrt.engine.recalling import recalled_end, values_of
from flowrt.engine.scheduler import schedule
from flowrt.engine.surroundings import Around, Context
from flowrt.engine.visit import Ended, HaltedError, WaitingError
from flowrt.engine.walker import walk
from flowrt.engine.words import with_place
from flowrt.errors import FlowError, RecordedFailureError, StepLimitError
from flowrt.stores.base import Event, Manifest, RunStatus
from flowrt.stores.codec import decode

if TYPE_CHECKING:
    from flowrt.flow import Flow
    from flowrt.stores.base import RunLog

MAX_DEPTH = 16
"""Flows inside of flows."""

_GIVE_FLOWS = (
    "put it into the same file, name the module that has it with --module, or give it to the run "
    "with `flows={…}`"
)


class Run:
    """The state of one run, shared by all of its regions."""

    def __init__(
        self,
        flow: Flow,
        *,
        log: RunLog | None = None,
        journal: Journal | None = None,
        run_input: Any = None,
        services: Mapping[str, Any] | None = None,
        flows: Mapping[str, Flow] | None = None,
        depth: int = 0,
    ) -> None:
        self.flow = flow
        self.log = log
        self.journal = journal or Journal(log)
        self.input = run_input
        self.services: dict[str, Any] = dict(services or {})
        self.flows = dict(flows or {})
        self.depth = depth
        self.run_id = log.run_id if log is not None else None
        if log is not None:
            self.services.setdefault("agent_sessions", self._sessions())
        self.slots = asyncio.Semaphore(flow.max_parallel) if flow.max_parallel else None
        bounds = (flow.kill_switch, flow.max_steps, flow.on_node, flow.checkpoint, self.slots)
        self.unwatched = not self.journal.heard and all(bound is None for bound in bounds)
        """Whether nothing is written down, told or bounded: plain regions can run plainly."""
        self.cancellation = Cancellation.from_now_on()
        self.around_it: Run | None = None
        """The run of the flow that this one is inside of."""
        self.steps = 0
        self.path = self.journal.path
        self.failures: dict[str, str] = {}
        self.errors: dict[str, BaseException] = {}
        self.skipped: list[str] = []
        self.blocked: list[str] = []
        self.pauses: dict[Key, dict[str, Any]] = {}
        """What the visits wait for that paused, also in flows inside this one."""
        self.live = Live(self.journal, log)
        self.created_at = time()

    def inside(self, flow: Flow, state: FlowState) -> Run:
        """The run of another flow inside this one: bounded and watched by its own flow too."""
        inner = copy(self)
        inner.flow = flow
        inner.input = state
        inner.depth = self.depth + 1
        inner.slots = asyncio.Semaphore(flow.max_parallel) if flow.max_parallel else None
        inner.unwatched = False
        inner.around_it = self
        inner.steps = 0
        return inner

    def _sessions(self) -> Any:
        """The sessions with agents, each change of which is written down."""
        from flowrt.nodes.sessions import RecordedSessions

        def record(key: str, session: Mapping[str, Any]) -> None:
            self.journal.write("session_bound", data={"key": key, "session": dict(session)})

        return RecordedSessions(self.journal.sessions, record)

    # -- regions -------------------------------------------------------------------------

    def plan_of(self, region: Region) -> Plan:
        """The plan of a region, made once for all runs of the flow."""
        return self.flow.plan_of(region)

    async def run_graph(
        self,
        plan: Plan,
        state: FlowState,
        around: Around,
        *,
        start: str | None = None,
        catch: bool = False,
    ) -> RegionResult:
        """Run a graph to its end. With `catch` a failure is in the result, else raised."""
        try:
            if plan.routing == "first":
                return await walk(self, plan, state, around, start or plan.entry)
            result = await schedule(self, plan, state, around)
        except Exception as error:
            if not catch or self.is_bound(error):
                raise
            return RegionResult(state, around.outputs, None, error)
        if result.error is not None and not catch and around.scope:
            raise result.error
        return result

    async def run_subflow(
        self, name: str, state: FlowState, key: Key, around: Around
    ) -> RegionResult:
        """Run another flow of this process inside the run. Raises FlowError past the depth."""
        flow = self.flows.get(name)
        if flow is None:
            known = ", ".join(f"`{other}`" for other in self.flows) or "none at all"
            raise FlowError(
                f"there is no flow `{name}` to run inside `{self.flow.name}`, there is {known}: "
                + _GIVE_FLOWS
            )
        if self.depth >= MAX_DEPTH:
            raise FlowError(f"flows are nested deeper than {MAX_DEPTH} at `{name}`")
        scope = f"{key[0]}/{key[1]}#{key[2]}:flow.{name}"
        about = {"kind": "flow", "iteration": None, "parent": key[1]}
        self.journal.write("region_started", (scope, "", 0), data=about)
        inner = self.inside(flow, state)
        result = await inner.run_graph(flow.plan, state, Around(scope, {}, {}))
        self.journal.write("region_ended", (scope, "", 0), data={**about, "outcome": "ok"})
        return result

    # -- nodes ---------------------------------------------------------------------------

    def before_node(self, name: str) -> None:
        """Heed a cancellation, ask the kill switch, count the step; of the flows around it too."""
        if self.around_it is not None:
            self.around_it.before_node(name)
        else:
            self.cancellation.check()
        switch = self.flow.kill_switch
        if switch is not None and stops(switch, self.flow.name):
            raise HaltedError(name)
        limit = self.flow.max_steps
        if limit is not None and self.steps >= limit:
            raise StepLimitError(
                f"flow `{self.flow.name}` took its {limit} steps (max_steps) and would go on "
                f"with `{name}`",
                of=self,
            )
        self.steps += 1

    def is_bound(self, error: BaseException) -> bool:
        """Whether it is the step limit of this flow, or of one around it, that ends the run."""
        if not isinstance(error, StepLimitError):
            return False
        return error.of is self or (self.around_it is not None and self.around_it.is_bound(error))

    def _count_recalled(self) -> None:
        self.steps += 1
        if self.around_it is not None:
            self.around_it._count_recalled()

    def signal_for(self, key: Key) -> Signal | None:
        """The answer to the pause of a visit, None when there is none."""
        if key not in self.journal.answers:
            return None
        event = self.journal.waiting[key]
        return Signal(str(event.data.get("key") or key[1]), decode(self.journal.answers[key]))

    def still_waits(self, key: Key) -> Pause | None:
        """The pause of a visit that nobody has answered and no time has ended yet."""
        event = self.journal.waiting.get(key)
        if event is None or key in self.journal.answers:
            return None
        until = event.data.get("until")
        if until is not None and until <= time():
            return None
        return Pause(
            str(event.data.get("reason")),
            key=event.data.get("key"),
            data=event.data.get("data"),
            until=until,
        )

    def waits(self, around: Around, name: str, pause: Pause) -> Key:
        """A node waits: write down for what. The result is the visit that waits."""
        key = (around.scope, name, around.visits[name])
        told = {"key": pause.key or name, "reason": pause.reason}
        data = self.pauses[key] = {**told, "data": pause.data, "until": pause.until}
        if self.still_waits(key) is None:
            self.journal.write("node_waiting", key, data=data)
        self.live.changed()
        return key

    def passed(self, ended: Ended) -> None:
        """A node completed; what is recalled did so before."""
        if ended.recalled is None:
            self.path.append(ended.result.node)

    def failed(self, around: Around, name: str, error: BaseException) -> None:
        """A node failed, in a graph that goes on."""
        if not around.scope:
            is_recorded = isinstance(error, RecordedFailureError)
            self.failures[name] = str(error) if is_recorded else with_place(error)
            self.errors[name] = error

    def passes_by(self, around: Around, name: str, *, blocked: bool) -> None:
        """A node will not run."""
        if not around.scope:
            (self.blocked if blocked else self.skipped).append(name)
        key = (around.scope, name, 1)
        if self.journal.recall(key) is None:
            self.journal.write("node_blocked" if blocked else "node_skipped", key)

    async def hooks_of(self, ended: Ended) -> None:
        """Call the hooks after a node, unless they were called before the run was broken off."""
        if ended.recalled is not None and ended.recalled.get("routes") is not None:
            return
        flow = self.flow
        if flow.on_node is not None or flow.checkpoint is not None:
            hooks, node = (flow.on_node, flow.checkpoint), ended.result.node
            await call_hooks(hooks, node, ended.state, flow.name)

    async def actions_before(self, actions: Sequence[Mapping[str, Any]], context: Context) -> None:
        """Run lifecycle actions before a node; of one that paused, only those that change."""
        from flowrt.actions import not_told_yet, run_actions

        await run_actions(
            not_told_yet(actions) if context.paused_before else actions, context, None
        )

    async def actions_after_failure(
        self, actions: Sequence[Mapping[str, Any]], context: Context, error: BaseException
    ) -> None:
        """Run the lifecycle actions that are meant for failures, on a state of their own."""
        from flowrt.actions import run_actions
        from flowrt.merging import isolate

        await run_actions(actions, context, None, isolate(context.state), error)

    async def actions_after(
        self, actions: Sequence[Mapping[str, Any]], context: Context, output: Output
    ) -> Output:
        """Run lifecycle actions after a node; they may change its value and its state."""
        from flowrt.actions import run_actions

        state = output.state if output.state is not None else context.state
        value = await run_actions(actions, context, output.value, state=state)
        return Output(value, state)

    # -- what is written down --------------------------------------------------------------

    def write_end(
        self,
        around: Around,
        ended: Ended,
        routes: Sequence[Any] | None,
        *,
        handled: bool,
    ) -> None:
        """A node ended: from now on it is not run again."""
        if not self.journal.heard:
            return
        result = ended.result
        key = (around.scope, result.node, around.visits[result.node])
        data: dict[str, Any] = {
            "routes": routes,
            "took": round(result.ended_at - result.started_at, 6),
        }
        if result.outcome == "ok":
            if self.log is not None:
                data |= values_of(self.flow.name, ended)
            self.journal.write("node_completed", key, result.attempts, data)
        else:
            data |= {"outcome": result.outcome, "error": result.error, "handled": handled}
            self.journal.write("node_failed", key, result.attempts, data)

    def write_stuck(self, around: Around, ended: Ended) -> None:
        """A node ended, and then a hook or edge failed.

        What completed is done: a resumed run takes up its hooks and edges again. What failed is
        tried again.
        """
        if ended.recalled is None:
            routes = None if ended.error is None else ()
            self.write_end(around, ended, routes, handled=ended.error is None)

    def recalled(self, around: Around, node: Node, event: Event, state: FlowState) -> Ended:
        """The end of a visit as it was written down."""
        self._count_recalled()
        ended = recalled_end(self.flow.name, node, event, state)
        if ended.error is None:
            around.outputs[node.name] = ended.result.output
        around.results[node.name] = ended.result
        return ended

    # -- the whole -------------------------------------------------------------------------

    async def to_end(self, state: FlowState, start: str | None = None) -> FlowResult:
        """Run the flow until it ends, waits or is halted; write down how."""
        around = Around("", {}, {})
        try:
            region = await self.run_graph(self.flow.plan, state, around, start=start)
            self.cancellation.check()
            self.live.check()
        except WaitingError as waiting:
            left = state if waiting.state is None else waiting.state
            result = self._result(left, around, "waiting")
            names = addresses({key: self.pauses[key] for key in waiting.keys})
            result.waiting_on = list(dict.fromkeys(names.values()))
        except HaltedError as halted:
            left = state if halted.state is None else halted.state
            result = self._result(left, around, "halted")
            result.halted, result.halted_at = True, halted.node
        except asyncio.CancelledError:
            await self._finish("cancelled", self._result(state, around, "cancelled"))
            raise
        except BaseException as error:
            status: RunStatus = "timed_out" if isinstance(error, TimeoutError) else "failed"
            await self._finish(status, self._result(state, around, status), error)
            raise
        else:
            status = "failed" if region.error is not None else "completed"
            result = self._result(region.state, around, status)
            result.terminal = region.terminal
        await self._finish(result.status, result)
        return result

    def _result(self, state: FlowState, around: Around, status: str) -> FlowResult:
        return FlowResult(
            state,
            self.path,
            status=status,
            outputs=around.outputs,
            results=around.results,
            failed=self.failures,
            errors=self.errors,
            skipped=self.skipped,
            blocked=self.blocked,
            run_id=self.run_id,
        )

    async def _finish(
        self, status: str, result: FlowResult, error: BaseException | None = None
    ) -> None:
        self.live.stop()
        for service in self.services.values():
            close = getattr(service, "aclose", None)
            if close is not None:
                await close()
        if not self.journal.heard:
            return
        told = with_place(error) if error is not None else None
        data: dict[str, Any] = {"path": self.path, "terminal": result.terminal}
        if told:
            data["error"] = told
        if result.waiting_on:
            data["waiting_on"] = result.waiting_on
        if result.halted:
            data["halted_at"] = result.halted_at
        self.journal.write(f"run_{status}", data=data)
        if self.log is None:
            return
        self.live.write(status)
        self.log.set_status(
            Manifest(
                self.log.run_id,
                self.flow.name,
                status,  # type: ignore[arg-type]
                self.created_at,
                time(),
                self.flow.title,
                tuple(result.waiting_on),
                told,
            )
        )
