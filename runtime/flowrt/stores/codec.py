"""Values of a state as JSON, and back exactly.

Plain JSON stays as it is. Everything else becomes an object with the key `$flowrt`, which says
what it was; a mapping of the user's own that has that key, or keys that are no texts, is
written as a list of its items. Not kept: which parts of a state were one and the same object,
and attributes of a dataclass or model that are no fields.

A stored file may come from anywhere, so reading one imports nothing and runs no constructor:
classes are taken from modules that the program has loaded itself.
"""

from __future__ import annotations

import datetime as dt
from base64 import b64encode
from collections.abc import Callable
from dataclasses import fields
from decimal import Decimal
from enum import Enum, Flag
from math import isfinite
from pathlib import PosixPath, PurePath, PurePosixPath, PureWindowsPath, WindowsPath
from typing import Any
from uuid import UUID
from zoneinfo import ZoneInfo

from flowrt.errors import NotStorableError
from flowrt.stores.classes import class_path, is_record, is_stored_class, model_class, values_of
from flowrt.stores.encoding import dump
from flowrt.stores.restoring import MARK, restore

MAX_DEPTH = 200
"""How deep values may be nested; JSON parsers give up not far beyond."""

_LONGEST_PLACE = 120
_BIG = 1 << 4000
"""Larger numbers are written to base 16: Python refuses to read so many decimal digits."""

_ATOMS = frozenset({str, bool, type(None)})


