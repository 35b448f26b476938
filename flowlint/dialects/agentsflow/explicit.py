"""Flows that are built by `add_node` and `add_edge`."""

from __future__ import annotations

from collections.abc import Iterator

from flowlint.dialects.agentsflow.builder_faults import (
    argument_faults,
    dropped_fields,
    endless_loops,
    lonely_nodes,
)
from flowlint.dialects.agentsflow.builder_runs import (
    deadlocks,
    keeping_faults,
    predicate_faults,
    run_once,
    timeouts_twice,
    unheard,
)
from flowlint.dialects.agentsflow.circles import circles, in_circles
from flowlint.dialects.agentsflow.edges import Ends, edge_between
from flowlint.dialects.agentsflow.legacy import removed_methods
from flowlint.dialects.agentsflow.markers import (
    marker_faults,
    only_markers,
    undeclared_markers,
    without_markers,
)
from flowlint.dialects.agentsflow.model import CONDITIONS, DEFAULT_IDS, KINDS, LEGACY_METHODS, NODES
from flowlint.dialects.agentsflow.predicates import cel_faults, guard_of
from flowlint.dialects.agentsflow.records import Field, is_null, record_of
from flowlint.dialects.agentsflow.results import result_of
from flowlint.dialects.agentsflow.semantics import EXPLICIT
from flowlint.dialects.agentsflow.sight import Hidden, Sight
from flowlint.dialects.agentsflow.unmatched import unmatched_routes
from flowlint.dialects.reading import (
    alternatives,
    bare_function,
    escape_gaps,
    relative,
    text_of,
    written,
)
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
from flowlint.graph.reference_faults import near, near_rename, one_of
from flowlint.values.model import Argument, Built, Const, Operation, Sequence, Value


