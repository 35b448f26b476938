"""From the object that a flow is written as to its graph."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Literal

from flowlint.dialects.objectstack.branch_writes import check_branch_writes
from flowlint.dialects.objectstack.checks import check_flow, check_scope
from flowlint.dialects.objectstack.edges import EdgeReader, graph_edges
from flowlint.dialects.objectstack.kinds import REGIONS
from flowlint.dialects.objectstack.notes import Notes
from flowlint.dialects.objectstack.objects import Obj, object_of, single_alternatives
from flowlint.dialects.objectstack.parts import UNKNOWN_KIND, NodePart, Scope, first_start
from flowlint.dialects.objectstack.regions import check_region, no_region
from flowlint.dialects.objectstack.routers import routers_of
from flowlint.dialects.objectstack.semantics import FLOW, REGION
from flowlint.dialects.objectstack.shape_checks import check_shape, shown
from flowlint.dialects.reading import Texts, escape_gaps, listed, reason_of
from flowlint.graph.model import ALWAYS, Entry, FlowGraph, Gap, Node, Presence
from flowlint.source import Span
from flowlint.values.model import Built, Const, Function, Mapped, Sequence, Value

_CURE = "write the list out, or build it from constants of this project"
_MAX_DEPTH = 32
"""How many regions may stand in each other."""


@dataclass(slots=True)
class Sight:
    """The gaps of one flow or region. `base` is the condition under which it is there at all."""

    base: Presence = ALWAYS
    is_region: bool = False
    gaps: list[Gap] = field(default_factory=list)
    texts: Texts = field(default_factory=Texts)

    def gap(self, value: Value, what: str, hides: Literal["nodes", "edges"], span: Span) -> None:
        """Note that something could not be told, and why."""
        self.hide(span, f"{what}: {reason_of(value)}", hides)

    def hide(
        self, span: Span, reason: str, hides: Literal["nodes", "edges"], *, is_told: bool = False
    ) -> None:
        """Note that something is not there as it should; `is_told`: that is told as a fault."""
        self.gaps.append(Gap(span, reason, frozenset({hides}), cure=_CURE, told=is_told))

    def parts(self, obj: Obj, name: Literal["nodes", "edges"]) -> Iterator[tuple[Presence, Value]]:
        """The elements of a list of nodes or edges, with a gap for what is not known of it."""
        value = obj.get(name)
        if value is None:
            is_told = obj.lacks(name)
            # A region may be without edges.
            if not (is_told and name == "edges" and self.is_region):
                self.hide(obj.span, f"{name} are not known", name, is_told=is_told)
            return
        for presence, single in single_alternatives(value, ALWAYS, self.base):
            found = listed(single)
            if found is None:
                is_told = isinstance(single, Const | Mapped | Function)
                reason = f"{name} are not known: {reason_of(single)}"
                self.hide(single.origin.span(), reason, name, is_told=is_told)
                continue
            items, rest = found
            if rest is not None:
                self.gap(rest, f"more {name} may be there", name, single.origin.span())
            if isinstance(single, Sequence) and single.disturbed:
                self.gap(single, f"more {name} may be there", name, single.origin.span())
            for item in items:
                under = presence | item.presence
                yield from single_alternatives(item.value, under, self.base)


def flow_graph(obj: Obj, name: str, built: Built | None, *, is_parsed: bool) -> FlowGraph:
    """The graph of the flow that an object is; `built` is what makes a flow of it."""
    sight = Sight(built.presence if built is not None else ALWAYS)
    if built is not None:
        sight.gaps += escape_gaps(built)
    notes = Notes(is_parsed)
    shown_name = obj.text("name") or name
    check_shape(obj, "flow", f"Flow `{shown_name}`", notes)
    reading = _Reading(obj, sight, Scope(obj, notes), shown_name)
    graph = reading.graph()
    start = first_start(reading.scope.nodes)
    check_flow(reading.scope, start, reading.inner)
    entries = () if start is None else (Entry(start.id, start.name_span, presence=start.presence),)
    return _replaced(
        graph,
        span=built.origin.span() if built is not None else obj.span,
        entries=entries,
        gaps=(*graph.gaps, *(() if start is not None else _hidden_start(reading.scope, graph))),
        entry_span=None,
        symbol=built.symbol if built is not None else None,
        assumed=built is not None and built.assumed is not None,
        violations=tuple(notes.found),
    )


def _hidden_start(scope: Scope, graph: FlowGraph) -> Iterator[Gap]:
    """Where the start may be: a node of a kind that is not known, or one that is not known."""
    for node in scope.nodes:
        if node.kind == UNKNOWN_KIND:
            yield Gap(node.obj.span, "the kind of a node is not known", frozenset({"entry"}))
            return
    if graph.hides("nodes"):
        yield Gap(graph.span, "a node is not known", frozenset({"entry"}), told=True)


def flow_scopes(obj: Obj, base: Presence) -> list[Scope]:
    """The nodes and edges of a flow, then those of its regions."""
    reading = _Reading(obj, Sight(base), Scope(obj, Notes(False)), "flow")
    reading.graph()
    return [reading.scope, *reading.inner]


def _replaced(graph: FlowGraph, **changes: object) -> FlowGraph:
    return replace(graph, **changes)  # type: ignore[arg-type]


class _Reading:
    """Reads one flow or region. `inner` are the scopes of the regions within it."""

    def __init__(self, obj: Obj, sight: Sight, scope: Scope, name: str, depth: int = 0) -> None:
        self.obj = obj
        self.sight = sight
        self.scope = scope
        self.name = name
        self.depth = depth
        self.inner: list[Scope] = []

    def graph(self) -> FlowGraph:
        """The graph of what was read."""
        sight, scope = self.sight, self.scope
        for presence, value in sight.parts(self.obj, "nodes"):
            self._node(value, presence)
        reader = EdgeReader(sight, scope)
        for presence, value in sight.parts(self.obj, "edges"):
            reader.read(value, presence)
        scope.is_whole = not sight.gaps
        nodes = [self._graph_node(node) for node in scope.nodes]
        check_scope(scope)
        scope.notes.soften([part.obj.span for part in scope.parts() if part.presence])
        semantics = REGION if scope.is_region else FLOW
        return FlowGraph(
            name=self.name,
            dialect="objectstack",
            span=self.obj.span,
            semantics=semantics,
            nodes=tuple(nodes),
            edges=graph_edges(scope),
            entries=self._entries() if scope.is_region else (),
            routers=tuple(routers_of(scope)),
            gaps=tuple(sight.gaps),
            violations=tuple(scope.notes.found),
            texts=sight.texts.found(),
        )

    def _entries(self) -> tuple[Entry, ...]:
        """The nodes of a region that no edge leads to."""
        led_to = {edge.target for edge in self.scope.edges}
        begins = [node for node in self.scope.nodes if node.id not in led_to]
        # Where a region goes round, that is told.
        first = begins or self.scope.nodes[:1]
        return tuple(Entry(node.id, node.name_span, presence=node.presence) for node in first)

    def _node(self, value: Value, presence: Presence) -> None:
        if not isinstance(value, Mapped):
            if isinstance(value, Const | Sequence | Function):
                said = f"One of the nodes is {shown(value)}, which is no object"
                self.scope.notes.refuse(value.origin.span(), said, "write an object with an `id`")
                self.sight.hide(value.origin.span(), said, "nodes", is_told=True)
            else:
                self.sight.gap(value, "one of the nodes is not known", "nodes", self.obj.span)
            return
        obj = object_of(value, self.sight.base | presence)
        called = obj.text("id")
        owner = f"Node `{called}`" if called else f"Node {len(self.scope.nodes) + 1}"
        check_shape(obj, "node", owner, self.scope.notes, called)
        given = obj.get("id")
        if given is None:
            is_told = obj.lacks("id")
            self.sight.hide(obj.span, "a node's id is not known", "nodes", is_told=is_told)
            return
        for under, single in single_alternatives(given, presence, self.sight.base):
            if isinstance(single, Const):
                if isinstance(single.value, str):
                    place = given.origin.span()
                    self.sight.texts.note(single, place)
                    self.scope.nodes.append(_part(obj, single.value, place, under))
                else:
                    self.sight.hide(obj.span, "a node has no id", "nodes", is_told=True)
            else:
                self.sight.gap(single, "a node's id is not known", "nodes", obj.span)

    def _graph_node(self, node: NodePart) -> Node:
        facts = node.facts
        pauses = facts.pauses == "always" or (node.runs_as == "screen" and _waits(node))
        return Node(
            node.id,
            node.obj.span,
            node.name_span,
            node.kind,
            node.presence,
            may_pause=facts.pauses != "no",
            pauses=node.name_span if pauses else None,
            regions=self._regions(node),
        )

    def _regions(self, node: NodePart) -> Mapping[str, FlowGraph]:
        found: dict[str, FlowGraph] = {}
        for slot, many in REGIONS.get(node.kind, ()):
            value = node.config.get(slot)
            if value is None:
                continue
            if not many:
                self._region(node, slot, slot, value, found)
                continue
            before = len(self.inner)
            for number, branch in enumerate(_branches(value)):
                self._region(node, f"{slot}[{number}]", f"branch {number}", branch, found)
            branches = [one for one in self.inner[before:] if one.depth == self.depth + 1]
            check_branch_writes(node, branches, self.scope)
        return found

    def _region(
        self, node: NodePart, slot: str, label: str, value: Value, found: dict[str, FlowGraph]
    ) -> None:
        what = f"The {label} of `{node.id}`" if label != "catch" else f"The catch of `{node.id}`"
        if not isinstance(value, Mapped):
            is_branch = label.startswith("branch")
            no_region(value, what, node.id, self.scope.notes, is_branch)
            return
        if self.depth == _MAX_DEPTH:
            return
        obj = object_of(value)
        notes = self.scope.notes.inner()
        shape = "branch" if label.startswith("branch") else "region"
        check_shape(obj, shape, what, notes, node.id)
        sight = Sight(is_region=True)
        scope = Scope(self.scope.flow, notes, is_region=True, depth=self.depth + 1)
        reading = _Reading(obj, sight, scope, f"{self.name}.{node.id}.{slot}", self.depth + 1)
        graph = reading.graph()
        check_region(scope, what)
        self.inner += [scope, *reading.inner]
        key = _slot_name(node, slot, obj, found)
        found[key] = _replaced(graph, violations=tuple(notes.found))


def _slot_name(node: NodePart, slot: str, obj: Obj, found: Mapping[str, FlowGraph]) -> str:
    """How a region is called: a branch by its name, if no other has it."""
    name = obj.text("name")
    return name if node.kind == "parallel" and name and name not in found else slot


def _branches(value: Value) -> list[Value]:
    return [item.value for item in value.items] if isinstance(value, Sequence) else []


def _part(obj: Obj, name: str, place: Span, presence: Presence) -> NodePart:
    config = obj.object("config") or Obj(
        obj.origin, {}, is_open=not obj.lacks("config"), unsure=frozenset()
    )
    return NodePart(name, obj.text("type") or UNKNOWN_KIND, obj, config, place, presence)


def _waits(node: NodePart) -> bool:
    """Whether a screen surely waits for somebody."""
    config = node.config
    fields = config.get("fields")
    has_fields = isinstance(fields, Sequence) and bool(fields.items)
    return config.is_true("waitForInput") or has_fields or bool(config.text("objectName"))
