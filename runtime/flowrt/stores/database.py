"""The connection to a SQLite file: opened when needed, let go of before a fork.

A connection must not be carried into a forked child: the child would believe in locks that
only its parent has, and the database can be damaged. So none is open while a process forks;
parent and child each open their own when they next need one.
"""

from __future__ import annotations

import os
import sqlite3
from contextlib import suppress
from time import monotonic, sleep
from weakref import WeakSet

from flowrt.errors import FlowError
from flowrt.stores import files
from flowrt.stores.reader import VERSION, Reader, Values, unchanging, version_of

# Small pages: an append writes one page to the log. `events.id` is the run's number and, in the
# lower 32 bits, the event's: one tree and no index to keep, and a run's events lie together.
_TABLES = """
CREATE TABLE IF NOT EXISTS runs (
    number INTEGER PRIMARY KEY, run_id TEXT NOT NULL UNIQUE, created_at REAL NOT NULL,
    manifest TEXT NOT NULL, definition TEXT NOT NULL, input TEXT NOT NULL);
CREATE INDEX IF NOT EXISTS runs_by_time ON runs (created_at, run_id);
CREATE TABLE IF NOT EXISTS events (id INTEGER PRIMARY KEY, line TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS artifacts (
    run INTEGER NOT NULL, name TEXT NOT NULL, content BLOB NOT NULL, PRIMARY KEY (run, name));
CREATE TABLE IF NOT EXISTS live (run INTEGER PRIMARY KEY, live TEXT NOT NULL);
CREATE VIEW IF NOT EXISTS trace AS
    SELECT runs.run_id, events.id & 4294967295 AS seq,
           json_extract(line, '$.type') AS type, json_extract(line, '$.node') AS node, line
    FROM events JOIN runs ON runs.number = events.id >> 32;
"""


class Database:
    """A database file of runs: made when first written to, and left as it is by reading.

    Raises FlowError when it cannot be used.
    """

    def __init__(self, path: str, *, full: bool, timeout: float) -> None:
        self.path = path
        self.connection: sqlite3.Connection | None = None
        """None before it is written to, and after a fork."""
        self._reader = Reader(path, timeout)
        self._full = full
        self._timeout = timeout
        self._closed = False

    def connect(self) -> sqlite3.Connection:
        """The open connection that can write; the file is made when missing."""
        if self.connection is not None:
            return self.connection
        if self._closed:
            raise FlowError(f"the store {self.path} was closed")
        self._reader.close()
        try:
            files.private_folder(os.path.dirname(os.path.abspath(self.path)))
            with unchanging:
                connection = self._opened()
        except OSError as error:
            raise FlowError(f"{self.path} cannot be opened: {error}") from error
        except sqlite3.Error as error:
            raise FlowError(f"{self.path}: {error}") from error
        self.connection = connection
        _connected.add(self)
        return connection

    def _opened(self) -> sqlite3.Connection:
        # Made first, so that it is the owner's alone; SQLite copies this to its side files. One
        # that is there must not be opened: closing it would give back the locks of this process.
        with suppress(FileExistsError):
            os.close(os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600))
        connection = sqlite3.connect(
            self.path, timeout=self._timeout, isolation_level=None, check_same_thread=False
        )
        try:
            self._prepare(connection)
        except BaseException:
            connection.close()
            raise
        return connection

    def _prepare(self, connection: sqlite3.Connection) -> None:
        version = version_of(connection, self.path)
        connection.execute(f"PRAGMA synchronous = {'FULL' if self._full else 'NORMAL'}")
        # Moving the log into the database waits for the disk; done rarely, it costs little.
        connection.execute("PRAGMA wal_autocheckpoint = 16000")
        if version < VERSION:
            connection.execute("PRAGMA page_size = 1024")
            self._write_ahead(connection)
            connection.executescript(
                f"BEGIN IMMEDIATE; {_TABLES} PRAGMA user_version = {VERSION}; COMMIT;"
            )

    def _write_ahead(self, connection: sqlite3.Connection) -> None:
        """Keep a log beside the file. Where others do the same, SQLite does not wait by itself."""
        end = monotonic() + self._timeout
        while True:
            try:
                connection.execute("PRAGMA journal_mode = WAL")
                return
            except sqlite3.OperationalError:
                if monotonic() > end:
                    raise
                sleep(0.01)

    def execute(self, statement: str, values: Values = ()) -> int:
        """Write by one statement, which commits by itself; the number of rows it changed."""
        try:
            return self.connect().execute(statement, values).rowcount
        except sqlite3.Error as error:
            raise FlowError(f"{self.path}: {error}") from error

    def rows(self, statement: str, values: Values = ()) -> list[Values]:
        """All rows that a question gives; none where there is no database yet."""
        if self._closed:
            raise FlowError(f"the store {self.path} was closed")
        try:
            if self.connection is not None:
                return self.connection.execute(statement, values).fetchall()
            _connected.add(self)
            return self._reader.rows(statement, values)
        except sqlite3.Error as error:
            raise FlowError(f"{self.path}: {error}") from error

    def let_go(self) -> None:
        """Close the connections; the next use opens others."""
        connection, self.connection = self.connection, None
        _connected.discard(self)
        self._reader.close()
        if connection is not None:
            connection.close()

    def close(self) -> None:
        """Close the database for good."""
        self._closed = True
        self.let_go()


_connected: WeakSet[Database] = WeakSet()


def _before_fork() -> None:
    for database in list(_connected):
        database.let_go()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=_before_fork)
