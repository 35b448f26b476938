"""Runs as folders of readable files.

    <run>/manifest.json definition.json input.json   written whole, in one step
          trace.ndjson                               one event a line, only ever added to
          projections/{run,steps,live}.json          made from the trace, can be made again
          artifacts/sha256-<hex>.<ext>               named by their content

The trace carries the lock of the run: it is never replaced, and one open file serves for both.
A line is added by a single write, so that what `append` returned from survives the process;
with `sync` it survives the machine.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from secrets import token_hex
from typing import Any

from flowrt.errors import FlowError, RunBusyError, RunNotFoundError
from flowrt.stores import files
from flowrt.stores.base import NO_SECRETS, Event, Json, Manifest, Trace
from flowrt.stores.encoding import line_bytes
from flowrt.stores.lines import check_next, ending, event_line
from flowrt.stores.locks import is_locked, lock_file, unlock_file
from flowrt.stores.projections import (
    manifest_from,
    manifest_json,
    read_manifest,
    run_view,
    steps,
    told_events,
)
from flowrt.stores.scrub import DEFAULT_SCRUBBER, Scrubber
from flowrt.stores.tracefile import mend, open_trace, read_lines

_SCHEMA = "flowrt.run/1"
_TRACE = "trace.ndjson"
_LIVE = "projections/live.json"


class FolderStore:
    """Keeps each run as a folder under `path`, which is made when the first run is.

    `sync` waits for the disk at every write. Methods raise FlowError when the disk refuses.
    """

    def __init__(
        self, path: str | Path, *, sync: bool = False, scrubber: Scrubber = DEFAULT_SCRUBBER
    ) -> None:
        self.path = os.fspath(path)
        self._sync = sync
        self._scrubber = scrubber

    def create(
        self, manifest: Manifest, definition: Json, run_input: Json, secrets: Json = NO_SECRETS
    ) -> FolderLog:
        """Begin a run. Raises FlowError when the run exists, or its id is no name."""
        run_id = manifest.run_id
        files.check_run_id(run_id)
        target = os.path.join(self.path, run_id)
        scrubber = self._scrubber.for_run()
        scrubber.hide(secrets)
        # Put together aside: a run is there with all it needs, or not at all.
        aside = os.path.join(self.path, f".{run_id}.{token_hex(4)}.new")
        try:
            files.private_folder(self.path)
            os.mkdir(aside, 0o700)
            try:
                return self._begin(aside, target, manifest, definition, run_input, scrubber)
            except BaseException:
                shutil.rmtree(aside, ignore_errors=True)
                raise
        except OSError as error:
            raise FlowError(f"run `{run_id}` cannot be begun: {error}") from error

    def _begin(
        self,
        aside: str,
        target: str,
        manifest: Manifest,
        definition: Json,
        run_input: Json,
        scrubber: Scrubber,
    ) -> FolderLog:
        os.mkdir(os.path.join(aside, "projections"), 0o700)
        names = ("input.json", "definition.json", "manifest.json")
        head = {"schema": _SCHEMA, **manifest_json(manifest)}
        texts = scrubber.encoded_together((dict(run_input), dict(definition), head))
        for name, text in zip(names, texts, strict=True):
            files.write_whole(os.path.join(aside, name), line_bytes(text + "\n"), sync=self._sync)
        fd = open_trace(os.path.join(aside, _TRACE))
        if not lock_file(fd):
            os.close(fd)
            raise RunBusyError(f"run `{manifest.run_id}` is open already")
        try:
            if os.path.exists(target):
                raise FlowError(f"run `{manifest.run_id}` exists already")
            os.rename(aside, target)
            if self._sync:
                files.sync_folder(self.path)
        except BaseException:
            unlock_file(fd)
            raise
        return FolderLog(target, manifest, fd, Trace(()), self._sync, scrubber)

    def open(self, run_id: str) -> FolderLog:
        """Open a run to go on with it. Raises RunNotFoundError or RunBusyError."""
        folder = self._folder(run_id)
        path = os.path.join(folder, _TRACE)
        missing = () if os.path.exists(path) else ("the trace is missing",)
        try:
            fd = open_trace(path)
        except OSError as error:
            raise FlowError(f"run `{run_id}` cannot be opened: {error}") from error
        if not lock_file(fd):
            os.close(fd)
            raise RunBusyError(f"run `{run_id}` is open in another place")
        try:
            for part in ("", "projections", "artifacts"):
                files.sweep(os.path.join(folder, part))
            trace, cut = mend(fd)
            trace = ending(trace, _told_events(folder))
            scrubber = self._scrubber.for_run()
            log = FolderLog(folder, self.manifest(run_id), fd, trace, self._sync, scrubber)
            log.lost_end = missing + cut
            return log
        except OSError as error:
            unlock_file(fd)
            raise FlowError(f"run `{run_id}` cannot be opened: {error}") from error
        except BaseException:
            unlock_file(fd)
            raise

    def manifest(self, run_id: str) -> Manifest:
        """The manifest of a run; told from its trace when it is damaged."""
        folder = self._folder(run_id)
        content = _read(folder, "manifest.json")
        try:
            return read_manifest(json.loads(content or b""))
        except ValueError:
            definition: Json = {}
            with suppress(FlowError):
                definition = self.definition(run_id)
            return manifest_from(run_id, definition, self.trace(run_id))

    def definition(self, run_id: str) -> Json:
        """The definition the run was started with. Raises FlowError when it is damaged."""
        return self._mapping(run_id, "definition.json")

    def run_input(self, run_id: str) -> Json:
        """What the run was started with. Raises FlowError when it is damaged."""
        return self._mapping(run_id, "input.json")

    def trace(self, run_id: str) -> Trace:
        """The events of a run that are intact, and what is lost."""
        folder = self._folder(run_id)
        told = _told_events(folder)
        return ending(read_lines(_read(folder, _TRACE)), told)

    def live(self, run_id: str) -> Json | None:
        """What was last said to be going on; None too when that is damaged."""
        content = _read(self._folder(run_id), _LIVE)
        try:
            live = json.loads(content or b"")
        except ValueError:
            return None
        return live if isinstance(live, dict) else None

    def artifact(self, run_id: str, name: str) -> bytes:
        """The bytes of an artifact. Raises KeyError when it is not there or damaged."""
        return _artifact(self._folder(run_id), name)

    def is_open(self, run_id: str) -> bool:
        """Whether some process has the run open at this moment. Raises RunNotFoundError."""
        try:
            fd = os.open(os.path.join(self._folder(run_id), _TRACE), os.O_RDONLY)
        except OSError:
            return False
        try:
            return is_locked(fd)
        finally:
            os.close(fd)

    def runs(self) -> Iterator[Manifest]:
        """The manifests of all runs, newest first."""
        try:
            names = [name for name in os.listdir(self.path) if files.is_run_id(name)]
        except FileNotFoundError:
            return
        except OSError as error:
            raise FlowError(f"{self.path} cannot be listed: {error}") from error
        found = []
        for name in names:
            try:
                found.append(self.manifest(name))
            except RunNotFoundError:
                continue
        yield from sorted(found, key=lambda run: (run.created_at, run.run_id), reverse=True)

    def close(self) -> None:
        """Nothing is held."""

    def _folder(self, run_id: str) -> str:
        folder = os.path.join(self.path, run_id)
        if not files.is_run_id(run_id) or not any(
            os.path.exists(os.path.join(folder, name)) for name in ("manifest.json", _TRACE)
        ):
            raise RunNotFoundError(f"there is no run `{run_id}` in {self.path}")
        return folder

    def _mapping(self, run_id: str, name: str) -> Json:
        content = _read(self._folder(run_id), name)
        try:
            found: Any = json.loads(content or b"")
        except ValueError:
            found = None
        if not isinstance(found, dict):
            raise FlowError(f"run `{run_id}`: {name} is missing or damaged")
        return found


class FolderLog:
    """One run in a folder, open for writing."""

    def __init__(
        self,
        folder: str,
        manifest: Manifest,
        fd: int,
        trace: Trace,
        sync: bool,
        scrubber: Scrubber,
    ) -> None:
        self._folder = folder
        self._manifest = manifest
        self._fd = fd
        self._at_opening: Trace | None = trace
        self.lost_end: tuple[str, ...] = ()
        self._last = trace.written
        self._sync = sync
        self._scrubber = scrubber
        self._live = os.path.join(folder, _LIVE)
        self._projected = self._last

    @property
    def run_id(self) -> str:
        """The run's name."""
        return self._manifest.run_id

    def trace(self) -> Trace:
        """All events written so far, in order."""
        trace = self._at_opening or read_lines(_read(self._folder, _TRACE))
        return replace(trace, lost=trace.lost + self.lost_end)

    def hide(self, secrets: Json, taken: Iterable[str] = ()) -> None:
        """From now on write these values as markers of their names."""
        self._scrubber.hide(secrets, taken)

    def append(self, event: Event) -> None:
        """Add an event. Raises FlowError when it does not follow, or cannot be written."""
        check_next(self._manifest.run_id, self._last, event)
        line = line_bytes(event_line(event, self._scrubber) + "\n")
        written = 0
        try:
            # One call does, but for a disk that is full: the second one says so.
            while written < len(line):
                written += os.write(self._fd, line[written:])
            if self._sync:
                os.fsync(self._fd)
        except OSError as error:
            raise self._broken(error, written) from error
        self._last = event.seq
        self._at_opening = None

    def set_status(self, manifest: Manifest) -> None:
        """Write the manifest anew; at a rest of the run, the projections too."""
        told = {"schema": _SCHEMA, **manifest_json(manifest, self._last)}
        self._put("manifest.json", told)
        self._manifest = manifest
        if manifest.status != "running":
            self._project()

    def set_live(self, live: Json) -> None:
        """Write what is going on right now."""
        self._open_only()
        content = line_bytes(self._scrubber.encoded(dict(live)))
        try:
            files.write_whole(self._live, content)
        except OSError as error:
            raise self._unwritable(_LIVE, error) from error

    def put_artifact(self, content: bytes, suffix: str = ".json") -> str:
        """Keep some bytes under a name made from their hash, and return that."""
        self._open_only()
        content = self._scrubber.content(content, files.check_suffix(suffix))
        name = f"sha256-{sha256(content).hexdigest()}{suffix}"
        path = os.path.join(self._folder, "artifacts", name)
        try:
            # What is there already may be damaged; what is right is not written again.
            if files.read_file(path) != content:
                files.private_folder(os.path.dirname(path))
                files.write_whole(path, content, sync=self._sync)
        except OSError as error:
            raise self._unwritable(name, error) from error
        return name

    def get_artifact(self, name: str) -> bytes:
        """The bytes of an artifact. Raises KeyError when it is not there or damaged."""
        return _artifact(self._folder, name)

    def close(self) -> None:
        """Bring the projections up to date and let others open the run."""
        if self._fd < 0:
            return
        try:
            self._project()
        finally:
            fd, self._fd = self._fd, -1
            unlock_file(fd)

    def _project(self) -> None:
        if self._projected == self._last:
            return
        trace = self.trace()
        records = steps(trace.events)
        self._put("projections/run.json", run_view(self._manifest, trace, records))
        self._put("projections/steps.json", records)
        self._projected = self._last

    def _put(self, name: str, value: Any) -> None:
        self._open_only()
        content = line_bytes(self._scrubber.encoded(value) + "\n")
        try:
            files.write_whole(os.path.join(self._folder, name), content, sync=self._sync)
        except OSError as error:
            raise self._unwritable(name, error) from error

    def _open_only(self) -> None:
        if self._fd < 0:
            raise FlowError(f"run `{self.run_id}` was closed")

    def _unwritable(self, name: str, error: OSError) -> FlowError:
        return FlowError(f"run `{self.run_id}`: {name} cannot be written: {error}")

    def _broken(self, error: OSError, written: int) -> FlowError:
        """Why an event was not written; what got through of it is taken back."""
        self._open_only()
        with suppress(OSError):
            os.ftruncate(self._fd, os.fstat(self._fd).st_size - written)
        return FlowError(f"run `{self.run_id}`: the trace cannot be written: {error}")


def _read(folder: str, name: str) -> bytes | None:
    try:
        return files.read_file(os.path.join(folder, name))
    except OSError as error:
        raise FlowError(f"{name} of run `{os.path.basename(folder)}`: {error}") from error


def _told_events(folder: str) -> int:
    """How many events the run had when that was last written; 0 where it is not told."""
    return told_events(_read(folder, "manifest.json"), _read(folder, _LIVE))


def _artifact(folder: str, name: str) -> bytes:
    content = _read(folder, f"artifacts/{name}") if files.is_artifact(name) else None
    if content is None or sha256(content).hexdigest() != name[7:71]:
        raise KeyError(name)
    return content
