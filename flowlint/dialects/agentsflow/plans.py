"""Plans of tools, in Python and as data: `ExecutionPlan`."""

from __future__ import annotations

from collections.abc import Iterator

from flowlint.dialects.agentsflow.circles import circles
from flowlint.dialects.agentsflow.edges import Ends, edge_between
from flowlint.dialects.agentsflow.plan_guards import guard_faults
from flowlint.dialects.agentsflow.plan_parts import (
    RAISES,
    PlanNode,
    node_faults,
    part_of,
    settled,
)
from flowlint.dialects.agentsflow.plan_shapes import (
    BY,
    MAX_CONCURRENCY,
    MAX_PARALLEL,
    METADATA,
    NODE,
    PLAN,
)
from flowlint.dialects.agentsflow.records import Record, record_of
from flowlint.dialects.agentsflow.semantics import PLAN as SEMANTICS
from flowlint.dialects.agentsflow.shapes import shape_faults
from flowlint.dialects.agentsflow.sight import Sight
from flowlint.dialects.reading import escape_gaps, listed, text_of
from flowlint.graph.model import CallableFacts, Edge, Entry, FlowGraph, Gap, Node, Violation
from flowlint.graph.presence import Presence
from flowlint.source import Span
from flowlint.values.model import Built, Const, Mapped, Value

_FACETS = ("paths", "counts", "group_counts")


