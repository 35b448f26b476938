"""What a fix wants of a text, in terms of what is written there.

A rule knows places, not texts. It says that what stands at a place is to be removed or named
otherwise; the language of the file, which knows commas, quotes and blocks, turns that into edits.
"""

from __future__ import annotations

from dataclasses import dataclass

from flowlint.source import Span


@dataclass(frozen=True, slots=True)
class Rename:
    """The text or name `old` that is written at `span` becomes `new`."""

    span: Span
    old: str
    new: str


@dataclass(frozen=True, slots=True)
class Marker:
    """A constant that stands for a text, by the name that some module of a package gives it."""

    value: str
    name: str
    package: str


@dataclass(frozen=True, slots=True)
class UseMarker:
    """The text `old` at `span` becomes a marker: what the file calls it, or the text it is."""

    span: Span
    old: str
    marker: Marker


@dataclass(frozen=True, slots=True)
class Remove:
    """What stands at `span` goes: the element of a list, the statement, or the link of a chain."""

    span: Span


@dataclass(frozen=True, slots=True)
class Reorder:
    """The elements of one list at `spans` change places: they stand as `order` numbers them."""

    spans: tuple[Span, ...]
    order: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class SetField:
    """The field `name` of the call or mapping at `span` gets the text `value`.

    `position` is where calls take the field without its name, None: nowhere.
    """

    span: Span
    name: str
    value: str
    position: int | None = None


@dataclass(frozen=True, slots=True)
class AddCase:
    """The mapping or list that holds a case at `beside` gets one more.

    `marker` is the one of the system that `value` and `target` may be.
    """

    beside: Span
    value: str
    target: str
    marker: Marker | None = None


@dataclass(frozen=True, slots=True)
class MakePlain:
    """The async function defined at `span`, of that name, becomes a plain one."""

    span: Span
    name: str


Change = Rename | UseMarker | Remove | Reorder | SetField | AddCase | MakePlain
