"""Definitions of crews, in Python and as data: `CrewDefinition`."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Literal

from flowlint.dialects.agentsflow.circles import circles, in_circles
from flowlint.dialects.agentsflow.crew_shapes import AGENT, BY, CREW, MODES, RELATION, TOOL
from flowlint.dialects.agentsflow.edges import Ends, edge_between
from flowlint.dialects.agentsflow.records import Field, Record, record_of
from flowlint.dialects.agentsflow.semantics import CREW_DEFINITION
from flowlint.dialects.agentsflow.shapes import shape_faults
from flowlint.dialects.agentsflow.sight import Hidden, Sight
from flowlint.dialects.reading import alternatives, escape_gaps, listed
from flowlint.graph.model import Edge, Entry, FlowGraph, Gap, Node, Violation
from flowlint.graph.presence import ALWAYS, Presence
from flowlint.graph.reference_faults import near, near_rename
from flowlint.source import Span
from flowlint.values.model import Built, Value

End = tuple[Presence, str, Span]
_RAISES = "CrewDefinition(…) raises"


class CrewDefinitionReader:
    """Reads one definition. `built` is the call that makes it, None for a file of data."""

    def __init__(self, record: Record, built: Built | None) -> None:
        self.record = record
        self.built = built
        self.sight = Sight(built.presence) if built is not None else Sight()
        self.violations: list[Violation] = []
        self.nodes: list[Node] = []
        self.relations: list[Edge] = []
        self.aliases: dict[str, str] = {}

    def graph(self) -> FlowGraph:
        """The crew: its agents as they follow each other in its mode."""
        record, built = self.record, self.built
        self.violations += shape_faults(record, CREW, "The crew", by=BY)
        for presence, value in self._elements("agents", "nodes"):
            self._agent(presence, value)
        for presence, value in self._elements("tool_nodes", "nodes"):
            self._tool(presence, value)
        for node in self.nodes:
            self.aliases[node.name] = node.name
        for presence, value in self._elements("flow_relations", "edges"):
            self._relation(presence, value)
        edges = self._edges()
        gaps = [*(escape_gaps(built) if built is not None else ()), *self.sight.gaps]
        gaps += circles(self.nodes, edges, record.span)
        symbol = built.symbol if built is not None else None
        return FlowGraph(
            name=record.text("name") or (built.name if built is not None else None) or "crew",
            dialect="agentsflow",
            span=record.span,
            semantics=CREW_DEFINITION,
            nodes=tuple(self.nodes),
            edges=tuple(edges),
            entries=tuple(self._entries(edges)),
            symbol=symbol,
            entry_span=record.where("agents"),
            assumed=built is not None and built.assumed is not None,
            gaps=tuple(gaps),
            violations=tuple(self.violations),
            texts=self.sight.texts.found(),
        )

    def _elements(
        self, name: str, hides: Literal["nodes", "edges"]
    ) -> Iterator[tuple[Presence, Value]]:
        value = self.record.get(name)
        if value is None:
            if self.record.is_open:
                gap = Gap(self.record.span, f"`{name}` is not known", frozenset({hides}))
                self.sight.gaps.append(gap)
            return iter(())
        return self.sight.elements(value, hides)

    def _agent(self, presence: Presence, value: Value) -> None:
        record = record_of(value)
        if record is None:
            self.sight.gap(value, "one of the agents is not known", "nodes", value.origin.span())
            return
        named = record.find("name") or record.find("agent_id")
        if named is None or (record.is_open and record.find("name") is None):
            self.violations += shape_faults(record, AGENT, "An agent", by=BY)
            if record.is_open:
                self.sight.gap(value, "an agent's name is not known", "nodes", record.span)
            return
        kind = record.text("agent_class") or "agent"
        identifier = record.text("agent_id")
        for under, name in self.sight.names(named.value, "an agent's name", named.place, "nodes"):
            self.violations += shape_faults(record, AGENT, f"Agent `{name}`", name, by=BY)
            self.nodes.append(Node(name, record.span, named.place, kind, presence | under))
            if identifier is not None:
                self.aliases.setdefault(identifier, name)

    def _tool(self, presence: Presence, value: Value) -> None:
        record = record_of(value)
        named = record.find("node_id") if record is not None else None
        if record is None or named is None:
            if record is not None:
                self.violations += shape_faults(record, TOOL, "A tool node", by=BY)
            if record is None or record.is_open:
                self.sight.gap(value, "a tool node is not known", "nodes", value.origin.span())
            return
        for under, name in self.sight.names(named.value, "a node's id", named.place, "nodes"):
            self.violations += shape_faults(record, TOOL, f"Tool node `{name}`", name, by=BY)
            if "." in name or not name.strip():
                what = "is blank" if not name.strip() else "has a dot in it"
                said = f"The id of the tool node `{name}` {what}: {_RAISES}"
                self.violations.append(Violation(named.place, said, "name it otherwise", name))
            self.nodes.append(Node(name, record.span, named.place, "tool", presence | under))

    def _relation(self, presence: Presence, value: Value) -> None:
        record = record_of(value)
        if record is None:
            self.sight.gap(value, "a relation is not known", "edges", value.origin.span())
            return
        self.violations += shape_faults(record, RELATION, "A relation", by=BY)
        source, target = record.find("source"), record.find("target")
        if source is None or target is None:
            if record.is_open:
                self.sight.gap(value, "the ends of a relation are not known", "edges", record.span)
            return
        targets = list(self._ends(target))
        for under, first, first_span in self._ends(source):
            for both, second, second_span in targets:
                ends = Ends(first, second, first_span, second_span)
                held = presence | under | both
                order = len(self.relations)
                edge = edge_between(ends, record.span, "always", None, held, order)
                self.relations.append(edge)

    def _ends(self, given: Field) -> Iterator[End]:
        for presence, value in alternatives(given.value):
            found = listed(value)
            items = [(presence, value, given.place)] if found is None else []
            for item in found[0] if found is not None else ():
                where = (item.place or item.value.origin).span()
                items.append((presence | item.presence, item.value, where))
            if found is not None and found[1] is not None:
                self.sight.gap(found[1], "more ends of a relation", "edges", given.place)
            for under, single, place in items:
                for own, name in self.sight.names(single, "an end of a relation", place, "edges"):
                    yield from self._member(name, under | own, place)

    def _member(self, name: str, presence: Presence, place: Span) -> Iterator[End]:
        known = self.aliases.get(name)
        if known is not None:
            yield presence, known, place
        elif not any("nodes" in gap.hides for gap in self.sight.gaps):
            said = f"A relation names `{name}`, which is no member of this crew: {_RAISES}"
            cure = near(name, [*self.aliases], "name one of its agents")
            rename = near_rename(place, name, [*self.aliases])
            self.violations.append(
                Violation(place, said, cure, rule="dangling-edge", rename=rename)
            )

    def _edges(self) -> list[Edge]:
        """What follows what: by relations in the mode `flow`, else one after another or none."""
        mode = _mode_of(self.record)
        relations = self.record.find("flow_relations")
        if mode is None:
            span = self.record.where("execution_mode")
            hides: frozenset[Hidden] = frozenset({"edges", "entry"})
            self.sight.gaps.append(Gap(span, "its mode is not known", hides))
            return self.relations
        if mode == "flow":
            is_told = self.record.is_open or self.sight.gaps or self.violations
            if not self.relations and not is_told:
                said = (
                    "The crew is to run as a flow, and has no relations: run_flow() raises "
                    "ValueError"
                )
                cure = "state `flow_relations`, or another `execution_mode`"
                place = self.record.where("execution_mode")
                self.violations.append(Violation(place, said, cure, severity="warning"))
                gap = Gap(place, "it has no relations", frozenset({"edges"}), told=True)
                self.sight.gaps.append(gap)
            return self.relations
        if relations is not None and self.relations:
            said = f"The relations of this crew are ignored: its mode is `{mode}`"
            cure = 'state `execution_mode: "flow"`, or leave the relations out'
            self.violations.append(
                Violation(relations.key, said, cure, None, "ineffective-field", severity="warning")
            )
            circular = in_circles(self.nodes, self.relations)
            closing = [e for e in self.relations if {e.source, e.target} <= circular]
            if closing and not any(edge.presence for edge in self.relations):
                said = f"The relations of this crew go round: {_RAISES}"
                cure = "remove the relation that leads back"
                self.violations.append(
                    Violation(closing[-1].span, said, cure, rule="forbidden-cycle")
                )
        return [] if mode == "parallel" else self._chain()

    def _chain(self) -> list[Edge]:
        """Agents that work one after another."""
        return [
            edge_between(
                Ends(first.name, second.name, first.name_span, second.name_span),
                second.name_span,
                "always",
                None,
                first.presence | second.presence,
                order,
            )
            for order, (first, second) in enumerate(pairwise(self.nodes))
            if first.name != second.name
        ]

    def _entries(self, edges: list[Edge]) -> Iterator[Entry]:
        followed = {edge.target for edge in edges}
        for node in {node.name: node for node in self.nodes}.values():
            if node.name not in followed:
                yield Entry(node.name, node.name_span, presence=node.presence or ALWAYS)


def _mode_of(record: Record) -> str | None:
    """The mode of a crew, None where it is not known."""
    value = record.get("execution_mode")
    if value is None:
        return None if record.is_open else "sequential"
    text = record.text("execution_mode")
    qualified = getattr(value, "qualified", None)
    if isinstance(qualified, str) and ".ExecutionMode." in qualified:
        text = qualified.rsplit(".", 1)[-1].lower()
    return text if text in MODES else None
