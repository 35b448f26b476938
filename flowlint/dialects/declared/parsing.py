"""Tables of settings as declarations: their types say what may stand where."""

from __future__ import annotations

import dataclasses
import re
import types
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any, Literal, TypeVar, Union, cast, get_args, get_origin, get_type_hints

from flowlint.dialects.declared.declaration import Edges, Entry, Field, Nodes, System, key_of
from flowlint.dialects.declared.defaults import semantics_of
from flowlint.graph.model import Semantics

T = TypeVar("T")
_NAME = re.compile(r"[a-z][a-z0-9]*([-_][a-z0-9]+)*")
_QUALIFIED = re.compile(r"[^\W\d]\w*(\.[^\W\d]\w*)*")


class DeclarationError(ValueError):
    """A declaration that cannot be followed; `keys` lead to what is wrong in it.

    `unknown` is a key that there is not, among `known`.
    """

    def __init__(
        self, message: str, *keys: str, unknown: str | None = None, known: tuple[str, ...] = ()
    ) -> None:
        super().__init__(message)
        self.keys = keys
        self.unknown = unknown
        self.known = known


def system_of(table: Mapping[str, Any]) -> System:
    """The system that a table declares. Raises DeclarationError."""
    name = table.get("name")
    if not isinstance(name, str) or not _NAME.fullmatch(name):
        said = "has to be a word in small letters, such as `acme-flows`"
        raise DeclarationError(f"`name` of a system {said}", "name")
    title = table.get("title", name)
    if not isinstance(title, str) or not title:
        raise DeclarationError(f"`title` of the system `{name}` has to be a text", "title")
    system = _record(System, {k: v for k, v in table.items() if k != "title"}, f"`{name}`", title)
    _check(system)
    return system


def _record(made: type[T], table: Mapping[str, Any], whose: str, title: str) -> T:
    """A declaration of a type from a table of its fields."""
    fields = {key_of(field.name): field for field in dataclasses.fields(made)}  # type: ignore[arg-type]
    known = (*fields, "title") if made is System else tuple(fields)
    for key in table:
        if key not in fields:
            raise DeclarationError(f"{whose} has no key `{key}`", key, unknown=key, known=known)
    hints = hints_of(cast(Any, made))
    given: dict[str, Any] = {}
    for key, field in fields.items():
        if made is System and field.name == "semantics":
            given[field.name] = _semantics(table, title, whose)
        elif key in table:
            given[field.name] = _value(hints[field.name], table[key], key, whose, title)
        elif field.default is dataclasses.MISSING:
            raise DeclarationError(f"{whose} lacks the key `{key}`: state it")
    return made(**given)


@cache
def hints_of(made: type) -> dict[str, Any]:
    """The types of the fields of a declaration."""
    return get_type_hints(made)


def _semantics(table: Mapping[str, Any], title: str, whose: str) -> Semantics:
    stated = table.get("semantics", {})
    what = f"`semantics` of {whose}"
    if not isinstance(stated, Mapping):
        raise DeclarationError(f"{what} has to be a table", "semantics")
    flow = table.get("flow")
    first = flow[0] if isinstance(flow, list) and flow else flow
    finish = table.get("finish")
    last = finish[0] if isinstance(finish, list) and finish else finish
    builds = f"{last}()" if isinstance(last, str) else f"{str(first).rpartition('.')[2]}(…)"
    base = semantics_of(title, builds)
    fields = {key_of(f.name): f.name for f in dataclasses.fields(Semantics) if f.name != "system"}
    hints = hints_of(Semantics)
    given: dict[str, Any] = {}
    for key, value in stated.items():
        if key not in fields:
            message = f"{what} has no key `{key}`"
            known = tuple(fields)
            raise DeclarationError(message, "semantics", key, unknown=key, known=known)
        try:
            given[fields[key]] = _value(hints[fields[key]], value, key, what, title)
        except DeclarationError as error:
            raise DeclarationError(str(error), "semantics", *error.keys) from None
    return dataclasses.replace(base, **given)


def _value(hint: Any, value: Any, key: str, whose: str, title: str) -> Any:
    what = f"`{key}` of {whose}"
    if hint is Field or hint == Field:
        return _field(value, key, what)
    inner = inner_record(hint)
    if inner is not None:
        return _records(inner, value, key, what, title)
    plain = plain_type(hint)
    choices = choices_of(plain)
    if choices is not None:
        if value not in choices:
            listed = f"{', '.join(map(str, choices[:-1]))} or {choices[-1]}"
            raise DeclarationError(f"{what} has to be {listed}", key)
        return value
    if get_origin(plain) is tuple or get_origin(plain) is frozenset:
        many = [value] if isinstance(value, str) else value
        if not isinstance(many, list) or not all(isinstance(one, str) and one for one in many):
            raise DeclarationError(f"{what} has to be a text or a list of texts", key)
        return frozenset(many) if get_origin(plain) is frozenset else tuple(many)
    if plain is bool:
        if not isinstance(value, bool):
            raise DeclarationError(f"{what} has to be true or false", key)
        return value
    if plain is int:
        if isinstance(value, bool) or not isinstance(value, int) or value < 1:
            raise DeclarationError(f"{what} has to be a whole number above 0", key)
        return value
    if not isinstance(value, str):
        raise DeclarationError(f"{what} has to be a text", key)
    return value