class _RefusedError(Exception):
    """A part that cannot be stored; learns its place on the way up."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason
        self.place: list[str] = []

    def within(self, step: str) -> _RefusedError:
        self.place.append(step)
        return self


def encode(value: Any, where: str = "state") -> Any:
    """A value as JSON. What is JSON already is returned as the same object, not as a copy.

    Raises NotStorableError naming the place, such as `state['client']`; `where` is what the
    whole is called.
    """
    try:
        if _is_plain(value, MAX_DEPTH):
            return value
        return _encode(value, MAX_DEPTH)
    except _RefusedError as refused:
        place = where + "".join(reversed(refused.place))
        if len(place) > _LONGEST_PLACE:
            place = f"{place[: _LONGEST_PLACE // 2]} … {place[-_LONGEST_PLACE // 2 :]}"
        raise NotStorableError(f"{place} cannot be stored: {refused.reason}") from None


def decode(value: Any) -> Any:
    """The value that `encode` made this JSON of.

    Raises FlowError when the JSON is damaged, or holds something of a class that is not loaded.
    """
    return restore(value)


def _is_plain(value: Any, depth: int) -> bool:
    """Whether a value is JSON just so. Lists and mappings are told from their subclasses."""
    kind = type(value)
    if kind in _ATOMS:
        return True
    if kind is int:
        return bool(-_BIG < value < _BIG)
    if kind is float:
        return isfinite(value)
    if depth == 0:
        return False
    if kind is dict:
        for key, item in value.items():
            if type(key) is not str or key == MARK:
                return False
            if type(item) not in _ATOMS and not _is_plain(item, depth - 1):
                return False
        return True
    if kind is list:
        for item in value:
            if type(item) not in _ATOMS and not _is_plain(item, depth - 1):
                return False
        return True
    return False


def _encode(value: Any, depth: int) -> Any:
    kind = type(value)
    if kind in _ATOMS:
        return value
    if depth == 0:
        raise _RefusedError(f"it is nested more than {MAX_DEPTH} deep, or contains itself")
    if kind is dict:
        return _mapping(value, depth - 1)
    if kind is list:
        return _items(value, depth - 1)
    simple = _SIMPLE.get(kind)
    if simple is not None:
        return simple(value)
    if kind is tuple:
        return {MARK: "tuple", "v": _items(value, depth - 1)}
    if kind is set or kind is frozenset:
        # In an order of its own, so that equal sets are written alike.
        parts = sorted((_encode(item, depth - 1) for item in value), key=dump)
        return {MARK: kind.__name__, "v": parts}
    if isinstance(value, Enum):
        return _member(value, depth)
    if is_stored_class(kind):
        return _instance(value, depth - 1)
    raise _RefusedError(f"a value of the type `{_name(kind)}` cannot be written down and read back")


def _mapping(value: dict[Any, Any], depth: int) -> Any:
    plain = MARK not in value
    if plain:
        for key in value:
            if type(key) is not str:
                plain = False
                break
    if plain:
        written = {}
        for key, item in value.items():
            try:
                written[key] = _encode(item, depth)
            except _RefusedError as refused:
                raise refused.within(f"[{_shown(key)}]") from None
        return written
    pairs: list[Any] = []
    for key, item in value.items():
        try:
            stored = _encode(item, depth)
        except _RefusedError as refused:
            raise refused.within(f"[{_shown(key)}]") from None
        if type(key) is str:
            # As an object, so that the key still says what the value is.
            pairs.append({key: stored})
        else:
            try:
                pairs.append([_encode(key, depth), stored])
            except _RefusedError as refused:
                raise refused.within(f".keys()[{_shown(key)}]") from None
    return {MARK: "dict", "v": pairs}


def _items(value: list[Any] | tuple[Any, ...], depth: int) -> list[Any]:
    written = []
    for index, item in enumerate(value):
        try:
            written.append(_encode(item, depth))
        except _RefusedError as refused:
            raise refused.within(f"[{index}]") from None
    return written


def _member(value: Enum, depth: int) -> Any:
    path = _path_of(type(value))
    if isinstance(value, Flag):
        return {MARK: "flag", "type": path, "v": _encode(value.value, depth)}
    return {MARK: "enum", "type": path, "v": value.name}


def _instance(value: Any, depth: int) -> Any:
    kind = type(value)
    path = _path_of(kind)
    if is_record(kind):
        return {MARK: "record", "type": path, "v": _items(tuple(value), depth)}
    model = model_class()
    if model is not None and isinstance(value, model):
        return {MARK: "model", "type": path, "v": _model(value, depth)}
    try:
        held = values_of(value, [field.name for field in fields(kind)])
    except AttributeError as error:
        raise _RefusedError(f"it is not complete: {error}") from None
    return {MARK: "dataclass", "type": path, "v": _attributes(held, depth)}


def _model(value: Any, depth: int) -> dict[str, Any]:
    state = value.__getstate__()
    names = type(value).model_fields
    held = {name: item for name, item in state["__dict__"].items() if name in names}
    written: dict[str, Any] = {"fields": _attributes(held, depth)}
    given = state["__pydantic_fields_set__"]
    if given != set(held):
        written["set"] = sorted(given)
    extra, private = state.get("__pydantic_extra__"), state.get("__pydantic_private__")
    if extra is not None:
        written["extra"] = _encode(extra, depth)
    if private is not None:
        written["private"] = _attributes(private, depth)
    return written


def _attributes(held: dict[str, Any], depth: int) -> dict[str, Any]:
    written = {}
    for name, item in held.items():
        try:
            written[name] = _encode(item, depth)
        except _RefusedError as refused:
            raise refused.within(f".{name}") from None
    return written


def _integer(value: int) -> Any:
    return value if -_BIG < value < _BIG else {MARK: "int", "v": hex(value)}


def _float(value: float) -> Any:
    return value if isfinite(value) else {MARK: "float", "v": repr(value)}


def _datetime(value: dt.datetime) -> Any:
    return {MARK: "datetime", "v": value.replace(tzinfo=None).isoformat(), **_zone(value)}


def _time(value: dt.time) -> Any:
    return {MARK: "time", "v": value.replace(tzinfo=None).isoformat(), **_zone(value)}


def _zone(value: dt.datetime | dt.time) -> dict[str, Any]:
    """The time zone, by name or by how far it is ahead, and which of two equal hours is meant."""
    zone = value.tzinfo
    told: dict[str, Any] = {"fold": 1} if value.fold else {}
    if zone is None:
        return told
    if type(zone) is ZoneInfo and zone.key is not None:
        return {**told, "zone": zone.key}
    if type(zone) is dt.timezone:
        ahead = zone.utcoffset(None)
        return {**told, "ahead": [ahead.days, ahead.seconds, ahead.microseconds]}
    raise _RefusedError(f"its time zone is a `{_name(type(zone))}`")


def _duration(value: dt.timedelta) -> Any:
    return {MARK: "timedelta", "v": [value.days, value.seconds, value.microseconds]}


def _path(value: PurePath) -> Any:
    return {MARK: "path", "kind": type(value).__name__, "v": str(value)}


_SIMPLE: dict[type, Callable[[Any], Any]] = {
    int: _integer,
    float: _float,
    bytes: lambda value: {MARK: "bytes", "v": b64encode(value).decode()},
    bytearray: lambda value: {MARK: "bytearray", "v": b64encode(value).decode()},
    dt.datetime: _datetime,
    dt.date: lambda value: {MARK: "date", "v": value.isoformat()},
    dt.time: _time,
    dt.timedelta: _duration,
    Decimal: lambda value: {MARK: "decimal", "v": str(value)},
    UUID: lambda value: {MARK: "uuid", "v": str(value)},
    PosixPath: _path,
    WindowsPath: _path,
    PurePosixPath: _path,
    PureWindowsPath: _path,
}


def _path_of(kind: type) -> str:
    path = class_path(kind)
    if path is None:
        raise _RefusedError(
            f"its class `{_name(kind)}` could not be found again; "
            "define it at the top of a module, under its own name"
        )
    return path


def _name(kind: type) -> str:
    return f"{kind.__module__}.{kind.__qualname__}"


def _shown(key: Any) -> str:
    try:
        return repr(key)[:80]
    except Exception:
        return f"a {_name(type(key))}"
