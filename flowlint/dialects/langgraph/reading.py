"""Reads the graph that a builder holds from what was done to it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from flowlint.dialects.langgraph import bodies, callables, checks, targets
from flowlint.dialects.langgraph.called import call_violations
from flowlint.dialects.langgraph.edges import EdgeReader, Told
from flowlint.dialects.langgraph.enums import enum_violations
from flowlint.dialects.langgraph.ignored import ignored
from flowlint.dialects.langgraph.javascript.checks import javascript_violations
from flowlint.dialects.langgraph.javascript.terms import in_python_terms
from flowlint.dialects.langgraph.limits import stated_limit
from flowlint.dialects.langgraph.outdated import outdated
from flowlint.dialects.langgraph.refused import refused
from flowlint.dialects.langgraph.releases import Release
from flowlint.dialects.langgraph.routers import router_violations
from flowlint.dialects.langgraph.running import run_alone
from flowlint.dialects.langgraph.state import StateReader
from flowlint.dialects.langgraph.undefined import undefined_callables
from flowlint.dialects.reading import (
    alternatives,
    escape_gaps,
    may_end_run,
    reason_of,
    relative,
    text_of,
    written,
)
from flowlint.graph.code import Router
from flowlint.graph.model import (
    END,
    START,
    FlowGraph,
    Node,
    Presence,
)
from flowlint.source import Span
from flowlint.values.model import (
    Argument,
    Built,
    Const,
    Operation,
    Product,
    Sequence,
    Unknown,
    Value,
)

MAX_NESTING = 8


def read_graph(built: Built, release: Release, depth: int = 0) -> FlowGraph:
    """The graph of a builder, as a release of LangGraph takes it."""
    return _Reader(built, release, depth).graph()


class _Reader(EdgeReader):
    def __init__(self, built: Built, release: Release, depth: int) -> None:
        super().__init__(release.edition)
        self.built = built
        self.release = release
        self.depth = depth
        self.compiled = False
        self.state = StateReader(built, release.edition)
        self.interrupted = checks.interrupted(built)
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
        for operation in until_compiled(built):
            self._apply(operation)
        self._add_seen()
        self._open_ends()
        if not built.escapes and not built.parameter:
            self.violations += checks.added_late(self.early, self.nodes)
        state = self.state.read(until_compiled(built))
        self.violations += self.state.violations
        self.violations += checks.schema_violations(built)
        self.violations += enum_violations(built, self.nodes, self.names, self.release)
        self.violations += ignored(built, self.edition)
        if not self.edition.reads_types:
            self.violations += javascript_violations(built)
        self.violations += undefined_callables(built)
        self.violations += router_violations(built)
        self.violations += run_alone(built, self._reached(), self.edition)
        limit = stated_limit(built.operations)
        graph = FlowGraph(
            name=built.name or built.symbol or "graph",
            dialect="langgraph",
            span=built.origin.span(),
            semantics=self.release.semantics,
            nodes=tuple(self._finished(node) for node in self.nodes),
            edges=tuple(self.edges),
            entries=tuple(self.entries),
            symbol=built.symbol,
            built=self.compiled,
            unused=not self.compiled and _stays_inside(built),
            assumed=built.assumed is not None,
            state=state,
            routers=tuple(self._routers()),
            texts=self.texts.found(),
            step_bound=limit[0] if limit else None,
            step_bound_span=limit[1] if limit else None,
            gaps=tuple(self.edition.gap(gap) for gap in self.gaps),
        )
        self.violations += outdated(graph, built, self.release)
        self.violations += refused(graph, built, self.release)
        return replace(graph, violations=tuple(map(self.edition.violation, self.violations)))

    def _add_seen(self) -> None:
        """Add the hand-overs seen in code to nodes of this flow, where no edge says the same."""
        names = {node.name for node in self.nodes} | {END}
        known = {(edge.source, edge.target, edge.kind) for edge in self.edges}
        known |= {(START, entry.name, entry.kind) for entry in self.entries}
        for seen in self.seen:
            key = (seen.source, seen.target, seen.kind)
            is_case = seen.kind == "case"
            if key in known or (is_case and seen.target not in names):
                continue
            known.add(key)
            self.edge(seen)

    def _reached(self) -> list[Node]:
        """The nodes that some way from the start is seen to lead to."""
        following: dict[str, list[str]] = {}
        for edge in self.edges:
            following.setdefault(edge.source, []).append(edge.target)
        names = [entry.name for entry in self.entries]
        for name in names:
            names += following.pop(name, ())
        reached = set(names)
        return [node for node in self.nodes if node.name in reached]

    def _routers(self) -> Iterator[Router]:
        """The routers with what they may be given: all of the input where a run begins."""
        several: dict[str, list[Node]] = {}
        for node in self.nodes:
            several.setdefault(node.name, []).append(node)
        for router, (path, place) in zip(self.routers, self.paths, strict=True):
            taken = self.state.taken_by_router(path, place)
            sources = several.get(router.source, [])
            if router.source == START:
                yield router
            elif taken is not None:
                yield replace(router, may_take=taken.may_take)
            else:
                handed = _handed_on(sources[0]) if len(sources) == 1 else None
                yield replace(router, may_take=handed, passed_on=True)

    def _finished(self, node: Node) -> Node:
        """A node with what only the whole builder tells of it."""
        may_pause = node.may_pause or self.interrupted is None or node.name in self.interrupted
        ends_itself = node.ends_itself or node.name in self.ending
        if (may_pause, ends_itself) == (node.may_pause, node.ends_itself):
            return node
        return replace(node, may_pause=may_pause, ends_itself=ends_itself)

    def _open_ends(self) -> None:
        """What may have been done to the builder where it is out of sight."""
        built = self.built
        self.gaps += escape_gaps(built)
        if built.returned and not self.compiled:
            self.gap(
                built.origin.span(),
                f"`{built.symbol}` returns it before it is compiled, and no caller is seen",
                "all",
                cure="compile the graph where it is built, or check its callers too",
            )

    def _apply(self, operation: Operation) -> None:
        presence = relative(operation, self.built)
        arguments = operation.arguments
        if arguments.spread:
            self.gap(operation.origin.span(), "arguments are not known", "all")
            return
        match operation.method:
            case "add_node":
                self._add_node(operation, presence)
            case "add_edge":
                start, end = arguments.find("start_key", 0), arguments.find("end_key", 1)
                self.add_edge(operation, start, end, presence)
            case "set_entry_point":
                key = arguments.find("key", 0)
                self.add_edge(operation, self._marker(START, operation), key, presence)
            case "set_finish_point":
                key = arguments.find("key", 0)
                self.add_edge(operation, key, self._marker(END, operation), presence)
            case "add_conditional_edges":
                self.add_branch(operation, arguments.find("source", 0), 1, presence)
            case "set_conditional_entry_point":
                self.add_branch(operation, self._marker(START, operation), 0, presence)
            case "add_sequence":
                self._add_sequence(operation, presence)
            case "compile":
                self.compiled = True
                for name in checks.interrupting(operation):
                    self.texts.note(name)
                self.violations += checks.compile_violations(operation, self.nodes, self.release)
            case "set_node_defaults":
                self.violations += checks.default_violations(operation, self.built)

    def _marker(self, name: str, operation: Operation) -> Argument:
        return Argument(Const(name, operation.origin), place=operation.origin)

    def _add_node(self, operation: Operation, presence: Presence) -> None:
        first = operation.arguments.find("node", 0)
        action = operation.arguments.get("action", 1)
        if first is None:
            return
        for under, name in alternatives(first.value, presence):
            text = text_of(name)
            self.texts.note(name, written(first))
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
            self.gap(name_span, f"a node's name is not known: {reason}", "nodes")
            return
        problem = checks.name_violation(name, name_span)
        if problem is not None:
            self.violations.append(problem)
            return
        arguments = operation.arguments
        destinations = arguments.get("destinations")
        action_value = action if action is not None else Unknown("no action", operation.origin)
        seen = bodies.code_of(action_value, self.edition)
        code = None if seen is None else seen.code
        self.names += [(mention, name) for mention in seen.names] if seen is not None else []
        routes = callables.routes_itself(action_value)
        if code is not None and not code.more_handovers and not code.handovers:
            routes = "no"
        elif code is not None and not code.more_handovers and routes == "maybe":
            routes = "does"
        handler = arguments.get("error_handler") or self.default_handler
        if handler is not None and routes == "no":
            routes = "no" if callables.routes_itself(handler) == "no" else "maybe"
        declared = callables.Declared()
        if self.edition.reads_types:
            declared = callables.command_targets(action_value)
        named = targets.destinations(destinations)
        is_read = code is not None and not code.more_handovers
        if (named is not None or declared.targets or is_read) and handler is None:
            routes = "no"
        defer = arguments.get("defer")
        facts = targets.facts(action_value)
        for goto in declared.targets or ():
            self.texts.note(goto, facts.span if facts and facts.span else name_span)
        taken = self.state.taken(operation, action_value)
        self.declared.add(name)
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
                pauses=callables.pauses(action_value),
                ends_itself=may_end_run(action_value),
                code=code,
                takes=taken.surely,
                may_take=taken.may_take,
                regions=self._regions(action_value),
            )
        )
        self.violations += checks.node_violations(name, action_value, operation, self.release)
        if self.edition.checks_calls:
            self.violations += call_violations(f"Node `{name}`", action_value, name_span, name)
        if named is None and declared.targets is not None:
            named = [
                (t, facts.span if facts and facts.span else name_span) for t in declared.targets
            ]
        elif destinations is not None and named is None and not targets.is_none(destinations):
            reason = f"the targets of `{name}` are not known: {reason_of(destinations)}"
            self.gap(name_span, reason, "targets", name, self.edition.cure_node)
        elif named is None and declared.unsure:
            self.gap(name_span, declared.unsure, "targets", name, self.edition.cure_node)
        elif named is None and routes == "does":
            reason = f"`{name}` hands over by `Command`, without declaring to which nodes"
            self.gap(name_span, reason, "targets", name, self.edition.cure_node)
        for target, span in named or ():
            self._goto(name, target, operation, presence, (name_span, span))
        for handover in code.handovers if code is not None else ():
            if not handover.to_parent:
                spans = (name_span, handover.span)
                self.seen.append(
                    Told(
                        *(name, handover.target, handover.kind, operation, presence, spans),
                        checked=False,
                    )
                )

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
            self.gap(spans[1], f"a target of `{source}` is not known", "targets", source)
            return
        self.texts.note(target, spans[1])
        self.edge(Told(source, text, "goto", operation, presence, spans))

    def _regions(self, action: Value) -> dict[str, FlowGraph]:
        inner: dict[str, FlowGraph] = {}
        if isinstance(action, Product) and self.depth < MAX_NESTING:
            if action.source.serial != self.built.serial:
                source = in_python_terms(action.source)
                inner["subgraph"] = read_graph(source, self.release, self.depth + 1)
        return inner

    def _add_sequence(self, operation: Operation, presence: Presence) -> None:
        given = operation.arguments.find("nodes", 0)
        if given is None:
            return
        if not isinstance(given.value, Sequence) or given.value.rest is not None:
            self.gap(written(given), f"a sequence of nodes: {reason_of(given.value)}", "all")
            return
        if given.value.lazy:
            self.violations.append(checks.sequence_without_length(written(given)))
        elif not given.value.items:
            self.violations.append(checks.empty_sequence(written(given)))
        previous: tuple[str, Span, Presence] | None = None
        for item in given.value.items:
            span = (item.place or item.value.origin).span()
            name, action = targets.named_step(item.value)
            under = presence | item.presence
            if isinstance(item.value, Sequence) and item.value.items:
                self.texts.note(item.value.items[0].value, span)
            self._node(operation, name, action, under, span)
            if name is None:
                previous = None
                self.gap(span, "an edge of a sequence is not known", "edges")
                continue
            if previous is not None:
                spans = (previous[1], span)
                both = previous[2] | under
                self.edge(Told(previous[0], name, "always", operation, both, spans))
            previous = (name, span, under)


def _stays_inside(built: Built) -> bool:
    """Whether a builder never leaves the function that makes it."""
    leaves = built.escapes or built.returned or built.parameter
    return built.symbol is not None and not leaves


def _handed_on(source: Node) -> frozenset[str] | None:
    """What a router is given that declares nothing: what its source was, and what that returns."""
    code = source.code
    if source.may_take is None or code is None or code.more_writes:
        return None
    return source.may_take | {write.key for write in code.writes}


def until_compiled(built: Built) -> list[Operation]:
    """What was done to a builder before it was compiled for the last time.

    What comes after is in no compiled graph; of a builder that is never compiled it is all.
    """
    operations = built.operations
    last = max((i for i, o in enumerate(operations) if o.method == "compile"), default=None)
    return operations if last is None else operations[: last + 1]
