"""Flows as Python objects: nodes, edges, and what bounds a run."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from flowrt.engine.context import NodeContext

FlowState = dict[str, Any]
"""What nodes hand on to each other; any value may be in it."""

NodeRun = Callable[[FlowState], Awaitable[FlowState] | FlowState]
ContextRun = Callable[["NodeContext"], Any]
"""What kinds run that give a value of their own: compute, action, checkpoint."""
EdgeCondition = Callable[[FlowState], bool]
NodeHook = Callable[[str, FlowState], Any]
KillSwitch = Callable[[], bool]
NodeKind = str
Outcome = Literal["ok", "failed", "timed_out", "cancelled"]
Routing = Literal["first", "all"]
Join = Literal["any", "all"]
Merge = Literal["first", "last", "add", "extend", "union"] | Callable[[Any, Any], Any]

DEFAULT_MAX_STEPS: int | None = None


@dataclass(slots=True)
class Retry:
    """How often and after which pause a failed node is tried again.

    `attempts` counts all tries. The pause before try n+1 is `delay * factor ** (n - 1)`
    seconds, at most `max_delay`, varied by up to `jitter` (a share from 0 to 1) of itself.
    """

    attempts: int = 3
    delay: float = 1.0
    factor: float = 2.0
    max_delay: float = 60.0
    jitter: float = 0.0
    on: tuple[type[BaseException], ...] = (Exception,)


@dataclass(slots=True)
class Node:
    """A step. `kind` names an entry of the node registry; step, gate and loop run `run(state)`,
    compute, action and checkpoint `run(context)`.

    `timeout` and `heartbeat` are seconds. `join` matters where all matching edges are taken:
    `any` waits until every edge that leads here is decided and one was taken, `all` demands
    that each was taken. `config` is what the node's kind asks for. `before` and `after` are
    actions of the action registry, as mappings with a `type`.
    """

    name: str
    run: NodeRun | ContextRun | None = None
    kind: NodeKind = "step"
    timeout: float | None = field(default=None, kw_only=True)
    retry: Retry | None = field(default=None, kw_only=True)
    heartbeat: float | None = field(default=None, kw_only=True)
    join: Join = field(default="any", kw_only=True)
    config: Mapping[str, Any] = field(default_factory=dict, kw_only=True)
    before: Sequence[Mapping[str, Any]] = field(default=(), kw_only=True)
    after: Sequence[Mapping[str, Any]] = field(default=(), kw_only=True)
    detail: str | None = field(default=None, kw_only=True)
    regions: Mapping[str, Region] = field(default_factory=dict, kw_only=True)


@dataclass(slots=True)
class Edge:
    """A hand-over. `when` is a function of the state or a CEL text; None: always.

    `outcome` says after which end of `src` the edge counts. Edges of a node are looked at by
    falling `priority`, equal ones as declared. `prompt` is carried to the node it leads to.
    """

    src: str
    dst: str
    when: EdgeCondition | str | None = None
    outcome: Outcome = field(default="ok", kw_only=True)
    priority: int = field(default=0, kw_only=True)
    prompt: Any = field(default=None, kw_only=True)


@dataclass(slots=True)
class Switch:
    """A hand-over by value: `on` is a path such as `$.route` (also `$output.route`) into the
    source's output or `$result.outcome`; the value as text picks the case, else `default`."""

    src: str
    on: str
    cases: Mapping[str, str]
    default: str | None = field(default=None, kw_only=True)
    priority: int = field(default=0, kw_only=True)


@dataclass(slots=True)
class Region:
    """A graph of its own inside a node: a loop body, a branch, something tried."""

    nodes: Sequence[Node]
    edges: Sequence[Edge | Switch]
    entry: str
    routing: Routing = "first"
    name: str = ""


@dataclass(slots=True)
class Permissions:
    """What a flow needs to be allowed. Modes rise from deny-all over approve-reads."""

    mode: Literal["deny-all", "approve-reads", "approve-all"] = "deny-all"
    explicit: bool = False
    """Whether the grant must have been given for this run, not by a default."""
    reason: str | None = None


@dataclass(slots=True)
class NodeResult:
    """How a node's last visit ended. Times are seconds since the epoch."""

    node: str
    outcome: Outcome
    attempts: int = 1
    output: Any = None
    error: str | None = None
    started_at: float = 0.0
    ended_at: float = 0.0


@dataclass(slots=True)
class FlowResult:
    """How a run ended.

    `path` lists the nodes that completed, in order; one whose hook or edges then failed is in
    `failed` as well, for its own work is done. Where all edges are taken and the run did not come
    to its end, `state` holds what the completed nodes left, as far as it can be merged. `outputs`
    and `results` hold the last visit of each node outside of regions. `terminal` is the last one
    of a run that came to an end by itself. `halted_at` is the node before which a kill switch
    stopped it.
    """

    state: FlowState
    path: list[str] = field(default_factory=list)
    terminal: str | None = None
    halted: bool = False
    halted_at: str | None = None
    status: str = "completed"
    outputs: dict[str, Any] = field(default_factory=dict)
    results: Mapping[str, NodeResult] = field(default_factory=dict)
    failed: dict[str, str] = field(default_factory=dict)
    """Nodes that failed, with the error."""
    skipped: list[str] = field(default_factory=list)
    blocked: list[str] = field(default_factory=list)
    """Nodes that could not run because one before them failed."""
    waiting_on: list[str] = field(default_factory=list)
    run_id: str | None = None
    errors: dict[str, BaseException] = field(default_factory=dict, repr=False, compare=False)
    """The errors of `failed` as they were raised, where that was in this process."""
