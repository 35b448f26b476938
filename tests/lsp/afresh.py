"""A program that checks texts afresh: every text in a process of its own that has seen no other.

It reads pickled (folder, texts by path) from standard input and answers with what is found in each
of the texts, with places as editors count them.
"""

from __future__ import annotations

import os
import pickle
import struct
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import BinaryIO

Told = tuple[str, int, tuple[int, int], tuple[int, int], str]
_SEVERITIES = {"error": 1, "warning": 2, "info": 3}


class Afresh:
    """The program, from outside."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, __file__], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )

    def found(self, folder: Path, texts: Mapping[str, str]) -> dict[str, list[Told]]:
        """What is found in each of the texts, which lie over the files of a folder."""
        assert self._process.stdin is not None and self._process.stdout is not None
        _send(self._process.stdin, (str(folder), dict(texts)))
        answer: dict[str, list[Told]] = _receive(self._process.stdout)
        return answer

    def close(self) -> None:
        """End it."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait()


def _send(stream: BinaryIO, what: object) -> None:
    data = pickle.dumps(what)
    stream.write(struct.pack(">I", len(data)) + data)
    stream.flush()


def _receive(stream: BinaryIO) -> object:
    head = stream.read(4)
    if len(head) < 4:
        raise EOFError
    return pickle.loads(stream.read(struct.unpack(">I", head)[0]))


def _check(folder: str, texts: dict[str, str]) -> dict[str, list[Told]]:
    from flowlint.check import Options, check
    from flowls.session.texts import encoded

    overlay = {path: encoded(path, text) for path, text in texts.items()}
    result = check([folder], Options(jobs=1, overlay=overlay))
    found: dict[str, list[Told]] = {path: [] for path in texts}
    lines = {path: text.split("\n") for path, text in texts.items()}
    for one in result.findings:
        if one.span.path in found:
            start = _place(lines[one.span.path], one.span.line, one.span.column)
            end = _place(lines[one.span.path], one.span.end_line, one.span.end_column)
            told = (one.code, _SEVERITIES[one.severity], start, end, one.message)
            found[one.span.path].append(told)
    return {path: sorted(told) for path, told in found.items()}


def _place(lines: list[str], line: int, column: int) -> tuple[int, int]:
    text = lines[line - 1] if line <= len(lines) else ""
    return line - 1, len(text[: column - 1].encode("utf-16-le", "surrogatepass")) // 2


def _serve() -> None:
    from flowlint.pipeline import load

    load(["flow.py", "flow.ts"])
    while True:
        try:
            folder, texts = _receive(sys.stdin.buffer)
        except EOFError:
            return
        reader, writer = os.pipe()
        child = os.fork()
        if not child:
            with os.fdopen(writer, "wb") as stream:
                pickle.dump(_check(folder, texts), stream)
            os._exit(0)
        os.close(writer)
        with os.fdopen(reader, "rb") as stream:
            found = stream.read()
        os.waitpid(child, 0)
        _send(sys.stdout.buffer, pickle.loads(found))


if __name__ == "__main__":
    _serve()
