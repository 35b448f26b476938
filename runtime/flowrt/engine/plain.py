"""The plain loop: one token, first match, nothing written down. This is the fast path."""

from __future__ import annotations

from contextvars import copy_context
from inspect import isawaitable
from typing import Any

from flowrt.authoring import FlowResult, FlowState, KillSwitch, NodeHook
from flowrt.engine.context import RegionResult
from flowrt.engine.plan import Plan
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

    In each round, in this order: the kill switch, the step limit, the node, the path, the hooks,
    the edges. What nodes, guards and hooks raise goes through as it is, with a note that names
    the node.
    """
    table = plan.table
    if table is None:
        raise FlowError(f"flow `{flow}` needs more than the plain loop")
    path: list[str] = []
    add = path.append
    current = start
    hooked = on_node is not None or checkpoint is not None
    limit = max_steps if max_steps is not None else -1
    while True:
        if kill_switch is not None and kill_switch():
            return FlowResult(state, path, halted=True, halted_at=current, status="halted")
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
        if state is None:
            raise NodeResultError(nothing_returned(flow, current))
        add(current)
        if hooked:
            await call_hooks((on_node, checkpoint), current, state)
        if not edges:
            return FlowResult(state, path, current)
        for when, target in edges:
            if when is None or when(state):
                current = target
                break
        else:
            raise UnroutableError(no_edge(flow, current))


async def walk_region(
    flow: str, plan: Plan, state: FlowState, outputs: dict[str, Any], path: list[str]
) -> tuple[str, FlowState]:
    """Run a plain region to its end; the result is its last node and the state it left."""
    table = plan.table
    if table is None:
        raise FlowError(f"a region of flow `{flow}` needs more than the plain loop")
    current = plan.entry
    while True:
        run, edges = table[current]
        try:
            state = await run(state)
        except Exception as error:
            error.add_note(f"in node `{current}` of flow `{flow}`")
            raise
        if state is None:
            raise NodeResultError(nothing_returned(flow, current))
        outputs[current] = state
        path.append(current)
        if not edges:
            return current, state
        for when, target in edges:
            if when is None or when(state):
                current = target
                break
        else:
            raise UnroutableError(no_edge(flow, current))


def run_at_once(flow: str, plan: Plan, state: FlowState, path: list[str]) -> RegionResult:
    """Run a prompt plan without awaiting it, with context variables of its own, as in a task.

    Raises what its nodes raise, and FlowError when one is suspended after all.
    """
    outputs: dict[str, Any] = {}
    walk = walk_region(flow, plan, state, outputs, path)
    try:
        copy_context().run(walk.send, None)
    except StopIteration as end:
        name, left = end.value
        return RegionResult(left, outputs, name)
    walk.close()
    raise FlowError(f"a node of flow `{flow}` waits, though nothing is awaited in it")


async def call_hooks(hooks: tuple[NodeHook | None, ...], node: str, state: FlowState) -> None:
    """Call hooks in order; what they raise stops the run."""
    for hook in hooks:
        if hook is not None:
            answer = hook(node, state)
            if isawaitable(answer):
                await answer


def nothing_returned(flow: str, node: str) -> str:
    """What to say of a node that forgot to return the state."""
    return (
        f"node `{node}` of flow `{flow}` returned nothing: a node has to return the state "
        "that the flow goes on with"
    )


def no_edge(flow: str, node: str) -> str:
    """What to say of a node that no edge leads on from."""
    return f"no outgoing edge matched after node `{node}` of flow `{flow}`"
