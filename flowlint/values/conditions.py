"""Conditions under which things are there, and values that differ by condition."""

from __future__ import annotations

from flowlint.graph.model import ALWAYS, Presence
from flowlint.values.model import Choice, Const, Origin, Unknown, Value

MAX_ALTERNATIVES = 24
"""Values one name may have under different conditions before it counts as unknown."""


def contradicts(left: Presence, right: Presence) -> bool:
    """Whether no run satisfies both."""
    small, large = (left, right) if len(left) <= len(right) else (right, left)
    return any((test, not outcome) in large for test, outcome in small)


def restrict(value: Value, known: Presence) -> Value:
    """What `value` can still be where `known` holds."""
    if not isinstance(value, Choice):
        return value
    left = [(p - known, v) for p, v in value.alternatives if not contradicts(p, known)]
    if not left:
        return Unknown("no value under these conditions", value.origin)
    if len(left) == 1:
        return restrict(left[0][1], known)
    certain = [v for p, v in left if not p]
    if certain:
        return restrict(certain[0], known)
    return Choice(tuple(left), value.origin)


def overwrite(old: Value | None, new: Value, under: Presence, origin: Origin) -> Value:
    """The value after `new` is written where `under` holds and `old` stays elsewhere."""
    if not under or old is None:
        return new if not under else Choice(((under, new),), origin)
    if old is new:
        return old
    before = old.alternatives if isinstance(old, Choice) else ((ALWAYS, old),)
    pieces: list[tuple[Presence, Value]] = [(under, new)]
    for presence, value in before:
        held: set[tuple[str, bool]] = set(presence)
        for test, outcome in sorted(under):
            if (test, not outcome) in held:
                pieces.append((frozenset(held), value))
                break
            if (test, outcome) not in held:
                pieces.append((frozenset(held | {(test, not outcome)}), value))
                held.add((test, outcome))
    if len(pieces) > MAX_ALTERNATIVES:
        return Unknown("depends on too many conditions", origin)
    return _joined(pieces, origin)


def _joined(pieces: list[tuple[Presence, Value]], origin: Origin) -> Value:
    """Put pieces together that differ in one test only and hold the same value."""
    merged = True
    while merged:
        merged = False
        for i, (left, value) in enumerate(pieces):
            for j in range(i + 1, len(pieces)):
                right, other = pieces[j]
                if not same(value, other) or len(left ^ right) != 2:
                    continue
                if len({test for test, _ in left ^ right}) == 1:
                    pieces[i] = (left & right, value)
                    del pieces[j]
                    merged = True
                    break
            if merged:
                break
    if len(pieces) == 1 and not pieces[0][0]:
        return pieces[0][1]
    return Choice(tuple(pieces), origin)


def same(left: Value, right: Value) -> bool:
    """Whether two values are known to be one and the same."""
    if left is right:
        return True
    if isinstance(left, Const) and isinstance(right, Const):
        return type(left.value) is type(right.value) and left.value == right.value
    if isinstance(left, Unknown) and isinstance(right, Unknown):
        return left.key is not None and left.key == right.key
    return False


def alternatives(value: Value, known: Presence = ALWAYS) -> list[tuple[Presence, Value]]:
    """The values that `value` may be, each with the condition under which it is that one."""
    value = restrict(value, known)
    if not isinstance(value, Choice):
        return [(ALWAYS, value)]
    found: list[tuple[Presence, Value]] = []
    for presence, inner in value.alternatives:
        found += [(presence | p, v) for p, v in alternatives(inner, known | presence)]
    return found


def chosen(found: list[tuple[Presence, Value]], origin: Origin) -> Value:
    """One of several values, each under its condition; one value where all are the same."""
    first = found[0][1]
    if all(same(first, other) for _, other in found):
        return first
    if len(found) > MAX_ALTERNATIVES:
        return Unknown("depends on too many conditions", origin)
    return Choice(tuple(found), origin)
