"""Reads the edges and switches of one flow or region."""

from __future__ import annotations

from collections.abc import Iterator

from flowlint.dialects.flowrt import fields as read
from flowlint.dialects.flowrt.parts import Part, plain
from flowlint.dialects.flowrt.sight import Sight
from flowlint.dialects.reading import alternatives, live_entries, text_of, written
from flowlint.graph import reference_faults as faults
from flowlint.graph.model import ALWAYS, Edge, Presence, Violation
from flowlint.graph.reference import OUTCOMES, case_edge, case_label
from flowlint.source import Span
from flowlint.values.model import Argument, Const, Mapped


class EdgeReader:
    """Collects the edges, each with its priority, and what flowrt refuses in them."""

    def __init__(self, sight: Sight, violations: list[Violation]) -> None:
        self.sight = sight
        self.violations = violations
        self.edges: list[tuple[int, Edge]] = []
        self.bare: list[Edge] = []
        """Those of them that surely carry no prompt."""

    def refuse(self, violation: Violation | None) -> None:
        """Note what flowrt refuses."""
        if violation is not None:
            self.violations.append(violation)

    def read(self, part: Part, presence: Presence) -> None:
        """Read one edge or switch, which is there under `presence`."""
        source = part.find("from")
        if source is None:
            return
        is_switch = "cases" in part.fields
        target = part.find("to")
        if target is None and not is_switch:
            return
        ends = [source] if target is None else [source, target]
        for under, names in self._names(ends, presence, part.span):
            if is_switch:
                self._switch(part, names[0], under)
            elif target is not None:
                self._plain_edge(part, (names[0], names[1]), (source, target), under)

    def _names(
        self, ends: list[Argument], presence: Presence, span: Span
    ) -> Iterator[tuple[Presence, list[str]]]:
        """What the ends of an edge may be named, together."""
        found: list[tuple[Presence, list[str]]] = [(presence, [])]
        for end in ends:
            longer = []
            for held, names in found:
                for under, single in alternatives(end.value, held):
                    text = text_of(single)
                    if text:
                        self.sight.texts.note(single, written(end))
                        longer.append((under, [*names, text]))
                    elif isinstance(single, Const):
                        fault = faults.bad_name("An end of an edge", single.value, written(end))
                        self.refuse(fault)
                    else:
                        self.sight.gap(single, "an end of an edge is not known", "edges", span)
            found = longer
        return iter(found)

    def _plain_edge(
        self,
        part: Part,
        names: tuple[str, str],
        ends: tuple[Argument, Argument],
        presence: Presence,
    ) -> None:
        outcome = self._outcome(part, names)
        priority = self._priority(part)
        if outcome is None or priority is None:
            return
        guard, wrong = read.guard_of(part, names, outcome, self.sight)
        self.violations += wrong
        is_after_success = outcome == "ok"
        edge = Edge(
            *names,
            part.span,
            written(ends[0]),
            written(ends[1]),
            "outcome" if not is_after_success else "when" if guard else "always",
            (guard.text if guard else None) if is_after_success else outcome,
            guard,
            presence=presence,
            order=len(self.edges),
            after=outcome,
        )
        self.edges.append((priority, edge))
        if not part.is_given("prompt"):
            self.bare.append(edge)

    def _outcome(self, part: Part, names: tuple[str, str]) -> str | None:
        found = part.find("outcome")
        if found is None:
            return "ok"
        outcome = text_of(found.value)
        if outcome is None:
            self.sight.gap(found.value, "when an edge counts is not known", "edges", part.span)
        elif outcome not in OUTCOMES:
            what = f"Outcome of the edge from `{names[0]}` to `{names[1]}`"
            self.refuse(faults.bad_choice(what, outcome, OUTCOMES, written(found), names[0]))
        return outcome

    def _priority(self, part: Part) -> int | None:
        found = part.find("priority")
        if found is None:
            return 0
        priority = read.integer(found.value)
        if priority is None:
            self.sight.gap(found.value, "an edge's priority is not known", "edges", part.span)
        return priority

    def _switch(self, part: Part, source: str, presence: Presence) -> None:
        priority = self._priority(part)
        on = part.find("on")
        cases = part.get("cases")
        looks_at = text_of(on.value) if on is not None else None
        if on is not None and looks_at is not None:
            self.refuse(faults.switch_path_fault(looks_at, source, written(on)))
        if priority is None or not isinstance(cases, Mapped):
            if cases is not None:
                self.sight.gap(cases, "the cases of a switch are not known", "edges", part.span)
            return
        if cases.rest is not None:
            self.sight.gap(cases.rest, "more cases may be there", "edges", part.span)
        default = part.find("default")
        if not cases.entries and default is None and cases.rest is None:
            self.refuse(faults.no_cases(source, part.span))
        ends: list[tuple[Presence, str | None, Argument]] = []
        labels: list[tuple[str, Span]] = []
        for held, entry in live_entries(cases):
            label = case_label(plain(entry.key))
            if isinstance(entry.key, Const):
                labels.append((label, entry.key.origin.span()))
            ends.append((held, label, Argument(entry.value)))
        self.violations += faults.outcome_cases(source, looks_at or "", labels)
        if default is not None and plain(default.value) is not None:
            ends.append((ALWAYS, None, default))
        for held, case, end in ends:
            for under, names in self._names([end], presence | held, part.span):
                place = written(end)
                edge = case_edge(
                    source,
                    names[0],
                    looks_at or "",
                    case,
                    (place, written(part.fields["from"]), place),
                    order=len(self.edges),
                    presence=under - self.sight.base,
                )
                self.edges.append((priority, edge))
                self.bare.append(edge)
