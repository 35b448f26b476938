"""Draws flows that are objects as the graphs that flowlint's rules look at."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from math import inf

from flowlint.graph import reference_faults as faults
from flowlint.graph.cel import cel_guard
from flowlint.graph.guards import Guard
from flowlint.graph.model import CallableFacts, FlowGraph, Violation
from flowlint.graph.model import Edge as Drawn
from flowlint.graph.model import Entry as DrawnEntry
from flowlint.graph.model import Node as DrawnNode
from flowlint.graph.node_outputs import Outputs, outputs_among
from flowlint.graph.reference import (
    BOUNDED_BY,
    JOINS,
    KINDS,
    MAX_REGION_DEPTH,
    OUTCOMES,
    ROUTINGS,
    STOPPED_BY,
    KindFacts,
    by_priority,
    case_edge,
    case_label,
    names_within,
    runs_beside_each_other,
    semantics_of,
)
from flowlint.graph.reference_fields import duration
from flowlint.graph.reference_settings import CALLS_RUN, STATE_KINDS
from flowlint.source import Span
from flowrt.authoring import Edge, Merge, Node, Region, Retry, Switch
from flowrt.callables import (
    called_faults,
    hook_faults,
    is_async,
    is_plain,
    merge_faults,
    name_of,
)
from flowrt.config_faults import lacks_prompt, output_of_node, setting_faults
from flowrt.places import Places, inside
from flowrt.registry import BUILT_IN_KINDS, find_kind


def draw(  # noqa: PLR0913 - all that bounds a flow
    *,
    name: str,
    nodes: Sequence[Node],
    edges: Sequence[Edge | Switch],
    entry: object,
    routing: str,
    max_steps: int | None,
    merge: Mapping[str, Merge],
    kill_switch: object,
    max_parallel: object,
    hooks: Mapping[str, object] | None = None,
) -> FlowGraph:
    """The graph of a flow with everything that flowrt itself refuses in it.

    Places in it are lines of a file that is not there, one for each part of the flow, but
    functions are where they are defined.
    """
    places = Places(name)
    bounds = _Bounds(max_steps, kill_switch is not None)
    drawing = _Drawing(name, places, bounds, routing)
    for key, policy in merge.items() if isinstance(merge, Mapping) else ():
        drawing.refuse_all(merge_faults(f"Merge of `{key}`", policy, places.next()))
    for hook, function in (hooks or {}).items():
        drawing.refuse_all(hook_faults(f"The hook `{hook}`", function, places.next()))
    if kill_switch is not None and not callable(kill_switch):
        fault = faults.not_callable("The kill switch", kill_switch, places.next(), None)
        drawing.refuse(fault)
    elif kill_switch is not None:
        if is_async(kill_switch):
            drawing.refuse(faults.async_kill_switch(name_of(kill_switch), places.next()))
        drawing.refuse_all(called_faults("The kill switch", kill_switch, 0, places.next(), None))
    if max_steps is not None and not _is_count(max_steps, least=1):
        drawing.refuse(faults.bad_limit("max_steps", max_steps, places.next()))
    is_limited = max_parallel is not None and _is_count(max_parallel, least=1)
    if max_parallel is not None and not is_limited:
        drawing.refuse(faults.bad_limit("max_parallel", max_parallel, places.next()))
    graph = drawing.graph(nodes, edges, entry)
    if not is_limited or runs_beside_each_other(graph) is not False:
        return graph
    return replace(graph, violations=(*graph.violations, faults.vain_max_parallel(places.next())))


class _Bounds:
    """What ends a run that would go on for ever: it holds for regions, too."""

    def __init__(self, max_steps: int | None, stoppable: bool) -> None:
        self.max_steps = max_steps if isinstance(max_steps, int) else None
        self.bounded = max_steps is not None
        self.stopped_by = BOUNDED_BY if self.bounded else STOPPED_BY if stoppable else None


class _Drawing:
    """One flow or region on its way to become a graph."""

    def __init__(
        self,
        name: str,
        places: Places,
        bounds: _Bounds,
        routing: str,
        around: _Drawing | None = None,
    ) -> None:
        self.name = name
        self.names: frozenset[str] = around.names if around is not None else frozenset()
        self.outputs: Outputs = around.outputs if around is not None else {}
        self.depth: int = around.depth + 1 if around is not None else 0
        self.places = places
        self.bounds = bounds
        self.routing = routing
        self.violations: list[Violation] = []
        self.nodes: list[DrawnNode] = []
        self.edges: list[tuple[int, Drawn]] = []
        self.bare: list[tuple[str, str]] = []
        self.agents: dict[str, Span] = {}
        self.span = places.next()
        if routing not in ROUTINGS:
            self.refuse(faults.bad_choice("Routing", routing, ROUTINGS, self.span))

    def refuse(self, violation: Violation | None) -> None:
        """Note what flowrt refuses."""
        if violation is not None:
            self.violations.append(violation)

    def refuse_all(self, violations: Iterable[Violation]) -> None:
        """The same for several."""
        self.violations.extend(violations)

    def graph(
        self, nodes: Sequence[Node], edges: Sequence[Edge | Switch], entry: object
    ) -> FlowGraph:
        """The graph of these parts."""
        listed = self._listed(nodes, "nodes")
        own = [n for n in listed if isinstance(n, Node) and isinstance(n.name, str)]
        given = ((node.name, output_of_node(node)) for node in own)
        self.outputs = outputs_among(self.outputs, self.names, given)
        self.names = self.names.union(node.name for node in own)
        for node in listed:
            self._node(node)
        for edge in self._listed(edges, "edges"):
            self._edge(edge)
        entry_span = self.places.next()
        entries: tuple[DrawnEntry, ...] = ()
        if entry is not None:
            text = entry if isinstance(entry, str) else repr(entry)
            entries = (DrawnEntry(text, entry_span),)
        starts = [start.name for start in entries]
        self.refuse_all(faults.prompt_faults(self.agents, starts, self.bare))
        return FlowGraph(
            name=self.name,
            dialect="flowrt",
            span=self.span,
            semantics=semantics_of(str(self.routing)),
            nodes=tuple(self.nodes),
            edges=by_priority(self.edges),
            entries=entries,
            entry_span=entry_span,
            step_bound=self.bounds.max_steps,
            bounded=self.bounds.bounded,
            stopped_by=self.bounds.stopped_by,
            violations=tuple(self.violations),
        )

    def _listed(self, parts: object, what: str) -> Sequence[object]:
        """The nodes or edges, which have to be a list."""
        if isinstance(parts, Sequence) and not isinstance(parts, str):
            return parts
        self.refuse(Violation(self.span, f"The {what} of `{self.name}` are no list"))
        return ()

    def _priority(self, edge: Edge | Switch, span: Span) -> int:
        if isinstance(edge.priority, int):
            return edge.priority
        said = f"The priority of an edge from `{edge.src}` is no whole number"
        self.refuse(Violation(span, said, "give a whole number", edge.src))
        return 0

    def _node(self, node: object) -> None:
        span = self.places.next()
        if not isinstance(node, Node):
            self.refuse(Violation(span, f"{node!r} is no Node", "make it with `Node(…)`"))
            return
        name = node.name
        if not isinstance(name, str) or not name:
            self.refuse(faults.bad_name("A node's name", name, span))
            return
        kind = str(node.kind)
        facts = _facts_of(kind)
        if facts is None:
            self.refuse(faults.unknown_kind(name, kind, span, BUILT_IN_KINDS))
        elif facts.runs and node.run is None:
            self.refuse(faults.no_function(name, kind, span))
        if node.run is not None and not callable(node.run):
            self.refuse(faults.not_callable(f"What node `{name}` runs", node.run, span, name))
        if node.join not in JOINS:
            self.refuse(faults.bad_choice(f"Join of node `{name}`", node.join, JOINS, span, name))
        elif node.join == "all" and self.routing == "first":
            self.refuse(faults.vain_join(name, span))
        self._limits(node, span)
        self._run(node, span)
        if node.regions and self.depth == MAX_REGION_DEPTH:
            regions: dict[str, FlowGraph] = {}
            self.refuse(faults.too_deep(name, span))
        else:
            regions = self._regions(node, span)
            self.violations += faults.region_faults(name, kind, regions, span)
        self.refuse_all(setting_faults(node, span, self.names, names_within(regions)))
        if kind == "agent" and lacks_prompt(node):
            self.agents[name] = span
        self.nodes.append(
            DrawnNode(
                name,
                span,
                inside(span, 2),
                kind,
                runs=self._runs(node.run),
                may_pause=facts is None or facts.may_pause,
                gives=self.outputs.get(name),
                regions=regions,
            )
        )

    def _regions(self, node: Node, span: Span) -> dict[str, FlowGraph]:
        """The regions by their names; what is no region is refused."""
        if not isinstance(node.regions, Mapping):
            said = f"The regions of node `{node.name}` are no mapping"
            self.refuse(Violation(span, said, "give them by their names", node.name))
            return {}
        drawn: dict[str, FlowGraph] = {}
        for slot, region in node.regions.items():
            if not isinstance(region, Region):
                said = f"`{slot}` of node `{node.name}` is no Region"
                self.refuse(Violation(span, said, "make it with `Region(…)`", node.name))
                continue
            name = f"{self.name}.{node.name}.{slot}"
            inner = _Drawing(name, self.places, self.bounds, region.routing, self)
            drawn[slot] = inner.graph(region.nodes, region.edges, region.entry)
        return drawn

    def _limits(self, node: Node, span: Span) -> None:
        for what, value in (("Timeout", node.timeout), ("Heartbeat", node.heartbeat)):
            limit = duration(value) if _is_number(value) else value
            if limit is not None and not (_is_number(limit) and 0 < limit < inf):
                self.refuse(
                    faults.bad_limit(f"{what} of node `{node.name}`", limit, span, node.name)
                )
        retry = node.retry
        if retry is None:
            return
        if not isinstance(retry, Retry):
            said = f"Retry of node `{node.name}` is no Retry"
            self.refuse(Violation(span, said, "make it with `Retry(…)`", node.name))
        else:
            self.violations += faults.retry_faults(
                node.name, {field: (getattr(retry, field), span) for field in faults.RETRY_LIMITS}
            )

    def _run(self, node: Node, span: Span) -> None:
        """How the function of the node is called, and limits that it knows nothing of."""
        if not callable(node.run) or str(node.kind) not in CALLS_RUN:
            return
        given = None if str(node.kind) in STATE_KINDS else "with the context alone"
        what = f"What node `{node.name}` runs"
        self.refuse_all(called_faults(what, node.run, 1, span, node.name, given))
        for field, limit in (("Timeout", node.timeout), ("Heartbeat", node.heartbeat)):
            if _is_number(limit) and is_plain(node.run):
                self.refuse(faults.unstoppable(field, node.name, span))

    def _runs(self, run: object) -> CallableFacts | None:
        if not callable(run):
            return None
        return CallableFacts(name_of(run), self.places.of_function(run), is_async(run))

    def _edge(self, edge: object) -> None:
        span = self.places.next()
        if isinstance(edge, Switch):
            self._switch(edge, span)
            return
        if not isinstance(edge, Edge):
            self.refuse(Violation(span, f"{edge!r} is no Edge", "make it with `Edge(…)`"))
            return
        if not self._are_names((edge.src, edge.dst), span):
            return
        if edge.outcome not in OUTCOMES:
            what = f"Outcome of the edge from `{edge.src}` to `{edge.dst}`"
            self.refuse(faults.bad_choice(what, edge.outcome, OUTCOMES, inside(span, 4), edge.src))
        guard = self._guard(edge, span)
        outcome = str(edge.outcome)
        is_after_success = outcome == "ok"
        drawn = Drawn(
            edge.src,
            edge.dst,
            span,
            inside(span, 2),
            inside(span, 3),
            "outcome" if not is_after_success else "when" if guard else "always",
            (guard.text if guard else None) if is_after_success else outcome,
            guard,
            order=len(self.edges),
            after=outcome,
        )
        self.edges.append((self._priority(edge, span), drawn))
        if edge.prompt is None:
            self.bare.append((edge.src, edge.dst))

    def _are_names(self, ends: Sequence[object], span: Span) -> bool:
        for end in ends:
            if not isinstance(end, str) or not end:
                self.refuse(faults.bad_name("An end of an edge", end, span))
                return False
        return True

    def _switch(self, switch: Switch, span: Span) -> None:
        if not isinstance(switch.cases, Mapping):
            said = f"The cases of the switch of `{switch.src}` are no mapping"
            self.refuse(Violation(span, said, "name the node for each value"))
            return
        targets = [*switch.cases.values()]
        targets += [] if switch.default is None else [switch.default]
        if not self._are_names((switch.src, *targets), span):
            return
        self.refuse(faults.switch_path_fault(str(switch.on), switch.src, span))
        if not targets:
            self.refuse(faults.no_cases(switch.src, span))
        labels = [(case_label(case), span) for case in switch.cases]
        self.refuse_all(faults.outcome_cases(switch.src, str(switch.on), labels))
        self.bare += [(switch.src, target) for target in targets]
        priority = self._priority(switch, span)
        cases: list[tuple[str | None, str]] = [
            (case_label(case), target) for case, target in switch.cases.items()
        ]
        if switch.default is not None:
            cases.append((None, switch.default))
        for label, target in cases:
            place = self.places.next()
            drawn = case_edge(
                switch.src,
                target,
                str(switch.on),
                label,
                (place, inside(span, 2), place),
                order=len(self.edges),
            )
            self.edges.append((priority, drawn))

    def _guard(self, edge: Edge, span: Span) -> Guard | None:
        when = edge.when
        place = inside(span, 5)
        if when is None:
            return None
        if isinstance(when, str):
            # What the source gives is only there where it ended well.
            outputs = self.outputs if edge.outcome == "ok" else {}
            guard, fault = cel_guard(when, edge.src, place, self.names, outputs)
            self.refuse(fault)
            return guard
        what = f"Guard of the edge from `{edge.src}` to `{edge.dst}`"
        if not callable(when):
            self.refuse(faults.not_callable(what, when, place, edge.src))
            return Guard("a condition", place)
        self.refuse_all(called_faults(what, when, 1, place, edge.src))
        return Guard(
            name_of(when),
            place,
            is_async=is_async(when),
            definition=self.places.of_function(when),
            identity=id(when),
        )


def _facts_of(kind: str) -> KindFacts | None:
    """What a kind demands; None for one that nobody registered."""
    if kind in KINDS:
        return KINDS[kind]
    return None if find_kind(kind) is None else KindFacts(may_pause=True)


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _is_count(value: object, least: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= least
