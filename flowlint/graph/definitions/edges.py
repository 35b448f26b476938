"""The edges and switches of one flow or region in a definition."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Literal

from flowlint.graph import reference_faults as faults
from flowlint.graph.cel import cel_guard
from flowlint.graph.config_rules import Place
from flowlint.graph.config_values import Data
from flowlint.graph.definitions.known import Known
from flowlint.graph.definitions.parts import Part, listed, part_of
from flowlint.graph.guards import Guard
from flowlint.graph.model import Edge, Gap, Violation
from flowlint.graph.node_outputs import Outputs
from flowlint.graph.reference import OUTCOMES, case_edge, case_label
from flowlint.source import Span

_UNSURE = "unsure"
"""How the source of an edge has to end of which that cannot be told: it competes with no other."""
_WHEN = frozenset({"when", "outcome", "priority"})
_Lists = tuple[list[Violation], list[Gap], list[tuple[int, Edge]], list[tuple[str, str]]]
_HOW = frozenset({"on", "priority"})


class Edges:
    """Draws the edges, each with its priority.

    `nodes` are those whose outputs guards may name, `outputs` what is known of these.

    With `is_open` it cannot be told how the edges of a node are tried.
    """

    def __init__(
        self,
        known: Known,
        nodes: frozenset[str] | None,
        outputs: Outputs,
        *,
        is_open: bool,
        first: int = 0,
    ) -> None:
        self.known = known
        self.nodes = nodes
        self.outputs = outputs
        self.is_open = is_open
        self.violations: list[Violation] = []
        self.gaps: list[Gap] = []
        self.edges: list[tuple[int, Edge]] = []
        self.bare: list[tuple[str, str]] = []
        """The ends of those that surely carry no prompt."""
        self._first = first

    def draw(self, edges: Data, place: Place) -> None:
        """Draw all that is certain of a list of edges."""
        around = hash((self.nodes, *self.outputs.items()))
        for number, value in listed(edges):
            here = (*place, number)
            if not isinstance(value, dict):
                self._gap(here, "edges")
                continue
            when = value.get("when")
            read = partial(self._read, value, here)
            if isinstance(when, dict):
                # What is known of functions changes without the definition.
                self._noted(read())
                continue
            rests_on = around if when is not None else None
            key = ("edge", len(self.edges), self.is_open, rests_on)
            self._noted(self.known.remember(here, key, read))

    def _read(self, value: Mapping[object, Data], here: Place) -> _Lists:
        """What an edge comes to, which is not noted yet."""
        apart = Edges(self.known, self.nodes, self.outputs, is_open=self.is_open, first=self._next)
        if "switch" in value:
            apart._switch(part_of("switch edge", value, here))
        else:
            apart._edge(part_of("edge", value, here))
        return apart.violations, apart.gaps, apart.edges, apart.bare

    def _noted(self, found: _Lists) -> None:
        violations, gaps, edges, bare = found
        self.violations += violations
        self.gaps += gaps
        self.edges += edges
        self.bare += bare

    @property
    def _next(self) -> int:
        """The number of the next edge."""
        return self._first + len(self.edges)

    def _edge(self, part: Part) -> None:
        if not (part.sees("from") and part.sees("to")):
            self._gap(part.place, "edges")
            return
        source = self._name(part.text("from"), part.at("from"))
        target = self._name(part.text("to"), part.at("to")) if source is not None else None
        if source is None or target is None:
            return
        outcome = self._outcome(part, source, target)
        guard = self._guard(part, source, target, outcome)
        if self._is_unsure(part, _WHEN, source):
            outcome, guard = _UNSURE, Guard("a condition", self._span(part.at("when")))
        is_after_success = outcome in ("ok", _UNSURE)
        edge = Edge(
            source,
            target,
            self._span(part.place),
            self._span(part.at("from")),
            self._span(part.at("to")),
            "outcome" if not is_after_success else "when" if guard else "always",
            (guard.text if guard else None) if is_after_success else outcome,
            guard,
            order=self._next,
            after=outcome,
        )
        self.edges.append((_priority(part), edge))
        if "prompt" not in part.given and part.sees("prompt"):
            self.bare.append((source, target))

    def _name(self, text: str | None, place: Place) -> str | None:
        if not text:
            fault = faults.bad_name("An end of an edge", text, self._span(place))
            self.violations.append(fault)
        return text or None

    def _outcome(self, part: Part, source: str, target: str) -> str:
        outcome = str(part.given.get("outcome", "ok"))
        if outcome not in OUTCOMES:
            what = f"Outcome of the edge from `{source}` to `{target}`"
            span = self._span(part.at("outcome"))
            self.violations.append(faults.bad_choice(what, outcome, OUTCOMES, span, source))
        return outcome

    def _guard(self, part: Part, source: str, target: str, outcome: str) -> Guard | None:
        when = part.given.get("when")
        span = self._span(part.at("when"))
        if isinstance(when, str):
            # What the source gives is only there where it ended well.
            outputs = self.outputs if outcome == "ok" else {}
            guard, fault = cel_guard(when, source, span, self.nodes, outputs)
            self.violations += [fault] if fault is not None else []
            return guard
        call = called(when, part.at("when"))
        name = call.text("call") if call is not None else None
        if name is None:
            return None if when is None else Guard("a condition", span)
        found = self.known.function(name, source, span)
        if found is not None and found.takes is not None and 1 not in found.takes:
            what = f"Guard of the edge from `{source}` to `{target}`"
            self.violations.append(faults.wrong_arguments(what, 1, span, source))
        definition = found.span if found is not None else None
        is_async = found.is_async if found is not None else None
        return Guard(name.rpartition(":")[2], span, None, is_async, definition, name)

    def _switch(self, part: Part) -> None:
        if not part.sees("from"):
            self._gap(part.place, "edges")
            return
        source = self._name(part.text("from"), part.at("from"))
        held = part.given.get("switch")
        if source is None:
            return
        if not isinstance(held, dict):
            self._gap(part.place, "targets", source)
            return
        switch = part_of("switch", held, part.at("switch"))
        on = switch.text("on")
        if on is not None:
            fault = faults.switch_path_fault(on, source, self._span(switch.at("on")))
            self.violations += [fault] if fault is not None else []
        cases = switch.given.get("cases")
        if not isinstance(cases, dict) or not switch.sees("default"):
            self._gap(part.place, "targets", source)
        if isinstance(cases, dict):
            is_unsure = self._is_unsure(part, _HOW, source) | self._is_unsure(switch, _HOW, source)
            self._cases(part, switch, cases, is_unsure=is_unsure)

    def _cases(
        self, part: Part, switch: Part, cases: Mapping[object, Data], *, is_unsure: bool
    ) -> None:
        source, on = str(part.text("from")), switch.text("on") or ""
        default = switch.text("default")
        if not cases and default is None and switch.sees("default"):
            self.violations.append(faults.no_cases(source, self._span(part.place)))
        ends: list[tuple[str | None, Data, Place]] = []
        labels: list[tuple[str, Span]] = []
        for key, target in cases.items():
            here = (*switch.at("cases"), case_label(key))
            labels.append((case_label(key), self.known.span_of(here, True)))
            ends.append((case_label(key), target, here))
        self.violations += faults.outcome_cases(source, on, labels)
        if default is not None:
            ends.append((None, default, switch.at("default")))
        for case, end, here in ends:
            if not isinstance(end, str):
                self._gap(part.place, "targets", source)
                continue
            target = self._name(end, here)
            if target is None:
                continue
            self._case(part, target, on, case, here, is_unsure=is_unsure)

    def _case(
        self, part: Part, target: str, on: str, case: str | None, place: Place, *, is_unsure: bool
    ) -> None:
        here, source = self._span(place), str(part.text("from"))
        spans = (here, self._span(part.at("from")), here)
        edge = case_edge(source, target, on, case, spans, order=self._next)
        self.edges.append((_priority(part), replace(edge, after=_UNSURE) if is_unsure else edge))
        self.bare.append((source, target))

    def _is_unsure(self, part: Part, fields: frozenset[str], source: str) -> bool:
        """Whether it cannot be told when an edge counts, which is noted."""
        if part.doubt.isdisjoint(fields) and not self.is_open:
            return False
        self._gap(part.place, "conditions", source)
        return True

    def _gap(
        self,
        place: Place,
        hides: Literal["edges", "targets", "conditions"],
        node: str | None = None,
    ) -> None:
        reason = "it is not as it has to be"
        self.gaps.append(Gap(self._span(place), reason, frozenset({hides}), node, told=True))

    def _span(self, place: Place) -> Span:
        return self.known.span_of(place, False)


def called(value: Data, place: Place) -> Part | None:
    """The function that stands for a condition or a merge, None where it is no mapping."""
    return part_of("call", value, place) if isinstance(value, dict) else None


def _priority(part: Part) -> int:
    priority = part.given.get("priority", 0)
    return priority if isinstance(priority, int) else 0