class BuilderReader:
    """Reads a flow from what was done to its builder."""

    def __init__(self, built: Built) -> None:
        self.built = built
        self.sight = Sight(built.presence)
        self.nodes: list[Node] = []
        self.edges: list[Edge] = []
        self.violations: list[Violation] = []
        self.types: dict[str, str] = {}
        self.given: dict[str, Output | None] = {}
        self.plain: dict[str, Built] = {}

    def graph(self) -> FlowGraph:
        """The flow."""
        built = self.built
        for operation in built.operations:
            presence = relative(operation, built)
            if operation.method == "add_node":
                self._node(operation, presence)
        for operation in built.operations:
            if operation.method == "add_edge":
                self._edge(operation, relative(operation, built))
        self.violations += removed_methods(built)
        self.violations += argument_faults(built)
        gaps = (*escape_gaps(built), *self.sight.gaps, *self._unread())
        if not gaps:
            fails = "the run fails"
            self.violations += undeclared_markers(self.nodes, self.edges, fails)
            self.violations += marker_faults(self.nodes, self.edges, fails)
            self.violations += lonely_nodes(self.nodes, self.edges)
            self.violations += self._run_faults()
        gaps = (*gaps, *circles(self.nodes, self.edges, built.origin.span()))
        gaps = (*gaps, *only_markers(self.nodes, built.origin.span()))
        marked = without_markers(self.nodes, self.edges, list(self._entries()))
        name = built.arguments.find("name", 0)
        return FlowGraph(
            name=(text_of(name.value) if name is not None else None)
            or built.name
            or built.symbol
            or "flow",
            dialect="agentsflow",
            span=built.origin.span(),
            semantics=EXPLICIT,
            nodes=marked.nodes,
            edges=marked.edges,
            entries=marked.entries,
            symbol=built.symbol,
            entry_span=built.origin.span(),
            assumed=built.assumed is not None,
            gaps=gaps,
            violations=tuple(self.violations),
            texts=self.sight.texts.found(),
        )

    def _run_faults(self) -> Iterator[Violation]:
        """What goes wrong in runs of a flow of which all is known."""
        nodes, edges = self.nodes, self.edges
        closing = closing_edges(nodes, edges)
        yield from endless_loops(closing, edges)
        yield from deadlocks(nodes, edges, closing)
        yield from run_once(closing, edges)
        yield from timeouts_twice(edges)
        yield from unmatched_routes(edges, dict.fromkeys(self.plain, "agent"))
        back = {id(edge) for edge in closing}
        forward = [edge for edge in edges if id(edge) not in back]
        if not in_circles(nodes, edges):
            yield from unheard(nodes, forward, self.plain)
        yield from keeping_faults(self.built, edges, nodes)

    def _unread(self) -> Iterator[Gap]:
        """What methods that are gone would have added."""
        methods = {operation.method for operation in self.built.operations}
        if methods.isdisjoint(LEGACY_METHODS):
            return
        hides: frozenset[Hidden] = frozenset({"nodes", "edges", "entry"})
        reason = "it is built by methods that are gone"
        yield Gap(self.built.origin.span(), reason, hides, told=True)

    def _node(self, operation: Operation, presence: Presence) -> None:
        given = operation.arguments.find("node", 0)
        span = operation.origin.span()
        if given is None:
            return
        for under, value in alternatives(given.value, presence):
            if not isinstance(value, Built) or value.model not in NODES:
                self.sight.gap(value, "a node is not known", "nodes", span)
                continue
            self._add_node(value, under, operation)

    def _add_node(self, node: Built, presence: Presence, operation: Operation) -> None:
        span = operation.origin.span()
        named = node.arguments.find("node_id") or node.arguments.find("name")
        if named is None:
            default = DEFAULT_IDS.get(base_of(node))
            if default is None:
                self.sight.gap(node, "a node's id is not known", "nodes", span)
                return
            self._declare(default, node, presence, operation, None)
            return
        place = written(named)
        for under, name in self.sight.names(named.value, "a node's id", place, "nodes"):
            self._declare(name, node, presence | under, operation, named)

    def _declare(
        self,
        name: str,
        node: Built,
        presence: Presence,
        operation: Operation,
        named: Argument | None,
    ) -> None:
        kind = node.cls.name if node.cls is not None else base_of(node)
        place = written(named) if named is not None else node.origin.span()
        agent = node.arguments.find("agent")
        runs = None
        if agent is not None:
            function = bare_function(agent.value)
            shown = function.name if function is not None else "agent"
            runs = CallableFacts(shown, written(agent))
        self.types[name] = KINDS.get(base_of(node), "")
        if node.cls is None and base_of(node) == "AgentNode":
            self.plain.setdefault(name, node)
        self.violations += dropped_fields(node, base_of(node), name)
        config = node.arguments.find("decision_config") or node.arguments.find("config")
        held = record_of(config.value if config is not None else node)
        self.given[name] = gives = result_of(self.types[name], held)
        self.nodes.append(
            Node(name, operation.origin.span(), place, kind, presence, runs, gives=gives)
        )

    def _edge(self, operation: Operation, presence: Presence) -> None:
        arguments = operation.arguments
        source, target = arguments.find("from_", 0), arguments.find("to", 1)
        span = operation.origin.span()
        if source is None or target is None:
            return
        predicate = self._predicate(arguments.find("predicate"))
        condition = self._condition(arguments.find("condition"), operation)
        if condition == "always" and predicate is not None:
            condition = "on_condition"
        for one in (source, target):
            self._no_text(one)
        for under, first in self.sight.names(
            source.value, "an end of an edge", written(source), "edges"
        ):
            for both, second in self.sight.names(
                target.value, "an end of an edge", written(target), "edges"
            ):
                ends = Ends(first, second, written(source), written(target))
                self._edge_faults(ends, condition, predicate, operation)
                guard = guard_of(predicate)
                order = len(self.edges)
                held = presence | under | both
                self.edges.append(edge_between(ends, span, condition, guard, held, order))

    def _no_text(self, end: Argument) -> None:
        """An end of an edge that is a list or a node, where only a name will do."""
        for _, value in alternatives(end.value):
            if isinstance(value, Sequence | Built):
                what = "a list" if isinstance(value, Sequence) else "a node"
                said = f"An end of an edge is {what}, and not the id of a node: the run fails"
                cure = "add an edge for each of them" if what == "a list" else "give its id"
                self.violations.append(Violation(written(end), said, cure))

    def _predicate(self, argument: Argument | None) -> Field | None:
        if argument is None or is_null(argument.value):
            return None
        place = written(argument)
        return Field(argument.value, place, place)

    def _condition(self, argument: Argument | None, operation: Operation) -> str:
        if argument is None:
            return "always"
        for _, value in alternatives(argument.value):
            text = condition_of(value)
            if text in CONDITIONS:
                return text
            if text is not None:
                place = written(argument)
                said = f"Condition `{text}` is none that AgentsFlow knows: add_edge() raises"
                cure = near(text, CONDITIONS, one_of(CONDITIONS))
                rename = near_rename(place, text, CONDITIONS)
                self.violations.append(Violation(place, said, cure, rename=rename))
                return "always"
        span = operation.origin.span()
        self.sight.gap(argument.value, "when an edge counts is not known", "edges", span)
        return "always"

    def _edge_faults(
        self, ends: Ends, condition: str, predicate: Field | None, operation: Operation
    ) -> None:
        owner = f"the edge from `{ends.source}` to `{ends.target}`"
        if condition == "on_condition" and predicate is None:
            if not operation.arguments.spread:
                said = (
                    f"The condition of {owner} is `on_condition`, and it has no predicate: "
                    "add_edge() raises"
                )
                cure = "give a `predicate`, or another condition"
                where = operation.origin.span()
                self.violations.append(Violation(where, said, cure, ends.source))
        elif predicate is not None and condition != "on_condition":
            said = f"The predicate of {owner} is never looked at: its condition is `{condition}`"
            cure = "leave out the condition, so that the predicate decides"
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
        elif predicate is not None and text_of(predicate.value) == "":
            said = f"The predicate of {owner} is empty, so the edge is always taken"
            self.violations.append(
                Violation(
                    predicate.place,
                    said,
                    "write a condition, or leave it out",
                    ends.source,
                    "ineffective-field",
                    severity="warning",
                )
            )
        else:
            kind = self.types.get(ends.source)
            self.violations += cel_faults(
                predicate, ends.source, ends.target, kind, self.given.get(ends.source)
            )
            self.violations += predicate_faults(predicate, ends.source, ends.target)

    def _entries(self) -> Iterator[Entry]:
        """The nodes that nothing leads to but what leads back, as the scheduler finds that."""
        back = {id(edge) for edge in closing_edges(self.nodes, self.edges)}
        declared = {node.name for node in self.nodes}
        followed = {
            edge.target for edge in self.edges if id(edge) not in back and edge.source in declared
        }
        for node in {node.name: node for node in self.nodes}.values():
            if node.name not in followed:
                yield Entry(node.name, node.name_span, presence=node.presence)


