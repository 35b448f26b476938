"""What is wrong with the shape of a part of a flow."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from flowlint.changes import Rename
from flowlint.dialects.objectstack.notes import Notes
from flowlint.dialects.objectstack.objects import Given, Obj, elements, object_of
from flowlint.dialects.objectstack.shapes import CONVERTED, NAME, SHAPES, Holds, Shape
from flowlint.graph.names import NearNames
from flowlint.graph.reference_faults import near, near_rename, one_of
from flowlint.values.model import Call, Const, Function, Mapped, Sequence, Value

_DIALECTS = ("cel", "cron", "template")
_SAME = re.compile(r"write `(\w+)`, which is the same")
_IS_NAME = re.compile(rf"{NAME}\Z")


def check_shape(obj: Obj, kind: str, owner: str, notes: Notes, node: str | None = None) -> None:
    """Note what is wrong with an object of this shape. `owner` is how it is spoken of."""
    shape = SHAPES[kind]
    for given in obj.fields.values():
        holds = shape.fields.get(given.name)
        if holds is None:
            _unknown(given, shape, owner, notes, node, obj)
        else:
            _value(given, holds, owner, notes, node)
    lacking = [name for name in _required(kind) if obj.lacks(name)]
    if not lacking:
        return
    # What stands there under another name is told with that.
    meant = {_meant(given.name, shape) for given in obj.fields.values()}
    for name in lacking:
        if name not in meant:
            said = f"{owner} has no `{name}`"
            notes.refuse(obj.span, said, f"write `{name}`", node)


@cache
def _required(kind: str) -> tuple[str, ...]:
    return tuple(name for name, holds in SHAPES[kind].fields.items() if holds.required)


def check_values(obj: Obj, shape: Shape, owner: str, notes: Notes, node: str | None) -> None:
    """Note what is wrong with the values of fields, of those that the shape knows."""
    for given in obj.fields.values():
        holds = shape.fields.get(given.name)
        if holds is not None:
            _value(given, holds, owner, notes, node)


def _meant(name: str, shape: Shape) -> str | None:
    """The field that an unknown name stands for, None for a field and where it is not plain."""
    if name in shape.fields:
        return None
    return (
        shape.meant.get(name)
        or shape.meant.get(name.casefold())
        or NearNames(list(shape.fields)).of(name)
    )


def _unknown(
    given: Given, shape: Shape, owner: str, notes: Notes, node: str | None, obj: Obj
) -> None:
    name = given.name
    if name in shape.gone:
        said = f"`{name}` of {lower(owner)} is gone since ObjectStack 17"
        new = _SAME.match(shape.gone[name])
        rename = Rename(given.key, name, new[1]) if new and obj.lacks(new[1]) else None
        notes.gone(given.key, said, shape.gone[name], node, rename, name in CONVERTED)
        return
    said = f"{owner} has no field `{name}`"
    if name in shape.hints:
        notes.refuse(given.key, said, shape.hints[name], node, "unknown-field")
        return
    meant = shape.meant.get(name) or shape.meant.get(name.casefold())
    cure = f"did you mean `{meant}`?" if meant else near(name, shape.fields, "remove it")
    if meant is not None:
        rename = Rename(given.key, name, meant)
    else:
        rename = near_rename(given.key, name, shape.fields)
    if rename is not None and not obj.lacks(rename.new):
        rename = None
    notes.refuse(given.key, said, cure, node, "unknown-field", rename)


def _value(given: Given, holds: Holds, owner: str, notes: Notes, node: str | None) -> None:
    for wrong, cure, rename in _faults(given, holds):
        said = f"`{given.name}` of {lower(owner)} {wrong}"
        notes.refuse(given.span, said, cure, node, rename=rename)
    if holds.part is None:
        return
    is_told = False
    for label, value in _parts(given, holds):
        if isinstance(value, Mapped):
            inner = f"`{label}` of {lower(owner)}"
            part = object_of(value)
            check_shape(part, holds.part, inner, notes, node)
        elif isinstance(value, Const | Sequence | Function) and not is_told:
            # Others of the same list are mostly wrong in the same way.
            is_told = True
            said = f"`{label}` of {lower(owner)} is {shown(value)}, which is no object"
            notes.refuse(value.origin.span(), said, "write an object", node)


def _parts(given: Given, holds: Holds) -> Iterator[tuple[str, Value]]:
    """The objects in a field, each with how it is spoken of."""
    value = given.value
    if holds.what == "list":
        for number, element in enumerate(elements(value)):
            yield f"{given.name}[{number}]", element
    elif isinstance(value, Mapped):
        if not holds.by_name:
            yield given.name, value
            return
        for inner in object_of(value).fields.values():
            yield f"{given.name}.{inner.name}", inner.value


def _faults(given: Given, holds: Holds) -> Iterator[tuple[str, str, Rename | None]]:
    """What is wrong with a field, as it goes on after what the field is called."""
    value = given.value
    if not isinstance(value, Const | Mapped | Sequence | Function):
        return
    if not _fits(value, holds):
        yield f"is {shown(value)}, where {_wanted(holds)} belongs", _cure(holds), None
        return
    constant = value.value if isinstance(value, Const) else None
    if holds.what == "choice" and isinstance(constant, str) and constant not in holds.choices:
        cure = near(constant, holds.choices, one_of(holds.choices))
        rename = near_rename(given.span, constant, holds.choices)
        yield f"is `{constant}`, which ObjectStack does not know", cure, rename
    elif holds.what == "name" and isinstance(constant, str) and not _IS_NAME.match(constant):
        said = f"is `{constant}`, but names have small letters, digits and `_` only"
        yield said, "write it in small letters, with `_` between words", None
    elif holds.what in ("number", "whole") and isinstance(constant, int | float):
        if holds.least is not None and constant < holds.least:
            yield f"is {constant:g}, which is too little", _range(holds), None
        elif holds.most is not None and constant > holds.most:
            yield f"is {constant:g}, which is too much", _range(holds), None
    elif holds.least is not None and _is_empty(value, holds):
        yield "is empty", f"write {_wanted(holds)}", None
    elif holds.what == "condition":
        yield from _condition(value)


def _condition(value: Value) -> Iterator[tuple[str, str, Rename | None]]:
    if isinstance(value, Const) and value.value == "":
        yield "is empty", "write a condition, or remove it", None
    if not isinstance(value, Mapped):
        return
    obj = object_of(value)
    dialect = obj.text("dialect")
    if dialect is not None and dialect not in _DIALECTS:
        said = f"is in the language `{dialect}`, which ObjectStack does not know"
        yield said, one_of(_DIALECTS), None
    elif obj.lacks("dialect"):
        yield "does not say its `dialect`", one_of(_DIALECTS), None
    elif obj.lacks("source") and obj.lacks("ast"):
        yield "has no `source`", "write the condition as `source`", None


def _fits(value: Value, holds: Holds) -> bool:
    constant = value.value if isinstance(value, Const) else None
    match holds.what:
        case "text" | "name" | "choice":
            return isinstance(constant, str)
        case "flag":
            return isinstance(constant, bool)
        case "number":
            return isinstance(constant, int | float) and not isinstance(constant, bool)
        case "whole":
            if isinstance(constant, bool):
                return False
            return isinstance(constant, int) or (
                isinstance(constant, float) and constant.is_integer()
            )
        case "record":
            return isinstance(value, Mapped)
        case "list":
            return isinstance(value, Sequence)
        case "text or list":
            return isinstance(constant, str) or isinstance(value, Sequence)
        case "condition":
            return isinstance(constant, str) or isinstance(value, Mapped | Call)
        case _:
            return True


def _wanted(holds: Holds) -> str:
    return {
        "text": "a text",
        "name": "a text",
        "choice": "one of a few words",
        "flag": "`true` or `false`",
        "number": "a number",
        "whole": "a whole number",
        "record": "an object",
        "list": "a list",
        "text or list": "a text or a list",
        "condition": "a condition",
    }.get(holds.what, "something else")


def _cure(holds: Holds) -> str:
    return one_of(holds.choices) if holds.choices else f"write {_wanted(holds)}"


def _range(holds: Holds) -> str:
    if holds.least is None or holds.most is None:
        return f"write {holds.least:g} or more"
    return f"write {holds.least:g} to {holds.most:g}"


def _is_empty(value: Value, holds: Holds) -> bool:
    if isinstance(value, Const):
        return value.value == ""
    if holds.what == "text or list":
        return False
    return isinstance(value, Sequence) and not value.items and value.rest is None


_MOST_SHOWN = 40


def shown(value: Value) -> str:
    """A value in prose."""
    if isinstance(value, Const):
        constant = value.value
        if constant is None:
            return "`null`"
        if isinstance(constant, bool):
            return "`true`" if constant else "`false`"
        if isinstance(constant, str):
            line = " ".join(constant.split())
            short = line if len(line) <= _MOST_SHOWN else f"{line[:_MOST_SHOWN]}…"
            return f'the text "{short}"'
        return f"{constant:g}" if isinstance(constant, int | float) else str(constant)
    if isinstance(value, Mapped):
        return "an object"
    return "a list" if isinstance(value, Sequence) else "a function"


def lower(owner: str) -> str:
    """How something is spoken of within a sentence."""
    return f"{owner[0].lower()}{owner[1:]}" if owner[1:2] != owner[1:2].upper() else owner
