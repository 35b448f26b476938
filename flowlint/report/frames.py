"""Code frames: the lines of source that a place covers, with the place underlined."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from flowlint.report.lines import Sources
from flowlint.report.style import Style, Tone, cells_of, plain, width
from flowlint.source import Span

MAX_WIDTH = 100
"""Columns of source shown of one line."""

_WHOLE = 3
"""A place of up to so many lines is shown whole."""

_CUT = "…"


@dataclass(frozen=True, slots=True)
class Mark:
    """A place to show, what to say beside it, and whether it is the finding's own place."""

    span: Span
    message: str = ""
    tone: Tone = "info"
    sign: Literal["^", "-"] = "-"


def frame(mark: Mark, sources: Sources, style: Style, gutter: int) -> Iterator[str]:
    """The lines of a code frame below its place; only the place where there is no source."""
    span = mark.span
    arrow = "-->" if mark.sign == "^" else ":::"
    yield f"{' ' * gutter}{style.paint(arrow, 'frame')} {plain(str(span))}"
    bar = style.paint("|", "frame")
    blank = f"{' ' * gutter} {bar}"
    shown = [(number, line) for number in _numbers(span) if (line := _line(sources, span, number))]
    if not shown:
        if mark.message:
            yield f"{blank} {plain(mark.message)}"
        return
    yield blank
    last = shown[-1][0]
    before = span.line
    for number, line in shown:
        if number > before + 1:
            yield f"{' ' * gutter}{style.paint('...', 'frame')}"
        before = number
        start = span.column if number == span.line else _indent(line) + 1
        end = span.end_column if number == span.end_line else len(line.rstrip()) + 1
        text, underline = _underlined(line, start, end, mark.sign)
        yield f"{style.paint(str(number).rjust(gutter), 'frame')} {bar} {text}".rstrip()
        said = f" {plain(mark.message)}" if number == last and mark.message else ""
        indent = underline[: len(underline) - len(underline.lstrip())]
        yield f"{blank} {indent}{style.paint(underline.strip() + said, mark.tone)}"


def gutter_of(*spans: Span) -> int:
    """How wide the column of line numbers has to be for frames of all these places."""
    return max(len(str(span.end_line)) for span in spans)


def text_of(line: str) -> str:
    """A line of source as printed; the end of a long one is cut off."""
    shown = cells_of(line)
    if width("".join(shown)) <= MAX_WIDTH:
        return "".join(shown)
    kept, room = "", MAX_WIDTH - 1
    for cell in shown:
        room -= width(cell)
        if room < 0:
            break
        kept += cell
    return kept + _CUT


def _line(sources: Sources, span: Span, number: int) -> str | None:
    line = sources.line(span, number)
    return line if line is None or line.strip() or number == span.line else None


def _numbers(span: Span) -> list[int]:
    end = span.end_line
    if end > span.line and span.end_column == 1:
        end -= 1
    if end - span.line < _WHOLE:
        return list(range(span.line, end + 1))
    return [span.line, end]


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def _underlined(line: str, start: int, end: int, sign: str) -> tuple[str, str]:
    """The line as printed and the marks below columns `start` to `end` (from 1, end exclusive)."""
    shown = cells_of(line)
    first = min(max(start - 1, 0), len(shown))
    stop = min(max(end - 1, first), len(shown))
    low, high = _window(shown, first, stop)
    head, tail = _CUT * (low > 0), _CUT * (high < len(shown))
    text = head + "".join(shown[low:high]) + tail
    offset = len(head) + width("".join(shown[low:first]))
    length = width("".join(shown[first : min(stop, high)]))
    return text, " " * offset + sign * max(length, 1)


def _window(shown: list[str], first: int, stop: int) -> tuple[int, int]:
    """The part of a line that is shown: all of it, or what fits around the marked part."""
    if width("".join(shown)) <= MAX_WIDTH:
        return 0, len(shown)
    room = MAX_WIDTH - 2
    marked = min(width("".join(shown[first:stop])), room)
    low = first
    before = (room - marked) // 2
    while low > 0 and before > 0:
        low -= 1
        before -= width(shown[low])
    high = low
    while high < len(shown) and room >= width(shown[high]):
        room -= width(shown[high])
        high += 1
    while low > 0 and room >= width(shown[low - 1]):
        low -= 1
        room -= width(shown[low])
    return low, high
