"""Runs in one SQLite file.

Every event is one INSERT that commits by itself into the write-ahead log: it survives the
process when `append` returns, and with `sync="full"` the machine. The lock of a run is one byte
of the file `<db>.locks`, at the run's number; the system gives it back when the process dies.
"""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import Any, Literal

from flowrt.errors import FlowError, RunBusyError, RunNotFoundError
from flowrt.stores import files
from flowrt.stores.base import NO_SECRETS, Event, Json, Manifest, Trace
from flowrt.stores.database import Database
from flowrt.stores.encoding import line_bytes
from flowrt.stores.lines import check_next, ending, event_line, read_trace
from flowrt.stores.locks import ByteLock, byte_is_locked, lock_byte
from flowrt.stores.projections import (
    manifest_from,
    manifest_json,
    read_manifest,
    told_events,
)
from flowrt.stores.scrub import DEFAULT_SCRUBBER, Scrubber

_APPEND = "INSERT INTO events VALUES (?, ?)"
_BEGIN = (
    "INSERT INTO runs (number, run_id, created_at, manifest, definition, input) "
    "VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING"
)


class SqliteStore:
    """Keeps many runs in the database file `path`, which is made when the first run is.

    `sync` is what SQLite calls synchronous: `normal` loses the last events at most when the
    machine dies, `full` none. `timeout` is how many seconds to wait for other processes that
    write. A forked child may go on using the store, but not its parent's open runs. Methods
    raise FlowError when the database refuses.
    """

    def __init__(
        self,
        path: str | Path,
        *,
        sync: Literal["normal", "full"] = "normal",
        timeout: float = 30.0,
        scrubber: Scrubber = DEFAULT_SCRUBBER,
    ) -> None:
        self.path = os.fspath(path)
        self._scrubber = scrubber
        self._db = Database(self.path, full=sync == "full", timeout=timeout)

    def create(
        self, manifest: Manifest, definition: Json, run_input: Json, secrets: Json = NO_SECRETS
    ) -> SqliteLog:
        """Begin a run. Raises FlowError when the run exists, or its id is no name."""
        run_id = manifest.run_id
        files.check_run_id(run_id)
        scrubber = self._scrubber.for_run()
        scrubber.hide(secrets)
        parts = (dict(run_input), dict(definition), manifest_json(manifest))
        begun, defined, told = map(_stored, scrubber.encoded_together(parts))
        number, lock = self._begin(run_id, (run_id, manifest.created_at, told, defined, begun))
        return SqliteLog(self, self._db, manifest, number, lock, Trace(()), scrubber)

    def _begin(self, run_id: str, row: tuple[Any, ...]) -> tuple[int, ByteLock]:
        """Add the run under a number that is locked first: nobody opens it in between."""
        number = 0
        self._db.connect()
        while True:
            ((known,),) = self._db.rows("SELECT coalesce(max(number), 0) FROM runs")
            number = max(number, known) + 1
            try:
                lock = self._lock(run_id, number)
            except RunBusyError:
                continue
            try:
                if self._db.execute(_BEGIN, (number, *row)) == 1:
                    return number, lock
                if self._db.rows("SELECT 1 FROM runs WHERE run_id = ?", (run_id,)):
                    raise FlowError(f"run `{run_id}` exists already")
            except BaseException:
                lock.release()
                raise
            lock.release()

    def open(self, run_id: str) -> SqliteLog:
        """Open a run to go on with it. Raises RunNotFoundError or RunBusyError."""
        number = self._number(run_id)
        lock = self._lock(run_id, number)
        try:
            manifest = self.manifest(run_id)
            trace = self.trace(run_id)
            last = trace.events[-1].seq if trace.events else 0
            # What follows the last intact event is named in `lost` and makes room.
            self._db.execute(
                "DELETE FROM events WHERE id > ? AND id < ?",
                (_id(number, last), _id(number + 1, 0)),
            )
            scrubber = self._scrubber.for_run()
            return SqliteLog(self, self._db, manifest, number, lock, trace, scrubber)
        except BaseException:
            lock.release()
            raise

    def manifest(self, run_id: str) -> Manifest:
        """The manifest of a run; told from its trace when it is damaged."""
        return self._manifest(run_id, self._column(run_id, "manifest"))

    def definition(self, run_id: str) -> Json:
        """The definition the run was started with. Raises RunNotFoundError."""
        return self._mapping(run_id, "definition")

    def run_input(self, run_id: str) -> Json:
        """What the run was started with. Raises RunNotFoundError."""
        return self._mapping(run_id, "input")

    def trace(self, run_id: str) -> Trace:
        """The events of a run that are intact, and what is lost."""
        number = self._number(run_id)
        told = told_events(self._column(run_id, "manifest"), self._live(number))
        rows = self._db.rows(
            "SELECT id, line FROM events WHERE id > ? AND id < ? ORDER BY id",
            (_id(number, 0), _id(number + 1, 0)),
        )
        trace = read_trace((f"row {id_ & 0xFFFFFFFF}", line) for id_, line in rows)
        return ending(trace, told)

    def live(self, run_id: str) -> Json | None:
        """What was last said to be going on; None too when that is damaged."""
        try:
            live: Any = json.loads(self._live(self._number(run_id)) or "")
        except ValueError:
            return None
        return live if isinstance(live, dict) else None

    def _live(self, number: int) -> str | None:
        rows = self._db.rows("SELECT live FROM live WHERE run = ?", (number,))
        return rows[0][0] if rows else None

    def artifact(self, run_id: str, name: str) -> bytes:
        """The bytes of an artifact. Raises KeyError when it is not there or damaged."""
        return self._artifact(self._number(run_id), name)

    def is_open(self, run_id: str) -> bool:
        """Whether some process has the run open at this moment. Raises RunNotFoundError."""
        number = self._number(run_id)
        try:
            return byte_is_locked(self.path + ".locks", number)
        except OSError as error:
            raise FlowError(f"run `{run_id}` cannot be looked at: {error}") from error

    def runs(self) -> Iterator[Manifest]:
        """The manifests of all runs, newest first."""
        rows = self._db.rows(
            "SELECT run_id, manifest FROM runs ORDER BY created_at DESC, run_id DESC"
        )
        for run_id, manifest in rows:
            yield self._manifest(run_id, manifest)

    def close(self) -> None:
        """Close the database. Logs of runs are closed before."""
        self._db.close()

    def _manifest(self, run_id: str, text: str) -> Manifest:
        try:
            return read_manifest(json.loads(text))
        except ValueError:
            definition: Json = {}
            with suppress(FlowError):
                definition = self.definition(run_id)
            return manifest_from(run_id, definition, self.trace(run_id))

    def _lock(self, run_id: str, number: int) -> ByteLock:
        try:
            lock = lock_byte(self.path + ".locks", number)
        except OSError as error:
            raise FlowError(f"run `{run_id}` cannot be locked: {error}") from error
        if lock is None:
            raise RunBusyError(f"run `{run_id}` is open in another place")
        return lock

    def _number(self, run_id: str) -> int:
        rows = self._db.rows("SELECT number FROM runs WHERE run_id = ?", (run_id,))
        if not rows:
            raise RunNotFoundError(f"there is no run `{run_id}` in {self.path}")
        return int(rows[0][0])

    def _column(self, run_id: str, name: str) -> str:
        number = self._number(run_id)
        ((text,),) = self._db.rows(f"SELECT {name} FROM runs WHERE number = ?", (number,))
        return str(text)

    def _mapping(self, run_id: str, name: str) -> Json:
        try:
            found: Any = json.loads(self._column(run_id, name))
        except ValueError:
            found = None
        if not isinstance(found, dict):
            raise FlowError(f"run `{run_id}`: its {name} is damaged")
        return found

    def _artifact(self, number: int, name: str) -> bytes:
        rows = self._db.rows(
            "SELECT content FROM artifacts WHERE run = ? AND name = ?", (number, name)
        )
        if not rows or sha256(rows[0][0]).hexdigest() != name[7:71]:
            raise KeyError(name)
        return bytes(rows[0][0])


