"""Finding stores and runs by what was typed."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from os import environ

from flowrt.cli.options import STORE_VARIABLE
from flowrt.errors import RunNotFoundError
from flowrt.stores.base import RunStore

LAST = "last"
"""Stands for the run that was begun last."""

_SEARCHED = 10_000


def opened(spec: str | None) -> RunStore:
    """The store of a `--store`. Raises FlowError when it is none."""
    from flowrt.stores.runs import open_store

    return open_store(spec or None)


def find_run(store: RunStore, typed: str) -> str:
    """The id of the run that is meant: the id itself, a part that only one has, or `last`.

    Raises RunNotFoundError.
    """
    try:
        return store.manifest(typed).run_id
    except RunNotFoundError:
        known = [manifest.run_id for manifest in islice(store.runs(), _SEARCHED)]
    if typed == LAST and known:
        return known[0]
    matching = [name for name in known if typed and typed in name]
    if len(matching) == 1:
        return matching[0]
    raise RunNotFoundError(_unknown(typed, known, matching))


def _unknown(typed: str, known: Sequence[str], matching: Sequence[str]) -> str:
    if matching:
        some = ", ".join(f"`{name}`" for name in matching[:3])
        return f"`{typed}` is part of several runs ({some} …): type more of the id"
    if not known:
        return f"there is no run `{typed}`: the store is empty; is it the right `--store`?"
    from flowlint.graph.names import NearNames

    near = NearNames(known).of(typed)
    meant = f"did you mean `{near}`?" if near else "see `flowrt list`"
    return f"there is no run `{typed}`; {meant}"


def store_argument(spec: str | None) -> str:
    """The `--store` that a further command needs to find the same store."""
    if spec is None or spec == environ.get(STORE_VARIABLE):
        return ""
    from shlex import quote

    return f" --store {quote(spec)}"
