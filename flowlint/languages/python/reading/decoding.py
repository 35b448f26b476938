"""Bytes become text the way Python would do it, but never fail."""

from __future__ import annotations

import re
from dataclasses import dataclass

from flowlint.encoding import is_usable, is_utf8, stated_encoding
from flowlint.languages.python.reading.module import SyntaxFault
from flowlint.source import Span

_BOM = b"\xef\xbb\xbf"
_WIDE = (
    (b"\xff\xfe\0\0", "UTF-32"),
    (b"\0\0\xfe\xff", "UTF-32"),
    (b"\xff\xfe", "UTF-16"),
    (b"\xfe\xff", "UTF-16"),
)
_NEWLINE = re.compile(rb"\r\n?|\n")
_UNDECODED = re.compile("[\udc80-\udcff]")
_SURROGATE = re.compile("[\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class Decoded:
    """The text of a file, with newlines as `\\n`, and what was wrong with its bytes."""

    text: str
    faults: tuple[SyntaxFault, ...] = ()


def decode(path: str, data: bytes) -> Decoded:
    """Decode by byte order mark, coding cookie or else UTF-8; what is wrong becomes a fault."""
    faults: list[SyntaxFault] = []
    wide = next((name for mark, name in _WIDE if data.startswith(mark)), None)
    if wide is not None:
        message = f"the file is written in {wide}, which Python refuses: save it as UTF-8"
        faults.append(SyntaxFault(_line_start(path, 1), message))
        text = data.decode(wide, "replace")
    else:
        text = _decode_bytes(path, data, faults)
    text = normalise(text)
    if "\0" in text:
        before = text[: text.index("\0")]
        span = _after(path, before)
        faults.append(SyntaxFault(span, "source code cannot contain null bytes"))
        text = text.replace("\0", " ")
    return Decoded(text, tuple(faults))


def normalise(text: str) -> str:
    """Every newline is `\\n`, and nothing is left that cannot be encoded again."""
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    if text.isascii():
        return text
    return _SURROGATE.sub("\ufffd", text)


def _decode_bytes(path: str, data: bytes, faults: list[SyntaxFault]) -> str:
    marked = data.startswith(_BOM)
    if marked:
        data = data[len(_BOM) :]
    encoding, line = stated_encoding(data)
    if encoding is None or is_utf8(encoding):
        return _decode_utf8(path, data, faults)
    if marked:
        message = f"the file starts with a UTF-8 mark but declares {encoding}"
        faults.append(SyntaxFault(_line_start(path, line), message))
        return _decode_utf8(path, data, faults)
    try:
        if not is_usable(encoding):
            raise LookupError
        try:
            return data.decode(encoding)
        except UnicodeDecodeError as error:
            byte = data[error.start : error.start + 1].hex()
            span = _line_start(path, _line_at(data, error.start))
            faults.append(SyntaxFault(span, f"byte 0x{byte} is not {encoding}"))
            return data.decode(encoding, "replace")
    except (LookupError, ValueError, TypeError, AttributeError):
        if not faults:
            faults.append(SyntaxFault(_line_start(path, line), f"unknown encoding: {encoding}"))
        return _decode_utf8(path, data, [])


def _decode_utf8(path: str, data: bytes, faults: list[SyntaxFault]) -> str:
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        span = _line_start(path, _line_at(data, error.start))
        message = f"byte {data[error.start]:#04x} is not UTF-8, and no encoding is declared"
        faults.append(SyntaxFault(span, message))
    # Mostly it is Latin-1, and then the names in the code stay names.
    text = data.decode("utf-8", "surrogateescape")
    return _UNDECODED.sub(lambda match: chr(ord(match.group()) - 0xDC00), text)


def _line_at(data: bytes, offset: int) -> int:
    return 1 + len(_NEWLINE.findall(data, 0, offset))


def _line_start(path: str, line: int) -> Span:
    return Span(path, line, 1, line, 1)


def _after(path: str, text: str) -> Span:
    line = text.count("\n") + 1
    column = len(text) - (text.rfind("\n") + 1) + 1
    return Span(path, line, column, line, column + 1)
