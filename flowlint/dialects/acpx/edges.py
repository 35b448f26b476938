"""Reads the edges of a flow: direct ones, switches, and those that `decisionEdge` makes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from flowlint.dialects.acpx import faults, fields
from flowlint.dialects.acpx.decisions import choice_faults, decision_of, missing_case
from flowlint.dialects.acpx.faults import Owner
from flowlint.dialects.acpx.fields import Field, field_faults
from flowlint.dialects.acpx.ignored import EDGE, SWITCH, vain
from flowlint.dialects.acpx.model import DEFINE, EDGE_HELPER, HELPERS
from flowlint.dialects.acpx.objects import (
    Property,
    Shape,
    call_of,
    shape_of,
    shown,
    type_of,
)
from flowlint.dialects.reading import Texts, alternatives, reason_of, text_of
from flowlint.graph.model import Edge, Gap, Presence, Violation
from flowlint.source import Span
from flowlint.values.model import Call, Mapped, Sequence, Value

DIRECT: Mapping[str, Field] = MappingProxyType(
    {"from": fields.REQUIRED_TEXT, "to": fields.REQUIRED_TEXT}
)
SOURCE: Mapping[str, Field] = MappingProxyType({"from": fields.REQUIRED_TEXT})
CASES = Field("an object with the target for each value", frozenset({"object"}), required=True)
SWITCHED: Mapping[str, Field] = MappingProxyType({"on": fields.REQUIRED_TEXT, "cases": CASES})
DECIDED: Mapping[str, Field] = MappingProxyType({"cases": CASES})


_THROWS = f"{DEFINE} throws"


@dataclass(frozen=True, slots=True)
class Case:
    """One case of a switch: its value, the places of both names, and where it leads."""

    label: str
    key: Span
    place: Span
    target: str
    target_span: Span
    presence: Presence


@dataclass(slots=True)
class Leaving:
    """One edge as it is written. `cases` is None for a direct one.

    `is_whole` is false where not all of it is known.
    """

    number: int
    source: str
    source_span: Span
    span: Span
    presence: Presence
    target: tuple[str, Span] | None = None
    on: str | None = None
    on_span: Span | None = None
    cases: list[Case] | None = None
    is_whole: bool = True
    is_decided: bool = False
    """Whether `decisionEdge` makes it."""
    refused: set[str] = field(default_factory=set)
    """The choices that lack a case, so that `decisionEdge` throws."""


@dataclass(slots=True)
class EdgeReader:
    """Collects the edges, and what acpx refuses in them."""

    base: Presence
    texts: Texts
    gaps: list[Gap] = field(default_factory=list)
    violations: list[Violation] = field(default_factory=list)
    leaving: list[Leaving] = field(default_factory=list)
    count: int = 0

    def read(self, value: Value, presence: Presence, place: Span) -> None:
        """Read one element of `edges`, which is there under `presence`."""
        before = len(self.violations)
        self._read(value, presence, place)
        if any(fault.shape for fault in self.violations[before:]):
            self.gaps.append(Gap(place, "an edge is refused", frozenset({"edges"}), told=True))

    def _read(self, value: Value, presence: Presence, place: Span) -> None:
        number = self.count
        self.count += 1
        called = f"edge {number + 1}"
        made = call_of(value)
        if made is not None and made[0] == EDGE_HELPER:
            given = made[1].arguments.find("", 0)
            shape = shape_of(given.value, self.base, place) if given is not None else None
            owner = Owner("the decision edge", value.origin.span(), f"`{EDGE_HELPER}(…)`")
            if shape is None:
                self._gap(value, "a decision edge is not known", place)
            else:
                self._decided(shape, owner, number, presence)
            return
        if made is not None and made[0] in HELPERS:
            self._node(made[0], made[1], called, place)
            return
        shape = shape_of(value, self.base, place) if isinstance(value, Mapped) else None
        owner = Owner(called, value.origin.span(), DEFINE)
        if shape is not None:
            self._literal(shape, owner, number, presence)
        elif type_of(value) in ("unknown", "object"):
            self._gap(value, "one of the edges is not known", place)
        else:
            cure = "write it as an object with `from` and `to`"
            if isinstance(value, Sequence) and _is_of_edges(value):
                cure = "spread the edges into the array: `...`"
            said = f"{faults.capital(called)} is {shown(value)}, and not an object: {DEFINE} throws"
            self.violations.append(Violation(place, said, cure, shape=True))

    def _node(self, helper: str, call: Call, called: str, place: Span) -> None:
        """A node among the edges, which is none but for odd fields in it."""
        given = call.arguments.find("", 0)
        shape = shape_of(given.value, self.base, place) if given is not None else Shape(place)
        if shape is None or shape.own("to") is not False or shape.own("switch") is not False:
            self._gap(call, "one of the edges is not known", place)
            return
        said = f"{faults.capital(called)} is a node that `{helper}` makes, and no edge: {_THROWS}"
        cure = "write it under `nodes`" + (
            f", or make the edge with `{EDGE_HELPER}`" if shape.own("choices") else ""
        )
        self.violations.append(Violation(call.origin.span(), said, cure, shape=True))

    def _gap(self, value: Value, what: str, span: Span, node: str | None = None) -> None:
        hides = frozenset({"targets"}) if node is not None else frozenset({"edges"})
        cure = "write it out, or build it from constants of this project"
        reason = f"{what}: {reason_of(value)}"
        self.gaps.append(Gap(span, reason, hides, node, cure))  # type: ignore[arg-type]

    def _literal(self, shape: Shape, owner: Owner, number: int, presence: Presence) -> None:
        has_to, has_switch = shape.own("to"), shape.own("switch")
        if has_to is not None and has_to == has_switch:
            self.violations.append(_one_of_two(shape, owner, has_to))
            return
        found = self.violations
        if has_to is None or has_switch is None:
            self._hidden(shape, owner, "where an edge leads is not known")
            return
        found += field_faults(shape, DIRECT if has_to else SOURCE, owner)
        found += vain(shape, ("from", "to" if has_to else "switch"), EDGE, owner)
        found += (faults.written_twice(owner, *pair) for pair in shape.repeated)
        for leaving in self._sources(shape, owner, number, presence):
            if has_to:
                self._direct(shape, leaving)
            else:
                self._switch(shape, leaving, owner)

    def _sources(
        self, shape: Shape, owner: Owner, number: int, presence: Presence
    ) -> Iterator[Leaving]:
        """The edge once for each node that it may start at."""
        found = shape.find("from")
        if found is None:
            if shape.own("from") is not False:
                self._hidden(shape, owner, "where an edge starts is not known")
            return
        for under, single in alternatives(found.value, presence):
            name = text_of(single)
            if name is not None:
                self.texts.note(single, found.span)
                leaving = Leaving(number, name, found.span, owner.span, under - self.base)
                self.leaving.append(leaving)
                yield leaving
            elif type_of(single) == "unknown":
                self._gap(single, "where an edge starts is not known", owner.span)

    def _hidden(self, shape: Shape, owner: Owner, what: str) -> None:
        rest = shape.rest
        if rest is not None:
            self._gap(rest, what, owner.span)
            return
        reason = f"{what}: it depends on a test"
        self.gaps.append(Gap(owner.span, reason, frozenset({"edges"})))

    def _direct(self, shape: Shape, leaving: Leaving) -> None:
        found = shape.find("to")
        if found is None:
            leaving.is_whole = False
            self._hidden(shape, Owner("", leaving.span, ""), "where an edge leads is not known")
            return
        parts = list(alternatives(found.value, leaving.presence))
        base = leaving
        for number, (under, single) in enumerate(parts):
            name = text_of(single)
            one = leaving
            if number:
                one = Leaving(base.number, base.source, base.source_span, base.span, base.presence)
                self.leaving.append(one)
            one.presence = under - self.base
            if name is not None:
                self.texts.note(single, found.span)
                one.target = (name, found.span)
            else:
                one.is_whole = False
                if type_of(single) == "unknown":
                    self._gap(single, "where an edge leads is not known", base.span, base.source)

    def _switch(self, shape: Shape, leaving: Leaving, owner: Owner) -> None:
        leaving.cases = []
        found = shape.find("switch")
        about = Owner(f"the switch of `{leaving.source}`", owner.span, DEFINE, leaving.source)
        inner = shape_of(found.value, self.base, owner.span) if found is not None else None
        if (
            found is not None
            and inner is None
            and type_of(found.value) not in ("unknown", "object")
        ):
            wanted = "an object with `on` and `cases`"
            self.violations.append(faults.wrong_value(owner, "switch", wanted, found.value))
            leaving.is_whole = False
            return
        if inner is None or found is None:
            leaving.is_whole = False
            value = found.value if found is not None else shape.rest
            if value is not None:
                self._gap(value, "a switch is not known", owner.span, leaving.source)
            return
        about = Owner(about.called, inner.span, DEFINE, leaving.source)
        self.violations += field_faults(inner, SWITCHED, about)
        self.violations += vain(inner, ("on", "cases"), SWITCH, about)
        self.violations += (faults.written_twice(about, *pair) for pair in inner.repeated)
        on = inner.find("on")
        if on is not None:
            leaving.on, leaving.on_span = text_of(on.value), on.span
        self._cases(inner, leaving, about)

    def _decided(self, shape: Shape, owner: Owner, number: int, presence: Presence) -> None:
        found = self.violations
        before = len(found)
        found += field_faults(shape, {**SOURCE, **DECIDED}, owner)
        found += choice_faults(shape, owner)
        decision = decision_of(shape)
        for leaving in self._sources(shape, owner, number, presence):
            leaving.cases, leaving.is_decided = [], True
            leaving.on = f"$.{decision.field}" if decision.field is not None else None
            field_property = shape.find("field")
            leaving.on_span = field_property.span if field_property else owner.span
            cases = self._cases(shape, leaving, owner)
            is_refused = any(fault.shape for fault in found[before:])
            if cases is None or cases.rest is not None or is_refused:
                continue
            for choice, span in decision.choices or ():
                if cases.own(choice) is False:
                    found.append(missing_case(choice, span, owner, leaving.source))
                    leaving.refused.add(choice)

    def _cases(self, shape: Shape, leaving: Leaving, owner: Owner) -> Shape | None:
        """Read the cases of a switch into an edge."""
        found = shape.find("cases")
        cases = shape_of(found.value, self.base, owner.span) if found is not None else None
        if found is None or cases is None:
            leaving.is_whole = False
            value = found.value if found is not None else shape.rest
            if value is not None and type_of(value) in ("unknown", "object"):
                self._gap(value, "the cases of a switch are not known", owner.span, leaving.source)
            return None
        if cases.rest is not None:
            leaving.is_whole = False
            self._gap(cases.rest, "more cases may be there", cases.span, leaving.source)
        for first, second in cases.repeated:
            self.violations.append(_case_twice(leaving.source, first, second))
        for one in cases.properties:
            self._case(one, leaving, leaving.cases if leaving.cases is not None else [])
        return cases

    def _case(self, one: Property, leaving: Leaving, cases: list[Case]) -> None:
        for under, single in alternatives(one.value, leaving.presence | one.presence):
            target = text_of(single)
            if target is not None:
                self.texts.note(single, one.span)
                place = (one.key, one.place, target, one.span, under - self.base)
                cases.append(Case(one.name, *place))
            elif type_of(single) == "unknown":
                leaving.is_whole = False
                self._gap(single, "where a case leads is not known", one.place, leaving.source)
            else:
                leaving.is_whole = False
                owner = Owner(f"the switch of `{leaving.source}`", one.span, DEFINE, leaving.source)
                field = f"cases.{one.name}"
                wanted = "the name of a node"
                self.violations.append(faults.wrong_value(owner, field, wanted, single))


def _one_of_two(shape: Shape, owner: Owner, has_both: bool) -> Violation:
    if has_both:
        said = f"{faults.capital(owner.called)} has both `to` and `switch`: {owner.throws}"
        cure = "remove one of the two, also where it is `undefined`"
        return Violation(shape.by_name["to"][0].key, said, cure, shape=True)
    for name in ("target", "dest", "next", "then"):
        if shape.own(name):
            slip = shape.by_name[name][0]
            return faults.missing_field(owner, "to", "the name of a node", slip)
    said = f"{faults.capital(owner.called)} has neither `to` nor `switch`: {owner.throws}"
    vainly = (EDGE[one.name] for one in shape.properties if one.name in EDGE)
    cure = next(vainly, "name the node that follows by `to`")
    return Violation(owner.span, said, cure, shape=True)


def _case_twice(source: str, first: Property, second: Property) -> Violation:
    said = (
        f"The switch of `{source}` has the case `{first.name}` twice, "
        "and only the second one is ever taken"
    )
    is_same = text_of(first.value) is not None and text_of(first.value) == text_of(second.value)
    return Violation(
        first.key,
        said,
        "remove it, or write the value that was meant",
        source,
        "duplicate-edge",
        (("this one counts", second.key),),
        severity="warning" if is_same else None,
    )


def _is_of_edges(value: Sequence) -> bool:
    return any(isinstance(item.value, Mapped) for item in value.items)


def to_graph(leaving: Leaving, order: int, never: str | None) -> Iterator[Edge]:
    """The edges of the graph that an edge of the flow is. `never` tells why it is not taken."""
    if leaving.target is not None:
        yield Edge(
            leaving.source,
            leaving.target[0],
            leaving.span,
            leaving.source_span,
            leaving.target[1],
            presence=leaving.presence,
            order=order,
            never=never,
        )
    choice = f"switch {leaving.number + 1}"
    for number, case in enumerate(leaving.cases or ()):
        is_failure = leaving.on == "$result.outcome" and case.label != "ok"
        yield Edge(
            leaving.source,
            case.target,
            case.place,
            leaving.source_span,
            case.target_span,
            "outcome" if is_failure else "case",
            case.label,
            presence=case.presence,
            order=order + number,
            choice=choice,
            after=case.label if is_failure else "ok",
            never=None if is_failure else never,
        )
