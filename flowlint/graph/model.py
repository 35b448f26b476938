"""The one model of a flow that every dialect fills and every rule reads."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from flowlint.changes import Rename
from flowlint.graph.code import Code, OutputRead, Router, StateSchema
from flowlint.graph.guards import Guard
from flowlint.graph.presence import ALWAYS, Presence
from flowlint.source import Span

if TYPE_CHECKING:
    from flowlint.graph.node_outputs import Output

END = "__end__"
"""Target of an edge that leads to the end marker of a system; never the name of a node."""

START = "__start__"
"""Source of an edge that leaves the start marker of a system; never the name of a node."""

MOST_ASKED = 2
"""The most arguments with which a function of a flow is called."""

EdgeKind = Literal["always", "when", "case", "outcome", "goto", "send"]


@dataclass(frozen=True, slots=True)
class Gap:
    """A part of a flow that could not be resolved, and what may hide in it.

    `hides` names what may exist beyond what the graph shows: `nodes`, `edges`, `entry`, or
    `targets` (where `node` may lead to). `conditions` hides nothing but when the edges count that
    leave `node`. `told` tells that the cause is a fault which is told as such.
    """

    span: Span
    reason: str
    hides: frozenset[Literal["nodes", "edges", "entry", "targets", "conditions"]]
    node: str | None = None
    cure: str | None = None
    told: bool = False


@dataclass(frozen=True, slots=True)
class Violation:
    """A demand of the system's own builder that this definition breaks, seen by its dialect.

    `refuses_node` tells that the flow lacks `node` because of it. `severity` is None for that of
    its rule.
    """

    span: Span
    message: str
    help: str | None = None
    node: str | None = None
    rule: str = "invalid-definition"
    related: tuple[tuple[str, Span], ...] = ()
    refuses_node: bool = False
    severity: Literal["error", "warning", "info"] | None = None
    rename: Rename | None = None
    """The name that was plainly meant, where it was to be written."""
    shape: bool = False
    """Whether it is the shape of a definition that is wrong, and what it holds there is left out:
    the rest is certain all the same."""


@dataclass(frozen=True, slots=True)
class CallableFacts:
    """What is known of the function that a node, router or guard runs."""

    name: str
    span: Span | None = None
    is_async: bool | None = None
    takes: frozenset[int] | None = None
    """With how many arguments by position it can be called, up to `MOST_ASKED`."""


@dataclass(frozen=True, slots=True)
class Node:
    """A step of a flow.

    `routes_itself` tells whether the node's own code may hand over to nodes that no edge names:
    `no`, or `maybe` when its code is out of sight or seen to do so. `may_pause` is true where a
    run may stop at the node and wait for somebody to go on with it. `ends_itself` is false where
    nothing in the node's code, or in what chooses where it leads, is seen to end the run by raising
    or by leaving the program; code out of sight may always do so.
    """

    name: str
    span: Span
    name_span: Span
    kind: str = "step"
    presence: Presence = ALWAYS
    runs: CallableFacts | None = None
    routes_itself: Literal["no", "maybe"] = "no"
    deferred: bool = False
    may_pause: bool = False
    pauses: Span | None = None
    """Where its code, or that of a function it calls, is seen to do so."""
    ends_itself: bool = True
    code: Code | None = None
    """What its code is seen to do; None where that was not looked at."""
    takes: frozenset[str] | None = None
    """The keys of the state that it surely is given; None: all of them."""
    may_take: frozenset[str] | None = None
    """The keys of the state that it may be given, as a mapping; None: any."""
    asks: bool = False
    """Whether what it gives is the answer of somebody else, such as a model, as that gave it."""
    outputs: tuple[OutputRead, ...] = ()
    """What its code reads of what nodes gave, in systems where it is told by their names."""
    gives: Output | None = None
    """What it is declared to give; None where that is not known."""
    regions: Mapping[str, FlowGraph] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Edge:
    """A hand-over from `source` to `target`, in declaration order.

    Edges of one join of several sources share a `group`. `label` is what the author wrote for
    the case or outcome. `order` numbers the edges of a graph from 0 as they were declared.
    `checked` is false for a hand-over that the system's builder does not see, and so does not
    check: one that is only found in the code of a node or router.
    """

    source: str
    target: str
    span: Span
    source_span: Span
    target_span: Span
    kind: EdgeKind = "always"
    label: str | None = None
    guard: Guard | None = None
    group: str | None = None
    presence: Presence = ALWAYS
    order: int = 0
    checked: bool = True
    choice: str | None = None
    """What edges have in common of which a router takes one (or some); None: no router does."""
    after: str = "ok"
    """How the source has to end for the edge to count: edges of other ends do not compete."""
    back: bool = False
    """Whether its author says that it leads back, where loops have to be declared so."""
    never: str | None = None
    """Why no run takes it, as a clause; None: it may be taken, as far as its guard goes."""

    @property
    def certain(self) -> bool:
        """Whether the edge is there in every build of the flow."""
        return not self.presence


@dataclass(frozen=True, slots=True)
class Entry:
    """A node at which a run begins; any kind but `always` means that something chooses it.

    `edge` is where the edge from the system's start marker was added, None in systems that
    name their entry.
    """

    name: str
    span: Span
    kind: EdgeKind = "always"
    label: str | None = None
    presence: Presence = ALWAYS
    edge: Span | None = None
    choice: str | None = None
    """What entries have in common of which a router takes one; None: no router does."""


@dataclass(frozen=True, slots=True)
class Text:
    """Where the text of a node's name stands that is mentioned at `place`, if not just there.

    The name of a variable is written at the place, say, or the function that declares the target.
    """

    name: str
    place: Span
    span: Span


@dataclass(frozen=True, slots=True)
class Semantics:
    """How a system treats a graph, as data, so that rules never ask for a system's name.

    The `on_*` fields say what the system does with a graph that has the fault: `rejected`
    (raises when the flow is built), `fails` (raises in the run), `silent` (goes on wrongly and
    reports success) or `allowed` (means to work that way).
    """

    system: str
    built_by: str
    """What builds, and so checks, a flow, as users write it: `Flow(…)` or `compile()`."""
    routing: Literal["first", "all", "inclusive", "single-switch"]
    join: Literal["any", "all", "any-with-skip"]
    cycles: Literal["allowed", "forbidden", "marked-back-edges"]
    end: Literal["implicit", "explicit"]
    unmatched_route: Literal["raises", "ends-silently", "takes-all"]
    failure: Literal["raises", "routes-by-edge", "routes-by-result"]
    on_unreachable: Literal["rejected", "silent", "starts-at-once"]
    on_unknown_name: Literal["rejected", "fails", "silent"]
    on_duplicate_node: Literal["rejected", "refused-at-once", "silent"]
    """`refused-at-once`: adding the second one raises, whether or not the flow is ever built."""
    on_missing_entry: Literal["rejected", "silent"]
    on_empty: Literal["rejected", "silent", "allowed"]
    on_duplicate_edge: Literal["rejected", "silent", "collapsed", "taken-twice"]
    on_forbidden_cycle: Literal["rejected", "fails", "silent"] = "rejected"
    kept_duplicate: Literal["first", "last"] | None = None
    """Which of several nodes of one name stays where they are not refused, None: not known."""
    on_endless_loop: Literal["rejected", "silent"] = "silent"
    """What it does with a loop without a way out, even where code on it may raise."""
    guards: Literal["sync", "sync-or-async", "none"] = "none"
    """Which guard functions the system calls rightly; an async one elsewhere is always true."""
    kinds_document_shape: bool = False
    """Whether node kinds `gate` and `loop` only describe how the node's edges look."""
    default_step_bound: int | None = None
    """Steps after which the system itself stops a run; None: never."""
    step_bound_name: str = "step limit"
    """How users of the system call the bound: `max_steps`, `recursion_limit`; empty: it has none
    that a flow could state."""
    start_marker: str | None = None
    """What users write for the start of a flow, such as `START`; None: nothing."""
    end_marker: str | None = None
    """What users write for the end of a flow, such as `END`; None: nothing."""
    package: str | None = None
    """The package that gives the markers, as it is imported; None: it is called like the system."""
    refuses_unnamed: bool = False
    """Whether the builder refuses a node that no edge names, wherever code hands over to."""
    on_unknown_goto: Literal["rejected", "fails", "silent"] = "silent"
    """What becomes of a hand-over to an unknown name that the builder does not see."""
    unknown_goto_error: str | None = None
    """What such a hand-over raises in a run; None: nothing, or nothing that is known."""
    on_unknown_send: Literal["fails", "silent"] = "silent"
    """What becomes of a message sent to an unknown name."""
    unknown_send_error: str | None = None
    """What such a message raises in a run; None: nothing, or nothing that is known."""
    unknown_case_error: str | None = None
    """What the value of a router without a case for it raises; None: it raises nothing."""
    no_route_error: str | None = None
    """What a router that returns nothing raises; None: it raises nothing."""
    start_route_error: str | None = None
    """What a router that leads to the start marker raises; None: it raises nothing."""
    send_to_end_error: str | None = None
    """What a message sent to the end marker raises; None: it raises nothing."""
    node_kinds: tuple[str, ...] | None = None
    """The kinds that the system knows by itself and checks for; None: it does not check them."""
    holds_regions: bool = False
    """Whether regions are part of the flow they stand in, and are checked with it."""
    supersteps: bool = False
    """Whether all that is due runs side by side in a step, and what follows it in the next one."""
    conflict_error: str | None = None
    """What a run raises where two nodes of one step write a key that takes one value."""
    drops_unknown_keys: bool = False
    """Whether what a node writes to a key that its state does not have is lost."""
    unknown_key_effect: str = "drops the value"
    """What the system does with such a value, as its users are told."""
    missing_key_error: str | None = None
    """What code raises that reads a key of the state that is not there; None: nothing is known."""
    odd_update_error: str | None = None
    """What a node raises that returns no update of the state; None: it raises nothing."""
    update_form: str = "a dict"
    """How users call what nodes return as an update of the state."""
    nothing_form: str = "None"
    """How users call what nodes return that change nothing."""
    step_bound_error: str = "an error"
    """What a run raises that comes to its step bound."""
    back_cure: str = (
        "say of the edge to `{target}` that it leads back, if the flow is to repeat these nodes"
    )
    """How an edge is said to lead back, where loops have to be declared so."""
    start_kind: str | None = None
    """The kind of the node at which a run begins, where that is how the entry is stated."""
    no_entry_error: str | None = None
    """What a run of a flow without entry raises; None: it raises nothing."""
    end_kinds: frozenset[str] = frozenset()
    """Kinds of nodes that do nothing but end the way that comes to them: no edge out of them is
    ever taken."""
    gate_kinds: frozenset[str] = frozenset()
    """Kinds of nodes that are there to choose, where all edges are taken that match."""
    unknown_case: Literal["ends", "takes-all"] = "ends"
    """What becomes of a value that no edge of its node provides for, where it raises nothing."""
    runs_per_arrival: bool = False
    """Whether a node runs again for each way that comes to it, since nothing joins them."""
    on_pause: Literal["allowed", "fails"] = "allowed"
    """What becomes of a run that is to wait at a node of such a graph."""


