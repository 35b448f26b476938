"""Runs that are gone when the program is: for tests and for flows nobody goes on with."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from hashlib import sha256

from flowrt.errors import FlowError, RunBusyError, RunNotFoundError
from flowrt.stores import files
from flowrt.stores.base import NO_SECRETS, Event, Json, Manifest, Trace
from flowrt.stores.lines import check_next, event_line, read_trace
from flowrt.stores.projections import manifest_json, read_manifest
from flowrt.stores.scrub import DEFAULT_SCRUBBER, Scrubber


@dataclass(slots=True)
class _Kept:
    """A run. Everything is text, as in a file: what is changed later changes nothing here."""

    manifest: str
    definition: str
    run_input: str
    lines: list[str] = field(default_factory=list)
    live: str | None = None
    artifacts: dict[str, bytes] = field(default_factory=dict)
    open: bool = False


class MemoryStore:
    """Keeps runs in memory, as exactly and as free of secrets as the other stores."""

    def __init__(self, *, scrubber: Scrubber = DEFAULT_SCRUBBER) -> None:
        self._scrubber = scrubber
        self._runs: dict[str, _Kept] = {}

    def create(
        self, manifest: Manifest, definition: Json, run_input: Json, secrets: Json = NO_SECRETS
    ) -> MemoryLog:
        """Begin a run. Raises FlowError when the run exists, or its id is no name."""
        run_id = manifest.run_id
        files.check_run_id(run_id)
        if run_id in self._runs:
            raise FlowError(f"run `{run_id}` exists already")
        scrubber = self._scrubber.for_run()
        scrubber.hide(secrets)
        parts = (dict(run_input), dict(definition), manifest_json(manifest))
        begun, defined, told = scrubber.encoded_together(parts)
        kept = _Kept(told, defined, begun)
        kept.open = True
        self._runs[run_id] = kept
        return MemoryLog(run_id, kept, scrubber)

    def open(self, run_id: str) -> MemoryLog:
        """Open a run to go on with it. Raises RunNotFoundError or RunBusyError."""
        kept = self._kept(run_id)
        if kept.open:
            raise RunBusyError(f"run `{run_id}` is open in another place")
        kept.open = True
        return MemoryLog(run_id, kept, self._scrubber.for_run())

    def manifest(self, run_id: str) -> Manifest:
        """The manifest of a run. Raises RunNotFoundError."""
        return read_manifest(json.loads(self._kept(run_id).manifest))

    def definition(self, run_id: str) -> Json:
        """The definition the run was started with. Raises RunNotFoundError."""
        found: Json = json.loads(self._kept(run_id).definition)
        return found

    def run_input(self, run_id: str) -> Json:
        """What the run was started with. Raises RunNotFoundError."""
        found: Json = json.loads(self._kept(run_id).run_input)
        return found

    def trace(self, run_id: str) -> Trace:
        """The events of a run. Raises RunNotFoundError."""
        return _trace(self._kept(run_id))

    def live(self, run_id: str) -> Json | None:
        """What was last said to be going on, None when nothing was."""
        live = self._kept(run_id).live
        found: Json | None = None if live is None else json.loads(live)
        return found

    def artifact(self, run_id: str, name: str) -> bytes:
        """The bytes of an artifact of a run. Raises KeyError."""
        return self._kept(run_id).artifacts[name]

    def is_open(self, run_id: str) -> bool:
        """Whether the run is open at this moment. Raises RunNotFoundError."""
        return self._kept(run_id).open

    def runs(self) -> Iterator[Manifest]:
        """The manifests of all runs, newest first."""
        found = [self.manifest(run_id) for run_id in self._runs]
        yield from sorted(found, key=lambda run: (run.created_at, run.run_id), reverse=True)

    def close(self) -> None:
        """Nothing is held but memory."""

    def _kept(self, run_id: str) -> _Kept:
        kept = self._runs.get(run_id)
        if kept is None:
            raise RunNotFoundError(f"there is no run `{run_id}`")
        return kept


class MemoryLog:
    """One run in memory, open for writing."""

    def __init__(self, run_id: str, kept: _Kept, scrubber: Scrubber) -> None:
        self._run_id = run_id
        self._kept = kept
        self._scrubber = scrubber
        self._open = True

    @property
    def run_id(self) -> str:
        """The run's name."""
        return self._run_id

    def trace(self) -> Trace:
        """All events written so far, in order."""
        return _trace(self._kept)

    def hide(self, secrets: Json, taken: Iterable[str] = ()) -> None:
        """From now on write these values as markers of their names."""
        self._scrubber.hide(secrets, taken)

    def append(self, event: Event) -> None:
        """Add an event. Raises FlowError when it does not follow the last one."""
        self._open_only()
        check_next(self._run_id, len(self._kept.lines), event)
        self._kept.lines.append(event_line(event, self._scrubber))

    def set_status(self, manifest: Manifest) -> None:
        """Write the manifest anew."""
        self._open_only()
        self._kept.manifest = self._scrubber.encoded(manifest_json(manifest, len(self._kept.lines)))

    def set_live(self, live: Json) -> None:
        """Write what is going on right now."""
        self._open_only()
        self._kept.live = self._scrubber.encoded(dict(live))

    def put_artifact(self, content: bytes, suffix: str = ".json") -> str:
        """Keep some bytes under a name made from their hash, and return that."""
        self._open_only()
        content = self._scrubber.content(content, files.check_suffix(suffix))
        name = f"sha256-{sha256(content).hexdigest()}{suffix}"
        self._kept.artifacts[name] = content
        return name

    def get_artifact(self, name: str) -> bytes:
        """The bytes of an artifact. Raises KeyError when it is not there."""
        return self._kept.artifacts[name]

    def close(self) -> None:
        """Let others open the run."""
        if self._open:
            self._open = False
            self._kept.open = False

    def _open_only(self) -> None:
        if not self._open:
            raise FlowError(f"run `{self._run_id}` was closed")


def _trace(kept: _Kept) -> Trace:
    return read_trace((f"line {number}", line) for number, line in enumerate(kept.lines, 1))
