"""What a language hands to a dialect: values with their places, where unknown is a value.

Values are compared by identity. Containers and instances change while a program is evaluated;
dialects read them when evaluation has ended.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Hashable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Literal, Protocol

from flowlint.graph.model import ALWAYS, Presence
from flowlint.source import Span
from flowlint.values.following import TypeModel
from flowlint.values.readers import ClassReader, FunctionReader

_serials = itertools.count(1).__next__
"""Numbers values apart, also from those that are gone by the time a later one is made."""


class Origin(Protocol):
    """Where a value came from; the span is worked out only when asked for."""

    def span(self) -> Span:
        """The stretch of source that the value was written as."""


@dataclass(frozen=True, slots=True)
class Missing:
    """That something named is not there, neither defined nor in `owner`; what Python `raises`.

    `meant` is the name that was meant, where that is plain. `sure` is false where code out of
    sight, such as that of a subclass, may well bring it.
    """

    raises: str
    name: str
    owner: str | None = None
    meant: str | None = None
    sure: bool = True


@dataclass(slots=True, eq=False)
class Unknown:
    """A value that could not be worked out, and why.

    Unknown values with equal `key` are the same value at run time; key None is like no other.
    """

    reason: str
    origin: Origin
    key: str | None = None
    declared: Callable[[], Value | None] | None = None
    """Makes a stand-in from the declared type, for when something of the value is asked for."""
    missing: Callable[[], Missing | None] | None = None
    """Tells whether it is unknown as it is not there at all."""
    broken: bool = False
    """Whether the text is broken there, which is told as such."""
    member_of: tuple[Value, str] | None = None
    """The opaque value of which it is a member, and the name of that."""


@dataclass(slots=True, eq=False)
class UnknownText(Unknown):
    """A text that could not be worked out."""


@dataclass(slots=True, eq=False)
class Const:
    """A constant. For a member of an enumeration `enum` names the class and `member` it.

    `text` is where it stands if not at its origin, as the value of a member does.
    """

    value: str | int | float | complex | bool | bytes | None
    origin: Origin
    enum: str | None = None
    member: str | None = None
    text: Origin | None = None


@dataclass(slots=True, eq=False)
class Item:
    """An element of a container, there under `presence`, written at `place`."""

    value: Value
    presence: Presence = ALWAYS
    place: Origin | None = None


@dataclass(slots=True, eq=False)
class Sequence:
    """A list, tuple or set. `rest` tells that more elements may be there than are known."""

    kind: Literal["list", "tuple", "set"]
    items: list[Item]
    origin: Origin
    rest: Unknown | None = None
    disturbed: bool = False
    """Whether unseen code may have changed it."""
    lazy: bool = False
    """Whether it is a generator, which runs only when it is iterated, and only once."""
    serial: int = field(default_factory=_serials)


@dataclass(slots=True, eq=False)
class Entry:
    """A key and its value in a mapping, there under `presence`."""

    key: Value
    value: Value
    presence: Presence = ALWAYS
    place: Origin | None = None


@dataclass(slots=True, eq=False)
class Mapped:
    """A mapping, in order of insertion. `rest` tells that more may be there than is known."""

    entries: list[Entry]
    origin: Origin
    rest: Unknown | None = None
    disturbed: bool = False
    """Whether unseen code may have changed it."""
    spreads: list[Value] = field(default_factory=list)
    """What was copied into it whole, of which it is not known what it holds: part of `rest`."""
    serial: int = field(default_factory=_serials)
    memory: dict[Hashable, object] | None = None
    """For what readers work out of it: it lasts for as long as the mapping stands where it does.

    None where nothing is kept. It is shared with the mappings inside."""


@dataclass(slots=True, eq=False)
class External:
    """Something that belongs to code outside the project, by its qualified name."""

    qualified: str
    origin: Origin


@dataclass(slots=True, eq=False)
class Generic:
    """A subscripted type such as `Literal["a", "b"]`."""

    base: Value
    arguments: tuple[Value, ...]
    origin: Origin


@dataclass(slots=True, eq=False)
class Union:
    """A union of types: `A | B`."""

    members: tuple[Value, ...]
    origin: Origin


@dataclass(slots=True, eq=False)
class Function:
    """A function, lambda or method of the project. `receiver` is what a method is bound to."""

    name: str
    qualified: str
    origin: Origin
    reader: FunctionReader
    is_async: bool
    kind: Literal["function", "lambda", "method"] = "function"
    receiver: Value | None = None
    decorators: tuple[str, ...] = ()
    """Decorators that could not be looked into; they may have changed what the name means."""
    definition: object = None
    """The language's own record of the function; nothing for a dialect."""
    attributes: dict[str, Value] = field(default_factory=dict)
    """What was written to attributes of the function."""
    wrapped: Value | None = None
    """What it took over name and annotations of, None where it wraps nothing."""
    serial: int = field(default_factory=_serials)


@dataclass(slots=True, eq=False)
class Class:
    """A class of the project."""

    name: str
    qualified: str
    origin: Origin
    reader: ClassReader
    bases: tuple[Value, ...] = ()
    definition: object = None
    serial: int = field(default_factory=_serials)


@dataclass(frozen=True, slots=True)
class Field:
    """A field that a class declares, with its type; the place is that of its name."""

    name: str
    annotation: Value
    origin: Origin