@dataclass(frozen=True, slots=True)
class FlowGraph:
    """One flow as its author wrote it. Nodes and edges keep their declaration order.

    `nodes` may hold a name twice when the author declared it twice. `built` is false for a
    flow that nobody was seen to build, so that what the builder rejects is not yet proven.
    """

    name: str
    dialect: str
    span: Span
    semantics: Semantics
    nodes: tuple[Node, ...] = ()
    edges: tuple[Edge, ...] = ()
    entries: tuple[Entry, ...] = ()
    symbol: str | None = None
    entry_span: Span | None = None
    """Where the entry was stated, or should be."""
    step_bound: int | None = None
    """The flow's own limit of steps; None when it states none."""
    step_bound_span: Span | None = None
    """Where that limit is stated."""
    bounded: bool = False
    """Whether it states a limit of steps, also one whose number cannot be told."""
    stopped_by: str | None = None
    """What may stop a run from outside, as users call it, such as `kill_switch`."""
    built: bool = True
    unused: bool = False
    """Whether nothing can ever build it: a flow of one function that neither does nor hands it on.
    """
    assumed: bool = False
    """Whether it comes from a function that was evaluated without a caller's arguments."""
    routers: tuple[Router, ...] = ()
    state: StateSchema | None = None
    gaps: tuple[Gap, ...] = ()
    violations: tuple[Violation, ...] = ()
    texts: tuple[Text, ...] = field(default=(), compare=False)
    """Where the names stand as texts that are mentioned elsewhere."""
    malformed: bool = False
    """Whether its very shape is wrong, so that nothing but its violations is to be told."""

    @property
    def path(self) -> str:
        """The file of the construction site, as it was named to flowlint."""
        return self.span.path

    @property
    def refused(self) -> frozenset[str]:
        """The names of the nodes that the flow lacks because the system refuses them."""
        return frozenset(v.node for v in self.violations if v.refuses_node and v.node is not None)

    @property
    def complete(self) -> bool:
        """Whether every node and edge is known, and known to be there in every build."""
        if self.gaps:
            return False
        parts: list[Node | Edge | Entry] = [*self.nodes, *self.edges, *self.entries]
        return all(not part.presence for part in parts)

    def hides(self, what: Literal["nodes", "edges", "entry", "targets", "conditions"]) -> bool:
        """Whether some gap may hide parts of this kind."""
        return any(what in gap.hides for gap in self.gaps)


__all__ = [
    "ALWAYS",
    "END",
    "MOST_ASKED",
    "START",
    "CallableFacts",
    "Edge",
    "EdgeKind",
    "Entry",
    "FlowGraph",
    "Gap",
    "Node",
    "Presence",
    "Semantics",
    "Text",
    "Violation",
]
