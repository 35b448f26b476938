"""Durations and points in time as texts."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta

from flowlint.graph.reference_fields import duration

_ISO = re.compile(
    r"P(?=.)(?:(\d+(?:[.,]\d+)?)W)?(?:(\d+(?:[.,]\d+)?)D)?"
    r"(?:T(?=.)(?:(\d+(?:[.,]\d+)?)H)?(?:(\d+(?:[.,]\d+)?)M)?(?:(\d+(?:[.,]\d+)?)S)?)?\Z"
)
_UNITS = ("weeks", "days", "hours", "minutes", "seconds")

HOW_LONG = (
    "write it like `30s`, `1h30m` or `2d`, or in ISO-8601 like `PT30S`, `PT1H30M` or `P2D` (weeks, "
    "days, hours, minutes, seconds)"
)
WHEN = "write it like `2026-07-26T09:00:00+00:00`"


def timer(text: str) -> float | None:
    """The seconds of a duration such as `30s`, `1h30m`, or in ISO-8601 `PT1H30M` or `P2D`.

    None for other texts, and for years and months, which differ in length.
    """
    short = duration(text.strip())
    if short is not None:
        return short
    match = _ISO.match(text.strip())
    if match is None:
        return None
    amounts = {
        unit: float(amount.replace(",", "."))
        for unit, amount in zip(_UNITS, match.groups(), strict=True)
        if amount is not None
    }
    try:
        return timedelta(**amounts).total_seconds()
    except OverflowError:
        return None


def moment(text: str) -> float | None:
    """A point in time in ISO-8601 as seconds since the epoch, UTC where no zone is given.

    None for other texts.
    """
    try:
        found = datetime.fromisoformat(text)
        return (found if found.tzinfo is not None else found.replace(tzinfo=UTC)).timestamp()
    except (ValueError, OverflowError):
        return None
