"""Where in code a flow is made, for findings about flows that are objects."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from dataclasses import replace
from types import CodeType, FrameType

from flowlint.findings.model import Finding
from flowlint.source import Span

_LOADERS = frozenset({"load_file", "load_definition"})
"""Functions of flowrt whose caller makes no flow itself."""


def placed(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """Findings about a flow that is being made: those with no place get that of the call.

    Where no code of the caller's makes it, they stay as they are.
    """
    found = tuple(findings)
    span = _call() if found else None
    if span is None:
        return found
    return tuple(_moved(finding, span) for finding in found)


def _moved(finding: Finding, span: Span) -> Finding:
    related = tuple(
        replace(other, span=span) if _is_nowhere(other.span) else other for other in finding.related
    )
    place = span if _is_nowhere(finding.span) else finding.span
    return replace(finding, span=place, related=related)


def _is_nowhere(span: Span) -> bool:
    return span.path.startswith("<flow ")


def _call() -> Span | None:
    """The call of somebody else's code into flowrt that is under way."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None and _is_own(frame):
        if frame.f_code.co_name in _LOADERS:
            return None
        frame = frame.f_back
    if frame is None or frame.f_code.co_filename.startswith("<"):
        return None
    line, end_line, column, end_column = _stretch(frame.f_code, frame.f_lasti)
    if line is None:
        return None
    path = frame.f_code.co_filename
    return Span(path, line, (column or 0) + 1, end_line or line, (end_column or 0) + 1)


def _is_own(frame: FrameType) -> bool:
    name = frame.f_globals.get("__name__", "")
    return isinstance(name, str) and name.partition(".")[0] == "flowrt"


def _stretch(code: CodeType, instruction: int) -> tuple[int | None, ...]:
    """The lines and columns that an instruction was written as."""
    positions = list(code.co_positions())
    return positions[instruction // 2]
