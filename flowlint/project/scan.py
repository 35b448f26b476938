"""Sifting: which files can hold a flow at all, decided from their raw bytes."""

from __future__ import annotations

import marshal
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from flowlint.dialects.needles import DATA_NEEDLES, NAMED_NEEDLES, NEEDLES, SCRIPT_NEEDLES
from flowlint.project.discovery import Problem, unreadable
from flowlint.project.workers import spread
from flowlint.suffixes import DATA_FLOW_SUFFIXES, DATA_SUFFIXES, FLOW_SUFFIXES, SCRIPT_SUFFIXES

_SPREAD_FROM = 500
"""Files from which on forking costs less than it saves."""

_PART = 100
"""Files in one task of a worker."""

_WIDE_MARKS = (b"\xff\xfe", b"\xfe\xff", b"\0\0\xfe\xff")
"""How texts begin that are written in UTF-16 or UTF-32."""

_LARGE_SCRIPT = 1_000_000
"""Bytes from which on a script is one that a bundler wrote."""

_LONG_LINE = 20_000
"""Bytes of a line that nobody writes by hand."""

Reads = Callable[[bytearray, str], int]
"""Reads a file to the front of a buffer and gives its length."""

_BUFFER = 1 << 18
"""Bytes that most files fit in."""

_Part = tuple[list[tuple[int, int]], list[tuple[int, str]]]


@dataclass(frozen=True, slots=True)
class Sifted:
    """Files that may hold a flow, the largest first, and those that could not be read."""

    candidates: tuple[str, ...]
    problems: tuple[Problem, ...]

    @property
    def unread(self) -> frozenset[str]:
        """The files that could not be read."""
        return frozenset(one.path for one in self.problems if one.path is not None)


Rows = Sequence[tuple[bytes, ...]]
"""Needles of systems that settings declare, in rows as those of the dialects."""


def may_hold_flow(
    data: bytes | bytearray, path: str = "", length: int | None = None, more: Rows = ()
) -> bool:
    """Whether these bytes, or the first `length`, can be of a file in which a dialect finds any.

    `more` are needles for files of Python besides those of the dialects.
    """
    end = len(data) if length is None else length
    rows = [*NEEDLES, *more] if more else NEEDLES
    if path.endswith(DATA_SUFFIXES):
        rows = DATA_NEEDLES
        if path.endswith(DATA_FLOW_SUFFIXES):
            rows = [*rows, *NAMED_NEEDLES]
    elif path.endswith(SCRIPT_SUFFIXES):
        if _is_bundle(data, path, end):
            return False
        rows = SCRIPT_NEEDLES
        if path.endswith(FLOW_SUFFIXES):
            rows = [*rows, *NAMED_NEEDLES]
    absent = b""
    for row in rows:
        if row[0] == absent:
            continue
        for needle in row:
            if data.find(needle, 0, end) < 0:
                absent = needle
                break
        else:
            return True
    # No needle is found in text that nobody reads so; that is told instead.
    if not data.startswith(_WIDE_MARKS, 0, end):
        return False
    if path.endswith(DATA_SUFFIXES):
        # The letters of needles stand there with a byte of 0 before or behind them.
        return may_hold_flow(bytes(data[2:end]).replace(b"\0", b""), path)
    return path.endswith(".py")


def _is_bundle(data: bytes | bytearray, path: str, end: int) -> bool:
    """Whether a script was put together by a program, unless its name says that it is a flow."""
    if end <= _LONG_LINE or "flow" in os.path.basename(path).lower():
        return False
    if end > _LARGE_SCRIPT:
        return True
    at = 0
    while end - at > _LONG_LINE:
        # The last end of a line within what one line may hold.
        found = data.rfind(b"\n", at, at + _LONG_LINE + 1)
        if found < 0:
            return True
        at = found + 1
    return False


def sift(
    files: Sequence[str],
    read: Reads,
    jobs: int,
    on_first: Callable[[Sequence[str]], None] = lambda _: None,
    more: Rows = (),
) -> Sifted:
    """Read all `files` and keep those that may hold a flow, by `more` than the usual needles.

    `on_first` is given the first candidates, once, as soon as they are known, while other
    processes go on reading: the time to import what they need.
    """
    found: list[tuple[int, int]] = []
    failed: list[tuple[int, str]] = []
    for candidates, problems in _parts(files, read, jobs, more):
        if candidates and not found:
            on_first([files[index] for index, _ in candidates])
        found.extend(candidates)
        failed.extend(problems)
    found.sort(key=lambda candidate: (-candidate[1], candidate[0]))
    return Sifted(
        tuple(files[index] for index, _ in found),
        tuple(Problem(files[index], message) for index, message in sorted(failed)),
    )


def _parts(files: Sequence[str], read: Reads, jobs: int, more: Rows) -> Iterator[_Part]:
    if jobs < 2 or len(files) < _SPREAD_FROM:
        yield _sift_part(files, range(len(files)), read, more)
        return
    step = max(_PART, len(files) // 10_000)
    starts = range(0, len(files), step)

    def work(task: int) -> bytes:
        stop = min(starts[task] + step, len(files))
        return marshal.dumps(_sift_part(files, range(starts[task], stop), read, more))

    done = 0
    for _, result in spread(len(starts), work, jobs):
        done += 1
        yield marshal.loads(result)
    if done < len(starts):
        raise RuntimeError("a process that read files was killed; try again with -j 1")


def _sift_part(files: Sequence[str], indexes: Iterable[int], read: Reads, more: Rows) -> _Part:
    found: list[tuple[int, int]] = []
    failed: list[tuple[int, str]] = []
    buffer = bytearray(_BUFFER)
    for index in indexes:
        try:
            length = read(buffer, files[index])
        except OSError as error:
            failed.append((index, unreadable(files[index], error).message))
            continue
        if may_hold_flow(buffer, files[index], length, more):
            found.append((index, length))
    return found, failed