def closing_edges(nodes: list[Node], edges: list[Edge]) -> list[Edge]:
    """The edges to a node that is being walked through, as a search in depth meets them."""
    leaving: dict[str, list[Edge]] = {}
    for edge in edges:
        leaving.setdefault(edge.source, []).append(edge)
    done: set[str] = set()
    walking: set[str] = set()
    found: list[Edge] = []
    for start in dict.fromkeys(node.name for node in nodes):
        if start in done:
            continue
        stack = [(start, iter(leaving.get(start, [])))]
        walking.add(start)
        while stack:
            name, rest = stack[-1]
            following = next(rest, None)
            if following is None:
                stack.pop()
                walking.remove(name)
                done.add(name)
            elif following.target in walking:
                if following.back:
                    found.append(following)
            elif following.target not in done:
                walking.add(following.target)
                stack.append((following.target, iter(leaving.get(following.target, []))))
    return found


def condition_of(value: Value) -> str | None:
    """The condition that a value is, also as a member of the enumeration of them."""
    if isinstance(value, Const) and isinstance(value.value, str):
        return value.value
    qualified = getattr(value, "qualified", None)
    if isinstance(qualified, str) and ".TransitionCondition." in qualified:
        return qualified.rsplit(".", 1)[-1].lower()
    return None


def base_of(node: Built) -> str:
    """The class of the package that a node is of, or that its class extends."""
    return node.model.key.rsplit(".", 1)[-1]
