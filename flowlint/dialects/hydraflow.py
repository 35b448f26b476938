"""HydraFlow: `Flow(nodes=[Node(…)], edges=[Edge(…)], entry=…)`, one token, first match.

## What is read

Calls of `Flow`, with the `Node` and `Edge` objects in them, in Python files and notebooks.
`flows` is a name that anybody may use, so a class counts only where

* it is imported from `flows`, `flows.flow` or `src.flows`, and is not in the project; or
* the project has a class `Flow` whose constructor takes `nodes`, `edges` and `entry`, in one
  module with a `Node` that takes `name`, `run` and `kind` and an `Edge` that takes `src`, `dst`
  and `when`, whatever that module is called.

A call of `Flow` without any of its own fields is passed over.

## What is resolved

* Nodes and edges in lists, tuples, comprehensions, generators and sums of them, from variables,
  other modules, methods, mixins and helper functions, also those that take arguments.
* Names and the entry from constants, enumerations and texts that are put together.
* Nodes, edges and entries under a test: they are there on a condition, and rules heed it.
* Guards: a lambda, a function, a method or an object with `__call__`. Comparisons with constants,
  membership, truth, `and`, `or` and `not` become a formula, by which rules tell which edge is
  taken.
* Whether functions are async, whether a node's function may raise, `max_steps` and `kill_switch`.

## What is not resolved

* Lists that come from a file, the environment, a call out of sight, or an argument that nobody is
  seen to pass: the flow is read as far as it goes, and `unresolved-flow` tells what is missing.
* What guards compute beyond that fragment: such an edge may be taken or not.
* What nodes do to the state: HydraFlow has no schema for it. Nothing is said about its keys.
* `Flow.run` and `Flow.resume`: where a flow is resumed is not looked at.
"""

from __future__ import annotations

from collections.abc import Iterator

from flowlint.dialects.reading import (
    Texts,
    alternatives,
    bare_function,
    escape_gaps,
    function_guard,
    listed,
    may_end_run,
    reason_of,
    text_of,
    written,
)
from flowlint.dialects.surroundings import Surroundings
from flowlint.graph.guards import Guard
from flowlint.graph.model import (
    CallableFacts,
    Edge,
    Entry,
    FlowGraph,
    Gap,
    Node,
    Presence,
    Semantics,
)
from flowlint.source import Span
from flowlint.values.following import ClassShape, TypeModel
from flowlint.values.model import Argument, Built, Const, Unknown, Value

SEMANTICS = Semantics(
    system="HydraFlow",
    built_by="Flow(…)",
    routing="first",
    join="any",
    cycles="allowed",
    end="implicit",
    unmatched_route="raises",
    failure="raises",
    on_unreachable="rejected",
    on_unknown_name="rejected",
    on_duplicate_node="rejected",
    on_missing_entry="rejected",
    on_empty="rejected",
    on_duplicate_edge="silent",
    guards="sync",
    kinds_document_shape=True,
    default_step_bound=None,
    step_bound_name="max_steps",
)

NODE_FIELDS = frozenset({"name", "run", "kind"})
EDGE_FIELDS = frozenset({"src", "dst", "when"})
FLOW_FIELDS = frozenset({"nodes", "edges", "entry"})


def _names(name: str) -> frozenset[str]:
    return frozenset({f"flows.{name}", f"flows.flow.{name}", f"src.flows.{name}"})


FLOW = TypeModel(
    "hydraflow.Flow",
    _names("Flow"),
    ClassShape("Flow", FLOW_FIELDS, {"Node": NODE_FIELDS, "Edge": EDGE_FIELDS}),
    readers=frozenset({"run", "resume"}),
)
NODE = TypeModel(
    "hydraflow.Node",
    _names("Node"),
    ClassShape("Node", NODE_FIELDS, {"Flow": FLOW_FIELDS, "Edge": EDGE_FIELDS}),
    roots_flow=False,
)
EDGE = TypeModel(
    "hydraflow.Edge",
    _names("Edge"),
    ClassShape("Edge", EDGE_FIELDS, {"Flow": FLOW_FIELDS, "Node": NODE_FIELDS}),
    roots_flow=False,
)


class HydraFlow:
    """The dialect of HydraFlow's `src/flows`."""

    name = "hydraflow"
    semantics = (SEMANTICS,)
    types = (FLOW, NODE, EDGE)
    constants: dict[str, str] = {}  # noqa: RUF012

    def graph(self, built: Built, _: Surroundings) -> FlowGraph | None:
        """The flow that a `Flow(…)` call makes; None for calls without any of its fields."""
        if built.model is not FLOW:
            return None
        given = {item.name for item in built.arguments.items if item.name}
        if not given >= FLOW_FIELDS and not built.arguments.spread:
            return None
        return _Reader(built).graph()


DIALECT = HydraFlow()


