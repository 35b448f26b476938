"""Unsaved texts over the files of the disk, as bytes that the languages can read."""

from __future__ import annotations

import json
from dataclasses import dataclass

from flowlint.encoding import is_usable, stated_encoding


def encoded(path: str, text: str) -> bytes:
    """A text as the bytes that its file would hold, in the encoding that Python code states."""
    if path.endswith(".py") and "coding" in text[:1000]:
        stated, _ = stated_encoding(text[:2000].encode("utf-8", "surrogatepass"))
        if stated is not None and is_usable(stated):
            try:
                return text.encode(stated)
            except (LookupError, UnicodeError):
                pass
    return text.encode("utf-8", "surrogatepass")


def decoded(path: str, data: bytes) -> str:
    """The text that was encoded as the bytes of a file."""
    if path.endswith(".py"):
        stated, _ = stated_encoding(data)
        if stated is not None and is_usable(stated):
            try:
                return data.decode(stated)
            except (LookupError, UnicodeError):
                pass
    return data.decode("utf-8", "surrogatepass")


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell of a notebook: the URI of its text, and the text where it is code."""

    uri: str
    code: str | None


def notebook(cells: list[Cell]) -> bytes:
    """A notebook of these cells, as the file that a notebook is kept in."""
    listed: list[dict[str, object]] = [
        {
            "cell_type": "markdown" if cell.code is None else "code",
            "metadata": {},
            "source": cell.code or "",
            **({} if cell.code is None else {"outputs": [], "execution_count": None}),
        }
        for cell in cells
    ]
    whole = {"cells": listed, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
    return json.dumps(whole).encode()
