"""repeat, parallel and attempt nodes, run by the engine (objectstack.md b)."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextvars import ContextVar
from functools import wraps
from itertools import pairwise
from typing import Any

import pytest
from flowrt import Edge, Flow, Node, Region
from flowrt.errors import FlowError, MergeConflictError
from flowrt.stores.memory import MemoryStore

State = dict[str, Any]


def compute(name: str, run: Any, into: str | None = None) -> Node:
    return Node(name, run, kind="compute", config={"into": into} if into else {})


def step(name: str, run: Any) -> Node:
    return Node(name, run)


def region(*nodes: Node, **options: Any) -> Region:
    edges = [Edge(a.name, b.name) for a, b in pairwise(nodes)]
    return Region(nodes, edges, nodes[0].name, **options)


async def run(node: Node, state: State | None = None, **options: Any) -> Any:
    async def passing(given: State) -> State:
        return given

    flow = Flow(
        nodes=[Node("begin", passing), node], edges=[Edge("begin", node.name)], entry="begin"
    )
    return await flow.run(state or {}, **options)


def repeat(body: Region, **config: Any) -> Node:
    return Node("again", kind="repeat", config=config, regions={"body": body})


def double(world: Any) -> Any:
    return world.state["item"] * 2


class TestRepeat:
    async def test_objectstack_b_over_a_list_in_order(self) -> None:
        result = await run(repeat(region(compute("x", double)), over="rows"), {"rows": [1, 2, 3]})
        assert result.outputs["again"] == {
            "iterations": 3, "outputs": [2, 4, 6], "limit_reached": False
        }  # fmt: skip
        assert result.state == {"rows": [1, 2, 3]}

    @pytest.mark.parametrize("over", ["state.o.rows", "state.o.rows.filter(x, x > 0)", [1, 2]])
    async def test_over_paths_cel_and_lists(self, over: Any) -> None:
        state = {"o": {"rows": [1, 2]}}
        result = await run(repeat(region(compute("x", double)), over=over), state)
        assert result.outputs["again"]["outputs"] == [2, 4]

    async def test_the_state_goes_from_one_iteration_to_the_next(self) -> None:
        async def add(state: State) -> State:
            return {**state, "sum": state.get("sum", 0) + state["n"], "last": state["at"]}

        node = repeat(region(step("x", add)), over=[5, 6], item="n", index="at")
        result = await run(node, {"n": "outside"})
        assert result.state == {"n": "outside", "sum": 11, "last": 1}
        assert result.outputs["again"]["outputs"] == []

    async def test_what_is_collected(self) -> None:
        node = repeat(region(compute("x", double)), over=[1, 2], collect="state.item + outputs.x")
        assert (await run(node)).outputs["again"]["outputs"] == [3, 6]

    async def test_while_a_condition_holds(self) -> None:
        async def add(state: State) -> State:
            return {**state, "n": state["n"] + 1}

        async def asks(state: State) -> bool:
            return bool(state["n"] < 3)

        for condition in ("state.n < 3", lambda state: state["n"] < 3, asks):
            result = await run(repeat(region(step("x", add)), **{"while": condition}), {"n": 0})
            assert result.state == {"n": 3}
            assert result.outputs["again"]["iterations"] == 3

    async def test_it_is_always_bounded(self) -> None:
        ran: list[int] = []

        async def note(state: State) -> State:
            ran.append(1)
            return state

        node = repeat(region(step("x", note)), max_iterations=4, **{"while": "true"})
        with pytest.raises(FlowError, match="ran its body 4 times"):
            await run(node)
        assert len(ran) == 4
        node = repeat(
            region(step("x", note)), max_iterations=4, on_limit="stop", **{"while": "true"}
        )
        assert (await run(node)).outputs["again"]["limit_reached"] is True

    async def test_objectstack_b_too_many_items_fail_before_the_first(self) -> None:
        ran: list[int] = []
        body = region(compute("x", lambda world: ran.append(1)))
        with pytest.raises(FlowError, match="has 3 items to go over"):
            await run(repeat(body, over=[1, 2, 3], max_iterations=2))
        assert ran == []
        result = await run(repeat(body, over=[1, 2, 3], max_iterations=2, on_limit="stop"))
        assert (result.outputs["again"]["iterations"], len(ran)) == (2, 2)

    @pytest.mark.parametrize("items", ["text", {"a": 1}, {1, 2}, None, 5])
    async def test_objectstack_b_only_lists_are_gone_over(self, items: Any) -> None:
        with pytest.raises(FlowError, match="can only go over a list"):
            await run(repeat(region(compute("x", double)), over="rows"), {"rows": items})

    async def test_objectstack_b_the_first_failing_iteration_fails_the_node(self) -> None:
        seen: list[int] = []

        def fail(world: Any) -> None:
            seen.append(world.state["item"])
            if world.state["item"] == 2:
                raise ValueError("two")

        with pytest.raises(ValueError, match="two"):
            await run(repeat(region(compute("x", fail)), over=[1, 2, 3]))
        assert seen == [1, 2]

    @pytest.mark.parametrize("config", [{}, {"over": [1], "while": "true"}])
    async def test_objectstack_b_a_loop_over_nothing_is_refused(self, config: Any) -> None:
        with pytest.raises(FlowError, match="give one of"):
            await run(repeat(region(compute("x", double)), **config))


def parallel(regions: dict[str, Region], **config: Any) -> Node:
    return Node("split", kind="parallel", config=config, regions=regions)


def sets(key: str, value: Any, after: float = 0.0) -> Region:
    async def run(state: State) -> State:
        await asyncio.sleep(after)
        return {**state, key: value}

    return region(step(f"set {key}", run))


class TestParallel:
    async def test_objectstack_b_branches_join_by_themselves(self) -> None:
        node = parallel({"a": sets("x", 1, 0.05), "b": sets("y", 2)})
        assert (await run(node, {"z": 0})).state == {"x": 1, "y": 2, "z": 0}

    async def test_branches_run_at_the_same_time_up_to_the_limit(self) -> None:
        running, most = 0, 0

        async def work(state: State) -> State:
            nonlocal running, most
            running += 1
            most = max(most, running)
            await asyncio.sleep(0.02)
            running -= 1
            return state

        branches = {str(number): region(step("w", work)) for number in range(6)}
        await run(parallel(branches))
        assert most == 6
        most = 0
        branches = {str(number): region(step("w", work)) for number in range(6)}
        await run(parallel(branches, limit=2))
        assert most == 2

    async def test_branches_do_not_see_each_other(self) -> None:
        """objectstack.md b: there branches share their variables; here each has a copy."""

        def add(name: str, after: float) -> Region:
            async def run(state: State) -> State:
                state["log"].append(name)
                await asyncio.sleep(after)
                state["log"].append(name.upper())
                return state

            return region(step(name, run))

        node = parallel({"a": add("a", 0.02), "b": add("b", 0)}, merge={"log": "extend"})
        assert (await run(node, {"log": ["-"]})).state == {"log": ["-", "a", "A", "b", "B"]}

    async def test_undeclared_conflicts_fail_and_name_key_and_branches(self) -> None:
        node = parallel({"a": sets("x", 1), "b": sets("x", 2)})
        with pytest.raises(MergeConflictError, match="`a` and `b` all wrote `x`"):
            await run(node)
        for policy, expected in (("last", 2), ("add", 3), (max, 2)):
            node = parallel({"a": sets("x", 1), "b": sets("x", 2)}, merge={"x": policy})
            assert (await run(node)).state == {"x": expected}

    async def test_outputs_by_branch(self) -> None:
        branches = {"a": region(compute("x", lambda world: 1)), "b": sets("y", 2)}
        assert (await run(parallel(branches))).outputs["split"] == {"a": 1, "b": None}

    async def test_objectstack_b_the_first_failure_cancels_the_rest(self) -> None:
        ended: list[str] = []

        async def slow(state: State) -> State:
            try:
                await asyncio.sleep(5)
            except asyncio.CancelledError:
                ended.append("cancelled")
                raise
            return state

        async def fail(state: State) -> State:
            raise ValueError("no")

        branches = {"a": region(step("slow", slow)), "b": region(step("fail", fail))}
        with pytest.raises(ValueError, match="no") as caught:
            await run(parallel(branches))
        assert ended == ["cancelled"]
        assert "in branch `b`" in caught.value.__notes__

    @pytest.mark.parametrize("kept", [False, True])
    async def test_branches_that_never_wait_all_run_and_all_failures_are_told(
        self, kept: bool
    ) -> None:
        ran: list[str] = []

        def branch(name: str, error: Exception | None) -> Region:
            async def work(state: State) -> State:
                ran.append(name)
                if error is not None:
                    raise error
                return state

            return region(step("work", work))

        branches = {
            "a": branch("a", None), "b": branch("b", ValueError("no")), "c": branch("c", OSError())
        }  # fmt: skip
        with pytest.raises(ValueError, match="no") as caught:
            await run(parallel(branches), store=MemoryStore() if kept else None)
        assert ran == ["a", "b", "c"]
        notes = [note for note in caught.value.__notes__ if "branch" in note]
        assert notes == ["in branch `b`", "branch `c` failed too: OSError: "]

    async def test_branches_that_never_wait_have_context_variables_of_their_own(self) -> None:
        held = ContextVar("held", default="outside")
        seen: list[str] = []

        async def work(state: State) -> State:
            seen.append(held.get())
            held.set("inside")
            return state

        await run(parallel({name: region(step("work", work)) for name in "ab"}))
        assert seen == ["outside", "outside"]
        assert held.get() == "outside"

    async def test_branches_whose_functions_only_look_prompt_are_awaited(self) -> None:
        met = asyncio.Barrier(3)

        async def waits(state: State) -> State:
            await asyncio.wait_for(met.wait(), 5)
            return state

        async def loops(state: State) -> State:
            async for _ in moments():
                pass
            return state

        async def moments() -> AsyncIterator[int]:
            yield await asyncio.wait_for(met.wait(), 5)

        @wraps(waits)
        async def wrapped(state: State) -> State:
            return await waits(state)

        functions = {"waits": waits, "loops": loops, "wrapped": wrapped}
        result = await run(parallel({n: region(step("s", f)) for n, f in functions.items()}))
        assert result.status == "completed"

    async def test_or_the_rest_is_waited_for(self) -> None:
        ended: list[str] = []

        async def slow(state: State) -> State:
            await asyncio.sleep(0.05)
            ended.append("done")
            raise OSError("too")

        async def fail(state: State) -> State:
            raise ValueError("no")

        branches = {"a": region(step("slow", slow)), "b": region(step("fail", fail))}
        with pytest.raises(ValueError, match="no") as caught:
            await run(parallel(branches, on_failure="wait"))
        assert ended == ["done"]
        assert "branch `a` failed too: OSError: too" in caught.value.__notes__

    async def test_branches_that_wait_let_the_others_end(self) -> None:
        ended: list[str] = []

        async def slow(state: State) -> State:
            await asyncio.sleep(0.05)
            ended.append("done")
            return state

        branches = {
            "a": region(Node("one", kind="checkpoint")),
            "b": region(step("slow", slow)),
            "c": region(Node("two", kind="checkpoint")),
        }
        result = await run(parallel(branches))
        assert (result.status, sorted(result.waiting_on)) == ("waiting", ["one", "two"])
        assert ended == ["done"]

    async def test_cancelling_leaves_nothing_running(self) -> None:
        ended: list[str] = []

        async def slow(state: State) -> State:
            try:
                await asyncio.sleep(5)
            finally:
                ended.append("x")
            return state

        node = parallel({"a": region(step("s", slow)), "b": region(step("s", slow))})
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.1):
                await run(node)
        assert ended == ["x", "x"]


def attempt(regions: dict[str, Region], **config: Any) -> Node:
    return Node("safely", kind="attempt", config=config, regions=regions)


def failing(times: int, calls: list[State]) -> Region:
    async def run(state: State) -> State:
        calls.append(dict(state))
        state["dirty"] = True
        if len(calls) <= times:
            raise ValueError(f"failure {len(calls)}")
        return {**state, "done": True}

    return region(step("risky", run))


QUICK = {"delay": 0.01}


class TestAttempt:
    async def test_what_goes_well_is_no_matter(self) -> None:
        result = await run(attempt({"try": region(compute("x", lambda world: 5))}))
        assert result.outputs["safely"] == {
            "attempts": 1, "caught": False, "error": None, "output": 5
        }  # fmt: skip

    async def test_objectstack_b_tried_again_from_the_state_before(self) -> None:
        calls: list[State] = []
        node = attempt({"try": failing(2, calls)}, retry={"attempts": 3, **QUICK})
        result = await run(node, {"a": 1})
        assert calls == [{"a": 1}] * 3
        assert result.state == {"a": 1, "dirty": True, "done": True}
        assert result.outputs["safely"]["attempts"] == 3

    async def test_objectstack_b_without_catch_the_last_error_is_raised(self) -> None:
        calls: list[State] = []
        node = attempt({"try": failing(9, calls)}, retry={"attempts": 2, **QUICK})
        with pytest.raises(ValueError, match="failure 2"):
            await run(node)

    async def test_objectstack_b_catch_learns_of_the_error(self) -> None:
        async def mend(state: State) -> State:
            return {**state, "seen": state["problem"]}

        node = attempt(
            {"try": failing(9, []), "catch": region(step("mend", mend))}, error="problem"
        )
        result = await run(node, {"a": 1})
        failure = {"node": "risky", "message": "failure 1", "type": "ValueError"}
        assert result.state == {"a": 1, "seen": failure}
        assert result.outputs["safely"] == {
            "attempts": 1, "caught": True, "error": failure, "output": None
        }  # fmt: skip

    async def test_a_failing_catch_fails_the_node(self) -> None:
        async def worse(state: State) -> State:
            raise OSError("worse")

        with pytest.raises(OSError, match="worse"):
            await run(attempt({"try": failing(9, []), "catch": region(step("c", worse))}))

    async def test_pauses_are_not_caught(self) -> None:
        """objectstack.md b refuses pauses in regions; here they wait."""
        node = attempt(
            {
                "try": region(Node("approve", kind="checkpoint")),
                "catch": region(compute("x", lambda world: 1)),
            }
        )
        result = await run(node)
        assert (result.status, result.waiting_on) == ("waiting", ["approve"])

    async def test_regions_nest(self) -> None:
        inner = repeat(
            region(attempt({"try": failing(1, [])}, retry={"attempts": 2, **QUICK})), over=[1, 2]
        )
        result = await run(parallel({"a": region(inner), "b": sets("y", 1)}))
        assert result.state == {"done": True, "dirty": True, "y": 1}
