"""Durations as definitions write them, wherever they are written."""

from __future__ import annotations

from typing import Annotated

from pydantic import BeforeValidator, WithJsonSchema

from flowlint.graph.reference_fields import IN_WORDS, duration


def _seconds(value: object) -> float:
    seconds = duration(value)
    if seconds is None:
        raise ValueError(f"has to be {IN_WORDS['duration']}")
    return seconds


Duration = Annotated[
    float,
    BeforeValidator(_seconds),
    WithJsonSchema(
        {
            "description": "Seconds, or a text such as 30s, 5m or 1h30m.",
            "anyOf": [
                {"type": "number"},
                {"type": "string", "pattern": r"^(\d+(\.\d+)?(ms|s|m|h|d))+$"},
            ],
            "examples": [30, "30s", "5m"],
        }
    ),
]
"""A span of time; what reads it gets seconds."""
