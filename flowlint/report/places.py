"""Places as JSON data."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from flowlint.source import Span

Json = str | int | bool | None | Sequence["Json"] | Mapping[str, "Json"]


def range_of(span: Span) -> dict[str, Json]:
    """A range; lines and columns count from 1, `cell` is there for notebooks only."""
    found: dict[str, Json] = {
        "start": {"line": span.line, "column": span.column},
        "end": {"line": span.end_line, "column": span.end_column},
    }
    if span.cell is not None:
        found["cell"] = span.cell
    return found
