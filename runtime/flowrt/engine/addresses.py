"""What a signal has to name to answer one pause and no other.

A pause is called by its key (the node's name unless its config gives another), as long as no
other pause is. Each also has a full address: the regions it stands in and its node, such as
`legal/approve`, or `/approve` outside of all regions. A signal that several `wait` nodes wait
for by its name is meant for all of them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from flowrt.errors import NotResumableError

Key = tuple[str, str, int]
"""A visit of a node: scope, node, visit."""

Pauses = Mapping[Key, Mapping[str, Any]]
"""The pauses of a run that nobody has answered, with what was written down of each."""

_STEP = re.compile(
    r"/(?P<node>[^/#]*)#\d+:[a-z-]+(?:\.(?P<name>[^/\[]*))?(?P<number>\[\d+\])?", re.DOTALL
)


def addresses(pauses: Pauses) -> dict[Key, str]:
    """What each pause is called: shortly where that means no other pause, else in full."""
    full = _in_full(pauses)
    return {
        key: short if _is_clear(_called(short, pauses), short, pauses) else full[key]
        for key, short in ((key, _key_of(key, data)) for key, data in pauses.items())
    }


def full_addresses(pauses: Pauses) -> dict[Key, str]:
    """The full address of each pause."""
    return _in_full(pauses)


def answered(name: str, pauses: Pauses) -> list[Key]:
    """The pauses that a signal answers.

    Raises NotResumableError when there is none, and when it could mean several.
    """
    if "/" in name:
        exact = [
            key for key, full in _in_full(pauses).items() if full.lstrip("/") == name.lstrip("/")
        ]
        if exact:
            return exact
    found = _called(name, pauses)
    if not found:
        known = ", ".join(f"`{other}`" for other in sorted({*addresses(pauses).values()}))
        raise NotResumableError(
            f"the run does not wait for `{name}`; it waits for {known or 'nothing'}"
        )
    if not _is_clear(found, name, pauses):
        full = _in_full(pauses)
        names = ", ".join(f"`{full[key]}`" for key in found)
        raise NotResumableError(f"`{name}` could answer several pauses: name one of {names}")
    return found


def _key_of(key: Key, data: Mapping[str, Any]) -> str:
    return str(data.get("key") or key[1])


def _called(name: str, pauses: Pauses) -> list[Key]:
    return [key for key, data in pauses.items() if name in (_key_of(key, data), key[1])]


def _is_clear(found: list[Key], name: str, pauses: Pauses) -> bool:
    """Whether a name means one pause, or a signal, which is for all that wait for it."""
    return len(found) < 2 or all(_signal(pauses[key]) == name for key in found)


def _signal(data: Mapping[str, Any]) -> str | None:
    told = data.get("data")
    is_wait = isinstance(told, Mapping) and told.get("waits_for") == "signal"
    signal = told["signal"] if isinstance(told, Mapping) and is_wait else None
    return signal if isinstance(signal, str) else None


def _in_full(pauses: Pauses) -> dict[Key, str]:
    named = {key: _full(key) for key in pauses}
    shared = {name for name in named.values() if [*named.values()].count(name) > 1}
    # Names of nodes with `/` in them, or rounds that are told apart by more than their number.
    return {
        key: f"{key[0]}/{key[1]}#{key[2]}" if name in shared else name
        for key, name in named.items()
    }


def _full(key: Key) -> str:
    scope, node, _ = key
    regions = [
        step["name"] or step["node"] + (step["number"] or "") for step in _STEP.finditer(scope)
    ]
    return "/".join([*regions, node]) if regions else f"/{node}"
