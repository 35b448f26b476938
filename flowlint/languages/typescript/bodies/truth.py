"""What counts as true in JavaScript, and what as nothing."""

from __future__ import annotations

import math

from flowlint.values.bodies import Given, Made, Opaque, OpaqueText, Parameter, Plain


def truth(given: Given) -> bool | None:
    """Whether a value counts as true; None where that is not known. Objects always do."""
    if isinstance(given, Plain):
        if isinstance(given.value, float) and math.isnan(given.value):
            return False
        return bool(given.value)
    if isinstance(given, Opaque | Made) or (isinstance(given, Parameter) and given.path):
        return None
    return True


def is_nothing(given: Given) -> bool | None:
    """Whether a value is `null` or `undefined`; None where that is not known."""
    if isinstance(given, Plain):
        return given.value is None
    if isinstance(given, OpaqueText):
        return False
    if isinstance(given, Opaque | Made) or (isinstance(given, Parameter) and given.path):
        return None
    return False
