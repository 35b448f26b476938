"""The plain loop: one token, first match, nothing written down. This is the fast path."""

from __future__ import annotations

from collections.abc import Callable
from contextvars import copy_context
from inspect import isawaitable, iscoroutine
from time import time
from typing import Any

from flowrt.authoring import FlowResult, FlowState, KillSwitch, Node, NodeHook
from flowrt.engine.cancelling import Cancellation
from flowrt.engine.context import RegionResult
from flowrt.engine.plan import Plan
from flowrt.engine.spans import Span, SpanResults
from flowrt.errors import FlowError, NodeResultError, StepLimitError, UnroutableError


async def walk_plain(
    flow: str,
    plan: Plan,
    state: FlowState,
    start: str,
    *,
    on_node: NodeHook | None,
    checkpoint: NodeHook | None,
    kill_switch: KillSwitch | None,
    max_steps: int | None,
) -> FlowResult:
    """Run from `start` until a node has no edge out of it.

    In each round, in this order: whether the run is cancelled, the kill switch, the step limit, the
    node, the path, the hooks, the edges. What nodes, guards and hooks raise goes through as it is,
    with a note that names the node.
    """
    table = plan.table
    if table is None:
        raise FlowError(f"flow `{flow}` needs more than the plain loop")
    path: list[str] = []
    outputs: dict[str, Any] = {}
    spans: dict[str, Span] = {}
    add = path.append
    current = start
    began = time()
    hooked = on_node is not None or checkpoint is not None
    limit = max_steps if max_steps is not None else -1
    stop = Cancellation.from_now_on()
    requests, before = stop.requests, stop.before
    while True:
        if requests() > before:
            stop.check()
        if kill_switch is not None and stops(kill_switch, flow):
            results = SpanResults(outputs, spans)
            return FlowResult(state, path, None, True, current, "halted", outputs, results)
        if len(path) == limit:
            raise StepLimitError(
                f"flow `{flow}` took its {limit} steps (max_steps) and would go on with `{current}`"
            )
        run, edges = table[current]
        try:
            state = await run(state)
        except Exception as error:
            error.add_note(f"in node `{current}` of flow `{flow}`")
            raise
        if type(state) is not dict and not isinstance(state, dict):
            raise NodeResultError(no_state(flow, plan.nodes[current], state))
        add(current)
        outputs[current] = state
        ended = time()
        spans[current] = (began, ended)
        began = ended
        if hooked:
            await call_hooks((on_node, checkpoint), current, state, flow)
        if not edges:
            results = SpanResults(outputs, spans)
            return FlowResult(state, path, current, outputs=outputs, results=results)
        for when, target in edges:
            if when is None or holds(when, state, (current, target), flow):
                current = target
                break
        else:
            raise UnroutableError(no_edge(flow, current))


async def walk_region(
    flow: str,
    plan: Plan,
    state: FlowState,
    outputs: dict[str, Any],
    path: list[str],
    stop: Cancellation,
) -> tuple[str, FlowState]:
    """Run a plain region to its end; the result is its last node and the state it left."""
    table = plan.table
    if table is None:
        raise FlowError(f"a region of flow `{flow}` needs more than the plain loop")
    current = plan.entry
    requests, before = stop.requests, stop.before
    while True:
        if requests() > before:
            stop.check()
        run, edges = table[current]
        try:
            state = await run(state)
        except Exception as error:
            error.add_note(f"in node `{current}` of flow `{flow}`")
            raise
        if type(state) is not dict and not isinstance(state, dict):
            raise NodeResultError(no_state(flow, plan.nodes[current], state))
        outputs[current] = state
        path.append(current)
        if not edges:
            return current, state
        for when, target in edges:
            if when is None or holds(when, state, (current, target), flow):
                current = target
                break
        else:
            raise UnroutableError(no_edge(flow, current))


def run_at_once(
    flow: str, plan: Plan, state: FlowState, path: list[str], stop: Cancellation
) -> RegionResult:
    """Run a prompt plan without awaiting it, with context variables of its own, as in a task.

    Raises what its nodes raise, and FlowError when one is suspended after all.
    """
    outputs: dict[str, Any] = {}
    walk = walk_region(flow, plan, state, outputs, path, stop)
    try:
        copy_context().run(walk.send, None)
    except StopIteration as end:
        name, left = end.value
        return RegionResult(left, outputs, name)
    walk.close()
    raise FlowError(f"a node of flow `{flow}` waits, though nothing is awaited in it")


async def call_hooks(
    hooks: tuple[NodeHook | None, ...], node: str, state: FlowState, flow: str
) -> None:
    """Call hooks in order; what they raise stops the run."""
    try:
        for hook in hooks:
            if hook is not None:
                answer = hook(node, state)
                if isawaitable(answer):
                    await answer
    except Exception as error:
        error.add_note(f"in a hook after node `{node}` of flow `{flow}`")
        raise


def stops(switch: KillSwitch, flow: str) -> bool:
    """Whether a kill switch stops the run."""
    try:
        answer = switch()
    except Exception as error:
        error.add_note(f"in the kill switch of flow `{flow}`")
        raise
    return says(answer, "the kill switch", flow)


def holds(
    when: Callable[[FlowState], object], state: FlowState, edge: tuple[str, str], flow: str
) -> bool:
    """Whether a guard lets the run go on over its edge."""
    try:
        answer = when(state)
    except Exception as error:
        error.add_note(f"in the guard on {edge_of(*edge, flow)}")
        raise
    if answer is True or answer is False:
        return answer
    return says(answer, edge, flow)


def edge_of(source: str, target: str, flow: str) -> str:
    """How messages call an edge."""
    return f"the edge from `{source}` to `{target}` of flow `{flow}`"


def says(answer: object, asked: str | tuple[str, str], flow: str) -> bool:
    """What a guard or kill switch answered. Raises FlowError when it has yet to be awaited.

    `asked` is what it is called, or source and target of the edge it is on.
    """
    if answer is True or answer is False:
        return answer
    if not iscoroutine(answer):
        return bool(answer)
    answer.close()
    if isinstance(asked, str):
        asked = f"{asked} of flow `{flow}`"
    else:
        asked = f"the guard on {edge_of(*asked, flow)}"
    raise FlowError(f"{asked} is async: it has to answer at once")


def no_state(flow: str, node: Node, value: object) -> str:
    """What to say of a node that returned something else than the state."""
    returned = "nothing" if value is None else f"a {type(value).__name__}"
    return (
        f"node `{node.name}` of flow `{flow}` returned {returned}: a {node.kind} has to return the "
        "state that the flow goes on with, as a dict. Return the state at the end of `run`; for a "
        'node that gives a value of its own use kind="compute"'
    )


def no_edge(flow: str, node: str) -> str:
    """What to say of a node that no edge leads on from."""
    return f"no outgoing edge matched after node `{node}` of flow `{flow}`"
