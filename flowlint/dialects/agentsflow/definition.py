"""Definitions, in Python and as data, as flows."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from functools import partial
from typing import Literal, cast

from flowlint.dialects.agentsflow import shapes
from flowlint.dialects.agentsflow.circles import circles
from flowlint.dialects.agentsflow.configs import config_faults
from flowlint.dialects.agentsflow.edges import Ends, edge_between
from flowlint.dialects.agentsflow.ignored import idle_actions, ignored_fields
from flowlint.dialects.agentsflow.markers import (
    marker_faults,
    only_markers,
    undeclared_markers,
    without_markers,
)
from flowlint.dialects.agentsflow.model import CONDITIONS
from flowlint.dialects.agentsflow.modes import conjunctive_faults, never_after_failure
from flowlint.dialects.agentsflow.predicates import cel_faults, guard_of
from flowlint.dialects.agentsflow.records import Record, record_of
from flowlint.dialects.agentsflow.results import result_of
from flowlint.dialects.agentsflow.semantics import DEFINITION
from flowlint.dialects.agentsflow.sight import Sight
from flowlint.dialects.agentsflow.unmatched import unmatched_routes
from flowlint.dialects.reading import alternatives, escape_gaps, listed, text_of
from flowlint.dialects.remembered import remembered
from flowlint.graph.model import (
    CallableFacts,
    Edge,
    Entry,
    FlowGraph,
    Gap,
    Node,
    Presence,
    Violation,
)
from flowlint.graph.node_outputs import Output
from flowlint.source import Span
from flowlint.values.model import Built, Value

Run = Literal["no", "seen", "maybe"]
"""Whether the definition is seen to be run in the mode in which joins wait for all."""


class DefinitionReader:
    """Reads one definition. `built` is the call that makes it, None for a file of data."""

    def __init__(self, record: Record, built: Built | None, run: Run) -> None:
        self.record = record
        self.built = built
        self.run = run
        self.sight = Sight(built.presence) if built is not None else Sight()
        self.violations: list[Violation] = []
        self.nodes: list[Node] = []
        self.edges: list[Edge] = []
        self.types: dict[str, str] = {}
        self.given: dict[str, Output | None] = {}

    def graph(self) -> FlowGraph:
        """The flow."""
        record = self.record
        self.violations += shapes.shape_faults(record, shapes.FLOW, "The flow")
        metadata = record.get("metadata")
        about = record_of(metadata) if metadata is not None else None
        if about is not None:
            self.violations += shapes.shape_faults(about, shapes.METADATA, "The flow's `metadata`")
            self.violations += ignored_fields(about, "metadata", "The flow's `metadata`", None)
        for presence, value in self._elements("nodes"):
            self._note(value, ("node", presence), partial(self._node, presence, value))
        self.given = {node.name: node.gives for node in self.nodes}
        for presence, value in self._elements("edges"):
            source = record_of(value)
            name = (source.text("from") or "") if source is not None else ""
            rests_on = (self.types.get(name), self.given.get(name))
            key = ("edge", presence, len(self.edges), rests_on)
            self._note(value, key, partial(self._edge, presence, value))
        return self._drawn()

    def _note(self, value: Value, key: Hashable, read: Callable[[], None]) -> None:
        """Note what an element comes to: as before, where it is remembered."""
        lists = (self.violations, self.nodes, self.edges, self.sight.gaps)
        lengths = [len(held) for held in lists]
        is_read = False

        def noted() -> tuple[tuple[list[object], ...], dict[str, str]]:
            nonlocal is_read
            is_read = True
            read()
            added = tuple(
                [*cast(list[object], held)[length:]]
                for held, length in zip(lists, lengths, strict=True)
            )
            names = [node.name for node in self.nodes[lengths[1] :]]
            return added, {name: self.types[name] for name in names}

        added, types = remembered(value, key, noted)
        if not is_read:
            for held, more in zip(lists, added, strict=True):
                cast(list[object], held).extend(more)
            self.types.update(types)

    def _drawn(self) -> FlowGraph:
        built = self.built
        if self.run == "seen":
            edges, faults = (
                never_after_failure(self.edges),
                conjunctive_faults(self.nodes, self.edges, None),
            )
        else:
            edges = self.edges
            is_told = self.run == "maybe"
            faults = conjunctive_faults(self.nodes, self.edges, "info") if is_told else iter(())
        self.violations += faults
        raises = "FlowDefinition(…) raises"
        if not self.sight.gaps:
            self.violations += unmatched_routes(edges, self.types)
            self.violations += undeclared_markers(self.nodes, edges, raises)
        self.violations += marker_faults(self.nodes, edges, raises)
        self.sight.gaps += circles(self.nodes, self.edges, self.record.span)
        self.sight.gaps += only_markers(self.nodes, self.record.span)
        entries = list(self._entries())
        if not entries and self.run != "seen" and any(edge.back for edge in edges):
            # Built by `add_edge`, the same nodes and edges have an entry.
            gap = Gap(self.record.span, "the flow goes round", frozenset({"entry"}), told=True)
            self.sight.gaps.append(gap)
        marked = without_markers(self.nodes, edges, entries)
        name = self.record.text("flow")
        symbol = built.symbol if built is not None else None
        return FlowGraph(
            name=name or (built.name if built is not None else None) or symbol or "flow",
            dialect="agentsflow",
            span=self.record.span,
            semantics=DEFINITION,
            nodes=marked.nodes,
            edges=marked.edges,
            entries=marked.entries,
            symbol=symbol,
            entry_span=self.record.where("nodes"),
            assumed=built is not None and built.assumed is not None,
            gaps=(*(escape_gaps(built) if built is not None else ()), *self.sight.gaps),
            violations=tuple(self.violations),
            texts=self.sight.texts.found(),
        )

    def _elements(self, name: Literal["nodes", "edges"]) -> Iterator[tuple[Presence, Value]]:
        value = self.record.get(name)
        if value is None:
            if self.record.is_open:
                gap = Gap(self.record.span, f"{name} are not known", frozenset({name}))
                self.sight.gaps.append(gap)
            return iter(())
        return self.sight.elements(value, name)

    def _node(self, presence: Presence, value: Value) -> None:
        record = record_of(value)
        if record is None:
            self.sight.gap(value, "one of the nodes is not known", "nodes", value.origin.span())
            return
        named = record.find("id")
        if named is None:
            self.violations += shapes.shape_faults(record, shapes.NODE, "A node")
            return
        kind, config = record.text("type"), record.get("config")
        names = self.sight.names(named.value, "a node's id", named.place, "nodes")
        if not names:
            self.violations += shapes.shape_faults(record, shapes.NODE, "A node")
        for under, name in names:
            self.nodes.append(
                Node(
                    name,
                    record.span,
                    named.place,
                    kind or "node",
                    presence | under,
                    self._runs(record),
                    gives=result_of(kind, record_of(config) if config is not None else None),
                )
            )
            self.types[name] = kind or ""
            self._node_faults(record, name, kind)

    def _runs(self, record: Record) -> CallableFacts | None:
        agent = record.text("agent_ref")
        return CallableFacts(agent, record.where("agent_ref")) if agent is not None else None

    def _node_faults(self, record: Record, name: str, kind: str | None) -> None:
        owner = f"Node `{name}`"
        self.violations += shapes.shape_faults(record, shapes.NODE, owner, name)
        for field in ("pre_actions", "post_actions"):
            self.violations += shapes.action_faults(record.get(field), field, name)
            self.violations += idle_actions(record.get(field), name)
        if kind == "agent" and not record.is_open:
            agent = record.find("agent_ref")
            if agent is None or text_of(agent.value) == "":
                said = f"{owner} of the type `agent` has no `agent_ref`: FlowDefinition(…) raises"
                self.violations.append(
                    Violation(record.where("type"), said, "name the agent that it runs", name)
                )
        self.violations += config_faults(record, kind, name)
        self.violations += ignored_fields(record, "node", owner, name)

    def _edge(self, presence: Presence, value: Value) -> None:
        record = record_of(value)
        if record is None:
            self.sight.gap(value, "one of the edges is not known", "edges", value.origin.span())
            return
        source, target = record.find("from"), record.find("to")
        if source is None or target is None:
            self.violations += shapes.shape_faults(record, shapes.EDGE, "An edge")
            if record.is_open:
                self.sight.gap(value, "the ends of an edge are not known", "edges", record.span)
            return
        told = False
        for under, first in self.sight.names(
            source.value, "an end of an edge", source.place, "edges"
        ):
            for both, second, place in self._targets(target.value, under, target.place):
                ends = Ends(first, second, source.place, place)
                if not told:
                    self._edge_faults(record, ends)
                    told = True
                self._add(record, ends, presence | both)
        if not told:
            self.violations += shapes.shape_faults(record, shapes.EDGE, "An edge")

    def _targets(
        self, value: Value, presence: Presence, place: Span
    ) -> Iterator[tuple[Presence, str, Span]]:
        """The targets of an edge, which may be several."""
        for under, single in alternatives(value, presence):
            found = listed(single)
            items = [(under, single, place)] if found is None else []
            for item in found[0] if found is not None else ():
                where = (item.place or item.value.origin).span()
                items.append((under | item.presence, item.value, where))
            if found is not None and found[1] is not None:
                self.sight.gap(found[1], "more targets of an edge may be there", "edges", place)
            for held, one, where in items:
                for last, name in self.sight.names(one, "an end of an edge", where, "edges"):
                    yield held | last, name, where

    def _add(self, record: Record, ends: Ends, presence: Presence) -> None:
        condition = record.text("condition") if record.find("condition") else "on_success"
        if condition is None or condition not in CONDITIONS:
            if condition is None:
                value = record.get("condition")
                assert value is not None
                self.sight.gap(value, "when an edge counts is not known", "edges", record.span)
            condition = "on_success"
        guard = guard_of(record.find("predicate"))
        edge = edge_between(ends, record.span, condition, guard, presence, len(self.edges))
        self.edges.append(edge)

    def _edge_faults(self, record: Record, ends: Ends) -> None:
        owner = f"The edge from `{ends.source}` to `{ends.target}`"
        self.violations += shapes.shape_faults(record, shapes.EDGE, owner, ends.source)
        predicate = record.find("predicate")
        is_empty = predicate is None or text_of(predicate.value) == ""
        condition = record.text("condition")
        if condition == "on_condition" and is_empty and not record.is_open:
            said = (
                f"{owner} has the condition `on_condition` and no predicate: "
                "FlowDefinition(…) raises"
            )
            cure = "state a `predicate`, or another condition"
            where = record.where("condition")
            self.violations.append(Violation(where, said, cure, ends.source))
        if condition == "on_condition":
            kind = self.types.get(ends.source)
            gives = self.given.get(ends.source)
            self.violations += cel_faults(predicate, ends.source, ends.target, kind, gives)
        elif predicate is not None and not is_empty and not record.is_open:
            shown = condition or "on_success"
            said = f"{owner} has a predicate, which the condition `{shown}` does not look at"
            cure = 'state `condition: "on_condition"`'
            self.violations.append(
                Violation(
                    predicate.place,
                    said,
                    cure,
                    ends.source,
                    "ineffective-field",
                    severity="warning",
                )
            )
        self.violations += ignored_fields(record, "edge", owner, ends.source)

    def _entries(self) -> Iterator[Entry]:
        """The nodes that wait for none."""
        declared = {node.name for node in self.nodes}
        followed = {edge.target for edge in self.edges if edge.source in declared}
        for node in {node.name: node for node in self.nodes}.values():
            if node.name not in followed:
                yield Entry(node.name, node.name_span, presence=node.presence)