class _Reader:
    def __init__(self, built: Built) -> None:
        self.built = built
        self.gaps: list[Gap] = list(escape_gaps(built))
        self.nodes: list[Node] = []
        self.edges: list[Edge] = []
        self.texts = Texts()

    def graph(self) -> FlowGraph | None:
        built = self.built
        self._nodes(built.arguments.get("nodes"))
        self._edges(built.arguments.get("edges"))
        entries, entry_span = self._entry(built.arguments.find("entry"))
        bound = built.arguments.find("max_steps")
        if not any(isinstance(part, Node | Edge) for part in (*self.nodes, *self.edges)):
            if self.gaps and not entries:
                return None
        return FlowGraph(
            name=built.name or built.symbol or "flow",
            dialect="hydraflow",
            span=built.origin.span(),
            semantics=SEMANTICS,
            nodes=tuple(self.nodes),
            edges=tuple(self.edges),
            entries=entries,
            symbol=built.symbol,
            entry_span=entry_span,
            step_bound=self._bound(),
            step_bound_span=written(bound) if bound is not None else None,
            bounded=self._is_given("max_steps"),
            stopped_by="kill_switch" if self._is_given("kill_switch") else None,
            assumed=built.assumed is not None,
            gaps=tuple(self.gaps),
            texts=self.texts.found(),
        )

    def _bound(self) -> int | None:
        value = self.built.arguments.get("max_steps")
        known = isinstance(value, Const) and isinstance(value.value, int)
        return int(value.value) if known else None  # type: ignore[union-attr, arg-type]

    def _is_given(self, name: str) -> bool:
        """Whether an argument is given that is not plainly None."""
        value = self.built.arguments.get(name)
        if value is None:
            return self.built.arguments.spread
        return not (isinstance(value, Const) and value.value is None)

    def _gap(self, value: Value, what: str, hides: frozenset[str], span: Span) -> None:
        reason = f"{what}: {reason_of(value)}"
        cure = "write the list out, or build it from constants of this project"
        self.gaps.append(Gap(span, reason, hides, cure=cure))  # type: ignore[arg-type]

    def _parts(
        self, value: Value | None, model: TypeModel, what: str, hides: frozenset[str]
    ) -> Iterator[tuple[Presence, Built]]:
        """The nodes or edges of an argument, with a gap for what is not known of it."""
        where = self.built.origin.span()
        if value is None:
            self._gap(Unknown("not given", self.built.origin), what, hides, where)
            return
        for presence, single in alternatives(value):
            found = listed(single)
            if found is None:
                self._gap(single, f"{what} are not known", hides, single.origin.span())
                continue
            items, rest = found
            if rest is not None:
                self._gap(rest, f"more {what} may be there", hides, single.origin.span())
            for item in items:
                for own, part in alternatives(item.value, presence | item.presence):
                    under = own - self.built.presence
                    if isinstance(part, Built) and part.model is model:
                        yield under, part
                    else:
                        self._gap(part, f"one of the {what} is not known", hides, where)

    def _nodes(self, value: Value | None) -> None:
        for presence, part in self._parts(value, NODE, "nodes", frozenset({"nodes"})):
            name = part.arguments.find("name", 0)
            if name is None:
                continue
            for inner, single in alternatives(name.value, presence):
                text = text_of(single)
                if text is None:
                    span = part.origin.span()
                    self._gap(single, "a node's name is not known", frozenset({"nodes"}), span)
                    continue
                self.texts.note(single, written(name))
                self.nodes.append(
                    Node(
                        text,
                        part.origin.span(),
                        written(name),
                        self._kind(part.arguments.get("kind", 2)),
                        inner,
                        _facts(part.arguments.get("run", 1)),
                        ends_itself=may_end_run(part.arguments.get("run", 1)),
                    )
                )

    def _kind(self, value: Value | None) -> str:
        if value is None:
            return "step"
        return text_of(value) or "step"

    def _edges(self, value: Value | None) -> None:
        hides = frozenset({"edges"})
        for presence, part in self._parts(value, EDGE, "edges", hides):
            source, target = part.arguments.find("src", 0), part.arguments.find("dst", 1)
            if source is None or target is None:
                continue
            span = part.origin.span()
            for under, first in alternatives(source.value, presence):
                for both, second in alternatives(target.value, under):
                    names = text_of(first), text_of(second)
                    if names[0] is None or names[1] is None:
                        unknown = first if names[0] is None else second
                        self._gap(unknown, "an end of an edge is not known", hides, span)
                        continue
                    guard = _guard(part.arguments.find("when", 2))
                    self.texts.note(first, written(source))
                    self.texts.note(second, written(target))
                    self.edges.append(
                        Edge(
                            names[0],
                            names[1],
                            span,
                            written(source),
                            written(target),
                            "always" if guard is None else "when",
                            guard.text if guard else None,
                            guard,
                            presence=both,
                            order=len(self.edges),
                        )
                    )

    def _entry(self, argument: Argument | None) -> tuple[tuple[Entry, ...], Span | None]:
        if argument is None:
            return (), None
        entries: list[Entry] = []
        span = written(argument)
        for presence, single in alternatives(argument.value):
            text = text_of(single)
            if text is not None:
                self.texts.note(single, span)
                entries.append(Entry(text, span, presence=presence - self.built.presence))
            elif isinstance(single, Const):
                entries.append(Entry(repr(single.value), span))
            else:
                self._gap(single, "the entry is not known", frozenset({"entry"}), span)
        return tuple(entries), span


def _facts(value: Value | None) -> CallableFacts | None:
    function = bare_function(value) if value is not None else None
    if function is None:
        return None
    return CallableFacts(function.name, function.origin.span(), function.is_async)


def _guard(argument: Argument | None) -> Guard | None:
    """The condition of an edge; None when it has none."""
    if argument is None:
        return None
    value = argument.value
    if isinstance(value, Const) and value.value is None:
        return None
    return function_guard(value, written(argument))
