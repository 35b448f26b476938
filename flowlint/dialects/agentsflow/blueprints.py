"""Blueprints of workflows, in Python and as data: `WorkflowBlueprint`."""

from __future__ import annotations

from collections.abc import Iterator

from flowlint.dialects.agentsflow.blueprint_faults import node_faults, transition_faults
from flowlint.dialects.agentsflow.blueprint_shapes import BLUEPRINT, BY, NODE, TRANSITION
from flowlint.dialects.agentsflow.circles import circles
from flowlint.dialects.agentsflow.edges import Ends, edge_between
from flowlint.dialects.agentsflow.model import CONDITIONS
from flowlint.dialects.agentsflow.modes import conjunctive_faults
from flowlint.dialects.agentsflow.predicates import cel_faults, guard_of
from flowlint.dialects.agentsflow.records import Field, Record, record_of
from flowlint.dialects.agentsflow.results import result_of
from flowlint.dialects.agentsflow.semantics import BLUEPRINT as FLOW_SEMANTICS
from flowlint.dialects.agentsflow.semantics import BLUEPRINT_CREW
from flowlint.dialects.agentsflow.shapes import shape_faults
from flowlint.dialects.agentsflow.sight import Hidden, Sight
from flowlint.dialects.reading import alternatives, escape_gaps, listed
from flowlint.graph.model import CallableFacts, Edge, Entry, FlowGraph, Gap, Node, Violation
from flowlint.graph.node_outputs import Output
from flowlint.graph.presence import Presence
from flowlint.source import Span
from flowlint.values.model import Built, Value

End = tuple[Presence, str, Span]


