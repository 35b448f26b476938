"""From the parts of a flow to its graph."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from math import inf

from flowlint.dialects.flowrt import fields as read
from flowlint.dialects.flowrt.configs import (
    Configured,
    config_faults,
    lacks_prompt,
    output_of_part,
)
from flowlint.dialects.flowrt.edges import EdgeReader
from flowlint.dialects.flowrt.model import EDGE, NODE, REGION, RETRY, SWITCH
from flowlint.dialects.flowrt.parts import (
    Part,
    number_of,
    part_of_built,
)
from flowlint.dialects.flowrt.sight import Sight
from flowlint.dialects.reading import (
    alternatives,
    escape_gaps,
    live_entries,
    text_of,
    written,
)
from flowlint.graph import reference_faults as faults
from flowlint.graph.definitions.nodes import UNKNOWN_KIND
from flowlint.graph.model import Entry, FlowGraph, Node, Presence, Violation
from flowlint.graph.node_outputs import Output, outputs_among
from flowlint.graph.reference import (
    BOUNDED_BY,
    JOINS,
    KINDS,
    MAX_REGION_DEPTH,
    ROUTINGS,
    STOPPED_BY,
    by_priority,
    is_foreign,
    names_within,
    runs_beside_each_other,
    semantics_of,
)
from flowlint.source import Span
from flowlint.values.model import Argument, Built, Const, Mapped, Value


class Reader:
    """Reads one flow, which the call `built` makes."""

    def __init__(self, part: Part, built: Built) -> None:
        self.part = part
        self.built = built
        self.sight = Sight(built.presence)

    def graph(self) -> FlowGraph:
        """The graph of the flow. Where its shape is wrong, that is all that is told of it."""
        part, built = self.part, self.built
        self.sight.gaps += escape_gaps(built)
        name = text_of(part.get("name") or Const(None, _Nowhere(part.span)))
        if name is None:
            name = built.name or built.symbol
        steps = part.get("max_steps")
        is_bounded = part.is_given("max_steps")
        is_stopped = part.is_given("kill_switch")
        stated = part.find("max_steps")
        bounds = Bounds(
            read.integer(steps),
            is_bounded,
            BOUNDED_BY if is_bounded else STOPPED_BY if is_stopped else None,
            written(stated) if stated is not None else None,
        )
        reading = _Reading(part, self.sight, bounds, name or "flow")
        reading.refuse_all(self._own_faults(steps))
        graph = reading.graph(built.symbol, assumed=built.assumed is not None)
        limit = read.integer(part.get("max_parallel"))
        if limit is None or limit < 1 or runs_beside_each_other(graph) is not False:
            return graph
        fault = faults.vain_max_parallel(written(part.fields["max_parallel"]))
        return replace(graph, violations=(*graph.violations, fault))

    def _own_faults(self, steps: Value | None) -> Iterator[Violation]:
        count = read.integer(steps)
        if isinstance(steps, Const) and steps.value is not None:
            if count is None or count < 1:
                yield faults.bad_limit("max_steps", steps.value, steps.origin.span())
        yield from read.max_parallel_faults(self.part)
        yield from read.hook_faults(self.part)
        yield from read.kill_switch_faults(self.part)
        yield from read.merge_faults(self.part)


class Bounds:
    """What ends a run that would go on for ever."""

    def __init__(
        self, steps: int | None, bounded: bool, stopped_by: str | None, span: Span | None
    ) -> None:
        self.steps = steps
        self.span = span
        self.bounded = bounded
        self.stopped_by = stopped_by


class _Nowhere:
    """The origin of a value that was not written."""

    def __init__(self, span: Span) -> None:
        self._span = span

    def span(self) -> Span:
        """Where it would be."""
        return self._span


class _Reading:
    """Reads one flow or region."""

    def __init__(self, part: Part, sight: Sight, bounds: Bounds, name: str, depth: int = 0) -> None:
        self.part = part
        self.depth = depth
        self.sight = sight
        self.bounds = bounds
        self.name = name
        self.violations: list[Violation] = []
        self.nodes: list[Node] = []
        self.configured: list[Configured] = []
        self.edges = EdgeReader(self.sight, self.violations)
        self._note(part)

    def refuse_all(self, found: Iterator[Violation]) -> None:
        """Note what flowrt refuses."""
        self.violations.extend(found)

    def _refuse(self, violation: Violation | None) -> None:
        if violation is not None:
            self.violations.append(violation)

    def _note(self, part: Part) -> None:
        """Take over what is wrong with a call."""
        self.violations += part.faults

    def graph(self, symbol: str | None = None, *, assumed: bool = False) -> FlowGraph:
        """The graph of what was read."""
        part = self.part
        routing = self._routing()
        nodes = [*self._parts("nodes", "node")]
        around, self.sight.nodes = self.sight.nodes, self._names_of(nodes)
        self.sight.outputs = outputs_among(self.sight.outputs, around, self._outputs_of(nodes))
        for presence, node in nodes:
            self._node(node, presence)
        for presence, edge in self._parts("edges", "edge"):
            self.edges.read(edge, presence)
        entries, entry_span = self._entry(part.find("entry"))
        self._configs(entries)
        return FlowGraph(
            name=self.name,
            dialect="flowrt",
            span=part.span,
            semantics=semantics_of(routing),
            nodes=tuple(self.nodes),
            edges=by_priority(self.edges.edges),
            entries=entries,
            symbol=symbol,
            entry_span=entry_span,
            step_bound=self.bounds.steps,
            step_bound_span=self.bounds.span,
            bounded=self.bounds.bounded,
            stopped_by=self.bounds.stopped_by,
            assumed=assumed,
            gaps=tuple(self.sight.gaps),
            violations=tuple(self.violations),
            texts=self.sight.texts.found(),
        )

    def _names_of(self, nodes: list[tuple[Presence, Part]]) -> frozenset[str] | None:
        """The names of the nodes here and around, None where they are not all known."""
        around = self.sight.nodes
        if around is None or any("nodes" in gap.hides for gap in self.sight.gaps):
            return None
        given = [value for _, part in nodes if (value := part.get("name")) is not None]
        texts = [text_of(single) for value in given for _, single in alternatives(value)]
        return None if None in texts else around.union(text for text in texts if text is not None)

    def _outputs_of(
        self, nodes: list[tuple[Presence, Part]]
    ) -> Iterator[tuple[str, Output | None]]:
        """What the nodes give, of those of which that is known."""
        for presence, part in nodes:
            kind, name = part.get("kind"), part.get("name")
            output = None
            if kind is not None and not presence:
                output = output_of_part(part, text_of(kind), self.sight.base)
            for under, single in alternatives(name) if name is not None else ():
                yield text_of(single) or "", None if under else output

    def _configs(self, entries: tuple[Entry, ...]) -> None:
        """What is wrong with the settings of the nodes, now that all of them are known."""
        base = self.sight.base
        for node in self.configured:
            self.refuse_all(config_faults(node, self.sight.nodes, base))
        agents = {
            node.name: node.part.span
            for node in self.configured
            if node.kind == "agent" and lacks_prompt(node.part, base)
        }
        starts = [entry.name for entry in entries if not entry.presence]
        bare = [(edge.source, edge.target) for edge in self.edges.bare if not edge.presence]
        self.violations += faults.prompt_faults(agents, starts, bare)

    def _routing(self) -> str:
        found = self.part.find("routing")
        if found is None:
            return "first"
        routing = text_of(found.value)
        if routing is None:
            if not isinstance(found.value, Const):
                self.sight.gap(found.value, "the routing is not known", "edges", written(found))
            return "first"
        if routing not in ROUTINGS:
            self._refuse(faults.bad_choice("Routing", routing, ROUTINGS, written(found)))
        return routing

    def _routing_is(self, routing: str) -> bool:
        """Whether the routing surely is this one."""
        found = self.part.find("routing")
        if found is None:
            return routing == "first" and not self.part.spread
        return text_of(found.value) == routing

    def _parts(self, field: str, kind: str) -> Iterator[tuple[Presence, Part]]:
        """The nodes or edges of a list, with a gap for what is not known of it."""
        found = self.part.find(field)
        if found is None:
            if self.part.spread:
                self.sight.unknown(f"{field} are not known", field, self.part.span)
            return
        wanted = (NODE,) if kind == "node" else (EDGE, SWITCH)
        for presence, value in self.sight.elements(found, field, self.part.span):
            if isinstance(value, Built) and value.model in wanted:
                yield presence, self._built(value)
            elif isinstance(value, Const | Mapped):
                said = f"One of the {field} is no {kind.capitalize()}"
                cure = f"make it with `{kind.capitalize()}(…)`"
                self._refuse(Violation(value.origin.span(), said, cure))
            else:
                self.sight.gap(value, f"one of the {field} is not known", field, self.part.span)

    def _built(self, value: Built) -> Part:
        part = part_of_built(value)
        self._note(part)
        return part

    def _node(self, part: Part, presence: Presence) -> None:
        named = part.find("name")
        if named is None:
            return
        for under, single in alternatives(named.value, presence):
            name = text_of(single)
            if not name:
                if isinstance(single, Const):
                    place = written(named)
                    self._refuse(faults.bad_name("A node's name", single.value, place))
                else:
                    self.sight.gap(single, "a node's name is not known", "nodes", part.span)
                continue
            self.sight.texts.note(single, written(named))
            self.nodes.append(self._named_node(name, part, under))

    def _named_node(self, name: str, part: Part, presence: Presence) -> Node:
        kind = self._kind(name, part)
        facts = KINDS.get(kind) if kind is not None else None
        run = part.find("run")
        self.refuse_all(read.run_faults(name, kind, facts, part))
        runs = read.facts_of_value(run.value) if run is not None else None
        self.refuse_all(self._limits(name, part))
        self.refuse_all(read.limits_of_run(name, kind, part, runs))
        join = part.find("join")
        policy = text_of(join.value) if join is not None else None
        if join is not None and policy is not None and policy not in JOINS:
            what = f"Join of node `{name}`"
            self._refuse(faults.bad_choice(what, policy, JOINS, written(join), name))
        if join is not None and policy == "all" and self._routing_is("first"):
            self._refuse(faults.vain_join(name, written(join)))
        regions, is_whole = self._regions(name, part)
        if kind is not None and is_whole:
            self.refuse_all(iter(faults.region_faults(name, kind, regions, part.span)))
        if kind is not None:
            inner = names_within(regions) if is_whole else None
            self.configured.append(Configured(name, kind, part, inner))
        return Node(
            name,
            part.span,
            written(part.fields["name"]),
            kind or UNKNOWN_KIND,
            presence,
            runs,
            may_pause=facts is None or facts.may_pause,
            gives=self.sight.outputs.get(name),
            regions=regions,
        )

    def _kind(self, name: str, part: Part) -> str | None:
        found = part.find("kind")
        if found is None:
            return None if part.spread else "step"
        kind = text_of(found.value)
        if kind is not None and kind not in KINDS and not is_foreign(kind):
            self._refuse(faults.unknown_kind(name, kind, written(found), KINDS))
        return kind

    def _limits(self, name: str, part: Part) -> Iterator[Violation]:
        for field in ("timeout", "heartbeat"):
            value = part.get(field)
            seconds = number_of(value)
            if value is not None and seconds is not None and not 0 < seconds < inf:
                what = f"{field.capitalize()} of node `{name}`"
                yield faults.bad_limit(what, seconds, value.origin.span(), name)
        retry = part.get("retry")
        if not (isinstance(retry, Built) and retry.model is RETRY):
            return
        inner = self._built(retry)
        given = {field: inner.get(field) for field in faults.RETRY_LIMITS}
        yield from faults.retry_faults(
            name,
            {
                field: (number_of(value), value.origin.span())
                for field, value in given.items()
                if value is not None and number_of(value) is not None
            },
        )

    def _regions(self, name: str, part: Part) -> tuple[dict[str, FlowGraph], bool]:
        """The regions by their names, and whether these are all."""
        held: list[tuple[str, Value]] = []
        is_whole = not part.spread
        value = part.get("regions")
        if isinstance(value, Mapped) and value.rest is None:
            for _, entry in live_entries(value):
                slot = text_of(entry.key)
                if slot is None:
                    is_whole = False
                else:
                    held.append((slot, entry.value))
        elif value is not None:
            is_whole = False
        regions: dict[str, FlowGraph] = {}
        if held and self.depth == MAX_REGION_DEPTH:
            self._refuse(faults.too_deep(name, part.span))
            return regions, False
        for slot, value in held:
            inner = self._region_part(value)
            if inner is None:
                is_whole = False
                continue
            label = f"{self.name}.{name}.{slot}"
            sight = self.sight.inner()
            regions[slot] = _Reading(inner, sight, self.bounds, label, self.depth + 1).graph()
        return regions, is_whole

    def _region_part(self, value: Value) -> Part | None:
        if isinstance(value, Built) and value.model is REGION:
            return part_of_built(value)
        return None

    def _entry(self, argument: Argument | None) -> tuple[tuple[Entry, ...], Span | None]:
        if argument is None:
            if self.part.spread:
                self.sight.unknown("the entry is not known", "entry", self.part.span)
            return (), None
        entries: list[Entry] = []
        span = written(argument)
        for presence, single in alternatives(argument.value):
            text = text_of(single)
            if text is not None:
                self.sight.texts.note(single, span)
                entries.append(Entry(text, span, presence=presence - self.sight.base))
            elif isinstance(single, Const):
                if single.value is not None:
                    entries.append(Entry(repr(single.value), span))
            else:
                self.sight.gap(single, "the entry is not known", "entry", span)
        return tuple(entries), span
