"""Durations and points in time as definitions write them."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta

from flowlint.graph.reference_fields import duration as plain_duration
from flowrt.errors import FlowError

_DURATION = re.compile(
    r"P(?=.)(?:(\d+(?:[.,]\d+)?)W)?(?:(\d+(?:[.,]\d+)?)D)?"
    r"(?:T(?=.)(?:(\d+(?:[.,]\d+)?)H)?(?:(\d+(?:[.,]\d+)?)M)?(?:(\d+(?:[.,]\d+)?)S)?)?\Z"
)
_UNITS = ("weeks", "days", "hours", "minutes", "seconds")


class UnreadableTimeError(FlowError, ValueError):
    """A text is no duration or no point in time; in a config, a fault of the definition."""


def seconds_of(duration: str) -> float:
    """The seconds of a duration such as `30s` or `1h30m`, or in ISO-8601 `PT1H30M` or `P2D`.

    Years and months, which differ in length, are refused. Raises UnreadableTimeError for other
    texts.
    """
    short = plain_duration(duration.strip())
    if short is not None:
        return short
    match = _DURATION.match(duration.strip())
    if match is None:
        raise UnreadableTimeError(
            f"`{duration}` is no duration: write it like `30s`, `1h30m` or `2d`, or in ISO-8601 "
            "like `PT30S`, `PT1H30M` or `P2D` (weeks, days, hours, minutes, seconds)"
        )
    amounts = {
        unit: float(amount.replace(",", "."))
        for unit, amount in zip(_UNITS, match.groups(), strict=True)
        if amount is not None
    }
    return timedelta(**amounts).total_seconds()


def epoch_of(moment: str | float | datetime) -> float:
    """A point in time as seconds since the epoch; texts are ISO-8601, UTC where no zone is given.

    Raises UnreadableTimeError for other texts.
    """
    if isinstance(moment, int | float):
        return float(moment)
    if isinstance(moment, str):
        try:
            moment = datetime.fromisoformat(moment)
        except ValueError as error:
            raise UnreadableTimeError(
                f"`{moment}` is no point in time: write it like `2026-07-26T09:00:00+00:00`"
            ) from error
    return (moment if moment.tzinfo is not None else moment.replace(tzinfo=UTC)).timestamp()
