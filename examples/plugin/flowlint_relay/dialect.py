"""Relay: `Relay(…)` with legs that hand over to each other, one runner, first match.

## What is read

`Relay(…)`, imported from `relay`, in Python files and notebooks, and what is done to it with `leg`
and `hand`. The first leg begins.

## What is resolved

* Legs and hand-overs in loops and helper functions, under tests, and from other modules.
* Conditions (`when=`) that are functions, as formulas where they compare with constants.

## What is not resolved

* Names that only a run can tell: `unresolved-flow` says so.
* A relay that is handed to code out of sight.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from flowlint.dialects.reading import (
    alternatives,
    escape_gaps,
    function_guard,
    may_end_run,
    reason_of,
    relative,
    text_of,
    written,
)
from flowlint.dialects.surroundings import Surroundings
from flowlint.graph.model import Edge, Entry, FlowGraph, Gap, Node, Semantics
from flowlint.values.following import TypeModel
from flowlint.values.model import Argument, Built, Operation

SEMANTICS = Semantics(
    system="Relay",
    built_by="run()",
    routing="first",
    join="any",
    cycles="allowed",
    end="implicit",
    unmatched_route="ends-silently",
    failure="raises",
    on_unreachable="silent",
    on_unknown_name="rejected",
    on_duplicate_node="refused-at-once",
    on_missing_entry="rejected",
    on_empty="rejected",
    on_duplicate_edge="silent",
    guards="sync",
)

RELAY = TypeModel(
    "relay.Relay",
    frozenset({"relay.Relay"}),
    fluent=frozenset({"leg", "hand"}),
    readers=frozenset({"run"}),
)

Hidden = Literal["nodes", "edges", "entry", "targets"]


class RelayDialect:
    """The dialect of Relay."""

    name = "relay"
    semantics = (SEMANTICS,)
    types = (RELAY,)
    constants: Mapping[str, str] = {}
    needles = ((b"relay", b"Relay"),)

    def graph(self, built: Built, around: Surroundings) -> FlowGraph | None:
        """The flow that a relay is when all was done to it."""
        return _Reader(built).graph()


DIALECT = RelayDialect()


class _Reader:
    def __init__(self, built: Built) -> None:
        self.built = built
        self.nodes: list[Node] = []
        self.edges: list[Edge] = []
        self.gaps: list[Gap] = list(escape_gaps(built))

    def graph(self) -> FlowGraph:
        for operation in self.built.operations:
            if operation.method == "leg":
                self._leg(operation)
            elif operation.method == "hand":
                self._hand(operation)
        first = self.nodes[:1]
        return FlowGraph(
            name=self.built.name or self.built.symbol or "relay",
            dialect="relay",
            span=self.built.origin.span(),
            semantics=SEMANTICS,
            nodes=tuple(self.nodes),
            edges=tuple(self.edges),
            entries=tuple(Entry(leg.name, leg.name_span, presence=leg.presence) for leg in first),
            symbol=self.built.symbol,
            assumed=self.built.assumed is not None,
            gaps=tuple(self.gaps),
        )

    def _leg(self, operation: Operation) -> None:
        """`leg(name, run)`"""
        name, run = (operation.arguments.find(*one) for one in (("name", 0), ("run", 1)))
        if name is None:
            return
        for presence, value in alternatives(name.value, relative(operation, self.built)):
            text = text_of(value)
            if text is None:
                self._unknown(name, "the name of a leg is not known", "nodes", "entry")
                continue
            ends = may_end_run(run.value if run is not None else None)
            span = operation.origin.span()
            self.nodes.append(Node(text, span, written(name), presence=presence, ends_itself=ends))

    def _hand(self, operation: Operation) -> None:
        """`hand(giver, taker, when=None)`"""
        giver, taker = (operation.arguments.find(*one) for one in (("giver", 0), ("taker", 1)))
        if giver is None or taker is None:
            return
        names = text_of(giver.value), text_of(taker.value)
        if names[0] is None or names[1] is None:
            unknown = giver if names[0] is None else taker
            self._unknown(unknown, "an end of a hand-over is not known", "edges")
            return
        when = operation.arguments.find("when", 2)
        guard = function_guard(when.value, written(when)) if when is not None else None
        self.edges.append(
            Edge(
                names[0],
                names[1],
                operation.origin.span(),
                written(giver),
                written(taker),
                "always" if guard is None else "when",
                guard.text if guard is not None else None,
                guard,
                presence=relative(operation, self.built),
                order=len(self.edges),
            )
        )

    def _unknown(self, argument: Argument, what: str, *hides: Hidden) -> None:
        """What cannot be told is a gap: rules that need it stay silent."""
        reason = f"{what}: {reason_of(argument.value)}"
        self.gaps.append(Gap(written(argument), reason, frozenset(hides)))
