"""What dialects share: taking values apart with the conditions under which they hold."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from flowlint.graph.guards import Guard, Truth
from flowlint.graph.model import ALWAYS, CallableFacts, Gap, Presence, Text
from flowlint.source import Span
from flowlint.values.model import (
    Argument,
    Built,
    Choice,
    Const,
    Entry,
    Function,
    Instance,
    Item,
    Mapped,
    Operation,
    Partial,
    Sequence,
    Unknown,
    Value,
)

CallableFinder = Callable[[str], CallableFacts | None]
"""What is known of a function by the name that data gives it; None: nothing."""


def alternatives(value: Value, presence: Presence = ALWAYS) -> Iterator[tuple[Presence, Value]]:
    """Every value that `value` may be, with the condition for it."""
    if isinstance(value, Choice):
        for inner, single in value.alternatives:
            merged = presence | inner
            if not any((test, not outcome) in merged for test, outcome in merged):
                yield from alternatives(single, merged)
    else:
        yield presence, value


def text_of(value: Value) -> str | None:
    """The text of a constant, None for anything else."""
    return value.value if isinstance(value, Const) and isinstance(value.value, str) else None


def written(argument: Argument) -> Span:
    """Where an argument was written."""
    return (argument.place or argument.value.origin).span()


class Texts:
    """Collects where the names stand that a flow mentions elsewhere."""

    def __init__(self) -> None:
        self._found: dict[Text, None] = {}

    def note(self, value: Value, place: Span | None = None) -> None:
        """A name is mentioned at `place`; None: it is mentioned where its text stands."""
        if isinstance(value, Const) and isinstance(value.value, str):
            span = (value.text or value.origin).span()
            if span != place:
                self._found[Text(value.value, place or span, span)] = None

    def found(self) -> tuple[Text, ...]:
        """All of them, each once."""
        return tuple(self._found)


NOT_REFUSED: Presence = frozenset([("it is not refused", True)])
"""The condition on what is only there if the builder did not raise, where that is caught."""


def relative(operation: Operation, built: Built) -> Presence:
    """The condition under which an operation happens, where the object is there at all."""
    presence = operation.presence - built.presence
    return presence | NOT_REFUSED if operation.caught else presence


def reason_of(value: Value) -> str:
    """Why a value is not known, in words."""
    return value.reason if isinstance(value, Unknown) else "not a constant"


def listed(value: Value) -> tuple[list[Item], Unknown | None] | None:
    """The elements of a list or tuple, with what may be missing; None when it is neither."""
    if not isinstance(value, Sequence):
        return None
    return value.items, value.rest


def live_entries(mapping: Mapped) -> Iterator[tuple[Presence, Entry]]:
    """The entries of a mapping, each with the conditions under which no later one replaces it."""
    for index, entry in enumerate(mapping.entries):
        left = [entry.presence]
        if isinstance(entry.key, Const):
            for later in mapping.entries[index + 1 :]:
                if isinstance(later.key, Const) and later.key.value == entry.key.value:
                    left = [rest for held in left for rest in _without(held, later.presence)]
        for presence in left:
            yield presence, entry


def _without(held: Presence, taken: Presence) -> Iterator[Presence]:
    """The conditions under which `held` holds but `taken` does not, parted into exclusive ones."""
    for test, outcome in sorted(taken):
        if (test, not outcome) in held:
            yield held
            return
        if (test, outcome) not in held:
            yield held | {(test, not outcome)}
            held |= {(test, outcome)}


def bare_function(value: Value) -> Function | None:
    """The function that a callable value comes down to, None when it is out of sight."""
    while isinstance(value, Partial):
        value = value.target
    return value if isinstance(value, Function) else None


def function_guard(value: Value, span: Span) -> Guard:
    """The condition that a function, or an object that can be called, is as a guard."""
    called = value
    while isinstance(called, Partial):
        called = called.target
    text = called.cls.name if isinstance(called, Instance) else None
    function = called
    if isinstance(called, Instance):
        function = called.cls.reader.method("__call__") or called
    if not isinstance(function, Function):
        return Guard("a condition", span)
    if text is None:
        text = function.reader.text() if function.kind == "lambda" else function.name
    definition = function.origin.span()
    identity = value.serial if isinstance(value, Function | Partial | Instance) else None
    asynchronous = None if function.decorators else function.is_async
    if asynchronous:
        return Guard(text, span, Truth(True), True, definition, identity)
    known = called is value and not function.decorators
    formula = function.reader.guard() if known else None
    return Guard(text, span, formula, asynchronous, definition, identity)


def may_end_run(value: Value | None) -> bool:
    """Whether what runs may end the run by itself, or is out of sight."""
    function = bare_function(value) if value is not None else None
    return function is None or bool(function.decorators) or function.reader.may_raise()


def escape_gaps(built: Built) -> Iterator[Gap]:
    """A gap for each place where a flow leaves sight."""
    for how, origin in built.escapes:
        yield Gap(
            origin.span(),
            how,
            frozenset({"nodes", "edges", "entry"}),
            cure="build the whole flow in code of this project, with names it states",
        )
