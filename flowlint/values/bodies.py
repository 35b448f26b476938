"""What the body of a function is seen to give: what it may return, and what it reads of what it
was given.

A function is read, never run. Where several values are possible all of them are told; what is not
known is a value, `Opaque`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from flowlint.source import Span

ReadingWay = Literal["item", "get", "asked", "dot"]

Constant = str | int | float | complex | bool | bytes | None

MEMBERS_ONLY = frozenset({"Enum", "Flag"})
"""Kinds of enumerations whose members are not equal to the values they hold."""


@dataclass(frozen=True, slots=True)
class Plain:
    """A constant. `member` is how a member of an enumeration is written, `enum` the kind of that.

    `sure` is false for a value that a kind of expression may give, such as the two truth values
    of a comparison, without anything that says it does.
    """

    value: Constant
    span: Span
    member: str | None = None
    sure: bool = True
    enum: str = ""

    @property
    def equals(self) -> object:
        """What it is equal to: for a member that only equals itself, that."""
        return (self.enum, self.member) if self.enum in MEMBERS_ONLY else self.value


@dataclass(frozen=True, slots=True)
class Key:
    """A key of a mapping with what it may hold; `certain`: it is surely there."""

    name: str
    values: Givens
    span: Span
    certain: bool = True
    member: Plain | None = None
    """The key itself, where it is a member of an enumeration."""


@dataclass(frozen=True, slots=True)
class Table:
    """A mapping with text keys. `more`: it may have keys beyond these.

    `whole` is where all of a parameter was copied into it. `identity` tells it from other
    mappings, however it is changed.
    """

    keys: tuple[Key, ...]
    span: Span
    more: bool = False
    whole: Whole | None = None
    identity: int = 0


@dataclass(frozen=True, slots=True)
class Whole:
    """Which parameter was copied as a whole, and where."""

    parameter: int
    span: Span


@dataclass(frozen=True, slots=True)
class Row:
    """A list, tuple or set. `more`: it may have elements beyond these. `repeated`: what is in it
    may be there any number of times."""

    kind: str
    items: tuple[Givens, ...]
    span: Span
    more: bool = False
    repeated: bool = False
    identity: int = 0


@dataclass(frozen=True, slots=True)
class Made:
    """What a call of something outside the function's project gave, with the arguments.

    `arguments` go by their names, or by their numbers as texts. `more`: others may be there.
    """

    qualified: str
    arguments: Mapping[str, Givens]
    span: Span
    more: bool = False


@dataclass(frozen=True, slots=True)
class Parameter:
    """What the function was given as its argument of this number, the receiver not counted.

    `path` are the keys under which a part of it was taken; nothing that is returned has one.
    """

    number: int
    span: Span
    path: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Thing:
    """A function, class, module or other value that is known, but is no data."""

    value: object
    span: Span


@dataclass(frozen=True, slots=True)
class Opaque:
    """A value that is not known. `read` is the key of a parameter that it came from."""

    reason: str
    span: Span
    read: str | None = None


@dataclass(frozen=True, slots=True)
class OpaqueText(Opaque):
    """A text that is not known."""


Given = Plain | Table | Row | Made | Parameter | Thing | Opaque
Givens = tuple[Given, ...]
"""Every value that something may have; none where nothing gets there."""


@dataclass(frozen=True, slots=True)
class ReadOf:
    """A key or attribute that is read of a parameter, and how.

    `item`: missing, it raises; `get`: missing, something else is taken; `asked`: only whether it
    is there; `dot`: as an attribute. `hard`: missing, it raises and nothing catches that.
    """

    parameter: int
    key: str
    span: Span
    hard: bool
    how: ReadingWay = "item"


@dataclass(frozen=True, slots=True)
class InnerRead:
    """A part of a parameter that is read, by the keys that lead to it: two at least.

    `hard`: where something on the way is missing it raises, and nothing catches that. `guarded`:
    the code allows for it not to be there, by `?.` or a default. `certain`: every run of the code
    gets to it that gets anywhere.
    """

    parameter: int
    path: tuple[str, ...]
    span: Span
    hard: bool = False
    guarded: bool = False
    certain: bool = True


@dataclass(frozen=True, slots=True)
class Put:
    """A key or attribute of a parameter that is set on the parameter itself."""

    parameter: int
    key: str
    span: Span


@dataclass(frozen=True, slots=True)
class Body:
    """What reading a function told.

    `returns` are the values it may return, with `Plain(None)` where it may fall off its end.
    `leaks` are the parameters that code out of sight may read or change. `unread` says why the
    function could not be read at all; then nothing else holds.
    """

    returns: Givens = ()
    reads: tuple[ReadOf, ...] = ()
    leaks: frozenset[int] = field(default_factory=frozenset)
    unread: str | None = None
    puts: tuple[Put, ...] = ()
    grown: frozenset[int] = field(default_factory=frozenset)
    """The parameters of which keys that are not known may be set in sight."""
    changed: frozenset[int] = field(default_factory=frozenset)
    """The parameters of which more than that may be set, or be gone."""
    inner: tuple[InnerRead, ...] = ()
    """What is read within what `reads` read, where a language tells that."""
