"""Values made again from the JSON they were stored as."""

from __future__ import annotations

import datetime as dt
import pathlib
from base64 import b64decode
from collections.abc import Callable
from dataclasses import MISSING, fields, is_dataclass
from decimal import Decimal
from enum import Enum, Flag
from typing import Any
from uuid import UUID
from zoneinfo import ZoneInfo

from flowrt.errors import FlowError
from flowrt.stores.classes import find_class, is_record, is_stored_class, model_class

MARK = "$flowrt"
"""The key of an object that stands for something JSON has not."""

Stored = dict[str, Any]


def restore(value: Any) -> Any:
    """The value this JSON was made of. Raises FlowError when it is damaged."""
    try:
        return _restore(value) if _has_mark(value) else value
    except FlowError:
        raise
    except RecursionError:
        raise FlowError("a stored value is nested too deeply") from None
    except Exception as error:
        raise FlowError(f"a stored value is damaged: {type(error).__name__}: {error}") from error


def _has_mark(value: Any) -> bool:
    kind = type(value)
    if kind is dict:
        return MARK in value or any(
            _has_mark(item) for item in value.values() if type(item) in _HOLDERS
        )
    if kind is list:
        return any(_has_mark(item) for item in value if type(item) in _HOLDERS)
    return False


_HOLDERS = frozenset({dict, list})


def _restore(value: Any) -> Any:
    kind = type(value)
    if kind is dict:
        if MARK in value:
            maker = _MAKERS.get(value[MARK])
            if maker is None:
                raise FlowError(f"a stored value is of the unknown kind {value[MARK]!r}")
            return maker(value)
        return {key: _restore(item) for key, item in value.items()}
    if kind is list:
        return [_restore(item) for item in value]
    return value


def _mapping(stored: Stored) -> dict[Any, Any]:
    made: dict[Any, Any] = {}
    for item in stored["v"]:
        if isinstance(item, dict):
            ((key, value),) = item.items()
        else:
            key, value = item
            key = _restore(key)
        made[key] = _restore(value)
    return made


def _zone(stored: Stored) -> dt.tzinfo | None:
    if "zone" in stored:
        return ZoneInfo(stored["zone"])
    if "ahead" in stored:
        return dt.timezone(dt.timedelta(*stored["ahead"]))
    return None


def _datetime(stored: Stored) -> dt.datetime:
    value = dt.datetime.fromisoformat(stored["v"])
    return value.replace(tzinfo=_zone(stored), fold=stored.get("fold", 0))


def _time(stored: Stored) -> dt.time:
    value = dt.time.fromisoformat(stored["v"])
    return value.replace(tzinfo=_zone(stored), fold=stored.get("fold", 0))


_PATHS = ("PurePosixPath", "PureWindowsPath")


def _path(stored: Stored) -> pathlib.PurePath:
    kind = stored["kind"]
    pure: type[pathlib.PurePath] = getattr(pathlib, kind) if kind in _PATHS else pathlib.Path
    return pure(stored["v"])


def _member(stored: Stored) -> Any:
    kind = _expected(stored, lambda found: issubclass(found, Enum))
    name = stored["v"]
    if name not in kind.__members__:
        raise FlowError(f"the stored member `{name}` of `{stored['type']}` is no longer there")
    return kind.__members__[name]


def _flag(stored: Stored) -> Any:
    return _expected(stored, lambda found: issubclass(found, Flag))(_restore(stored["v"]))


def _record(stored: Stored) -> Any:
    kind = _expected(stored, is_record)
    values = [_restore(item) for item in stored["v"]]
    if len(values) != len(kind._fields):
        raise FlowError(f"a stored `{stored['type']}` has other fields than the class has now")
    return tuple.__new__(kind, values)


def _dataclass(stored: Stored) -> Any:
    kind = _expected(stored, lambda found: is_dataclass(found) and is_stored_class(found))
    held = {name: _restore(item) for name, item in stored["v"].items()}
    known = {field.name: field for field in fields(kind)}
    _check_known(stored, held, known)
    for name, field in known.items():
        if name in held:
            continue
        if field.default is not MISSING:
            held[name] = field.default
        elif field.default_factory is not MISSING:
            held[name] = field.default_factory()
        else:
            raise FlowError(f"a stored `{stored['type']}` lacks the field `{name}`")
    made = object.__new__(kind)
    for name, item in held.items():
        object.__setattr__(made, name, item)
    return made


def _model(stored: Stored) -> Any:
    model = model_class()
    kind = _expected(stored, lambda found: model is not None and issubclass(found, model))
    told = stored["v"]
    held = {name: _restore(item) for name, item in told["fields"].items()}
    given = set(told.get("set", held))
    known = kind.model_fields
    _check_known(stored, held, known)
    for name, field in known.items():
        if name in held:
            continue
        if field.is_required():
            raise FlowError(f"a stored `{stored['type']}` lacks the field `{name}`")
        held[name] = field.get_default(call_default_factory=True, validated_data=held)
    made = kind.__new__(kind)
    made.__setstate__(
        {
            "__dict__": {name: held[name] for name in known},
            "__pydantic_fields_set__": given,
            "__pydantic_extra__": _restore(told.get("extra")),
            "__pydantic_private__": _private(told.get("private")),
        }
    )
    return made


def _private(held: dict[str, Any] | None) -> dict[str, Any] | None:
    return None if held is None else {name: _restore(item) for name, item in held.items()}


def _expected(stored: Stored, fits: Callable[[type], bool]) -> Any:
    kind = find_class(stored["type"])
    if not fits(kind):
        raise FlowError(f"`{stored['type']}` is no {stored[MARK]} (any more)")
    return kind


def _check_known(stored: Stored, held: dict[str, Any], known: Any) -> None:
    strange = [name for name in held if name not in known]
    if strange:
        raise FlowError(f"a stored `{stored['type']}` has the unknown field `{strange[0]}`")


_MAKERS: dict[str, Callable[[Stored], Any]] = {
    "tuple": lambda stored: tuple(_restore(item) for item in stored["v"]),
    "set": lambda stored: {_restore(item) for item in stored["v"]},
    "frozenset": lambda stored: frozenset(_restore(item) for item in stored["v"]),
    "dict": _mapping,
    "int": lambda stored: int(stored["v"], 16),
    "float": lambda stored: float(stored["v"]),
    "bytes": lambda stored: b64decode(stored["v"], validate=True),
    "bytearray": lambda stored: bytearray(b64decode(stored["v"], validate=True)),
    "datetime": _datetime,
    "date": lambda stored: dt.date.fromisoformat(stored["v"]),
    "time": _time,
    "timedelta": lambda stored: dt.timedelta(*stored["v"]),
    "decimal": lambda stored: Decimal(stored["v"]),
    "uuid": lambda stored: UUID(stored["v"]),
    "path": _path,
    "enum": _member,
    "flag": _flag,
    "record": _record,
    "dataclass": _dataclass,
    "model": _model,
}
