"""Numbers and texts as they are written."""

from __future__ import annotations

import re

_ESCAPE = re.compile(r"\\(?:u\{([0-9A-Fa-f]+)\}|u([0-9A-Fa-f]{4})|x([0-9A-Fa-f]{2})|(\r\n|[\s\S]))")
_PLAIN = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "v": "\v", "0": "\0"}
_LINE_ENDS = frozenset({"\n", "\r", "\r\n", "\u2028", "\u2029"})
_MAX_SAFE = 2**53


def unescaped(text: str) -> str:
    """A text with its escapes resolved. Surrogates that make a pair become one character."""
    if "\\" not in text:
        return text
    found = _ESCAPE.sub(_escaped, text)
    if any("\ud800" <= character <= "\udfff" for character in found):
        return found.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return found


def _escaped(match: re.Match[str]) -> str:
    wide, four, two, other = match.groups()
    if wide is not None:
        code = int(wide, 16)
        return chr(code) if code <= 0x10FFFF else "\ufffd"
    if four is not None or two is not None:
        return chr(int(four or two, 16))
    return "" if other in _LINE_ENDS else _PLAIN.get(other, other)


def number_of(text: str) -> int | float | None:
    """The number that a literal stands for, whole ones as int; None for what is none."""
    text = text.replace("_", "").lower()
    if text.endswith("n"):
        text = text[:-1]
    try:
        if text[:2] in ("0x", "0o", "0b"):
            return int(text, 0)
        if len(text) > 1 and text[0] == "0" and text.isdigit():
            return int(text, 8) if not {"8", "9"} & set(text) else int(text)
        return whole(float(text))
    except (ValueError, OverflowError):
        return None


def whole(number: float) -> int | float:
    """A number as int where it is a whole one that stands for itself."""
    if isinstance(number, float) and number.is_integer() and abs(number) <= _MAX_SAFE:
        return int(number)
    return number
