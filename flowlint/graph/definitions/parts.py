"""Parts of definitions: what of them can be relied on, and what their faults leave in doubt."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from flowlint.graph.config_rules import Place
from flowlint.graph.config_values import Data, Hidden, OpenDict
from flowlint.graph.names import NearNames
from flowlint.graph.reference import JOINS, KINDS, OUTCOMES, ROUTINGS, is_foreign
from flowlint.graph.reference_fields import (
    FIELDS,
    OTHER_REGIONS,
    REGION_FIELDS,
    REGION_SLOTS,
    Field,
    PartKind,
    fits,
    known_fields,
)

_CHOICES: Mapping[str, Collection[str]] = MappingProxyType(
    {"routing": ROUTINGS, "outcome": OUTCOMES, "join": JOINS, "kind": tuple(KINDS)}
)


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a definition, such as a node, at its place.

    `given` are the fields that are right in themselves, `doubt` those that cannot be told because
    of a fault: one of a wrong type, one that has to be there and is not, and each that somebody
    may have meant who wrote something that is unknown here.
    """

    place: Place
    given: Mapping[str, Data]
    doubt: frozenset[str]

    def sees(self, name: str) -> bool:
        """Whether it is certain what a field holds, or that it is not there."""
        return name not in self.doubt

    def text(self, name: str) -> str | None:
        """The text in a field, None where it holds none."""
        value = self.given.get(name)
        return value if isinstance(value, str) else None

    def at(self, name: str) -> Place:
        """The place of a field."""
        return (*self.place, name)


def part_of(kind: PartKind, value: Mapping[object, Data], place: Place) -> Part:
    """The part that a mapping is, whatever is wrong with it."""
    known = _fields_of(kind, value)
    given: dict[str, Data] = {}
    wrong: list[tuple[object, Data]] = []
    doubt: set[str] = set()
    for name, held in value.items():
        if held is None:
            continue
        if isinstance(name, str) and name in known and isinstance(held, Hidden):
            doubt.add(name)
        elif isinstance(name, str) and name in known and fits(held, known[name]):
            given[name] = held
        else:
            wrong.append((name, held))
    is_open = isinstance(value, OpenDict)
    for name, about in known.items():
        if (about.required or is_open) and name not in given:
            doubt.add(name)
    for name, held in wrong:
        if isinstance(name, str) and name in known:
            doubt.add(name)
        if kind == "node" and name in REGION_SLOTS and not _is_wrong_kind(value.get("kind")):
            # It may be the kind that is wrong, or not there.
            doubt.add("kind")
        doubt.update(_meant(name, held, _choosable(kind, known, given)))
    return Part(place, given, frozenset(doubt))


def may_hold_regions(node: Mapping[object, Data]) -> bool:
    """Whether a kind with regions may have been meant by something else that is wrong."""
    if isinstance(node.get("kind"), str):
        return _is_wrong_kind(node["kind"])
    others = {name: held for name, held in node.items() if name not in REGION_SLOTS}
    return "kind" in part_of("node", others, ()).doubt


def _is_wrong_kind(kind: Data) -> bool:
    """Whether a kind is one that nobody can have registered, which is told."""
    return isinstance(kind, str) and kind not in KINDS and not is_foreign(kind)


def listed(value: Data) -> Iterator[tuple[int, Data]]:
    """The elements of a list, with their numbers; none where it is no list."""
    return enumerate(value if isinstance(value, list) else ())


def _fields_of(kind: PartKind, value: Mapping[object, Data]) -> Mapping[str, Field]:
    return known_fields(value.get("kind")) if kind == "node" else FIELDS[kind]


def _choosable(
    kind: PartKind, known: Mapping[str, Field], given: Mapping[str, Data]
) -> Mapping[str, Field]:
    """The fields that something unknown may have been meant to be: those that are not there."""
    fields = dict(known)
    if kind == "node" and "kind" not in given:
        for others in (*REGION_FIELDS.values(), OTHER_REGIONS):
            fields |= others
    return {name: about for name, about in fields.items() if name not in given}


def _meant(name: object, value: Data, absent: Mapping[str, Field]) -> Collection[str]:
    """The fields among those not there that may be meant by something under another name."""
    near = NearNames(absent).all_of(name) if isinstance(name, str) else []
    return near or [field for field, about in absent.items() if _may_hold(field, about, value)]


def _may_hold(field: str, about: Field, value: Data) -> bool:
    """Whether something may have been written for a field."""
    if isinstance(value, Hidden):
        return True
    choices = _CHOICES.get(field)
    if choices is None or not isinstance(value, str):
        return fits(value, about)
    return value in choices or NearNames(choices).of(value) is not None
