"""The objects of a project: what its flows read and write."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from flowlint.dialects.objectstack.objects import Obj, is_whole, object_of
from flowlint.graph.cel_values import Values
from flowlint.values.model import Call, Const, Mapped, Sequence, Value

IMPLICIT = frozenset(
    {
        *("id", "_id", "name", "owner", "space", "record_type", "is_deleted", "deleted_at"),
        *("created_at", "created_by", "updated_at", "updated_by", "organization_id"),
        *("tenant_id", "owner_id", "owning_business_unit_id", "user_id"),
    }
)
"""Fields that every record may have, whether or not its object declares them."""

RELATIONS = frozenset({"lookup", "master_detail", "user", "tree"})
"""Types of fields that hold the id of another record."""

_CREATE = re.compile(
    r"@objectstack/spec(?:/data)?\.(?:Data\.)?(?:ObjectSchema\.(?:create|parse))\Z"
)
_FIELD = re.compile(r"@objectstack/spec(?:/data)?\.(?:Data\.)?Field\.(\w+)\Z")
_UPPER = re.compile(r"(?<=[a-z])([A-Z])")
_SPACE = re.compile(r"\s+")
_ODD = re.compile(r"[^a-z0-9_]")

_TEXTS = ("text", "textarea", "email", "url", "phone", "markdown", "html", "richtext")
_HOLDS: Mapping[str, Values] = {
    **dict.fromkeys(_TEXTS, Values("text", null=True)),
    **dict.fromkeys(("number", "currency", "percent"), Values("number", null=True)),
    **dict.fromkeys(("boolean", "toggle"), Values("boolean", null=True)),
}
"""What fields of a type hold."""


@dataclass(frozen=True, slots=True)
class FieldFacts:
    """What is known of a field; `type` is None where it is not known, `holds` where it is not
    known what the field may hold."""

    type: str | None = None
    readonly: bool = False
    readonly_at_times: bool = False
    holds: Values | None = None


@dataclass(frozen=True, slots=True)
class ObjectFacts:
    """An object with its fields; None where they are not all known."""

    name: str
    fields: Mapping[str, FieldFacts] | None


def objects_of(stack: Obj) -> Mapping[str, ObjectFacts] | None:
    """The objects of a stack by their names; None where they are not all known."""
    value = stack.get("objects")
    found: dict[str, ObjectFacts] = {}
    if isinstance(value, Sequence) and is_whole(value):
        values = [item.value for item in value.items]
    elif isinstance(value, Mapped) and value.rest is None:
        values = [entry.value for entry in value.entries]
    else:
        return None
    for single in values:
        definition = _definition(single)
        name = definition.text("name") if definition is not None else None
        if definition is None or name is None:
            return None
        found[name] = ObjectFacts(name, _fields(definition))
    return found


def _definition(value: Value) -> Obj | None:
    """The object literal that an object is made of."""
    if isinstance(value, Call) and _CREATE.match(value.target):
        given = next((one.value for one in value.arguments.positional()), None)
        return object_of(given) if isinstance(given, Mapped) else None
    return object_of(value) if isinstance(value, Mapped) else None


def _fields(definition: Obj) -> Mapping[str, FieldFacts] | None:
    value = definition.get("fields")
    if isinstance(value, Mapped):
        obj = object_of(value)
        if obj.is_open or obj.unsure:
            return None
        return {given.name: _field(given.value) for given in obj.fields.values()} or None
    if not isinstance(value, Sequence) or not is_whole(value):
        return None
    listed = [object_of(i.value) if isinstance(i.value, Mapped) else None for i in value.items]
    names = [one.text("name") if one is not None else None for one in listed]
    if None in names:
        return None
    return {str(name): _of(one) for name, one in zip(names, listed, strict=True) if one} or None


def _field(value: Value) -> FieldFacts:
    if isinstance(value, Mapped):
        return _of(object_of(value))
    called = _FIELD.match(value.target) if isinstance(value, Call) else None
    if called is None or not isinstance(value, Call):
        return FieldFacts()
    kind = _UPPER.sub(lambda found: f"_{found[1].lower()}", called[1])
    return _merged(kind, [one.value for one in value.arguments.positional()])


def _merged(kind: str, arguments: list[Value]) -> FieldFacts:
    options = [object_of(one) for one in arguments if isinstance(one, Mapped)]
    facts = [_of(one) for one in options]
    is_open = any(one.is_open or one.unsure for one in options)
    return FieldFacts(
        None if is_open else kind,
        any(one.readonly for one in facts),
        any(one.readonly_at_times for one in facts),
        None if is_open else _held(kind, arguments),
    )


def _held(kind: str, arguments: list[Value]) -> Values | None:
    """What a field may hold that a function of `Field` makes: options are in small letters."""
    given = [object_of(one) for one in arguments if isinstance(one, Mapped)]
    if any(not one.lacks("multiple") for one in given):
        return None
    if kind != "select":
        return _HOLDS.get(kind)
    lists = [one for one in arguments if isinstance(one, Sequence)]
    lists += [one for obj in given if isinstance(one := obj.get("options"), Sequence)]
    options = _options(lists[0]) if lists else None
    if options is None:
        return None
    return Values("text", tuple(_value_of(option) for option in options), null=True)


def _value_of(option: tuple[str, bool]) -> str:
    text, is_label = option
    small = text.lower()
    return _ODD.sub("", _SPACE.sub("_", small)) if is_label else small


def _options(value: Value | None) -> list[tuple[str, bool]] | None:
    """The options of a choice, and whether each is a label, of which its value is made."""
    if not isinstance(value, Sequence) or not is_whole(value):
        return None
    found: list[tuple[str, bool]] = []
    for item in value.items:
        option = object_of(item.value) if isinstance(item.value, Mapped) else None
        text = option.text("value") if option is not None else None
        if isinstance(item.value, Const) and isinstance(item.value.value, str):
            found.append((item.value.value, True))
        elif text is not None:
            found.append((text, False))
        else:
            return None
    return found or None


def _of(obj: Obj) -> FieldFacts:
    when = obj.get("readonlyWhen")
    is_set = when is not None and not (isinstance(when, Const) and when.value in (None, ""))
    return FieldFacts(obj.text("type"), obj.is_true("readonly"), is_set, _held_by(obj))


def _held_by(obj: Obj) -> Values | None:
    """What a field may hold that is written as an object."""
    if obj.is_open or not obj.lacks("multiple"):
        return None
    kind = obj.text("type")
    if kind != "select":
        return _HOLDS.get(kind or "")
    options = _options(obj.get("options"))
    if options is None or any(is_label for _, is_label in options):
        return None
    return Values("text", tuple(text for text, _ in options), null=True)


def names_of(facts: ObjectFacts) -> Iterator[str]:
    """The names that fields of a record may have."""
    yield from facts.fields or ()
    yield from IMPLICIT
