"""One file of the cache: JSON behind its own digest, written whole or not at all.

JSON and not pickle: a cache may come with a repository that somebody else wrote.
"""

from __future__ import annotations

import contextlib
import json
import os
from typing import Any

from flowlint.findings.model import digest_of
from flowlint.project.files import read_bytes


def read_record(path: str) -> Any:
    """The JSON that a file holds; None when it is missing, damaged or not ours."""
    try:
        data = read_bytes(path)
    except OSError:
        return None
    digest, _, text = data.partition(b"\n")
    if digest != digest_of(text).encode():
        return None
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def write_record(path: str, content: object) -> None:
    """Write a file so that whoever reads it at the same time finds the old one or the new one.

    Raises OSError.
    """
    text = json.dumps(content, separators=(",", ":")).encode()
    unfinished = f"{path}.{os.getpid()}.tmp"
    try:
        with open(unfinished, "wb") as file:
            file.write(digest_of(text).encode() + b"\n" + text)
        os.replace(unfinished, path)
    except OSError:
        with contextlib.suppress(OSError):
            os.unlink(unfinished)
        raise
