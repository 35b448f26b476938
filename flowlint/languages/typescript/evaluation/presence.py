"""Conditions under which things are there, shared with the language Python."""

from __future__ import annotations

from flowlint.graph.model import Presence
from flowlint.languages.python.evaluation.presence import (
    MAX_ALTERNATIVES,
    alternatives,
    contradicts,
    overwrite,
    restrict,
    same,
)
from flowlint.values.model import Choice, Origin, Unknown, Value


def chosen(found: list[tuple[Presence, Value]], origin: Origin) -> Value:
    """One of several values, each under its condition; one value where all are the same."""
    first = found[0][1]
    if all(same(first, other) for _, other in found):
        return first
    if len(found) > MAX_ALTERNATIVES:
        return Unknown("depends on too many conditions", origin)
    return Choice(tuple(found), origin)


__all__ = ["alternatives", "chosen", "contradicts", "overwrite", "restrict", "same"]