@dataclass(slots=True, eq=False)
class Instance:
    """An instance of a class of the project."""

    cls: Class
    origin: Origin
    presence: Presence = ALWAYS
    attributes: dict[str, Value] = field(default_factory=dict)
    stand_in: Literal["no", "self", "any"] = "no"
    """Whether it stands for instances that nobody was seen to make, also of subclasses.

    `self`: its constructor was followed, with unknown arguments; `any`: it may hold anything.
    """
    serial: int = field(default_factory=_serials)


@dataclass(slots=True, eq=False)
class Module:
    """A module of the project."""

    qualified: str
    origin: Origin
    definition: object = None
    serial: int = field(default_factory=_serials)


@dataclass(slots=True, eq=False)
class Partial:
    """A callable with some arguments already given, as `functools.partial` makes."""

    target: Value
    arguments: tuple[Value, ...]
    keywords: Mapping[str, Value]
    origin: Origin
    serial: int = field(default_factory=_serials)


@dataclass(slots=True, eq=False)
class Call:
    """The result of a call into code outside the project: an opaque object."""

    target: str
    arguments: Arguments
    origin: Origin
    serial: int = field(default_factory=_serials)


@dataclass(slots=True, eq=False)
class Argument:
    """One argument of a call; `name` for keywords. `spread` marks an unresolved `*x` or `**x`."""

    value: Value
    name: str | None = None
    spread: Literal["", "*", "**"] = ""
    place: Origin | None = None
    """Where the argument was written, which may be far from where its value was."""


@dataclass(slots=True, eq=False)
class Arguments:
    """The arguments of a call as written, `*` and `**` of known values already spread."""

    items: tuple[Argument, ...]
    origin: Origin

    def positional(self) -> Iterator[Argument]:
        """The arguments without a name, in order."""
        return (item for item in self.items if item.name is None and item.spread != "**")

    @property
    def spread(self) -> bool:
        """Whether arguments may be there that are not known."""
        return any(item.spread for item in self.items)

    def find(self, name: str, position: int | None = None) -> Argument | None:
        """The argument of that name or at that position, None when it is not given."""
        for item in self.items:
            if item.name == name:
                return item
        if position is None or position >= len(self.items):
            return None
        for index, item in enumerate(self.positional()):
            if item.spread:
                return None
            if index == position:
                return item
        return None

    def get(self, name: str, position: int | None = None) -> Value | None:
        """The value of the argument of that name or at that position."""
        found = self.find(name, position)
        return found.value if found is not None else None


@dataclass(slots=True, eq=False)
class Use:
    """A method called on what an operation made, under `presence`.

    `caught` tells that what it raises is caught, `assumed` is the function that was followed
    without being called, None where the program itself comes to the call.
    """

    method: str
    arguments: Arguments
    presence: Presence = ALWAYS
    caught: bool = False
    assumed: str | None = None


@dataclass(slots=True, eq=False)
class Operation:
    """A method called on a built object, in the order of the run, under `presence`."""

    method: str
    arguments: Arguments
    origin: Origin
    presence: Presence
    caught: bool = False
    """Whether what the object raises to refuse it is caught, so that the run goes on."""
    uses: list[tuple[str, Origin]] = field(default_factory=list)
    """The methods called, and attributes written, of what it made, where that was followed."""
    calls: list[Use] = field(default_factory=list)
    """Those of them that were called, with their arguments."""


@dataclass(slots=True, eq=False)
class Built:
    """An instance of a type that a dialect asked to be followed, with all that was done to it.

    `presence` is the condition under which it was made: what was done to it under no further
    condition is certain. `escapes` tells where it was handed to code out of sight.
    """

    model: TypeModel
    arguments: Arguments
    origin: Origin
    presence: Presence
    symbol: str | None = None
    name: str | None = None
    operations: list[Operation] = field(default_factory=list)
    escapes: list[tuple[str, Origin]] = field(default_factory=list)
    returned: bool = False
    """Whether a function that nobody was seen to call returns it as it is."""
    parameter: bool = False
    """Whether it came in as an argument of a function that nobody was seen to call."""
    cls: Class | None = None
    """The class of the project that it is an instance of, where it is one of a subclass."""
    attributes: dict[str, Value] = field(default_factory=dict)
    assumed: str | None = None
    """The function whose arguments were assumed when this was made, None if none were."""
    serial: int = field(default_factory=_serials)


@dataclass(slots=True, eq=False)
class Product:
    """What a method of a built object returned, such as a compiled graph."""

    source: Built
    operation: Operation
    origin: Origin
    serial: int = field(default_factory=_serials)


@dataclass(slots=True, eq=False)
class Method:
    """A method of a container or followed object that is not called on the spot."""

    receiver: Value
    name: str
    origin: Origin


@dataclass(slots=True, eq=False)
class Choice:
    """One of several values, each under its presence; the presences exclude each other."""

    alternatives: tuple[tuple[Presence, Value], ...]
    origin: Origin


Value = (
    Unknown
    | Const
    | Sequence
    | Mapped
    | External
    | Generic
    | Union
    | Function
    | Class
    | Instance
    | Module
    | Partial
    | Call
    | Built
    | Product
    | Method
    | Choice
)
