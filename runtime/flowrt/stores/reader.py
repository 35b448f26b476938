"""Reading a SQLite file without ever writing, so that one on a read-only disk can be read, too.

SQLite makes side files even to read a database that has a write-ahead log, unless it is told
that nobody writes. That is so where there is no log beside it; it is looked at again after each
question.
"""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from threading import Lock
from typing import Any
from urllib.parse import quote

from flowrt.errors import FlowError

VERSION = 1
"""The form of the tables, as SQLite keeps it."""

Values = tuple[Any, ...]

_Look = tuple[int, int, int]

unchanging = Lock()
"""Held while a file is read as one that nobody writes: this process must not begin to meanwhile.

When such a reader closes the file, the system takes back all locks that the process has on it.
"""


class Reader:
    """Asks a database file that may be written by others, or not be there."""

    def __init__(self, path: str, timeout: float) -> None:
        self._path = path
        self._timeout = timeout
        self._beside_log: sqlite3.Connection | None = None

    def rows(self, statement: str, values: Values) -> list[Values]:
        """All rows that a question gives, none where there is no database."""
        while True:
            before = self._look()
            if before is None:
                return []
            if os.path.exists(f"{self._path}-wal"):
                if self._beside_log is None:
                    self._beside_log = self._opened("mode=ro")
                return self._answer(self._beside_log, statement, values)
            self.close()
            with unchanging, closing(self._opened("mode=ro&immutable=1")) as connection:
                try:
                    found = self._answer(connection, statement, values)
                except sqlite3.Error:
                    if self._look() == before:
                        raise
                    continue
            if self._look() == before:
                return found

    def _look(self) -> _Look | None:
        """What tells whether the file was written to; None when there is none."""
        try:
            held = os.stat(self._path)
        except (FileNotFoundError, NotADirectoryError):
            return None
        return held.st_ino, held.st_mtime_ns, held.st_size

    def _opened(self, how: str) -> sqlite3.Connection:
        return sqlite3.connect(
            f"file:{quote(os.path.abspath(self._path))}?{how}",
            uri=True,
            timeout=self._timeout,
            isolation_level=None,
            check_same_thread=False,
        )

    def _answer(
        self, connection: sqlite3.Connection, statement: str, values: Values
    ) -> list[Values]:
        if version_of(connection, self._path) == 0:
            return []
        return connection.execute(statement, values).fetchall()

    def close(self) -> None:
        """Close what is open; the next question opens it again."""
        connection, self._beside_log = self._beside_log, None
        if connection is not None:
            connection.close()


def version_of(connection: sqlite3.Connection, path: str) -> int:
    """The form of the tables in a database, 0 where there are none. Raises FlowError for one
    that is not known yet."""
    version = int(connection.execute("PRAGMA user_version").fetchone()[0])
    if version > VERSION:
        raise FlowError(f"{path} was written by a later version")
    return version
