"""Edits become bytes: what lies outside of them stays as it is."""

from __future__ import annotations

import codecs
import re
from collections.abc import Sequence
from itertools import pairwise

from flowlint.encoding import is_usable, is_utf8, stated_encoding
from flowlint.project.notebook_edits import edited_notebook
from flowlint.source import Edit, Span

_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n|\Z)")
_NEWLINE = re.compile(r"\r\n|\r|\n")
_PYTHON = (".py", ".pyi", ".pyw")


class UneditableError(ValueError):
    """A file that cannot be edited; the message says why, for a sentence that names the file."""


def edited(path: str, data: bytes, edits: Sequence[Edit]) -> bytes:
    """The bytes of a file with edits made, which must not overlap. Raises UneditableError.

    New lines end as those of the file do.
    """
    ordered = in_order(edits)
    if path.endswith(".ipynb"):
        result = edited_notebook(data, ordered)
        if result is None:
            raise UneditableError("is no notebook of a kind that can be edited")
        return result
    mark = codecs.BOM_UTF8 if data.startswith(codecs.BOM_UTF8) else b""
    body = data[len(mark) :]
    encoding = _encoding(path, body, is_marked=bool(mark))
    try:
        text = body.decode(encoding)
        is_kept = text.encode(encoding) == body
    except (UnicodeError, LookupError):
        is_kept = False
    if not is_kept:
        raise UneditableError("is not written in the encoding that it states")
    try:
        return mark + edited_text(text, ordered).encode(encoding)
    except UnicodeError:
        raise UneditableError(f"cannot hold what is to be written in {encoding}") from None


def in_order(edits: Sequence[Edit]) -> list[Edit]:
    """Edits by their places, each once."""
    return sorted(dict.fromkeys(edits), key=lambda edit: (_start(edit.span), _end(edit.span)))


def overlap(first: Span, second: Span) -> bool:
    """Whether edits of two places, of which the first begins earlier, get in each other's way."""
    if (first.path, first.cell) != (second.path, second.cell):
        return False
    # Two texts put in at one place have no order of their own.
    return _end(first) > _start(second) or _start(first) == _start(second)


def edited_text(text: str, edits: Sequence[Edit]) -> str:
    """A text with edits made that are in order."""
    starts, lines = [0], []
    for found in _LINE.finditer(text):
        lines.append(found[0].rstrip("\r\n"))
        starts.append(found.end())
    ending = _NEWLINE.search(text)
    newline = ending[0] if ending else "\n"

    def offset(line: int, column: int) -> int:
        if line > len(lines):
            return len(text)
        return starts[line - 1] + min(column - 1, len(lines[line - 1]))

    pieces, at = [], 0
    for edit in edits:
        span = edit.span
        pieces.append(text[at : offset(span.line, span.column)])
        pieces.append(edit.new_text.replace("\n", newline))
        at = offset(span.end_line, span.end_column)
    return "".join(pieces) + text[at:]


def _encoding(path: str, body: bytes, *, is_marked: bool) -> str:
    stated = stated_encoding(body)[0] if path.endswith(_PYTHON) else None
    if stated is None or is_utf8(stated):
        return "utf-8"
    if is_marked:
        raise UneditableError(f"starts with a mark of UTF-8 and states {stated}")
    if not is_usable(stated):
        raise UneditableError("states an encoding that is not known")
    return stated


def _start(span: Span) -> tuple[str, int, int, int]:
    return (span.path, -1 if span.cell is None else span.cell, span.line, span.column)


def _end(span: Span) -> tuple[str, int, int, int]:
    return (span.path, -1 if span.cell is None else span.cell, span.end_line, span.end_column)


def have_overlap(edits: Sequence[Edit]) -> bool:
    """Whether some of the edits get in each other's way."""
    return any(overlap(first.span, second.span) for first, second in pairwise(in_order(edits)))
