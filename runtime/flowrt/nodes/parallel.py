"""Regions run beside each other and brought together."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from contextlib import nullcontext
from typing import Annotated, Any, Literal

from pydantic import Field, WithJsonSchema

from flowrt.authoring import FlowState, Region
from flowrt.engine.context import Kind, NodeContext, Output, RegionResult
from flowrt.errors import FlowError
from flowrt.merging import isolate, merge_states
from flowrt.nodes.configs import NodeConfig, config_of
from flowrt.nodes.regions import output_of
from flowrt.nodes.values import named, where
from flowrt.registry import register_kind

AtOnce = Callable[[FlowState], RegionResult]
"""Runs a branch that never waits."""

POLICIES = ("first", "last", "add", "extend", "union")

MergeRef = Annotated[
    Callable[[Any, Any], Any] | str,
    WithJsonSchema(
        {
            "type": "string",
            "description": f"{', '.join(POLICIES)}, or the name of a registered callable of two "
            "values.",
        }
    ),
]


class ParallelConfig(NodeConfig):
    """How branches run, and how what they leave becomes one state."""

    limit: int | None = Field(
        default=None, ge=1, description="How many branches run at a time; all unless given."
    )
    merge: dict[str, MergeRef] = Field(
        default_factory=dict,
        description="How a state key that several branches write is merged, by key.",
    )
    on_failure: Literal["cancel", "wait"] = Field(
        default="cancel",
        description="Whether the first failure cancels the other branches or they are waited for.",
    )


async def run_parallel(context: NodeContext) -> Output:
    """Run all regions of the node, each with its own copy of the state, and merge what they leave.

    The output holds, by branch, the output of its last node (None where that is the state). What
    fails in a branch fails the node; when branches pause or halt, the others go on as far as they
    can before the node does. Raises MergeConflictError when several branches wrote a key that
    `merge` does not name.
    """
    config = config_of(context, ParallelConfig)
    policies: Any = {
        key: policy if policy in POLICIES else named(policy, context)
        for key, policy in config.merge.items()
    }
    branches = dict(context.node.regions)
    if not branches:
        raise FlowError(f"{where(context)} has no branches")
    gate: Any = nullcontext() if config.limit is None else asyncio.Semaphore(config.limit)

    async def run_branch(number: int, name: str, region: Region) -> RegionResult:
        region.name = region.name or name
        async with gate:
            result = await context.run_region(
                region, isolate(context.state), kind="parallel-branch", iteration=number
            )
        if result.error is not None:
            raise result.error
        return result

    prompt = _all_prompt(context, branches) if config.limit is None else None
    if prompt is not None:
        results = _run_at_once(context.state, prompt)
    else:
        tasks = {
            name: asyncio.ensure_future(run_branch(number, name, region))
            for number, (name, region) in enumerate(branches.items())
        }
        await _all_ended(tasks, config.on_failure == "cancel")
        results = {name: task.result() for name, task in tasks.items()}
    state = merge_states(
        context.state, [(name, result.state) for name, result in results.items()], policies
    )
    outputs = {name: output_of(branches[name], result) for name, result in results.items()}
    return Output(outputs, state)


def _all_prompt(context: NodeContext, branches: Mapping[str, Region]) -> dict[str, AtOnce] | None:
    """How to run each branch without a task, None unless it can be done with all of them."""
    prompt: dict[str, AtOnce] = {}
    for name, region in branches.items():
        run = context.at_once(region)
        if run is None:
            return None
        prompt[name] = run
    return prompt


def _run_at_once(state: FlowState, branches: Mapping[str, AtOnce]) -> dict[str, RegionResult]:
    """Run branches that never wait, one after the other, as the event loop would.

    When one fails the others have run too: nobody could have stopped them in between.
    """
    results: dict[str, RegionResult] = {}
    failed: dict[str, Exception] = {}
    for name, run in branches.items():
        try:
            results[name] = run(isolate(state))
        except Exception as error:
            failed[name] = error
    if failed:
        first = next(iter(failed.values()))
        _note_others(first, failed)
        raise first
    return results


async def _all_ended(tasks: Mapping[str, asyncio.Future[RegionResult]], stop_early: bool) -> None:
    """Wait for all branches and raise what ended one that did not complete.

    A failure counts before a halt, a halt before a pause. None is left running, whatever happens.
    """
    waiting = set(tasks.values())
    first: BaseException | None = None
    try:
        while waiting:
            done, waiting = await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
            failures = [error for task in tasks.values() if task in done
                        and isinstance(error := _error(task), Exception)]  # fmt: skip
            first = first or next(iter(failures), None)
            if first is not None and stop_early:
                break
    finally:
        for task in waiting:
            task.cancel()
        if waiting:
            await asyncio.wait(waiting)
    if first is not None:
        _note_others(first, {name: error for name, task in tasks.items()
                             if isinstance(error := _error(task), Exception)})  # fmt: skip
        raise first
    stops = [error for task in tasks.values() if (error := _error(task)) is not None]
    if stops:
        raise _one_stop(stops)


def _error(task: asyncio.Future[RegionResult]) -> BaseException | None:
    return None if task.cancelled() else task.exception()


def _note_others(first: BaseException, failed: Mapping[str, Exception]) -> None:
    """Say in the error which branches failed."""
    for name, error in failed.items():
        if error is first:
            first.add_note(f"in branch `{name}`")
        else:
            first.add_note(f"branch `{name}` failed too: {type(error).__name__}: {error}")


def _one_stop(stops: list[BaseException]) -> BaseException:
    """One of several pauses or halts to go on with; what all wait for is said by it."""
    halts = [stop for stop in stops if not hasattr(stop, "keys") and not hasattr(stop, "key")]
    if halts:
        return halts[0]
    first = stops[0]
    keys = getattr(first, "keys", None)
    if isinstance(keys, list):
        for stop in stops[1:]:
            keys += [key for key in getattr(stop, "keys", ()) if key not in keys]
    return first


register_kind(
    Kind("parallel", run_parallel, "Runs regions beside each other.", ParallelConfig, ("*",))
)
