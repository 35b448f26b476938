"""The graph of a definition: all of it that is certain, whatever is wrong with the rest."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from typing import Literal

from flowlint.graph import reference_faults as faults
from flowlint.graph.config_rules import Place
from flowlint.graph.config_values import Data
from flowlint.graph.definitions.edges import Edges, called
from flowlint.graph.definitions.known import Known
from flowlint.graph.definitions.nodes import (
    UNKNOWN_KIND,
    Named,
    Names,
    NodeChecks,
    held_regions,
    lacks_prompt,
    named,
)
from flowlint.graph.definitions.parts import Part, listed, part_of
from flowlint.graph.model import CallableFacts, Entry, FlowGraph, Gap, Node, Violation
from flowlint.graph.node_outputs import Outputs, outputs_among
from flowlint.graph.reference import (
    BOUNDED_BY,
    KINDS,
    MAX_REGION_DEPTH,
    MERGES,
    PERMISSION_MODES,
    ROUTINGS,
    by_priority,
    case_label,
    names_within,
    runs_beside_each_other,
    semantics_of,
)
from flowlint.graph.reference_fields import FORMAT
from flowlint.source import Span


def draw_definition(
    data: Mapping[object, Data], known: Known, name: str | None = None
) -> FlowGraph:
    """The graph of a definition with what flowrt refuses in it, but for faults of its shape.

    What these leave in doubt is left out, with gaps. `name` is that of flows which state none.
    """
    part = part_of("flow", data, ())
    called_so = part.text("name") or name or "flow"
    if _is_of_another_format(data):
        span = known.span_of((), False)
        return FlowGraph(called_so, "flowrt", span, semantics_of("first"), malformed=True)
    steps = part.given.get("max_steps")
    bounds = _Bounds(
        steps if isinstance(steps, int) else None,
        bounded="max_steps" in part.given or not part.sees("max_steps"),
        span=known.span_of(part.at("max_steps"), False) if "max_steps" in part.given else None,
    )
    drawing = _Drawing(part, known, bounds, called_so)
    drawing.violations += _own_faults(part, known)
    graph = drawing.graph(frozenset(), {})
    limit = part.given.get("max_parallel")
    is_limited = isinstance(limit, int) and limit > 0
    if not is_limited or runs_beside_each_other(graph) is not False:
        return graph
    vain = faults.vain_max_parallel(known.span_of(part.at("max_parallel"), False))
    return replace(graph, violations=(*graph.violations, vain))


def _is_of_another_format(data: Mapping[object, Data]) -> bool:
    """Whether a definition says that it is of a version of which nothing is known."""
    stated = data.get("flowrt")
    return isinstance(stated, int) and not isinstance(stated, bool) and stated != FORMAT


def _own_faults(part: Part, known: Known) -> Iterator[Violation]:
    """What is wrong with the fields of the flow itself."""
    for field in ("max_steps", "max_parallel"):
        limit = part.given.get(field)
        if isinstance(limit, int) and limit < 1:
            yield faults.bad_limit(field, limit, known.span_of(part.at(field), False))
    merge = part.given.get("merge")
    for key, policy in merge.items() if isinstance(merge, dict) else ():
        here = (*part.at("merge"), case_label(key))
        yield from _merge_faults(f"Merge of `{case_label(key)}`", policy, here, known)
    permissions = part.given.get("permissions")
    if isinstance(permissions, dict):
        inner = part_of("permissions", permissions, part.at("permissions"))
        mode = inner.text("mode")
        if mode is not None and mode not in PERMISSION_MODES:
            span = known.span_of(inner.at("mode"), False)
            yield faults.bad_choice("The permission mode", mode, PERMISSION_MODES, span)


def _merge_faults(what: str, policy: Data, place: Place, known: Known) -> Iterator[Violation]:
    span = known.span_of(place, False)
    if isinstance(policy, str) and policy not in MERGES:
        yield faults.bad_choice(what, policy, MERGES, span)
    call = called(policy, place)
    name = call.text("call") if call is not None else None
    found = known.function(name, None, span) if name is not None else None
    if found is None:
        return
    if found.is_async:
        yield faults.async_merge(what, found.name, span)
    if found.takes is not None and 2 not in found.takes:
        yield faults.wrong_arguments(what, 2, span, None)


class _Bounds:
    """What ends a run that would go on for ever: it holds for regions, too."""

    def __init__(self, steps: int | None, *, bounded: bool, span: Span | None) -> None:
        self.steps = steps
        self.span = span
        self.bounded = bounded
        self.stopped_by = BOUNDED_BY if bounded else None


class _Drawing:
    """One flow or region on its way to become a graph."""

    def __init__(
        self, part: Part, known: Known, bounds: _Bounds, name: str, depth: int = 0
    ) -> None:
        self.part = part
        self.known = known
        self.bounds = bounds
        self.name = name
        self.depth = depth
        self.violations: list[Violation] = []
        self.gaps: list[Gap] = []

    def graph(self, around: frozenset[str] | None, given: Outputs) -> FlowGraph:
        """The graph; `around` are the nodes around the region, None: not all are known, and
        `given` is what is known of what they give."""
        part = self.part
        routing = part.text("routing") or "first"
        if routing not in ROUTINGS:
            span = self.known.span_of(part.at("routing"), False)
            self.violations.append(faults.bad_choice("Routing", routing, ROUTINGS, span))
        is_open = not part.sees("routing")
        found = [*self._named()]
        names = self._names(found, around)
        checks = NodeChecks(self.known, is_first=routing == "first" and not is_open)
        outputs = outputs_among(given, around, ((node.name, node.output) for node in found))
        nodes = [self._node(node, checks, names, outputs) for node in found]
        edges = Edges(self.known, names, outputs, is_open=is_open)
        edges.draw(part.given.get("edges"), part.at("edges"))
        self.violations += edges.violations
        self.gaps += edges.gaps
        if is_open or not part.sees("edges"):
            self._gap(part.place, "edges")
        entries = self._entries()
        self._settings(found, nodes, checks, names)
        agents = {n.name: self.known.span_of(n.part.place, False) for n in found if lacks_prompt(n)}
        starts = [entry.name for entry in entries]
        self.violations += faults.prompt_faults(agents, starts, edges.bare)
        return FlowGraph(
            name=self.name,
            dialect="flowrt",
            span=self.known.span_of(part.place, False),
            semantics=semantics_of(routing),
            nodes=tuple(nodes),
            edges=by_priority(edges.edges),
            entries=entries,
            entry_span=entries[0].span if entries else None,
            step_bound=self.bounds.steps,
            step_bound_span=self.bounds.span,
            bounded=self.bounds.bounded,
            stopped_by=self.bounds.stopped_by,
            gaps=tuple(self.gaps),
            violations=tuple(self.violations),
        )

    def _named(self) -> Iterator[Named]:
        """The nodes that have a name, with a gap for those whose name cannot be told."""
        if not self.part.sees("nodes"):
            self._gap(self.part.place, "nodes")
        for number, value in listed(self.part.given.get("nodes")):
            here = (*self.part.at("nodes"), number)
            if not isinstance(value, dict):
                self._gap(here, "nodes")
                continue
            part, all_found = self.known.remember(
                here, "named", partial(self._as_named, value, here)
            )
            if not part.sees("name"):
                self._gap(here, "nodes")
                if value.keys() & {"from", "to"}:
                    self._gap(here, "edges")
            for found in all_found:
                if isinstance(found, Named):
                    yield found
                else:
                    self.violations.append(found)

    def _as_named(
        self, value: Mapping[object, Data], here: Place
    ) -> tuple[Part, list[Named | Violation]]:
        part = part_of("node", value, here)
        return part, [*named(part, self.known)]

    def _names(self, found: list[Named], around: frozenset[str] | None) -> frozenset[str] | None:
        if around is None or any("nodes" in gap.hides for gap in self.gaps):
            return None
        return around.union(node.name for node in found)

    def _node(
        self, node: Named, checks: NodeChecks, names: frozenset[str] | None, outputs: Outputs
    ) -> Node:
        runs = self._runs(node)

        def drawn() -> tuple[Node, list[Violation]]:
            facts = KINDS.get(node.kind) if node.kind is not None else None
            shown = Node(
                node.name,
                self.known.span_of(node.part.place, False),
                self.known.span_of(node.part.at("name"), False),
                node.kind or UNKNOWN_KIND,
                runs=runs,
                may_pause=facts is None or facts.may_pause,
                gives=node.output,
            )
            violations = [*checks.faults(node, runs)]
            if node.is_simple:
                violations += checks.settings(node, None, frozenset())
            return shown, violations

        key = ("node", checks.is_first, runs)
        shown, violations = self.known.remember(node.part.place, key, drawn)
        self.violations += violations
        regions = {} if node.is_simple else self._regions(node, names, outputs)
        return replace(shown, regions=regions) if regions else shown

    def _runs(self, node: Named) -> CallableFacts | None:
        run = node.part.text("run")
        if run is None or node.run_at is None:
            return None
        return self.known.function(run, node.name, node.run_at)

    def _regions(
        self, node: Named, names: frozenset[str] | None, outputs: Outputs
    ) -> dict[str, FlowGraph]:
        held, is_whole = held_regions(node)
        span = self.known.span_of(node.part.place, False)
        regions: dict[str, FlowGraph] = {}
        if held and self.depth == MAX_REGION_DEPTH:
            self.violations.append(faults.too_deep(node.name, span))
            return regions
        for slot, (place, value) in held.items():
            if isinstance(value, dict):
                part = part_of("region", value, place)
                label = f"{self.name}.{node.name}.{slot}"
                inner = _Drawing(part, self.known, self.bounds, label, self.depth + 1)
                regions[slot] = inner.graph(names, outputs)
        if node.kind is not None and is_whole:
            self.violations += faults.region_faults(node.name, node.kind, [*held], span)
        return regions

    def _settings(
        self,
        found: list[Named],
        nodes: list[Node],
        checks: NodeChecks,
        names: frozenset[str] | None,
    ) -> None:
        """What is wrong with the settings of the nodes, now that all of them are known."""
        around = hash(names)
        for node, drawn in zip(found, nodes, strict=True):
            if node.is_simple:
                continue
            held, is_whole = held_regions(node)
            is_known = is_whole and held.keys() == drawn.regions.keys()
            inner = names_within(drawn.regions) if is_known else None
            is_plain = node.part.given.keys().isdisjoint(("config", "before", "after"))
            key = ("settings", inner, None if is_plain else around)
            faults = partial(_listed, checks.settings, node, names, inner)
            self.violations += self.known.remember(node.part.place, key, faults)

    def _entries(self) -> tuple[Entry, ...]:
        if not self.part.sees("entry"):
            self._gap(self.part.place, "entry")
        entry = self.part.text("entry")
        if entry is None:
            return ()
        return (Entry(entry, self.known.span_of(self.part.at("entry"), False)),)

    def _gap(self, place: Place, hides: Literal["nodes", "edges", "entry"]) -> None:
        span = self.known.span_of(place, False)
        self.gaps.append(Gap(span, "it is not as it has to be", frozenset({hides}), told=True))


def _listed(
    settings: Callable[[Named, Names, Names], Iterator[Violation]],
    node: Named,
    names: Names,
    inner: Names,
) -> list[Violation]:
    return [*settings(node, names, inner)]
