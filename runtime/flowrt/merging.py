"""Branches that ran beside each other: copies of the state for them, and one state from theirs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import reduce
from inspect import isawaitable, iscoroutine
from typing import Any

from flowrt.authoring import FlowState, Merge
from flowrt.errors import FlowError, MergeConflictError

Written = list[tuple[str, Any]]
"""Which branches wrote a key, in their order, with what each left there."""


class _Gone:
    """Stands for a key that a branch took away."""

    def __repr__(self) -> str:
        return "nothing"


GONE = _Gone()
_CONTAINERS = frozenset({dict, list, set, tuple})


def isolate(value: Any) -> Any:
    """A copy in which no dict, list, set or tuple is shared with the original.

    Anything else (clients, models, arrays) is the same object in both. What stood in two places
    of the original stands in two places of the copy.
    """
    return _copied(value, {})


def _copied(value: Any, seen: dict[int, Any]) -> Any:
    kind = type(value)
    if kind not in _CONTAINERS:
        return value
    known = seen.get(id(value))
    if known is not None:
        return known
    copy: Any
    if kind is dict:
        copy = seen[id(value)] = {}
        for key, held in value.items():
            copy[key] = _copied(held, seen) if type(held) in _CONTAINERS else held
    elif kind is list:
        copy = seen[id(value)] = []
        copy.extend(_copied(held, seen) for held in value)
    elif kind is set:
        copy = seen[id(value)] = set(value)
    else:
        parts = [_copied(held, seen) for held in value]
        untouched = all(part is held for part, held in zip(parts, value, strict=True))
        copy = seen[id(value)] = value if untouched else tuple(parts)
    return copy


def merge_states(
    base: FlowState,
    branches: Sequence[tuple[str, FlowState]],
    policies: Mapping[str, Merge] | None = None,
    *,
    lenient: bool = False,
) -> FlowState:
    """One state from those that branches left, all of which began with (a copy of) `base`.

    A branch wrote a key when it added it, took it away or left another value there; then the
    merged state has what it left. A key that several branches wrote, be it with equal values,
    needs a policy:

    * `first`, `last`: the value of the first (last) branch that wrote it, in declared order;
    * `add`: numbers; the value of `base` (or 0) and what each branch added to it;
    * `extend`: lists; the items of `base`, then those each branch put after them;
    * `union`: sets, dicts (later branches win) or lists (each item once);
    * a function of two values, folded over those the branches left.

    Raises MergeConflictError, naming the key and the branches, when there is no policy for it
    or it does not fit the values; with `lenient` such a key stays as it was in `base`.
    """
    rules = policies or {}
    merged = dict(base)
    for key, written in _writes(base, branches).items():
        if len(written) == 1:
            value = written[0][1]
        else:
            before = base.get(key, GONE)
            try:
                value = _one_value(key, before, written, rules.get(key))
            except Exception:
                if not lenient:
                    raise
                value = before
        if value is GONE:
            merged.pop(key, None)
        else:
            merged[key] = value
    return merged


def _writes(base: FlowState, branches: Sequence[tuple[str, FlowState]]) -> dict[str, Written]:
    writes: dict[str, Written] = {}
    for name, state in branches:
        for key, value in _written(base, state):
            writes.setdefault(key, []).append((name, value))
    return writes


def _written(base: FlowState, state: FlowState) -> Iterator[tuple[str, Any]]:
    if state is base:
        return
    for key, value in state.items():
        before = base.get(key, GONE)
        if value is not before and (before is GONE or not same_value(value, before)):
            yield key, value
    for key in base:
        if key not in state:
            yield key, GONE


def same_value(one: Any, other: Any) -> bool:
    """Whether two values are equal and of one type; those that cannot tell count as different."""
    if type(one) is not type(other):
        return False
    try:
        return bool(one == other)
    except Exception:
        return False


def _one_value(key: str, base: Any, written: Written, policy: Merge | None) -> Any:
    if policy is None:
        raise MergeConflictError(
            f"the branches {_names(written)} all wrote `{key}`: declare how it is merged "
            f"(`merge`: first, last, add, extend, union or a function), or let them write "
            "different keys"
        )
    if policy == "first":
        return written[0][1]
    if policy == "last":
        return written[-1][1]
    if any(value is GONE for _, value in written):
        raise MergeConflictError(
            f"the branches {_names(written)} wrote `{key}`, and one of them took it away: "
            "only `first` and `last` can merge that"
        )
    values = [value for _, value in written]
    if callable(policy):
        try:
            return reduce(lambda one, other: _merged(key, policy(one, other)), values)
        except Exception as error:
            error.add_note(f"in what merges `{key}`")
            raise
    rule = _RULES.get(policy)
    if rule is None:
        raise FlowError(f"`{policy}` is no way to merge `{key}`: use {', '.join(_NAMES)}")
    try:
        return rule(base, values)
    except TypeError as error:
        raise MergeConflictError(
            f"`{policy}` cannot merge what the branches {_names(written)} left in `{key}`: {error}"
        ) from error


def _merged(key: str, value: Any) -> Any:
    """What a function made of two values. Raises FlowError when it has yet to be awaited."""
    if not isawaitable(value):
        return value
    if iscoroutine(value):
        value.close()
    raise FlowError(f"what merges `{key}` is async: it has to answer at once")


def _add(base: Any, values: list[Any]) -> Any:
    start = 0 if base is GONE else base
    for value in (start, *values):
        if not isinstance(value, int | float | complex) or isinstance(value, bool):
            raise TypeError(f"{type(value).__name__} is no number")
    return start + sum(value - start for value in values)


def _extend(base: Any, values: list[Any]) -> Any:
    start = [] if base is GONE else base
    for value in (start, *values):
        if not isinstance(value, list):
            raise TypeError(f"{type(value).__name__} is no list")
    merged = list(start)
    for value in values:
        merged += value[len(start) :] if value[: len(start)] == start else value
    return merged


def _union(base: Any, values: list[Any]) -> Any:
    everything = values if base is GONE else [base, *values]
    if all(isinstance(value, set | frozenset) for value in everything):
        return set().union(*everything)
    if all(isinstance(value, dict) for value in everything):
        return _joined(base, values)
    if all(isinstance(value, list) for value in everything):
        merged: list[Any] = []
        for item in (item for value in everything for item in value):
            if item not in merged:
                merged.append(item)
        return merged
    kinds = ", ".join(sorted({type(value).__name__ for value in everything}))
    raise TypeError(f"these are neither all sets, all dicts nor all lists, but {kinds}")


def _joined(base: Any, values: list[dict[Any, Any]]) -> dict[Any, Any]:
    """All entries; where a branch kept what `base` had, it does not undo what another wrote."""
    start = {} if base is GONE else base
    merged = dict(start)
    for value in values:
        written = {
            key: held
            for key, held in value.items()
            if key not in start or not same_value(held, start[key])
        }
        merged.update(written)
    return merged


def _names(written: Written) -> str:
    names = [f"`{name}`" for name, _ in written]
    return f"{', '.join(names[:-1])} and {names[-1]}"


_RULES: dict[Any, Callable[[Any, list[Any]], Any]] = {
    "add": _add,
    "extend": _extend,
    "union": _union,
}
_NAMES = ("first", "last", *_RULES)
