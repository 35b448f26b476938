"""What files and command lines state, each value with its place."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a value was stated, and the folder that paths in it start from."""

    source: str
    line: int | None
    base: str

    def __str__(self) -> str:
        return self.source if self.line is None else f"{self.source}:{self.line}"


@dataclass(frozen=True, slots=True)
class Stated:
    """A value of the form that its key asks for, and where it was stated."""

    value: object
    origin: Origin


@dataclass(frozen=True, slots=True)
class Layer:
    """What one place states: single values by their key, and tables by key and entry."""

    values: Mapping[str, Stated] = field(default_factory=dict)
    tables: Mapping[str, Mapping[str, Stated]] = field(default_factory=dict)


def shown_path(path: str) -> str:
    """A path as the user would write it: from the working folder on, where it is below that."""
    try:
        relative = os.path.relpath(path)
    except (OSError, ValueError):
        return path
    return path if relative.startswith(os.pardir) else relative
