"""The nodes and edges of a flow or region, as its checks see them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from flowlint.dialects.objectstack.kinds import KINDS, RENAMED_KINDS, KindFacts
from flowlint.dialects.objectstack.notes import Notes
from flowlint.dialects.objectstack.objects import Expression, Obj
from flowlint.graph.model import ALWAYS, Presence
from flowlint.source import Span

UNKNOWN_KIND = "unknown"
_NO_FACTS = KindFacts(pauses="maybe")


@dataclass(frozen=True, slots=True)
class NodePart:
    """A node. `kind` is as it is written, `facts` are those of the kind it is converted to."""

    id: str
    kind: str
    obj: Obj
    config: Obj
    name_span: Span
    presence: Presence = ALWAYS

    @property
    def runs_as(self) -> str:
        """The kind that the node is run as."""
        return RENAMED_KINDS.get(self.kind, self.kind)

    @property
    def facts(self) -> KindFacts:
        """What its kind demands; nothing, where it is not known."""
        return KINDS.get(self.runs_as, _NO_FACTS)

    @property
    def shown(self) -> str:
        """How the node is spoken of at the begin of a sentence."""
        return f"Node `{self.id}`"


@dataclass(frozen=True, slots=True)
class EdgePart:
    """An edge between two names. `label` is None where it has none, or none that is known."""

    source: str
    target: str
    type: str | None
    label: str | None
    condition: Expression | None
    is_default: bool
    obj: Obj
    source_span: Span
    target_span: Span
    presence: Presence = ALWAYS
    order: int = 0
    is_sure: bool = True
    """Whether all that decides when it is taken is known."""

    @property
    def is_fault(self) -> bool:
        """Whether it is taken where its source fails."""
        return self.type == "fault"

    @property
    def shown(self) -> str:
        """How the edge is spoken of within a sentence."""
        return f"the edge from `{self.source}` to `{self.target}`"


@dataclass(slots=True)
class Scope:
    """One flow or region with what is found wrong with it.

    `is_whole` tells that all its nodes and edges are known. `flow` is the flow around.
    """

    flow: Obj
    notes: Notes
    nodes: list[NodePart] = field(default_factory=list)
    edges: list[EdgePart] = field(default_factory=list)
    is_whole: bool = True
    is_region: bool = False
    depth: int = 0
    """How many regions it stands in."""
    _named: tuple[int, dict[str, NodePart]] | None = None
    _targets: tuple[int, frozenset[str]] | None = None
    _led: tuple[int, dict[str, list[EdgePart]]] | None = None

    def parts(self) -> Iterator[NodePart | EdgePart]:
        """The nodes, then the edges."""
        yield from self.nodes
        yield from self.edges

    def by_id(self) -> Mapping[str, NodePart]:
        """The first node of every id."""
        if self._named is None or self._named[0] != len(self.nodes):
            found: dict[str, NodePart] = {}
            for node in self.nodes:
                found.setdefault(node.id, node)
            self._named = len(self.nodes), found
        return self._named[1]

    def all_leaving(self, name: str) -> list[EdgePart]:
        """The edges that leave a node."""
        if self._led is None or self._led[0] != len(self.edges):
            found: dict[str, list[EdgePart]] = {}
            for edge in self.edges:
                found.setdefault(edge.source, []).append(edge)
            self._led = len(self.edges), found
        return self._led[1].get(name, [])

    def led_to(self) -> frozenset[str]:
        """The names that edges lead to."""
        if self._targets is None or self._targets[0] != len(self.edges):
            self._targets = len(self.edges), frozenset(edge.target for edge in self.edges)
        return self._targets[1]

    def leaving(self, name: str) -> list[EdgePart]:
        """The edges that leave a node where it does not fail."""
        return [edge for edge in self.all_leaving(name) if not edge.is_fault]


def first_start(nodes: Iterable[NodePart]) -> NodePart | None:
    """The node at which a run begins."""
    return next((node for node in nodes if node.kind == "start"), None)
