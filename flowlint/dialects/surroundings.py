"""What a dialect is told of the project around a flow.

This module imports nothing that costs: those who ask for versions need no more than it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from flowlint.graph.model import CallableFacts

Version = tuple[int, ...]
"""The numbers of a release; what follows them, such as `rc1`, is left out."""

NEWEST_OF_SERIES = 10**6
"""Stands for the last number of a version of which only the series is known."""


def shown(version: Version) -> str:
    """A version as its users write it; a series by its numbers."""
    return ".".join(str(number) for number in version if number != NEWEST_OF_SERIES)


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What a dialect may ask of the project that a flow belongs to.

    `find` tells what is known of a function by the name that data gives it. `version_of` tells
    which version of a distribution the project uses, None where that cannot be told; asking costs
    the reading of files, so only those ask who have found a flow.
    """

    find: Callable[[str], CallableFacts | None]
    version_of: Callable[[str], Version | None]
