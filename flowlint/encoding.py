"""Which encoding a text of Python states, in the way in which Python itself looks for it."""

from __future__ import annotations

import re

_COOKIE = re.compile(rb"[ \t\f]*#[^\r\n]*?coding[:=][ \t]*([-\w.]+)")
_BLANK = re.compile(rb"[ \t\f]*(?:#[^\r\n]*)?(?:\r\n?|\n|\Z)")
_PROBE = "# coding"


def stated_encoding(data: bytes) -> tuple[str | None, int]:
    """The encoding that one of the first two lines states (PEP 263), and the line.

    Lines end with `\\n`, `\\r\\n` or `\\r`; a mark of UTF-8 has to be taken off before.
    """
    if b"coding" not in data[:1000]:
        return None, 1
    start = 0
    for line in (1, 2):
        match = _COOKIE.match(data, start)
        if match is not None:
            return match.group(1).decode("ascii", "replace"), line
        blank = _BLANK.match(data, start)
        if blank is None:
            break
        start = blank.end()
    return None, 1


def is_utf8(encoding: str) -> bool:
    """Whether this is one of the names of UTF-8."""
    return encoding.lower().replace("_", "-") in ("utf-8", "utf8")


def is_usable(encoding: str) -> bool:
    """Whether Python knows this encoding and can read its own words in it."""
    try:
        return _PROBE.encode("ascii").decode(encoding) == _PROBE
    except (LookupError, ValueError, TypeError, AttributeError):
        return False
