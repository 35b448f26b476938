"""Crews: `AgentCrew(agents=[…])`, whose agents follow each other by `task_flow`."""

from __future__ import annotations

from collections.abc import Iterator

from flowlint.dialects.agentsflow.agents import name_of_agent
from flowlint.dialects.agentsflow.circles import circles
from flowlint.dialects.agentsflow.crew_model import AGENTS
from flowlint.dialects.agentsflow.edges import Ends, edge_between
from flowlint.dialects.agentsflow.semantics import CREW
from flowlint.dialects.agentsflow.sight import Hidden, Sight
from flowlint.dialects.reading import alternatives, escape_gaps, relative, text_of, written
from flowlint.graph.model import CallableFacts, Edge, Entry, FlowGraph, Gap, Node, Violation
from flowlint.graph.presence import Presence
from flowlint.source import Span
from flowlint.values.model import Argument, Built, Const, Operation, Sequence, Value

End = tuple[Presence, str, Span]


class CrewReader:
    """Reads a crew that is run as a flow."""

    def __init__(self, built: Built) -> None:
        self.built = built
        self.sight = Sight(built.presence)
        self.nodes: list[Node] = []
        self.edges: list[Edge] = []
        self.outside: set[str] = set()
        self.violations: list[Violation] = []

    def graph(self) -> FlowGraph | None:
        """The flow; None for a crew whose agents only work one after another, or side by side."""
        built = self.built
        methods = {operation.method for operation in built.operations}
        if methods.isdisjoint({"task_flow", "run_flow"}):
            return None
        if "run_sequential" in methods and "run_flow" not in methods:
            return None
        self._agents()
        for operation in built.operations:
            presence = relative(operation, built)
            match operation.method:
                case "add_tool_node":
                    self._tool(operation, presence)
                case "add_agent":
                    self._outside(operation)
                case "remove_agent":
                    hides: frozenset[Hidden] = frozenset({"nodes", "entry"})
                    gap = Gap(operation.origin.span(), "an agent is removed", hides)
                    self.sight.gaps.append(gap)
                case "task_flow":
                    self._follow(operation, presence)
        gaps = [*escape_gaps(built), *self.sight.gaps]
        if not gaps and "task_flow" not in methods:
            gaps += self._without_flow()
        gaps += circles(self.nodes, self.edges, built.origin.span())
        name = built.arguments.find("name", 0)
        return FlowGraph(
            name=(text_of(name.value) if name is not None else None)
            or built.name
            or built.symbol
            or "crew",
            dialect="agentsflow",
            span=built.origin.span(),
            semantics=CREW,
            nodes=tuple(self.nodes),
            edges=tuple(self.edges),
            entries=tuple(self._entries()),
            symbol=built.symbol,
            entry_span=built.origin.span(),
            assumed=built.assumed is not None,
            gaps=tuple(gaps),
            violations=tuple(self.violations),
            texts=self.sight.texts.found(),
        )

    def _agents(self) -> None:
        """The agents with which the crew was made: only these take part in a flow."""
        arguments = self.built.arguments
        given = arguments.find("agents", 1)
        if given is None:
            if arguments.spread:
                hides: frozenset[Hidden] = frozenset({"nodes", "entry"})
                gap = Gap(self.built.origin.span(), "agents are not known", hides)
                self.sight.gaps.append(gap)
            return
        for presence, value in self.sight.elements(given.value, "nodes"):
            name = name_of_agent(value)
            span = value.origin.span()
            if name is None:
                self.sight.gap(value, "the name of an agent is not known", "nodes", span)
                continue
            kind = "agent"
            if isinstance(value, Built):
                kind = value.cls.name if value.cls is not None else _class_of(value)
            runs = CallableFacts(name, span)
            self.nodes.append(Node(name, span, span, kind, presence, runs))

    def _tool(self, operation: Operation, presence: Presence) -> None:
        named = operation.arguments.find("node_id", 1)
        span = operation.origin.span()
        if named is None:
            if operation.arguments.spread:
                self.sight.gap(
                    operation_value(operation), "a node's id is not known", "nodes", span
                )
            return
        place = written(named)
        for under, name in self.sight.names(named.value, "a node's id", place, "nodes"):
            if not presence and not under and any(n.name == name for n in self.nodes):
                said = f"The crew already has a member `{name}`: add_tool_node() raises"
                cure = "give the node another id"
                self.violations.append(
                    Violation(place, said, cure, name, "duplicate-node"),
                )
                continue
            self.nodes.append(Node(name, span, place, "tool", presence | under))

    def _outside(self, operation: Operation) -> None:
        agent = operation.arguments.find("agent", 0)
        name = name_of_agent(agent.value) if agent is not None else None
        if name is not None:
            self.outside.add(name)

    def _follow(self, operation: Operation, presence: Presence) -> None:
        arguments = operation.arguments
        source = arguments.find("source_agent", 0)
        target = arguments.find("target_agents", 1)
        span = operation.origin.span()
        if source is None or target is None:
            if arguments.spread:
                reason = "the agents of a `task_flow` are not known"
                self.sight.gaps.append(Gap(span, reason, frozenset({"edges"})))
            return
        targets = list(self._ends(target, "target"))
        for under, first, first_span in self._ends(source, "source"):
            for both, second, second_span in targets:
                ends = Ends(first, second, first_span, second_span)
                held = presence | under | both
                order = len(self.edges)
                self.edges.append(edge_between(ends, span, "always", None, held, order))

    def _ends(self, argument: Argument, what: str) -> Iterator[End]:
        """The agents at one end, of those that the crew has at this point."""
        place = written(argument)
        for presence, value in alternatives(argument.value):
            if isinstance(value, Sequence) and value.kind == "list":
                for under, single in self.sight.elements(value, "edges"):
                    yield from self._end(single, presence | under, place, what)
            else:
                yield from self._end(value, presence, place, what)

    def _end(self, value: Value, presence: Presence, place: Span, what: str) -> Iterator[End]:
        if isinstance(value, Const | Sequence):
            shown = f"a {value.kind}" if isinstance(value, Sequence) else "no agent"
            if isinstance(value, Const) and isinstance(value.value, str):
                shown = f"the text `{value.value}`"
            cure = "give a list of agents" if isinstance(value, Sequence) else "give the agent"
            said = f"The {what} of a task_flow() is {shown}: the call raises AttributeError"
            self.violations.append(Violation(place, said, cure))
            return
        name = name_of_agent(value)
        if name is None:
            self.sight.gap(value, "an agent is not known", "edges", place)
            return
        if self._is_absent(name):
            said = f"task_flow() names the agent `{name}`, which the crew does not have"
            cure = "name it in `agents=[…]`"
            if name in self.outside:
                said = (
                    f"task_flow() names the agent `{name}`, which was added by add_agent() and so "
                    "takes part in no flow"
                )
                cure = "name it in `agents=[…]` where the crew is made"
            said += ": the call raises KeyError"
            self.violations.append(Violation(place, said, cure, rule="dangling-edge"))
            return
        yield presence, name, place

    def _is_absent(self, name: str) -> bool:
        if self.sight.gaps or self.built.escapes:
            return False
        return all(node.name != name for node in self.nodes)

    def _without_flow(self) -> Iterator[Gap]:
        """A crew that is run as a flow before anything was said to follow."""
        run = next(one for one in self.built.operations if one.method == "run_flow")
        if not run.presence - self.built.presence:
            said = "The crew is run as a flow, but no task_flow() says what follows what"
            cure = "call task_flow() before, or run the crew by run_sequential() or run_parallel()"
            said += ": run_flow() raises ValueError"
            self.violations.append(Violation(run.origin.span(), said, cure))
        hides: frozenset[Hidden] = frozenset({"edges", "entry"})
        yield Gap(run.origin.span(), "nothing says what follows what", hides, told=True)

    def _entries(self) -> Iterator[Entry]:
        followed = {edge.target for edge in self.edges}
        for node in {node.name: node for node in self.nodes}.values():
            if node.name not in followed:
                yield Entry(node.name, node.name_span, presence=node.presence)


def operation_value(operation: Operation) -> Value:
    """What an operation is given first, to say why nothing more is known."""
    return operation.arguments.items[0].value


def _class_of(agent: Built) -> str:
    return agent.model.key.rsplit(".", 1)[-1] if agent.model in AGENTS else "agent"
