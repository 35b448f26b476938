"""The names of a body on its ways: joined where ways meet, changed where containers change."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from flowlint.languages.bodies.given import joined
from flowlint.values.bodies import Given, Givens, Row, Table

Names = dict[str, Givens]

Container = Table | Row


def meet(ways: Iterable[Names | None]) -> Names | None:
    """The names where ways meet; None when none of them gets there."""
    alive = [way for way in ways if way is not None]
    if not alive:
        return None
    if len(alive) == 1:
        return alive[0]
    found: Names = {}
    for way in alive:
        for name, givens in way.items():
            known = found.get(name)
            found[name] = givens if known is None else joined(known, givens)
    return found


def change(names: Names, target: Given, act: Callable[[Container], Given]) -> None:
    """Change a container under every name that it goes by."""
    if not isinstance(target, Table | Row) or target.identity == 0:
        return
    for name, givens in names.items():
        if any(_is(given, target) for given in givens):
            names[name] = tuple(
                act(given) if isinstance(given, Table | Row) and _is(given, target) else given
                for given in givens
            )


def _is(given: Given, target: Container) -> bool:
    return isinstance(given, Table | Row) and given.identity == target.identity
