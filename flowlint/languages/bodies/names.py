"""The names of a body on its ways: joined where ways meet, changed where containers change."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

from flowlint.languages.bodies.given import joined
from flowlint.values.bodies import Given, Givens, Key, Plain, Row, Table

Names = dict[str, Givens]

Container = Table | Row

_CONTAINERS = (Table, Row)


def meet(ways: Iterable[Names | None]) -> Names | None:
    """The names where ways meet; None when none of them gets there."""
    alive = [way for way in ways if way is not None]
    if not alive:
        return None
    if len(alive) == 1:
        return alive[0]
    found = dict(alive[0])
    for way in alive[1:]:
        for name, givens in way.items():
            known = found.get(name)
            if known is None:
                found[name] = givens
            elif known is not givens or len(givens) > 1:
                found[name] = joined(known, givens)
    return found


Act = Callable[[Container], Given]
Changing = Callable[[Given, Act], None]
"""Changes a container, as `change` does."""


def changing(names: Names, owners: Givens, by: str | None) -> Changing:
    """How one of `owners` is changed, which are what something stands for: a name, if by one.

    Where it may be one thing or another, each of them may stay as it was.
    """
    # Constants refuse to be changed, and the run ends there.
    things = {
        one.identity if isinstance(one, _CONTAINERS) else 0
        for one in owners
        if not isinstance(one, Plain)
    }
    is_one = len(things) < 2
    return lambda target, act: change(names, target, act, by=by, is_sure=is_one)


def change(
    names: Names, target: Given, act: Act, *, by: str | None = None, is_sure: bool = True
) -> None:
    """Change a container under every name that it goes by.

    Where that is not sure to be the one that is changed, it is so under the name `by` alone.
    """
    if not isinstance(target, _CONTAINERS) or target.identity == 0:
        return
    identity = target.identity
    for name, givens in names.items():
        for given in givens:
            if isinstance(given, _CONTAINERS) and given.identity == identity:
                names[name] = _changed(givens, identity, act, is_sure or name == by)
                break


def _changed(givens: Givens, identity: int, act: Act, is_sure: bool) -> Givens:
    found: list[Given] = []
    for one in givens:
        if not isinstance(one, _CONTAINERS) or one.identity != identity:
            found.append(one)
        elif is_sure:
            found.append(act(one))
        else:
            found += _either(one, act(one))
    return tuple(found) if is_sure else joined(tuple(found))


def _either(before: Container, after: Given) -> Givens:
    """A container that may have been changed, or not."""
    if not isinstance(before, Table) or not isinstance(after, Table):
        return before, after
    held, left = ({key.name: key for key in table.keys} for table in (before, after))
    keys = tuple(_maybe(held.get(name), left.get(name)) for name in {**held, **left})
    more, whole = before.more or after.more, before.whole or after.whole
    return (replace(after, keys=keys, more=more, whole=whole),)


def _maybe(before: Key | None, after: Key | None) -> Key:
    """A key as it is where one of two mappings may be it."""
    if before is not None and after is not None:
        values = joined(before.values, after.values)
        return replace(after, values=values, certain=before.certain and after.certain)
    alone = before or after
    assert alone is not None
    return replace(alone, certain=False)
