"""Settings of nodes and actions as plain data, with stand-ins for what is none.

The runtime has the values themselves, its dialect what source says of them; both hand them over
in this form, so that one checker serves both.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

Data = Any
"""Plain data: None, texts, numbers, truth values, lists and dicts, and the stand-ins below."""


@dataclass(frozen=True, slots=True)
class Hidden:
    """A value that cannot be told, or is of a type of its own."""


@dataclass(frozen=True, slots=True)
class TypeOf:
    """A type, such as a model that answers have to meet."""


@dataclass(frozen=True, slots=True)
class Code:
    """A function."""

    name: str = "a function"
    is_async: bool | None = None


HIDDEN = Hidden()
A_TYPE = TypeOf()


class OpenDict(dict[Any, Any]):
    """A mapping in which more may stand."""


class OpenList(list[Any]):
    """A list in which more may stand."""


def is_whole(given: Data) -> bool:
    """Whether all that is given is known, as far as its first level goes."""
    if isinstance(given, OpenDict | OpenList | Hidden):
        return False
    parts = given.values() if isinstance(given, dict) else given if isinstance(given, list) else ()
    return not any(isinstance(part, Hidden) for part in parts)
