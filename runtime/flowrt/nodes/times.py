"""Durations and points in time as definitions write them."""

from __future__ import annotations

from datetime import UTC, datetime

from flowlint.graph.timers import HOW_LONG, WHEN, timer
from flowlint.graph.timers import moment as moment_of
from flowrt.errors import FlowError


class UnreadableTimeError(FlowError, ValueError):
    """A text is no duration or no point in time; in a config, a fault of the definition."""


def seconds_of(duration: str) -> float:
    """The seconds of a duration such as `30s` or `1h30m`, or in ISO-8601 `PT1H30M` or `P2D`.

    Years and months, which differ in length, are refused. Raises UnreadableTimeError for other
    texts.
    """
    seconds = timer(duration)
    if seconds is None:
        raise UnreadableTimeError(f"`{duration}` is no duration: {HOW_LONG}")
    return seconds


def epoch_of(moment: str | float | datetime) -> float:
    """A point in time as seconds since the epoch; texts are ISO-8601, UTC where no zone is given.

    Raises UnreadableTimeError for other texts.
    """
    if isinstance(moment, int | float):
        return float(moment)
    if isinstance(moment, str):
        found = moment_of(moment)
        if found is None:
            raise UnreadableTimeError(f"`{moment}` is no point in time: {WHEN}")
        return found
    return (moment if moment.tzinfo is not None else moment.replace(tzinfo=UTC)).timestamp()
