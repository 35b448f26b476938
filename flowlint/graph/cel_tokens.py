"""The words, signs and constants of CEL, the expression language of guards.

They are those of https://github.com/google/cel-spec/blob/master/doc/langdef.md.
"""

from __future__ import annotations

import re
import sys
from math import isinf

_INTS = range(-(2**63), 2**63)
_UINTS = range(2**64)
_MOST_DIGITS = 400
_INNER = r"(?:[^\\]|\\.)*?"
_STRING = (
    rf"""'{{3}}{_INNER}'{{3}}|"{{3}}{_INNER}"{{3}}|'(?:[^'\\\r\n]|\\.)*'|"(?:[^"\\\r\n]|\\.)*\""""
)
_RAW = r"""'{3}[\s\S]*?'{3}|"{3}[\s\S]*?"{3}|'[^'\r\n]*'|"[^"\r\n]*\""""
_TOKEN = re.compile(
    rf"""(?P<space>(?:[ \t\n\f\r]|//[^\n]*)+)
    |(?P<raw>(?:[bB]?[rR])(?:{_RAW}))
    |(?P<bytes>[bB](?:{_STRING}))
    |(?P<string>{_STRING})
    |(?P<float>\d+\.\d+(?:[eE][+-]?\d+)?|\d+[eE][+-]?\d+|\.\d+(?:[eE][+-]?\d+)?)
    |(?P<int>(?:0x[0-9a-fA-F]+|\d+)[uU]?)
    |(?P<name>[_a-zA-Z][_a-zA-Z0-9]*)
    |(?P<sign>&&|\|\||[<>=!]=|[-+*/%<>!?:.,()\[\]{{}}])""",
    re.VERBOSE | re.DOTALL | re.ASCII,
)


class CelError(Exception):
    """The text is no CEL expression. `offset` is where that shows."""

    def __init__(self, message: str, offset: int) -> None:
        super().__init__(message)
        self.message = message
        self.offset = offset


Token = tuple[str, str, int]
"""What kind of thing stands where: `name`, `sign`, `string`, `raw`, `bytes`, `int` or `float`."""


def tokens_of(text: str) -> list[Token]:
    """All that an expression is made of. Raises CelError."""
    found_all: list[Token] = []
    offset = 0
    while offset < len(text):
        found = _TOKEN.match(text, offset)
        if found is None or found.lastgroup is None:
            is_open = text[offset] in "'\""
            fault = "this text is never closed" if is_open else f"`{text[offset]}` means nothing"
            raise CelError(fault, offset)
        if found.lastgroup != "space":
            found_all.append((found.lastgroup, found[0], offset))
        offset = found.end()
    return found_all


def number_of(kind: str, digits: str, offset: int) -> int | float | None:
    """A number; None for one without a sign, which is of another type. Raises CelError."""
    if len(digits) > _MOST_DIGITS:
        raise CelError("this number has too many digits", offset)
    if kind == "float":
        number = float(digits)
        if isinf(number):
            raise CelError("this number is too large", offset)
        return number
    is_unsigned = digits[-1] in "uU"
    plain = digits[:-1] if is_unsigned else digits
    whole = int(plain, 16) if "x" in plain else int(plain)
    if whole not in (_UINTS if is_unsigned else _INTS):
        raise CelError("this number is too large", offset)
    return None if is_unsigned else whole


def raw_of(text: str) -> str:
    """What a text without escapes says."""
    body = text.lstrip("rRbB")
    width = 3 if body[:3] in ("'''", '"""') else 1
    return body[width:-width]


_ESCAPE = re.compile(
    r"""\\(?:([abfnrtv\\?"'`])|[xX]([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})
    |([0-3][0-7]{2})|(?P<wrong>.))""",
    re.VERBOSE | re.DOTALL,
)
_LETTERS = dict(zip("abfnrtv", "\a\b\f\n\r\t\v", strict=True))


def text_of(text: str, offset: int) -> str:
    """What a text with escapes says. Raises CelError."""
    width = 3 if text[:3] in ("'''", '"""') else 1

    def unescaped(found: re.Match[str]) -> str:
        plain, *hexadecimal, octal, wrong = found.groups()
        if wrong is not None:
            raise CelError(f"`\\{wrong}` means nothing in a text", offset)
        if plain is not None:
            return _LETTERS.get(plain, plain)
        digits = next((code for code in hexadecimal if code is not None), None)
        code = int(digits, 16) if digits is not None else int(octal, 8)
        if code > sys.maxunicode or 0xD800 <= code < 0xE000:
            raise CelError("this text holds a character that there is not", offset)
        return chr(code)

    return _ESCAPE.sub(unescaped, text[width:-width])
