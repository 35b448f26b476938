"""Conditions under which things are there, shared with the language Python."""

from __future__ import annotations

from flowlint.languages.python.evaluation.presence import (
    alternatives,
    contradicts,
    overwrite,
    restrict,
    same,
)

__all__ = ["alternatives", "contradicts", "overwrite", "restrict", "same"]
