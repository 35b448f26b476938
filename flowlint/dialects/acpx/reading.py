"""Reads a flow from the object that `defineFlow` is given."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import partial

from flowlint.dialects.acpx import faults, fields, ignored
from flowlint.dialects.acpx.callbacks import declared_output, only_asks, outputs_read
from flowlint.dialects.acpx.commands import command_faults
from flowlint.dialects.acpx.edges import EdgeReader, Leaving, to_graph
from flowlint.dialects.acpx.failures import failure_faults
from flowlint.dialects.acpx.faults import Owner
from flowlint.dialects.acpx.limits import limit_faults
from flowlint.dialects.acpx.model import DEFINE, SEMANTICS, SHELL
from flowlint.dialects.acpx.nodes import NodePart, node_of
from flowlint.dialects.acpx.objects import Property, Shape, shape_of, type_of
from flowlint.dialects.acpx.paths import OUTCOME, is_of_result
from flowlint.dialects.acpx.releases import release_faults
from flowlint.dialects.acpx.switches import routers_of, switch_faults
from flowlint.dialects.reading import Texts, alternatives, may_end_run, reason_of, text_of
from flowlint.dialects.surroundings import Surroundings
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
from flowlint.source import Span
from flowlint.values.model import Built, Function, Mapped, Sequence, Value

_CURE = "write it out, or build it from constants of this project"
_FIELDS = ("name", "run", "permissions", "startAt", "nodes", "edges")


@dataclass(slots=True)
class Reader:
    """Reads one flow."""

    built: Built
    around: Surroundings
    violations: list[Violation] = field(default_factory=list)
    gaps: list[Gap] = field(default_factory=list)
    texts: Texts = field(default_factory=Texts)
    parts: list[NodePart] = field(default_factory=list)
    nodes: list[Node] = field(default_factory=list)

    def graph(self, shape: Shape) -> FlowGraph:
        """The graph of the flow with this definition."""
        self.gaps += _unread(self.built)
        owner = Owner("the flow", shape.span, DEFINE)
        self._check(shape, owner)
        entries, entry_span = self._entry(shape)
        self._nodes(shape)
        leaving = self._edges(shape)
        edges = self._graph_edges(leaving)
        routers, found = routers_of(leaving, self.parts)
        self.violations += found
        self.violations += failure_faults(leaving, self.parts)
        release = partial(self.around.version_of, "acpx")
        self.violations += release_faults(self.parts, leaving, release)
        name = shape.find("name")
        return FlowGraph(
            name=(name and text_of(name.value)) or self.built.name or self.built.symbol or "flow",
            dialect="acpx",
            span=self.built.origin.span(),
            semantics=SEMANTICS,
            nodes=tuple(self.nodes),
            edges=tuple(edges),
            entries=entries,
            symbol=self.built.symbol,
            entry_span=entry_span,
            assumed=self.built.assumed is not None,
            routers=routers,
            gaps=tuple(self.gaps),
            violations=tuple(self.violations),
            texts=self.texts.found(),
        )

    def _check(self, shape: Shape, owner: Owner) -> None:
        found = self.violations
        found += fields.field_faults(shape, fields.FLOW, owner)
        found += fields.blank_faults(shape, "name", owner)
        found += ignored.vain(shape, _FIELDS, ignored.FLOW, owner)
        found += (faults.written_twice(owner, *pair) for pair in shape.repeated)
        for name, about, called in (
            ("run", fields.RUN, "`run` of the flow"),
            ("permissions", fields.PERMISSIONS, "`permissions` of the flow"),
        ):
            given = shape.given(name)
            inner = shape_of(given.value, self.built.presence, owner.span) if given else None
            if inner is None:
                continue
            part = Owner(called, inner.span, DEFINE)
            found += fields.field_faults(inner, about, part)
            found += ignored.vain(inner, tuple(about), {}, part)
            if name == "permissions":
                found += fields.blank_faults(inner, "reason", part)
                found += fields.mode_faults(inner, part)

    def _gap(self, value: Value | None, what: str, hides: str, span: Span) -> None:
        reason = f"{what}: {reason_of(value) if value is not None else 'it depends on a test'}"
        is_told = value is not None and type_of(value) not in ("unknown", "object")
        gap = Gap(span, reason, frozenset({hides}), cure=_CURE, told=is_told)  # type: ignore[arg-type]
        self.gaps.append(gap)

    def _field(self, shape: Shape, name: str, hides: str) -> Property | None:
        """A field that has to be there, with a gap where it is not known."""
        found = shape.find(name)
        if found is None:
            told = shape.own(name) is False
            reason = f"{name} is not known"
            span = shape.rest.origin.span() if shape.rest is not None else shape.span
            self.gaps.append(Gap(span, reason, frozenset({hides}), cure=_CURE, told=told))  # type: ignore[arg-type]
        return found

    def _entry(self, shape: Shape) -> tuple[tuple[Entry, ...], Span | None]:
        found = self._field(shape, "startAt", "entry")
        if found is None:
            return (), None
        entries = []
        for presence, single in alternatives(found.value):
            name = text_of(single)
            if name is not None:
                self.texts.note(single, found.span)
                entries.append(Entry(name, found.span, presence=presence - self.built.presence))
            else:
                self._gap(single, "startAt is not known", "entry", found.span)
        return tuple(entries), found.span

    def _nodes(self, shape: Shape) -> None:
        found = self._field(shape, "nodes", "nodes")
        if found is None:
            return
        base = self.built.presence
        for presence, single in alternatives(found.value):
            nodes = shape_of(single, base, found.span) if isinstance(single, Mapped) else None
            if nodes is None:
                self._gap(single, "nodes are not known", "nodes", found.span)
                continue
            if nodes.rest is not None:
                self._gap(nodes.rest, "more nodes may be there", "nodes", nodes.span)
            if isinstance(single, Mapped) and single.disturbed:
                self._gap(None, "code out of sight may change the nodes", "nodes", nodes.span)
            doubles = {second.name: first for first, second in nodes.repeated}
            for one in nodes.properties:
                under = (presence | one.presence) - base
                for own, value in alternatives(one.value, under):
                    if one.name in doubles:
                        self._node(doubles[one.name], doubles[one.name].value, own, False)
                    self._node(one, value, own - base)

    def _node(self, one: Property, value: Value, presence: Presence, counts: bool = True) -> None:
        part = node_of(one.name, value, self.built.presence, one.key)
        self.nodes.append(
            Node(
                part.name,
                one.place,
                one.key,
                part.kind,
                presence,
                _callable(part),
                ends_itself=_may_fail(part),
                asks=only_asks(part),
                outputs=outputs_read(part),
                gives=declared_output(part),
            )
        )
        if not counts:
            # What a helper refuses it refuses also where the node is not kept.
            by_helper = part.owner is not None and part.owner.checked_by != DEFINE
            self.violations += part.violations if by_helper else ()
        else:
            self.parts.append(part)
            self.violations += part.violations
            if part.shape is not None and part.owner is not None:
                release = partial(self.around.version_of, "acpx")
                self.violations += limit_faults(part.facts, part.shape, part.owner, release)
                self.violations += command_faults(part, release)

    def _edges(self, shape: Shape) -> list[Leaving]:
        found = self._field(shape, "edges", "edges")
        if found is None:
            return []
        reader = EdgeReader(self.built.presence, self.texts)
        for presence, single in alternatives(found.value):
            if not isinstance(single, Sequence):
                self._gap(single, "edges are not known", "edges", found.span)
                continue
            if single.rest is not None:
                self._gap(single.rest, "more edges may be there", "edges", found.span)
            if single.disturbed:
                self._gap(None, "code out of sight may change the edges", "edges", found.span)
            for item in single.items:
                place = (item.place or item.value.origin).span()
                for under, value in alternatives(item.value, presence | item.presence):
                    reader.read(value, under, place)
        self.gaps += reader.gaps
        self.violations += reader.violations
        self.violations += _several(reader.leaving)
        told: set[tuple[str, Span]] = set()
        for leaving in reader.leaving:
            for fault in switch_faults(leaving):
                # What one helper writes for many edges is told once.
                if (fault.rule, fault.span) not in told:
                    told.add((fault.rule, fault.span))
                    self.violations.append(fault)
        return reader.leaving

    def _graph_edges(self, leaving: list[Leaving]) -> list[Edge]:
        by_name = {part.name: part for part in self.parts}
        edges: list[Edge] = []
        for one in leaving:
            edges += to_graph(one, len(edges), _never(by_name.get(one.source), one))
        return edges


def _never(part: NodePart | None, leaving: Leaving) -> str | None:
    """Why no run takes an edge: it ends at a checkpoint, unless that fails."""
    if part is None or part.kind != "checkpoint" or part.shape is None:
        return None
    if part.shape.own("run") is not False and is_of_result(leaving.on):
        return None if leaving.on != OUTCOME else _end(part.name)
    if part.shape.own("run") is not False and leaving.cases is not None and leaving.on is None:
        return None
    return _end(part.name)


def _end(name: str) -> str:
    return f"a run that gets to the checkpoint `{name}` ends there, and nothing resumes it"


def _unread(built: Built) -> Iterator[Gap]:
    """What of a flow cannot be read; who it is handed to does not change it."""
    span = built.origin.span()
    for reason, origin in built.escapes:
        if origin.span() == span:
            yield Gap(span, reason, frozenset({"nodes", "edges", "entry"}), told=True)


def _several(leaving: list[Leaving]) -> Iterator[Violation]:
    """Nodes with several edges of which one is a switch: others are told by the graph itself."""
    by_source: dict[str, dict[int, Leaving]] = {}
    for one in leaving:
        by_source.setdefault(one.source, {}).setdefault(one.number, one)
    for source, numbered in by_source.items():
        edges = list(numbered.values())
        first = edges[0]
        later = [one for one in edges[1:] if not one.presence and not first.presence]
        if not later or all(one.cases is None for one in (first, *later)):
            continue
        said = f"Several edges leave `{source}`, and acpx allows one: {SEMANTICS.built_by} raises"
        related = (("this is the first one", first.span),)
        cure = "put all that may follow into the cases of one switch"
        yield Violation(later[0].span, said, cure, source, "multiple-outgoing-edges", related)


def _callable(part: NodePart) -> CallableFacts | None:
    function = _function(part)
    if function is None:
        return None
    return CallableFacts(function.name, function.origin.span(), function.is_async)


def _function(part: NodePart) -> Function | None:
    for name in ("run", "exec", "prompt"):
        found = part.shape.find(name) if part.shape is not None else None
        if found is not None and isinstance(found.value, Function):
            return found.value
    return None


def _may_fail(part: NodePart) -> bool:
    """Whether a node may end the run: agents and programs may always do so."""
    if part.shape is None or part.kind == "acp" or part.facts is SHELL:
        return True
    run = part.shape.find("run")
    if run is None:
        return part.shape.own("run") is not False
    return may_end_run(run.value)


def read_flow(built: Built, around: Surroundings) -> FlowGraph | None:
    """The flow that a call of `defineFlow` makes; None where nothing of it is known."""
    given = built.arguments.find("", 0)
    span = built.origin.span()
    if given is None:
        if built.arguments.spread:
            return None
        return _refused(built, f"{DEFINE} is given no flow, and throws", "give it an object")
    value = given.value
    if isinstance(value, Built):
        return None
    shape = shape_of(value, built.presence, span)
    if shape is None:
        if type_of(value) in ("unknown", "object"):
            return None
        what = faults.wrong_value(Owner(DEFINE, span, DEFINE), "flow", "an object", value)
        return _refused(built, what.message, "give it an object with `startAt`, `nodes`, `edges`")
    if not any(shape.own(name) for name in ("startAt", "nodes", "edges")):
        if shape.rest is not None:
            return None
        return _refused(built, *_not_a_flow(shape), rule="not-a-flow")
    return Reader(built, around).graph(shape)


def _not_a_flow(shape: Shape) -> tuple[str, str]:
    others = [one.name for one in shape.properties if one.name not in _FIELDS]
    listed = ", ".join(f"`{name}`" for name in others[:3])
    instead = f"; this object has {listed}" if listed else ""
    return (
        f"This is no flow of acpx, which has `startAt`, `nodes` and `edges`{instead}: "
        f"{DEFINE} throws",
        "name the steps under `nodes`, what follows what in `edges`, and the first in `startAt`",
    )


def _refused(built: Built, said: str, cure: str, rule: str = faults.INVALID) -> FlowGraph:
    """A flow that is none, of which nothing else is to be told."""
    span = built.origin.span()
    violation = Violation(span, said, cure, rule=rule, shape=True)
    return FlowGraph(
        built.name or built.symbol or "flow",
        "acpx",
        span,
        SEMANTICS,
        symbol=built.symbol,
        assumed=built.assumed is not None,
        violations=(violation,),
        malformed=True,
    )
