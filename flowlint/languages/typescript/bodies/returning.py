"""What a function may return, asked by kinds of things."""

from __future__ import annotations

from flowlint.values.bodies import Body, Given, Made, Opaque, Row, Thing
from flowlint.values.model import External


def may_return(body: Body, qualified: frozenset[str]) -> bool:
    """Whether a returned value may be an instance of one of these types, or is unknown."""
    return body.unread is not None or any(_may_be(given, qualified) for given in body.returns)


def _may_be(given: Given, qualified: frozenset[str]) -> bool:
    if isinstance(given, Opaque):
        return True
    if isinstance(given, Made):
        return given.qualified in qualified
    if isinstance(given, Row):
        return given.more or any(_may_be(one, qualified) for item in given.items for one in item)
    if isinstance(given, Thing):
        return not isinstance(given.value, External) or given.value.qualified in qualified
    return False
