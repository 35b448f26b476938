"""Elements of containers."""

from __future__ import annotations

from flowlint.graph.model import Presence
from flowlint.languages.python.evaluation.assigning import key_of
from flowlint.languages.python.evaluation.machine import Machine, value_key
from flowlint.values.model import Choice, Const, Mapped, Sequence, Unknown, Value


def element(machine: Machine, container: Value, key: Value) -> Value:
    """The element of a container under a key or at an index."""
    origin = container.origin
    if isinstance(container, Sequence) and isinstance(key, Const) and isinstance(key.value, int):
        sure = container.rest is None and not any(item.presence for item in container.items)
        if sure and -len(container.items) <= key.value < len(container.items):
            return container.items[key.value].value
    if isinstance(container, Mapped):
        found = mapped_value(machine, container, key)
        if found is not None:
            return found
    if isinstance(container, Const) and isinstance(key, Const):
        if isinstance(container.value, str) and isinstance(key.value, int):
            if -len(container.value) <= key.value < len(container.value):
                return Const(container.value[key.value], origin)
    if isinstance(container, Unknown) and container.key is not None:
        inner = value_key(key)
        if inner is not None:
            return Unknown(container.reason, origin, f"{container.key}[{inner}]")
    reason = container.reason if isinstance(container, Unknown) else "an element out of sight"
    return Unknown(reason, origin)


def mapped_value(machine: Machine, container: Mapped, key: Value) -> Value | None:
    """What a mapping holds under a key; None when the key is not (surely) known to be there."""
    wanted = key_of(key)
    if wanted is None:
        return None
    pieces: list[tuple[Presence, Value]] = []
    for entry in reversed(container.entries):
        mark = key_of(entry.key)
        if mark is None:
            return None
        if mark != wanted:
            continue
        presence = entry.presence - machine.known
        if not machine.possible(presence):
            continue
        pieces.append((presence, entry.value))
        if not presence:
            break
    if not pieces or (container.rest is not None and pieces[-1][0]):
        return None
    if len(pieces) == 1:
        return pieces[0][1]
    return Choice(tuple(pieces), container.origin)
