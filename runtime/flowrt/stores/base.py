"""Where runs are kept: one small interface for every kind of store.

A run is a bundle: a manifest, a snapshot of the definition, an append-only trace of events,
projections made from it, and artifacts named by the hash of their content.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Literal, NamedTuple, Protocol

Json = Mapping[str, Any]
"""A JSON object; `Any` because that is what JSON holds."""

NO_SECRETS: Json = MappingProxyType({})

RunStatus = Literal["running", "waiting", "completed", "failed", "timed_out", "cancelled", "halted"]

EVENT_TYPES = frozenset(
    {
        "run_started",
        "run_resumed",
        "node_started",
        "attempt_failed",
        "node_completed",
        "node_failed",
        "node_skipped",
        "node_blocked",
        "node_waiting",
        "signal_received",
        "region_started",
        "region_ended",
        "session_bound",
        "artifact_written",
        "run_waiting",
        "run_completed",
        "run_failed",
        "run_timed_out",
        "run_cancelled",
        "run_halted",
    }
)


class Event(NamedTuple):
    """One line of a trace.

    `seq` counts from 1 without holes; `at` is seconds since the epoch. `scope` is the path of
    the region the node stands in (`""` for the flow itself), `visit` how often the node was
    started there, `attempt` the try within that visit; both count from 1. `data` is JSON.
    """

    seq: int
    at: float
    type: str
    scope: str = ""
    node: str = ""
    visit: int = 0
    attempt: int = 0
    data: Json = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Manifest:
    """What is known of a run without reading its trace."""

    run_id: str
    flow: str
    status: RunStatus
    created_at: float
    updated_at: float
    title: str | None = None
    waiting_on: tuple[str, ...] = ()
    error: str | None = None
    events: int = 0
    """How many events the run had when this was written."""


@dataclass(frozen=True, slots=True)
class Trace:
    """The events of a run that are intact, and what was lost, in words (empty: nothing).

    `written` is the number of the last event that was ever written, as far as is known. `marked`
    are the numbers of the events in which something is hidden.
    """

    events: tuple[Event, ...]
    lost: tuple[str, ...] = ()
    written: int = 0
    marked: frozenset[int] = frozenset()


class RunLog(Protocol):
    """One run, open for writing by one process at a time.

    Everything written survives the death of the process at any moment: what `append` returned
    from is there, and a half-written last line never hides the lines before it.
    """

    @property
    def run_id(self) -> str:
        """The run's name."""

    def trace(self) -> Trace:
        """All events written so far, in order, and what was lost.

        A last line that was cut short is taken away when the run is opened, so that the next
        event stands safely; it is named in `lost` until the log is closed.
        """

    def append(self, event: Event) -> None:
        """Add an event. Its `seq` must follow the last one."""

    def hide(self, secrets: Json, taken: Iterable[str] = ()) -> None:
        """From now on write these values as markers of their names, wherever they stand.

        `taken` are names that stand in the run for secrets that nobody gave again.
        """

    def set_status(self, manifest: Manifest) -> None:
        """Write the manifest anew."""

    def set_live(self, live: Json) -> None:
        """Write what is going on right now; overwritten each time."""

    def put_artifact(self, content: bytes, suffix: str = ".json") -> str:
        """Keep some bytes and return the name they can be had by (made from their hash)."""

    def get_artifact(self, name: str) -> bytes:
        """The bytes of an artifact. Raises KeyError when it is not there or damaged."""

    def close(self) -> None:
        """Let others open the run."""


class RunStore(Protocol):
    """A place that keeps runs.

    Secrets are taken out of everything that is written, so what is read back may hold
    `[secret NAME]` where one stood.
    """

    def create(
        self, manifest: Manifest, definition: Json, run_input: Json, secrets: Json = NO_SECRETS
    ) -> RunLog:
        """Begin a run, in which `secrets` are hidden by their names, and those of its input.

        Raises FlowError when the run exists.
        """

    def open(self, run_id: str) -> RunLog:
        """Open a run to go on with it.

        Raises RunNotFoundError, or RunBusyError while another process has it open.
        """

    def manifest(self, run_id: str) -> Manifest:
        """The manifest of a run, without opening it. Raises RunNotFoundError."""

    def definition(self, run_id: str) -> Json:
        """The definition the run was started with. Raises RunNotFoundError."""

    def run_input(self, run_id: str) -> Json:
        """What the run was started with. Raises RunNotFoundError."""

    def trace(self, run_id: str) -> Trace:
        """The events of a run, without opening it. Raises RunNotFoundError."""

    def live(self, run_id: str) -> Json | None:
        """What was last said to be going on, None when nothing was."""

    def artifact(self, run_id: str, name: str) -> bytes:
        """The bytes of an artifact of a run. Raises KeyError."""

    def is_open(self, run_id: str) -> bool:
        """Whether some process has the run open at this moment. Raises RunNotFoundError."""

    def runs(self) -> Iterator[Manifest]:
        """The manifests of all runs, newest first."""

    def close(self) -> None:
        """Let go of files and connections. Logs of runs are closed before."""