class PlanReader:
    """Reads one plan. `built` is the call that makes it, None for a file of data."""

    def __init__(self, record: Record, built: Built | None) -> None:
        self.record = settled(record)
        self.built = built
        self.sight = Sight(built.presence) if built is not None else Sight()
        self.violations: list[Violation] = []
        self.nodes: list[Node] = []
        self.parts: list[PlanNode] = []
        self.edges: list[Edge] = []

    def graph(self) -> FlowGraph:
        """The plan: each node after those that it waits for."""
        record, built = self.record, self.built
        self.violations += shape_faults(record, PLAN, "The plan", by=BY)
        about = part_of(record, "metadata")
        if about is not None:
            what = "The plan's `metadata`"
            self.violations += shape_faults(about, METADATA, what, by=BY)
        nodes = record.get("nodes")
        if nodes is not None:
            for presence, value in self.sight.elements(nodes, "nodes"):
                self._node(presence, value)
        elif record.is_open:
            hides = frozenset({"nodes", "edges"})
            self.sight.gaps.append(Gap(record.span, "its nodes are not known", hides))  # type: ignore[arg-type]
        gaps = [*(escape_gaps(built) if built is not None else ()), *self.sight.gaps]
        if not gaps and not any(node.presence for node in self.nodes):
            self.violations += self._together(about)
        gaps += circles(self.nodes, self.edges, record.span)
        symbol = built.symbol if built is not None else None
        followed = {edge.target for edge in self.edges}
        return FlowGraph(
            name=record.text("name") or (built.name if built is not None else None) or "plan",
            dialect="agentsflow",
            span=record.span,
            semantics=SEMANTICS,
            nodes=tuple(self.nodes),
            edges=tuple(self.edges),
            entries=tuple(
                Entry(node.name, node.name_span, presence=node.presence)
                for node in {node.name: node for node in self.nodes}.values()
                if node.name not in followed
            ),
            symbol=symbol,
            entry_span=record.where("nodes"),
            assumed=built is not None and built.assumed is not None,
            gaps=tuple(gaps),
            violations=tuple(self.violations),
            texts=self.sight.texts.found(),
        )

    def _node(self, presence: Presence, value: Value) -> None:
        held = record_of(value)
        if held is None:
            self.sight.gap(value, "one of the nodes is not known", "nodes", value.origin.span())
            return
        record = settled(held)
        named = record.find("id")
        if named is None:
            self.violations += shape_faults(record, NODE, "A node", by=BY)
            return
        tool = record.text("tool")
        runs = CallableFacts(tool, record.where("tool")) if tool is not None else None
        kind = "tool" if record.find("for_each") is None else "for_each"
        for under, name in self.sight.names(named.value, "a node's id", named.place, "nodes"):
            both = presence | under
            self.nodes.append(Node(name, record.span, named.place, kind, both, runs))
            waits_for, is_whole = self._waits(record, name, named.place, both)
            part = PlanNode(name, record, named.place, waits_for, is_whole, _facets(record))
            self.parts.append(part)
            self.violations += node_faults(part)

    def _waits(
        self, record: Record, name: str, place: Span, presence: Presence
    ) -> tuple[dict[str, Span], bool]:
        """The nodes that one waits for, and whether these are all known."""
        value = record.get("depends_on")
        if value is None:
            return {}, not record.is_open
        found = listed(value)
        if found is None or found[1] is not None:
            self.sight.gap(value, "what a node waits for is not known", "edges", record.span)
            return {}, False
        known = len(self.sight.gaps)
        waits: dict[str, Span] = {}
        for item in found[0]:
            where = (item.place or item.value.origin).span()
            for under, other in self.sight.names(item.value, "a dependency", where, "edges"):
                ends = Ends(other, name, where, place)
                held = presence | item.presence | under
                order = len(self.edges)
                self.edges.append(edge_between(ends, where, "always", None, held, order))
                waits.setdefault(other, where)
        return waits, known == len(self.sight.gaps)

    def _together(self, about: Record | None) -> Iterator[Violation]:
        """What is wrong with nodes beside each other."""
        nodes = {part.name: part for part in self.parts}
        stored: dict[str, str] = {}
        most = _number(about, "max_parallel_tasks", MAX_PARALLEL)
        for part in self.parts:
            name = part.name
            each = part_of(part.record, "for_each")
            yield from guard_faults(part, nodes, _before(part, nodes))
            given = part.record.find("store_as")
            key = text_of(given.value) if given is not None else None
            if given is not None and key and part.record.find("for_each") is None:
                owner = stored.setdefault(key, name)
                if owner != name:
                    said = f"Nodes `{owner}` and `{name}` both store as `{key}`: {RAISES}"
                    cure = "give each a key of its own"
                    yield Violation(given.place, said, cure, name, "conflicting-writes")
            wanted = _number(each, "max_concurrency", MAX_CONCURRENCY) if each else None
            if each is None or wanted is None or most is None or wanted <= most:
                continue
            said = (
                f"Node `{name}` asks for {wanted} items at a time, but the plan allows no more "
                f"than {most} tasks"
            )
            cure = "raise `metadata.max_parallel_tasks`, or lower `max_concurrency`"
            where = each.where("max_concurrency")
            yield Violation(where, said, cure, name, "ineffective-field", severity="warning")


def _facets(record: Record) -> frozenset[str] | None:
    """The names of the facets that a node tells, None where not all are known."""
    given = record.get("facets")
    if given is None:
        return None if record.is_open else frozenset()
    held = part_of(record, "facets")
    if held is None or held.is_open:
        return None
    found: set[str] = set()
    for kind in _FACETS:
        value = held.get(kind)
        if value is None:
            continue
        names = record_of(value) if isinstance(value, Mapped) else None
        if names is None or names.is_open:
            return None
        found.update(names.fields)
    return frozenset(found)


def _before(part: PlanNode, nodes: dict[str, PlanNode]) -> frozenset[str]:
    """The nodes that ran before one."""
    found: set[str] = set()
    waiting = [*part.waits_for]
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            held = nodes.get(name)
            waiting += held.waits_for if held is not None else ()
    return frozenset(found)


def _number(record: Record | None, name: str, default: int) -> int | None:
    """A number that is stated or is there by default, None where it is not known."""
    value = record.get(name) if record is not None else None
    if value is None:
        return default if record is None or not record.is_open else None
    held = value.value if isinstance(value, Const) else None
    return held if isinstance(held, int) and not isinstance(held, bool) else None
