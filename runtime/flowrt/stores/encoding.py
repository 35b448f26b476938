"""JSON text as stores write it: compact, readable, and nothing that JSON does not have."""

from __future__ import annotations

import json
from collections.abc import Callable
from json import encoder
from typing import Any

from flowrt.errors import NotStorableError


def _refuse(value: object) -> object:
    kind = type(value)
    raise NotStorableError(f"a {kind.__module__}.{kind.__qualname__} cannot be written as JSON")


quote: Callable[[str], str] = encoder.encode_basestring
"""A text as JSON, with characters beyond ASCII as they are."""

_slow_encoder = json.JSONEncoder(
    ensure_ascii=False,
    separators=(",", ":"),
    allow_nan=False,
    check_circular=False,
    default=_refuse,
).encode


def _fast_encoder() -> Callable[[Any], str]:
    """The standard encoder makes its C part anew for every call; this one keeps it."""
    make = getattr(encoder, "c_make_encoder", None)
    if make is None:
        return _slow_encoder
    encode = make(None, _refuse, quote, None, ":", ",", False, False, False)

    def fast(value: Any) -> str:
        return "".join(encode(value, 0))

    return fast


_encode = _fast_encoder()


def dump(value: Any) -> str:
    """JSON text of a value, on one line. Raises NotStorableError when JSON has no such value."""
    try:
        return _encode(value)
    except NotStorableError:
        raise
    except RecursionError:
        raise NotStorableError("the value is nested too deeply, or contains itself") from None
    except (TypeError, ValueError) as error:
        raise NotStorableError(f"the value cannot be written as JSON: {error}") from error


def line_bytes(text: str) -> bytes:
    """The bytes of JSON text. A lone surrogate, which UTF-8 has not, becomes an escape."""
    try:
        return text.encode()
    except UnicodeEncodeError:
        return "".join(
            f"\\u{ord(char):04x}" if "\ud800" <= char <= "\udfff" else char for char in text
        ).encode()
