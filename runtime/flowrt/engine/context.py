"""What a node's executor is given, and what it may do to the run."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from flowrt.authoring import Edge, FlowState, Node, NodeResult, Region


@dataclass(frozen=True, slots=True)
class Output:
    """What an executor returns: a value for the node's output, and perhaps a new state.

    `state` None leaves the state as it was. Where the node's config has `into`, the engine
    also stores the value in the state under that key.
    """

    value: Any = None
    state: FlowState | None = None


class Pause(BaseException):
    """Raised by an executor to stop here until somebody resumes the run.

    `key` is what a signal has to name (the node's own name unless given), `data` tells people
    and tools what is waited for, and `until` is the time (seconds since the epoch) after which
    the run can go on without a signal.
    """

    def __init__(
        self,
        reason: str,
        *,
        key: str | None = None,
        data: Mapping[str, Any] | None = None,
        until: float | None = None,
    ) -> None:
        super().__init__(reason)
        self.reason = reason
        self.key = key
        self.data = dict(data or {})
        self.until = until


@dataclass(frozen=True, slots=True)
class RegionResult:
    """How a region ended: the state it left, its outputs, and the error that ended it."""

    state: FlowState
    outputs: Mapping[str, Any]
    terminal: str | None
    error: BaseException | None = None


@dataclass(frozen=True, slots=True)
class Signal:
    """What somebody answered to a pause."""

    key: str
    payload: Any = None


class NodeContext(Protocol):
    """The world as a node sees it while it runs."""

    @property
    def node(self) -> Node:
        """The node itself, with its config."""

    @property
    def flow(self) -> str:
        """The name of the flow."""

    @property
    def run_id(self) -> str | None:
        """The run, None when it is kept nowhere."""

    @property
    def state(self) -> FlowState:
        """The state as it came to this node. Changing it in place is seen by nobody else."""

    @property
    def outputs(self) -> Mapping[str, Any]:
        """The latest output of each node that completed, in this region and around it."""

    @property
    def results(self) -> Mapping[str, NodeResult]:
        """How the latest visit of each node ended, in this region and around it."""

    @property
    def input(self) -> Any:
        """What the run was started with."""

    @property
    def services(self) -> Mapping[str, Any]:
        """What the caller gave the run: clients, an approver, an agent command."""

    @property
    def incoming(self) -> Edge | None:
        """The edge that led here, which may carry a prompt; None at an entry."""

    @property
    def attempt(self) -> int:
        """The try, from 1."""

    @property
    def visit(self) -> int:
        """How often this node was started in this region, from 1."""

    @property
    def signal(self) -> Signal | None:
        """The answer to this node's pause, None when it was not paused (or only timed out)."""

    @property
    def paused_before(self) -> bool:
        """Whether this visit already paused once and is now gone on with."""

    @property
    def cancelled(self) -> bool:
        """Whether the node is asked to stop."""

    def heartbeat(self, detail: str | None = None) -> None:
        """Tell that the node is alive, and perhaps what it is at."""

    def keep(self, label: str, content: str, suffix: str = ".txt") -> None:
        """Keep a text beside the run: a prompt, an answer, what a command printed.

        It is told in the trace under `label`. Nothing happens where the run is not kept.
        """

    async def run_region(
        self,
        region: Region,
        state: FlowState,
        *,
        kind: str,
        iteration: int | None = None,
        fail: bool = True,
    ) -> RegionResult:
        """Run a region of this node. `kind` is loop-body, parallel-branch, try or catch.

        With `fail` an error of the region is raised here, without it is in the result.
        """

    def at_once(self, region: Region) -> Callable[[FlowState], RegionResult] | None:
        """How to run a region of this node without awaiting it; what fails in it is raised.

        None where it has to be awaited: it may wait, or somebody follows what it does.
        """

    async def run_flow(self, name: str, state: FlowState) -> RegionResult:
        """Run another flow inside this one, as deep as the depth guard allows."""


Missing = Callable[[Node, Mapping[str, Any], str], str | None]
"""Says, of a node and the services of a run, what it lacks to do its work; the text names it."""


class Executor(Protocol):
    """What a node kind does."""

    async def __call__(self, context: NodeContext) -> Output:
        """Do the node's work. Any exception is the node's failure; `Pause` stops the run."""


@dataclass(frozen=True, slots=True)
class Kind:
    """An entry of the node registry.

    `config` is a pydantic model class for the node's config (None: any); its JSON Schema is
    published. `regions` names the regions that a node of the kind has. `missing` is asked about
    each node before a run begins.
    """

    name: str
    execute: Executor
    summary: str
    config: type[Any] | None = None
    regions: tuple[str, ...] = ()
    tags: frozenset[str] = field(default_factory=frozenset)
    missing: Missing | None = None