class SqliteLog:
    """One run in a database, open for writing."""

    def __init__(
        self,
        store: SqliteStore,
        db: Database,
        manifest: Manifest,
        number: int,
        lock: ByteLock,
        trace: Trace,
        scrubber: Scrubber,
    ) -> None:
        self._store = store
        self._db = db
        self._connection: sqlite3.Connection | None = db.connection
        self._scrubber = scrubber
        self._run_id = manifest.run_id
        self._number = number
        self._base = _id(number, 0)
        self._lock = lock
        self._at_opening: Trace | None = trace
        self._last = trace.written
        self._lost = trace.lost

    @property
    def run_id(self) -> str:
        """The run's name."""
        return self._run_id

    def trace(self) -> Trace:
        """All events written so far, in order."""
        if self._at_opening is not None:
            return self._at_opening
        trace = self._store.trace(self._run_id)
        kept = tuple(line for line in self._lost if line not in trace.lost)
        return replace(trace, lost=trace.lost + kept)

    def hide(self, secrets: Json, taken: Iterable[str] = ()) -> None:
        """From now on write these values as markers of their names."""
        self._scrubber.hide(secrets, taken)

    def append(self, event: Event) -> None:
        """Add an event. Raises FlowError when it does not follow, or cannot be written."""
        connection = self._connection
        if connection is None or connection is not self._db.connection:
            connection = self._renewed()
        check_next(self._run_id, self._last, event)
        line = event_line(event, self._scrubber)
        try:
            connection.execute(_APPEND, (self._base + event.seq, line))
        except UnicodeEncodeError:
            self._write(_APPEND, (self._base + event.seq, _stored(line)))
        except sqlite3.Error as error:
            raise FlowError(
                f"run `{self._run_id}`: the trace cannot be written: {error}"
            ) from error
        self._last = event.seq
        self._at_opening = None

    def set_status(self, manifest: Manifest) -> None:
        """Write the manifest anew."""
        text = _stored(self._scrubber.encoded(manifest_json(manifest, self._last)))
        self._write("UPDATE runs SET manifest = ? WHERE number = ?", (text, self._number))

    def set_live(self, live: Json) -> None:
        """Write what is going on right now."""
        text = _stored(self._scrubber.encoded(dict(live)))
        self._write("INSERT OR REPLACE INTO live VALUES (?, ?)", (self._number, text))

    def put_artifact(self, content: bytes, suffix: str = ".json") -> str:
        """Keep some bytes under a name made from their hash, and return that."""
        content = self._scrubber.content(content, files.check_suffix(suffix))
        name = f"sha256-{sha256(content).hexdigest()}{suffix}"
        self._write(
            "INSERT OR REPLACE INTO artifacts VALUES (?, ?, ?)", (self._number, name, content)
        )
        return name

    def get_artifact(self, name: str) -> bytes:
        """The bytes of an artifact. Raises KeyError when it is not there or damaged."""
        return self._store._artifact(self._number, name)

    def close(self) -> None:
        """Let others open the run."""
        self._connection = None
        self._lock.release()

    def _renewed(self) -> sqlite3.Connection:
        """The connection after a fork; a closed log has none, nor has a child its parent's."""
        if not self._lock.held:
            raise FlowError(f"run `{self._run_id}` was closed")
        self._connection = self._db.connect()
        return self._connection

    def _write(self, statement: str, values: tuple[Any, ...]) -> None:
        self._renewed()
        self._db.execute(statement, values)


def _stored(text: str) -> str:
    """Text that SQLite can take: lone surrogates escaped."""
    return line_bytes(text).decode()


def _id(number: int, seq: int) -> int:
    return (number << 32) + seq
