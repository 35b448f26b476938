"""Reads the graph that a builder holds from what was done to it."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

from flowlint.dialects.langgraph import callables, checks, targets
from flowlint.dialects.langgraph.model import SEMANTICS
from flowlint.dialects.reading import (
    alternatives,
    escape_gaps,
    reason_of,
    relative,
    text_of,
    written,
)
from flowlint.graph.model import (
    END,
    START,
    Edge,
    EdgeKind,
    Entry,
    FlowGraph,
    Gap,
    Node,
    Presence,
    Violation,
)
from flowlint.source import Span
from flowlint.values.model import (
    Argument,
    Built,
    Const,
    Mapped,
    Operation,
    Product,
    Sequence,
    Unknown,
    Value,
)

MAX_NESTING = 8
CURE_NAMES = "write the names as constants, or build the graph from constants of this project"
CURE_ROUTER = "annotate the router `-> Literal[…]`, or pass a path_map with every target"
CURE_NODE = "annotate the node `-> Command[Literal[…]]`, or pass `destinations=`"

Hidden = Literal["nodes", "edges", "entry", "targets", "all"]
EVERYTHING: frozenset[Literal["nodes", "edges", "entry", "targets"]] = frozenset(
    {"nodes", "edges", "entry"}
)


def read_graph(built: Built, depth: int = 0) -> FlowGraph:
    """The graph of a builder."""
    return _Reader(built, depth).graph()


class _Reader:
    def __init__(self, built: Built, depth: int) -> None:
        self.built = built
        self.depth = depth
        self.nodes: list[Node] = []
        self.edges: list[Edge] = []
        self.entries: list[Entry] = []
        self.gaps: list[Gap] = []
        self.violations: list[Violation] = []
        self.branch_names: dict[tuple[str, str], Span] = {}
        self.groups = 0
        self.early: list[tuple[str, Span]] = []
        self.compiled = False
        self.default_handler = next(
            (
                operation.arguments.get("error_handler")
                for operation in built.operations
                if operation.method == "set_node_defaults"
            ),
            None,
        )

    def graph(self) -> FlowGraph:
        built = self.built
        for operation in built.operations:
            self._apply(operation)
        self._open_ends()
        if not built.escapes and not built.parameter:
            self.violations += checks.added_late(self.early, self.nodes)
        self.violations += checks.schema_violations(built)
        return FlowGraph(
            name=built.name or built.symbol or "graph",
            dialect="langgraph",
            span=built.origin.span(),
            semantics=SEMANTICS,
            nodes=tuple(self._paused(node) for node in self.nodes),
            edges=tuple(self.edges),
            entries=tuple(self.entries),
            symbol=built.symbol,
            built=self.compiled,
            assumed=built.assumed is not None,
            gaps=tuple(self.gaps),
            violations=tuple(self.violations),
        )

    def _paused(self, node: Node) -> Node:
        """Nodes around which compile() is told to interrupt."""
        if node.may_pause or not checks.interrupts(self.built, node.name):
            return node
        return replace(node, may_pause=True)

    def _open_ends(self) -> None:
        """What may have been done to the builder where it is out of sight."""
        built = self.built
        self.gaps += escape_gaps(built)
        if built.returned and not self.compiled:
            self._gap(
                built.origin.span(),
                f"`{built.symbol}` returns it before it is compiled, and no caller is seen",
                "all",
                cure="compile the graph where it is built, or check its callers too",
            )

    def _gap(
        self,
        span: Span,
        reason: str,
        hides: Hidden,
        node: str | None = None,
        cure: str = CURE_NAMES,
    ) -> None:
        hidden = EVERYTHING if hides == "all" else frozenset({hides})
        self.gaps.append(Gap(span, reason, hidden, node, cure))

    def _apply(self, operation: Operation) -> None:
        presence = relative(operation, self.built)
        arguments = operation.arguments
        if arguments.spread:
            self._gap(operation.origin.span(), "arguments are not known", "all")
            return
        match operation.method:
            case "add_node":
                self._add_node(operation, presence)
            case "add_edge":
                start, end = arguments.find("start_key", 0), arguments.find("end_key", 1)
                self._add_edge(operation, start, end, presence)
            case "set_entry_point":
                key = arguments.find("key", 0)
                self._add_edge(operation, self._marker(START, operation), key, presence)
            case "set_finish_point":
                key = arguments.find("key", 0)
                self._add_edge(operation, key, self._marker(END, operation), presence)
            case "add_conditional_edges":
                self._add_branch(operation, arguments.find("source", 0), 1, presence)
            case "set_conditional_entry_point":
                self._add_branch(operation, self._marker(START, operation), 0, presence)
            case "add_sequence":
                self._add_sequence(operation, presence)
            case "compile":
                self.compiled = True
                self.violations += checks.compile_violations(operation, self.nodes)
            case "set_node_defaults":
                self.violations += checks.default_violations(operation, self.built)

    def _marker(self, name: str, operation: Operation) -> Argument:
        return Argument(Const(name, operation.origin), place=operation.origin)

    # -- nodes ---------------------------------------------------------------------------

    def _add_node(self, operation: Operation, presence: Presence) -> None:
        first = operation.arguments.find("node", 0)
        action = operation.arguments.get("action", 1)
        if first is None:
            return
        for under, name in alternatives(first.value, presence):
            text = text_of(name)
            if text is not None and action is None:
                self.violations.append(checks.node_without_action(text, operation))
            elif text is None and action is None:
                inferred = callables.node_name(name)
                self._node(operation, inferred, name, under, written(first))
            else:
                self._node(operation, text, action, under, written(first), name)

    def _node(
        self,
        operation: Operation,
        name: str | None,
        action: Value | None,
        presence: Presence,
        name_span: Span,
        unknown: Value | None = None,
    ) -> None:
        """Add one node; `unknown` is what its name was when it is not known."""
        if name is None:
            reason = reason_of(unknown) if unknown is not None else "it cannot be inferred"
            self._gap(name_span, f"a node's name is not known: {reason}", "nodes")
            return
        problem = checks.name_violation(name, name_span)
        if problem is not None:
            self.violations.append(problem)
            return
        arguments = operation.arguments
        destinations = arguments.get("destinations")
        action_value = action if action is not None else Unknown("no action", operation.origin)
        routes = callables.routes_itself(action_value)
        handler = arguments.get("error_handler") or self.default_handler
        if handler is not None and routes == "no":
            routes = "no" if callables.routes_itself(handler) == "no" else "maybe"
        declared = callables.command_targets(action_value)
        named = targets.destinations(destinations)
        if (named is not None or declared.targets) and handler is None:
            routes = "no"
        defer = arguments.get("defer")
        facts = targets.facts(action_value)
        self.nodes.append(
            Node(
                name,
                operation.origin.span(),
                name_span,
                targets.kind(action_value),
                presence,
                facts,
                "no" if routes == "no" else "maybe",
                deferred=isinstance(defer, Const) and bool(defer.value),
                may_pause=callables.may_pause(action_value),
                regions=self._regions(action_value),
            )
        )
        self.violations += checks.node_violations(name, action_value, operation)
        if named is None and declared.targets is not None:
            named = [
                (t, facts.span if facts and facts.span else name_span) for t in declared.targets
            ]
        elif named is None and declared.unsure:
            self._gap(name_span, declared.unsure, "targets", name, CURE_NODE)
        elif named is None and routes == "does":
            reason = f"`{name}` hands over by `Command`, without declaring to which nodes"
            self._gap(name_span, reason, "targets", name, CURE_NODE)
        for target, span in named or ():
            self._goto(name, target, operation, presence, (name_span, span))

    def _goto(
        self,
        source: str,
        target: Value,
        operation: Operation,
        presence: Presence,
        spans: tuple[Span, Span],
    ) -> None:
        text = text_of(target)
        if text is None:
            self._gap(spans[1], f"a target of `{source}` is not known", "targets", source)
            return
        self._edge(source, text, "goto", operation, presence, spans)

    def _regions(self, action: Value) -> dict[str, FlowGraph]:
        inner: dict[str, FlowGraph] = {}
        if isinstance(action, Product) and self.depth < MAX_NESTING:
            if action.source is not self.built:
                inner["subgraph"] = read_graph(action.source, self.depth + 1)
        return inner

    def _add_sequence(self, operation: Operation, presence: Presence) -> None:
        given = operation.arguments.find("nodes", 0)
        if given is None:
            return
        if not isinstance(given.value, Sequence) or given.value.rest is not None:
            self._gap(written(given), f"a sequence of nodes: {reason_of(given.value)}", "all")
            return
        if not given.value.items:
            self.violations.append(checks.empty_sequence(written(given)))
        previous: tuple[str, Span, Presence] | None = None
        for item in given.value.items:
            span = (item.place or item.value.origin).span()
            name, action = targets.named_step(item.value)
            under = presence | item.presence
            self._node(operation, name, action, under, span)
            if name is None:
                previous = None
                self._gap(span, "an edge of a sequence is not known", "edges")
                continue
            if previous is not None:
                spans = (previous[1], span)
                both = previous[2] | under
                self._edge(previous[0], name, "always", operation, both, spans)
            previous = (name, span, under)

    # -- edges ---------------------------------------------------------------------------

    def _edge(
        self,
        source: str,
        target: str,
        kind: EdgeKind,
        operation: Operation,
        presence: Presence,
        spans: tuple[Span, Span],
        label: str | None = None,
        group: str | None = None,
    ) -> None:
        if source == START:
            where = operation.origin.span()
            self.entries.append(Entry(target, spans[1], kind, label, presence, where))
            return
        self.edges.append(
            Edge(
                source,
                target,
                operation.origin.span(),
                spans[0],
                spans[1],
                kind,
                label,
                group=group,
                presence=presence,
                order=len(self.edges),
            )
        )

    def _add_edge(
        self,
        operation: Operation,
        start: Argument | None,
        end: Argument | None,
        presence: Presence,
    ) -> None:
        if start is None or end is None:
            return
        for under, target in alternatives(end.value, presence):
            target_text = text_of(target)
            for both, source in alternatives(start.value, under):
                if isinstance(source, Sequence):
                    self._join(operation, source, target_text, both, (start, end))
                    continue
                source_text = text_of(source)
                if source_text is None or target_text is None:
                    unknown = source if source_text is None else target
                    reason = f"an end of an edge is not known: {reason_of(unknown)}"
                    hides: Hidden = "edges" if source_text != START else "entry"
                    self._gap(operation.origin.span(), reason, hides)
                    continue
                problem = checks.edge_violation(source_text, target_text, start, end)
                if problem is not None:
                    self.violations.append(problem)
                    continue
                spans = (written(start), written(end))
                self._edge(source_text, target_text, "always", operation, both, spans)

    def _join(
        self,
        operation: Operation,
        sources: Sequence,
        target: str | None,
        presence: Presence,
        arguments: tuple[Argument, Argument],
    ) -> None:
        """An edge from several nodes waits for all of them."""
        names = [text_of(item.value) for item in sources.items]
        if target is None or sources.rest is not None or None in names:
            reason = "an end of an edge from several nodes is not known"
            self._gap(operation.origin.span(), reason, "edges")
            return
        if target == START:
            self.violations.append(checks.edge_into_start("several nodes", written(arguments[1])))
            return
        self.groups += 1
        group = f"join{self.groups}"
        ends = [(target, written(arguments[1]))]
        for item, name in zip(sources.items, names, strict=True):
            assert name is not None
            span = (item.place or item.value.origin).span()
            ends.append((name, span))
            problem = checks.join_violation(name, span)
            if problem is not None:
                self.violations.append(problem)
                continue
            under = presence | item.presence
            spans = (span, written(arguments[1]))
            self._edge(name, target, "always", operation, under, spans, group=group)
        if not presence and not any(item.presence for item in sources.items):
            declared = {node.name for node in self.nodes}
            self.early += [(name, span) for name, span in ends if name not in declared]

    def _add_branch(
        self, operation: Operation, source: Argument | None, at: int, presence: Presence
    ) -> None:
        path = operation.arguments.find("path", at)
        path_map = operation.arguments.find("path_map", at + 1)
        if source is None or path is None:
            return
        for under, single in alternatives(source.value, presence):
            name = text_of(single)
            if name is None:
                reason = f"the source of conditional edges is not known: {reason_of(single)}"
                self._gap(operation.origin.span(), reason, "edges")
                continue
            for both, router in alternatives(path.value, under):
                self._check_branch_name(name, router, path, both)
                self._branch(operation, (name, source), (router, path), path_map, both)

    def _check_branch_name(
        self, source: str, router: Value, path: Argument, presence: Presence
    ) -> None:
        label = checks.branch_name(router)
        if label is None or presence:
            return
        earlier = self.branch_names.setdefault((source, label), written(path))
        if earlier != written(path):
            self.violations.append(checks.branch_twice(source, label, written(path), earlier))

    def _branch(
        self,
        operation: Operation,
        source: tuple[str, Argument],
        router: tuple[Value, Argument],
        path_map: Argument | None,
        presence: Presence,
    ) -> None:
        name, where = source
        found: list[tuple[Presence, str | None, Value, Span]] | None = None
        unsure: str | None = None
        if path_map is not None:
            for under, mapping in alternatives(path_map.value, presence):
                mapped = list(targets.mapped_targets(mapping, path_map, under))
                if mapped:
                    found = (found or []) + mapped
                unsure = unsure or _unknown_map(mapping, targets.shown(name))
        if found is None and unsure is None:
            declared = targets.router_targets(router[0])
            unsure = declared.unsure
            span = written(router[1])
            if declared.targets is not None:
                found = [(presence, None, target, span) for target in declared.targets]
        if found is None or unsure is not None:
            shown = targets.shown(name)
            reason = unsure or f"the router of `{shown}` does not declare its targets"
            hides: Hidden = "targets" if name != START else "entry"
            self._gap(written(router[1]), reason, hides, name, CURE_ROUTER)
        for under, label, target, span in found or ():
            text = text_of(target)
            if text is None:
                self._gap(
                    span, f"a target of `{targets.shown(name)}` is not known", "targets", name
                )
                continue
            spans = (written(where), span)
            self._edge(name, text, "case", operation, under, spans, label or text)


def _unknown_map(mapping: Value, source: str) -> str | None:
    """Why a path map is not fully known, None when it is (or is none at all)."""
    if isinstance(mapping, Mapped | Sequence) and mapping.rest is not None:
        return f"the path map of `{source}` is not fully known: {mapping.rest.reason}"
    if targets.is_none(mapping) or targets.is_map(mapping):
        return None
    return f"the path map of `{source}` is not known: {reason_of(mapping)}"
