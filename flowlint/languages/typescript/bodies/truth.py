"""What counts as true in JavaScript, and what as nothing."""

from __future__ import annotations

import math

from flowlint.values.bodies import Given, Made, Opaque, OpaqueText, Parameter, Plain, Thing
from flowlint.values.model import External


def truth(given: Given) -> bool | None:
    """Whether a value counts as true; None where that is not known. Objects always do."""
    if isinstance(given, Plain):
        if isinstance(given.value, float) and math.isnan(given.value):
            return False
        return bool(given.value)
    return None if _may_be_anything(given) else True


def is_nothing(given: Given) -> bool | None:
    """Whether a value is `null` or `undefined`; None where that is not known."""
    if isinstance(given, Plain):
        return given.value is None
    if isinstance(given, OpaqueText):
        return False
    return None if _may_be_anything(given) else False


def _may_be_anything(given: Given) -> bool:
    """Whether nothing is known of a value; of what another package or the process holds, too."""
    if isinstance(given, Thing):
        return isinstance(given.value, External)
    return isinstance(given, Opaque | Made) or (isinstance(given, Parameter) and bool(given.path))
