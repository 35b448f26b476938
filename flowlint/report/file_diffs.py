"""What becomes of files, as patches that other tools can apply."""

from __future__ import annotations

import difflib
from collections.abc import Iterator


def patch(path: str, before: bytes, after: bytes) -> Iterator[bytes]:
    """The lines of a unified diff, with their own line ends."""
    name = path.removeprefix("./").encode("utf-8", "surrogateescape")
    lines = difflib.diff_bytes(
        difflib.unified_diff,
        _lines(before),
        _lines(after),
        b"a/" + name,
        b"b/" + name,
    )
    for line in lines:
        yield line if line.endswith(b"\n") else line + b"\n\\ No newline at end of file\n"


def _lines(data: bytes) -> list[bytes]:
    lines = [line + b"\n" for line in data.split(b"\n")]
    lines[-1] = lines[-1].removesuffix(b"\n")
    return lines if lines[-1] else lines[:-1]
