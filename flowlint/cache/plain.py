"""Files that are known to hold no flow, as long as they are not written to.

Most files of most projects are such files. That they are the same is told by what the file system
says of them, as git does; a file that was written a moment ago may be written to again without
that showing, so it is not remembered before it has had time to rest.
"""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Collection, Iterable, Sequence

from flowlint.cache.records import read_record, write_record
from flowlint.findings.model import digest_of

State = tuple[int, int, int, int]
"""When a file was written and changed, in nanoseconds, its bytes, and its number."""

REST = 2 * 10**9
"""Nanoseconds after which two writes surely differ in time, also on coarse file systems."""

_FROM = 50
"""Files from which on remembering them costs less than reading them."""


class PlainFiles:
    """Remembers for one way of asking which files hold no flow.

    `more` is what is looked for in them besides what all flowlints look for.
    """

    def __init__(
        self, folder: str, paths: Sequence[str], more: Sequence[tuple[bytes, ...]] = ()
    ) -> None:
        rows = [repr(list(more))] if more else []
        asked = "\0".join((os.getcwd(), *rows, *paths)).encode(errors="surrogateescape")
        self._file = os.path.join(folder, f"{digest_of(asked)}.json")
        self._states: dict[str, State | None] = {}
        self._known: dict[str, State] | None = None
        self._now = time.time_ns()

    def unknown(self, files: Sequence[str]) -> Sequence[str]:
        """Those of `files` that have to be looked at."""
        if len(files) < _FROM:
            return files
        self._known = _read(self._file)
        known = self._known.get
        states = self._states
        for path in files:
            states[path] = _state(path)
        return [path for path in files if (state := states[path]) is None or known(path) != state]

    def remember(self, files: Iterable[str], but: Collection[str]) -> None:
        """Take all `files` for plain except some. Never raises."""
        if self._known is None:
            return
        newest = self._now - REST
        plain = {
            path: state
            for path in files
            if path not in but
            and (state := self._states[path]) is not None
            and max(state[0], state[1]) < newest
        }
        if plain == self._known:
            return
        rows = [list(plain), [number for state in plain.values() for number in state]]
        with contextlib.suppress(OSError):
            write_record(self._file, rows)


def _state(path: str) -> State | None:
    try:
        state = os.stat(path)
    except OSError:
        return None
    return (state.st_mtime_ns, state.st_ctime_ns, state.st_size, state.st_ino)


def _read(file: str) -> dict[str, State]:
    try:
        paths, numbers = read_record(file) or ((), ())
        each = iter(numbers)
        return dict(zip(paths, zip(each, each, each, each, strict=True), strict=True))
    except (TypeError, ValueError):
        return {}
