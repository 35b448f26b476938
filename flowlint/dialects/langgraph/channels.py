"""What LangGraph makes of the type of a state key: one value, a reducer, or something else."""

from __future__ import annotations

from flowlint.dialects.langgraph.known_types import (
    ADDING,
    ANNOTATED,
    CHANNELS,
    MANAGED_TYPES,
    MANAGERS,
    PLAIN_NOTES,
    PLAIN_ROOTS,
    REDUCERS,
    REQUIREDNESS,
    STATES,
    TYPE_MAKERS,
    Kind,
)
from flowlint.dialects.reading import alternatives
from flowlint.graph.code import Channel
from flowlint.source import Span
from flowlint.values.model import (
    Call,
    Choice,
    Class,
    Const,
    External,
    Function,
    Generic,
    Instance,
    Mapped,
    Partial,
    Sequence,
    Union,
    Value,
)


def channel(key: str, annotation: Value, span: Span) -> Channel:
    """The channel of a key with this type."""
    if isinstance(annotation, Generic) and is_named(annotation.base, REQUIREDNESS):
        annotation = annotation.arguments[0] if annotation.arguments else annotation
    kind, adds = _kind(annotation)
    return Channel(key, span, kind, adds)


def _kind(annotation: Value) -> tuple[Kind, bool]:
    """Its kind, and whether what is written to it is put after what is there."""
    if isinstance(annotation, Choice):
        kinds = {_kind(single) for _, single in alternatives(annotation)}
        return kinds.pop() if len(kinds) == 1 else ("other", False)
    if _is_managed(annotation):
        return "managed", False
    if not _is_annotated(annotation):
        return ("last" if is_plain(annotation) else "other"), False
    inner, notes = _notes(annotation)
    if not notes or not is_plain(inner):
        return "other", False
    for note in notes:
        made = _stated_channel(note)
        if made is not None:
            return made, made == "reducer" and _adds_within(note)
        if note is not notes[-1] and not _is_no_channel(note):
            return "other", False
    return _by_last(notes[-1])


def _by_last(last: Value) -> tuple[Kind, bool]:
    """What the last note on a type makes of it, where none of them is a channel."""
    if isinstance(last, Const | Sequence | Mapped) or _is_plain_note(last):
        return "last", False
    if isinstance(last, Instance):
        if last.cls.bases:
            return "other", False
        call = last.cls.reader.method("__call__")
        if call is None:
            return "last", False
        return ("reducer" if _positional(call) == 3 else "other"), False
    return ("reducer" if is_reducer(last) else "other"), is_named(last, ADDING)


def is_reducer(value: Value) -> bool:
    """Whether a value is surely a function that takes two arguments by position."""
    if isinstance(value, Partial):
        return not value.arguments and is_reducer(value.target)
    if isinstance(value, Function):
        return not value.decorators and _positional(value) == 2
    return is_named(value, REDUCERS)


def _positional(function: Function) -> int:
    given = 0 if function.receiver is None else 1
    return function.reader.positional_parameters() - given


def _is_annotated(value: Value) -> bool:
    return isinstance(value, Generic) and is_named(value.base, ANNOTATED)


def _notes(annotation: Value) -> tuple[Value, tuple[Value, ...]]:
    """The type that is annotated and all that is noted on it, with the notes of shorthands."""
    notes: tuple[Value, ...] = ()
    while isinstance(annotation, Generic) and _is_annotated(annotation) and annotation.arguments:
        notes = (*annotation.arguments[1:], *notes)
        annotation = annotation.arguments[0]
    return annotation, notes


def is_plain(annotation: Value) -> bool:
    """Whether a type surely has no notes that LangGraph reads."""
    if isinstance(annotation, External):
        name = annotation.qualified
        return name.split(".", 1)[0] in PLAIN_ROOTS or name in STATES or _is_langgraph_type(name)
    if isinstance(annotation, Call):
        return annotation.target in TYPE_MAKERS
    if isinstance(annotation, Const):
        return annotation.value is None or isinstance(annotation.value, str)
    if isinstance(annotation, Generic):
        return not isinstance(annotation.base, External) or is_plain(annotation.base)
    return isinstance(annotation, Class | Union)


def _is_langgraph_type(name: str) -> bool:
    """A type of LangGraph's own; those it gives values to were told apart before."""
    return name.startswith("langgraph.") and not name.startswith("langgraph.managed.")


def _is_managed(annotation: Value) -> bool:
    """Whether the system gives the value. LangGraph looks through the first argument of types."""
    while True:
        if isinstance(annotation, External):
            return _is_managed_name(annotation, MANAGED_TYPES)
        if isinstance(annotation, Union):
            annotation = annotation.members[0]
            continue
        if not isinstance(annotation, Generic) or not annotation.arguments:
            return False
        if _is_annotated(annotation) and _is_manager(annotation.arguments[-1]):
            return True
        annotation = annotation.arguments[0]


def _is_manager(note: Value) -> bool:
    return _is_managed_name(note.base if isinstance(note, Generic) else note, MANAGERS)


def _is_managed_name(value: Value, names: frozenset[str]) -> bool:
    if not isinstance(value, External) or not value.qualified.startswith("langgraph.managed."):
        return False
    return value.qualified.rsplit(".", 1)[-1] in names


def _stated_channel(note: Value) -> Kind | None:
    """The kind of channel that a note is, None when it is none that is known."""
    name = note.qualified if isinstance(note, External) else ""
    name = note.target if isinstance(note, Call) else name
    if isinstance(note, Generic) and isinstance(note.base, External):
        name = note.base.qualified
    if not name.startswith("langgraph.channels."):
        return None
    return CHANNELS.get(name.rsplit(".", 1)[-1])


def _adds_within(note: Value) -> bool:
    """Whether a channel is given a reducer that puts values after those that are there."""
    return isinstance(note, Call) and any(
        is_named(argument.value, ADDING) for argument in note.arguments.items
    )


def _is_no_channel(note: Value) -> bool:
    """Whether a note is surely no channel."""
    if isinstance(note, Class):
        return not note.bases
    if isinstance(note, Instance):
        return not note.cls.bases
    plain = Const | Sequence | Mapped | Function | Partial
    return isinstance(note, plain) or _is_plain_note(note) or is_named(note, REDUCERS)


def _is_plain_note(note: Value) -> bool:
    return isinstance(note, Call) and note.target.startswith(PLAIN_NOTES)


def is_named(value: Value, names: frozenset[str]) -> bool:
    """Whether a value is something outside the project of one of these names."""
    return isinstance(value, External) and value.qualified in names
