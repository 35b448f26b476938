"""Copies of the state for branches, and one state from theirs."""

from __future__ import annotations

from typing import Any

import pytest
from flowrt.errors import FlowError, MergeConflictError
from flowrt.merging import isolate, merge_states
from hypothesis import given
from hypothesis import strategies as st


def merged(base: dict[str, Any], *states: dict[str, Any], **policies: Any) -> dict[str, Any]:
    return merge_states(base, [(f"b{n}", state) for n, state in enumerate(states)], policies)


def test_what_one_branch_wrote_is_taken() -> None:
    assert merged({"a": 1, "z": 0}, {"a": 2, "z": 0}, {"a": 1, "z": 0, "b": 3}) == {
        "a": 2, "b": 3, "z": 0
    }  # fmt: skip
    assert merged({"a": 1, "z": 0}, {"z": 0}, {"a": 1, "z": 5}) == {"z": 5}


def test_what_several_branches_wrote_is_a_conflict() -> None:
    with pytest.raises(MergeConflictError, match="branches `b0` and `b2` all wrote `a`"):
        merged({"a": 1}, {"a": 2}, {"a": 1}, {"a": 3})
    with pytest.raises(MergeConflictError):
        merged({"n": 0}, {"n": 1}, {"n": 1})


@pytest.mark.parametrize(
    ("policy", "base", "values", "expected"),
    [
        ("first", 0, [1, 2], 1),
        ("last", 0, [1, 2], 2),
        ("add", 10, [11, 13], 14),
        ("extend", [0], [[0, 1], [0, 2]], [0, 1, 2]),
        ("extend", [0], [[1], [0, 2]], [0, 1, 2]),
        ("union", {1}, [{1, 2}, {3}], {1, 2, 3}),
        ("union", [1], [[1, 2], [1, 3, 2]], [1, 2, 3]),
        ("union", {"a": 1, "b": 1}, [{"a": 2, "b": 1}, {"a": 1, "b": 3}], {"a": 2, "b": 3}),
        (max, 0, [5, 3], 5),
    ],
)
def test_policies(policy: Any, base: Any, values: list[Any], expected: Any) -> None:
    states = [{"k": value} for value in values]
    assert merged({"k": base}, *states, k=policy) == {"k": expected}


def test_policies_without_a_value_before() -> None:
    assert merged({}, {"k": 1}, {"k": 2}, k="add") == {"k": 3}
    assert merged({}, {"k": [1]}, {"k": [2]}, k="extend") == {"k": [1, 2]}


def test_policies_that_do_not_fit() -> None:
    for policy, values in (("add", ["x", "y"]), ("extend", [1, 2]), ("union", [1, 2])):
        with pytest.raises(MergeConflictError, match=f"`{policy}` cannot merge"):
            merged({}, *({"k": value} for value in values), k=policy)
    with pytest.raises(FlowError, match="no way to merge"):
        merged({}, {"k": 1}, {"k": 2}, k="sum")
    with pytest.raises(MergeConflictError, match="took it away"):
        merged({"k": 1}, {}, {"k": 2}, k="add")
    assert merged({"k": 1}, {}, {"k": 2}, k="first") == {}


def test_values_that_cannot_be_compared_count_as_written() -> None:
    class Odd:
        def __eq__(self, other: object) -> bool:
            raise ValueError("ambiguous")

        __hash__ = None  # type: ignore[assignment]

    same = Odd()
    assert merged({"k": same}, {"k": same}, {"k": same}) == {"k": same}
    with pytest.raises(MergeConflictError):
        merged({"k": same}, {"k": Odd()}, {"k": Odd()})


def test_copies_share_no_containers_and_keep_their_shape() -> None:
    marker = object()
    inner = [1, {"x": {2}}, (marker, [3])]
    value = {"a": inner, "b": inner}
    copy = isolate(value)
    assert copy == value
    assert copy["a"] is copy["b"]
    assert copy["a"] is not inner
    assert copy["a"][2][0] is marker
    assert copy["a"][2][1] is not inner[2][1]  # type: ignore[index]
    loop: list[Any] = []
    loop.append(loop)
    assert isolate(loop)[0] is not loop


values = st.recursive(
    st.integers(0, 3) | st.text("ab", max_size=2),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("xy"), inner),
    max_leaves=6,
)
states = st.dictionaries(st.sampled_from("abcd"), values)


@given(states)
def test_copies_that_nobody_changed_merge_to_the_same(base: dict[str, Any]) -> None:
    assert merged(base, isolate(base), isolate(base)) == base


@given(states, st.lists(states, min_size=1, max_size=3))
def test_with_last_the_last_write_of_each_key_wins(
    base: dict[str, Any], branches: list[dict[str, Any]]
) -> None:
    expected = dict(base)
    for key in "abcd":
        gone = object()
        for state in branches:
            left = state.get(key, gone)
            if left == base.get(key, gone) and type(left) is type(base.get(key, gone)):
                continue
            if key in state:
                expected[key] = state[key]
            elif key in base:
                expected.pop(key, None)
    policies: dict[str, Any] = dict.fromkeys("abcd", "last")
    named = [(str(number), state) for number, state in enumerate(branches)]
    assert merge_states(base, named, policies) == expected


def test_what_has_yet_to_be_awaited_is_no_merged_value() -> None:
    async def later(one: int, other: int) -> int:
        return one + other

    branches = [("l", {"n": 1}), ("r", {"n": 2})]
    with pytest.raises(FlowError, match="what merges `n` is async: it has to answer at once"):
        merge_states({}, branches, {"n": later})