class BlueprintReader:
    """Reads one blueprint. `built` is the call that makes it, None for a file of data."""

    def __init__(self, record: Record, built: Built | None) -> None:
        self.record = record
        self.built = built
        self.engine = record.text("engine")
        self.sight = Sight(built.presence) if built is not None else Sight()
        self.violations: list[Violation] = []
        self.nodes: list[Node] = []
        self.edges: list[Edge] = []
        self.kinds: dict[str, str] = {}
        self.given: dict[str, Output | None] = {}

    def graph(self) -> FlowGraph:
        """The workflow that is made of it."""
        record, built = self.record, self.built
        self.violations += shape_faults(record, BLUEPRINT, "The blueprint", by=BY)
        for presence, value in self._elements("nodes", "nodes"):
            self._node(presence, value)
        for presence, value in self._elements("transitions", "edges"):
            self._transition(presence, value)
        gaps = [*(escape_gaps(built) if built is not None else ()), *self.sight.gaps]
        entries = list(self._entries())
        if not gaps:
            self.violations += self._several_entries()
            if self.engine == "flow":
                self.violations += conjunctive_faults(self.nodes, self.edges, "warning")
        gaps += circles(self.nodes, self.edges, record.span)
        if not entries and any(edge.back for edge in self.edges):
            gaps.append(Gap(record.span, "the flow goes round", frozenset({"entry"}), told=True))
        symbol = built.symbol if built is not None else None
        return FlowGraph(
            name=record.text("name") or (built.name if built is not None else None) or "blueprint",
            dialect="agentsflow",
            span=record.span,
            semantics=BLUEPRINT_CREW if self.engine == "crew" else FLOW_SEMANTICS,
            nodes=tuple(self.nodes),
            edges=tuple(self.edges),
            entries=tuple(entries),
            symbol=symbol,
            entry_span=record.where("nodes"),
            assumed=built is not None and built.assumed is not None,
            gaps=tuple(gaps),
            violations=tuple(self.violations),
            texts=self.sight.texts.found(),
        )

    def _elements(self, name: str, hides: Hidden) -> Iterator[tuple[Presence, Value]]:
        value = self.record.get(name)
        if value is not None:
            return self.sight.elements(value, hides)
        if self.record.is_open:
            gap = Gap(self.record.span, f"`{name}` is not known", frozenset({hides}))
            self.sight.gaps.append(gap)
        return iter(())

    def _node(self, presence: Presence, value: Value) -> None:
        record = record_of(value)
        if record is None:
            self.sight.gap(value, "one of the nodes is not known", "nodes", value.origin.span())
            return
        named = record.find("id")
        if named is None:
            self.violations += shape_faults(record, NODE, "A node", by=BY)
            if record.is_open:
                self.sight.gap(value, "a node's id is not known", "nodes", record.span)
            return
        kind, config = record.text("kind"), record.get("config")
        runs = None
        for field in ("agent_ref", "tool"):
            text = record.text(field)
            if text:
                runs = runs or CallableFacts(text, record.where(field))
        for under, name in self.sight.names(named.value, "a node's id", named.place, "nodes"):
            both = presence | under
            gives = result_of(kind, record_of(config) if config is not None else None)
            self.nodes.append(
                Node(name, record.span, named.place, kind or "node", both, runs, gives=gives)
            )
            self.given[name] = gives
            self.kinds[name] = kind or ""
            self.violations += node_faults(record, name, named.place, kind, self.engine)

    def _transition(self, presence: Presence, value: Value) -> None:
        record = record_of(value)
        if record is None:
            self.sight.gap(value, "a transition is not known", "edges", value.origin.span())
            return
        source, target = record.find("source"), record.find("target")
        sources = list(self._ends(source)) if source is not None else []
        targets = list(self._ends(target)) if target is not None else []
        if not sources or not targets:
            self.violations += shape_faults(record, TRANSITION, "A transition", by=BY)
            return
        owner = f"The transition from `{sources[0][1]}` to `{targets[0][1]}`"
        first = sources[0][1]
        self.violations += shape_faults(record, TRANSITION, owner, first, by=BY)
        self.violations += transition_faults(record, owner, self.engine, first)
        condition = record.text("condition")
        predicate = record.find("predicate")
        if predicate is not None:
            kind = self.kinds.get(first)
            self.violations += cel_faults(
                predicate, first, targets[0][1], kind, self.given.get(first)
            )
        if condition not in CONDITIONS:
            condition = "on_success"
        guard = guard_of(predicate)
        for under, name, place in sources:
            for both, other, where in targets:
                ends = Ends(name, other, place, where)
                held = presence | under | both
                order = len(self.edges)
                self.edges.append(edge_between(ends, record.span, condition, guard, held, order))

    def _ends(self, given: Field) -> Iterator[End]:
        for presence, value in alternatives(given.value):
            found = listed(value)
            items = [(presence, value, given.place)] if found is None else []
            for item in found[0] if found is not None else ():
                where = (item.place or item.value.origin).span()
                items.append((presence | item.presence, item.value, where))
            if found is not None and found[1] is not None:
                self.sight.gap(found[1], "more ends of a transition", "edges", given.place)
            for under, single, place in items:
                for own, name in self.sight.names(single, "an end of a transition", place, "edges"):
                    yield under | own, name, place

    def _roots(self) -> list[Node]:
        """The nodes to which no transition leads but such as a predicate decides."""
        followed = {edge.target for edge in self.edges if not edge.back}
        return [node for node in self.nodes if node.name not in followed]

    def _entries(self) -> Iterator[Entry]:
        followed = {edge.target for edge in self.edges}
        for node in {node.name: node for node in self.nodes}.values():
            if node.name not in followed:
                yield Entry(node.name, node.name_span, presence=node.presence)

    def _several_entries(self) -> Iterator[Violation]:
        """Where more than one node begins, of which somebody may be forgotten."""
        if not self.edges or any(edge.presence for edge in self.edges):
            return
        named = {name for edge in self.edges for name in (edge.source, edge.target)}
        for node in self._roots():
            if node.name in named or node.presence:
                continue
            said = f"No transition names `{node.name}`: it starts at once, beside the entry"
            cure = f"add a transition to `{node.name}`, or remove the node"
            yield Violation(
                node.name_span, said, cure, node.name, "unreachable-node", severity="info"
            )
