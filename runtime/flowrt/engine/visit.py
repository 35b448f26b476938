"""One visit of a node: its attempts with timeout, heartbeat, retry and cancellation."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Mapping
from dataclasses import dataclass
from inspect import isawaitable
from time import time
from typing import TYPE_CHECKING, Any

from flowrt.authoring import Edge, FlowState, Node, NodeResult, Outcome, Retry
from flowrt.engine.addresses import Key
from flowrt.engine.context import Output, Pause
from flowrt.engine.plain import no_state
from flowrt.engine.plan import runs_bare
from flowrt.engine.states import Activity
from flowrt.engine.surroundings import Around, Context
from flowrt.engine.words import in_words
from flowrt.errors import FlowError, NodeCancelledError, NodeResultError, NodeTimeoutError
from flowrt.merging import isolate
from flowrt.registry import find_kind

if TYPE_CHECKING:
    from flowrt.engine.run import Run


class WaitingError(BaseException):
    """Raised through regions and flows when all that is left waits for somebody."""

    def __init__(self, keys: list[Key], state: FlowState | None = None) -> None:
        super().__init__(", ".join(node for _, node, _ in keys))
        self.keys = keys
        self.state = state


class HaltedError(BaseException):
    """Raised through regions when the kill switch stops the run before a node."""

    def __init__(self, node: str) -> None:
        super().__init__(node)
        self.node = node
        self.state: FlowState | None = None


@dataclass(slots=True)
class Ended:
    """How a visit ended: its result, the state it leaves, and the error if it failed."""

    result: NodeResult
    state: FlowState
    error: BaseException | None = None
    recalled: Mapping[str, Any] | None = None
    """What was written down of the routes taken, where this was recalled."""


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
    except asyncio.CancelledError:
        if run.cancellation.was_asked() and activity.attempt:
            run.live.broken_off(key)
        raise
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
    is_bare = runs_bare(node)
    while True:
        activity.attempt = used + 1
        activity.become("running")
        run.live.started(node, key, activity)
        # A try that fails half way leaves nothing behind for the next one.
        given = state if node.retry is None else isolate(state)
        context = None if is_bare else Context(run, around, node, given, incoming, key, activity)
        try:
            if context is None:
                value = left = await _called(run, node, given)
            else:
                output = await _attempt(run, context)
                value, left = output.value, _left(node, context, output)
        except (Pause, WaitingError, HaltedError):
            activity.become("waiting")
            raise
        except (Exception, asyncio.CancelledError) as raised:
            error = _own_failure(run, node, raised)
            used += 1
            activity.become("failed")
            again_in = _again(run, node, key, used, error)
            if again_in is not None:
                activity.become("ready")
                await asyncio.sleep(again_in)
                continue
            told, outcome = in_words(error), outcome_of(error)
            result = NodeResult(node.name, outcome, used, None, told, started, time())
            around.results[node.name] = result
            if context is not None and node.after:
                await _after_failure(run, context, error)
            return Ended(result, state, error)
        activity.become("completed")
        result = NodeResult(node.name, "ok", used + 1, value, None, started, time())
        around.outputs[node.name] = value
        around.results[node.name] = result
        return Ended(result, left)


async def _called(run: Run, node: Node, state: FlowState) -> FlowState:
    """The state that a bare node returns. Its function needs to know nothing but the state."""
    run_it: Any = node.run
    returned = run_it(state)
    if type(returned) is not dict and isawaitable(returned):
        returned = await returned
    if isinstance(returned, dict):
        return returned
    raise NodeResultError(no_state(run.flow.name, node, returned))


def _left(node: Node, context: Context, output: Output) -> FlowState:
    """The state that a node leaves, with its value where its config says to put it."""
    left = context.state if output.state is None else output.state
    into = node.config.get("into") if node.config else None
    return {**left, into: output.value} if isinstance(into, str) else left


def _again(run: Run, node: Node, key: Key, used: int, error: Exception) -> float | None:
    """In how many seconds a failed node is tried again, None when it is not; noted down."""
    if not hasattr(error, "__notes__"):
        error.add_note(f"in node `{node.name}` of flow `{run.flow.name}`")
    retry, outcome = node.retry, outcome_of(error)
    if retry is None or used >= retry.attempts or outcome == "cancelled":
        return None
    if not isinstance(error, retry.on):
        return None
    again_in = pause_before(retry, used)
    told = {"error": in_words(error), "outcome": outcome, "again_in": again_in}
    run.journal.write("attempt_failed", key, used, told)
    return again_in


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
        error.add_note(f"and an action after it failed: {in_words(fault)}")


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