def plain_type(hint: Any) -> Any:
    """A type without the None that it allows."""
    if get_origin(hint) in (Union, types.UnionType):
        left = [one for one in get_args(hint) if one is not type(None)]
        return left[0] if len(left) == 1 else hint
    return hint


def choices_of(hint: Any) -> tuple[str, ...] | None:
    """The texts that a type allows, None for any."""
    return get_args(hint) if get_origin(hint) is Literal else None


def inner_record(hint: Any) -> type | None:
    """The declaration of which a type is a tuple, None for any other type."""
    if get_origin(hint) is not tuple:
        return None
    first = get_args(hint)[0]
    return first if dataclasses.is_dataclass(first) else None  # type: ignore[return-value]


def _records(made: type, value: Any, key: str, what: str, title: str) -> tuple[Any, ...]:
    """One table or a list of them."""
    many = [value] if isinstance(value, Mapping) else value
    if not isinstance(many, list) or not all(isinstance(one, Mapping) for one in many):
        raise DeclarationError(f"{what} has to be a table or a list of tables", key)
    found: list[Any] = []
    for index, one in enumerate(many):
        try:
            found.append(_record(made, one, what, title))
        except DeclarationError as error:
            place = (key, str(index)) if many is value else (key,)
            raise DeclarationError(
                str(error), *place, *error.keys, unknown=error.unknown, known=error.known
            ) from None
    return tuple(found)


def _field(value: Any, key: str, what: str) -> Field:
    many = value if isinstance(value, list) else [value]
    for one in many:
        is_position = isinstance(one, int) and not isinstance(one, bool) and one >= 0
        if not is_position and not (isinstance(one, str) and one):
            said = "has to be the name of an argument, a position from 0 on, or a list of both"
            raise DeclarationError(f"{what} {said}", key)
    return tuple(many)


def _check(system: System) -> None:
    """What types alone cannot say. Raises DeclarationError."""
    for key, names in _all_names(system):
        if not names and key == ("flow",):
            raise DeclarationError(f"`flow` of `{system.name}` has to name what builds one", "flow")
        for name in names:
            if not _QUALIFIED.fullmatch(name):
                said = f"`{name}` is no name of Python such as `acme.flows.Flow`"
                raise DeclarationError(f"`{key[-1]}` of `{system.name}`: {said}", *key)
        if sum("." not in name for name in names) > 1:
            said = "only one bare name can be looked for: qualify the others"
            raise DeclarationError(f"`{key[-1]}` of `{system.name}`: {said}", *key)
    if not system.nodes:
        raise DeclarationError(f"`nodes` of `{system.name}` has to say where they are", "nodes")
    for place, part in _parts(system):
        _check_part(system, place, part)


def qualified_names(system: System) -> Iterator[tuple[str, tuple[str, ...]]]:
    """The qualified names of what a system is made of, each with the keys that lead to it."""
    for keys, names in _all_names(system):
        yield from ((name, keys) for name in names if "." in name)


def _all_names(system: System) -> Iterator[tuple[tuple[str, ...], tuple[str, ...]]]:
    yield ("flow",), system.flow
    for nodes in system.nodes:
        yield ("nodes", "class"), nodes.class_
    for edges in system.edges:
        yield ("edges", "class"), edges.class_


def _parts(system: System) -> Iterator[tuple[str, Nodes | Edges | Entry]]:
    yield from (("nodes", one) for one in system.nodes)
    yield from (("edges", one) for one in system.edges)
    yield from (("entry", one) for one in system.entry)


def _check_part(system: System, place: str, part: Nodes | Edges | Entry) -> None:
    whose = f"`{place}` of `{system.name}`"
    stated = [key for key in ("argument", "method") if getattr(part, key)]
    if isinstance(part, Edges):
        stated += [key for key in ("returns", "of_nodes") if getattr(part, key)]
    is_free = isinstance(part, Entry) and part.default != "none"
    if len(stated) > 1 or not (stated or is_free):
        ways = "`argument`, `method`, `returns` or `of-nodes`"
        if not isinstance(part, Edges):
            ways = "`argument` or `method`"
        raise DeclarationError(f"{whose} has to state one of {ways}", place)
    if isinstance(part, Entry):
        return
    if part.item == "object" and not part.class_:
        raise DeclarationError(f"{whose} are objects: state their `class`", place, "item")
    if part.class_ and part.item not in (None, "object"):
        raise DeclarationError(f"{whose} have a `class`, so `item` has to be object", place, "item")
    if part.take in ("each", "keywords", "call") and not part.method:
        raise DeclarationError(f'{whose}: `take = "{part.take}"` needs a `method`', place, "take")
    if isinstance(part, Nodes) and not part.name and (part.class_ or part.item == "tuple"):
        raise DeclarationError(f"{whose} lacks the key `name`: say where it stands", place)
    if isinstance(part, Edges):
        if part.of_nodes and not part.target:
            raise DeclarationError(f"{whose} lacks the key `target`: say where it stands", place)
        if part.class_ and not (part.source and part.target):
            said = "lack `source` and `target`: say where they stand"
            raise DeclarationError(f"{whose} {said}", place)
