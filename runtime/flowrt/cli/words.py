"""Durations, times and texts of others as people read them in a terminal."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from datetime import datetime
from time import time

_AGO = 10.0


def duration(seconds: float) -> str:
    """A span of time: `3 ms`, `4.2 s`, `3 min 20 s`, `2 h 5 min`, `4 d 3 h`."""
    seconds = max(0.0, seconds)
    if seconds < 0.9995:
        return f"{seconds * 1000:.0f} ms"
    if seconds < 59.95:
        return f"{seconds:.1f} s"
    minutes, rest = divmod(round(seconds), 60)
    if minutes < 60:
        return f"{minutes} min {rest} s"
    hours, minutes = divmod(minutes, 60)
    if hours < 24:
        return f"{hours} h {minutes} min"
    days, hours = divmod(hours, 24)
    return f"{days} d {hours} h"


def moment(at: float) -> str:
    """A point in time, in the zone of whoever reads it."""
    try:
        return datetime.fromtimestamp(at).astimezone().strftime("%Y-%m-%d %H:%M:%S")
    except (OverflowError, ValueError, OSError):
        return f"{at} s after 1970"


def clock(at: float) -> str:
    """The time of day of a point in time."""
    return moment(at)[-8:]


def ago(at: float, now: float | None = None) -> str:
    """How far a point in time lies back, or ahead."""
    gap = (time() if now is None else now) - at
    if gap < 0:
        return f"in {duration(-gap)}"
    return f"{duration(gap)} ago" if gap >= _AGO else "just now"


def clean(text: object) -> str:
    """A text on one line; what would steer the terminal is spelled out."""
    return "".join(_visible(char) for char in str(text))


def without_node(text: str, node: str) -> str:
    """An error's text, with or without its type, where the node that it begins with was named."""
    named = rf"(?P<type>\w+: )?node `{re.escape(node)}`(?: of flow `[^`]*`)?(?P<rest>: | )"
    found = re.match(named, text)
    if found is None:
        return text
    it = "" if found["rest"] == ": " else "it "
    return f"{found['type'] or ''}{it}{text[found.end() :]}"


def _visible(char: str) -> str:
    if char == "\n":
        return " "
    return char if char.isprintable() else repr(char)[1:-1]


def width(text: str) -> int:
    """How many columns of a terminal a text takes."""
    return sum(map(_columns, text))


def cut(text: str, columns: int) -> str:
    """A text that fits into so many columns."""
    if width(text) <= columns:
        return text
    room = columns - 1
    kept = []
    for char in text:
        room -= _columns(char)
        if room < 0:
            break
        kept.append(char)
    return "".join(kept) + "…"


def _columns(char: str) -> int:
    if unicodedata.combining(char):
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1


def shortened(names: Sequence[str], most: int = 12, between: str = " -> ") -> str:
    """Names in a row, those in the middle left out where they are many."""
    shown = [clean(name) for name in names]
    if len(shown) > most:
        half = most // 2
        shown = [*shown[:half], f"({len(names) - 2 * half} more)", *shown[-half:]]
    return between.join(shown)


def plural(count: int, noun: str) -> str:
    """`1 node`, `2 nodes`."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"
