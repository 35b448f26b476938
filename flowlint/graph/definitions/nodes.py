"""The nodes of one flow or region in a definition, and what is wrong with each."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from math import inf

from flowlint.graph import reference_faults as faults
from flowlint.graph.config_checks import ConfigChecker
from flowlint.graph.config_rules import Place
from flowlint.graph.config_values import HIDDEN, Data, OpenDict
from flowlint.graph.definitions.known import Known, NodeSettings
from flowlint.graph.definitions.parts import Part, listed, part_of
from flowlint.graph.model import CallableFacts, Violation
from flowlint.graph.node_outputs import Output, output_of
from flowlint.graph.reference import JOINS, KINDS, is_foreign
from flowlint.graph.reference_fields import (
    GROUPS,
    OTHER_REGIONS,
    REGION_FIELDS,
    duration,
)
from flowlint.graph.reference_settings import CALLS_RUN, STATE_KINDS
from flowlint.source import Span

UNKNOWN_KIND = "unknown"
"""What a node is whose kind cannot be told."""
Names = frozenset[str] | None


@dataclass(frozen=True, slots=True)
class Named:
    """A node with a name. `kind` is None where it cannot be told.

    `run_at` is where it says what it runs, `output` what it gives, as far as that is known.
    `is_simple` tells that it has neither regions nor settings, so that nothing in it rests on the
    nodes around.
    """

    name: str
    part: Part
    kind: str | None
    run_at: Span | None = None
    is_simple: bool = False
    output: Output | None = None


def named(part: Part, known: Known) -> Iterator[Named | Violation]:
    """A node by its name, or that it has none; and that its kind is none."""
    name = part.text("name")
    if name is None:
        return
    if not name:
        yield faults.bad_name("A node's name", name, known.span_of(part.at("name"), False))
        return
    kind = part.text("kind") or "step" if part.sees("kind") else None
    if kind is not None and not known.is_kind(kind):
        span = known.span_of(part.at("kind"), False)
        yield faults.unknown_kind(name, kind, span, KINDS)
    run_at = known.span_of(part.at("run"), False) if part.text("run") is not None else None
    is_simple = (
        kind is not None
        and kind in KINDS
        and not REGION_FIELDS.get(kind)
        and part.given.keys().isdisjoint(("config", "before", "after"))
    )
    found = Named(name, part, kind, run_at, is_simple)
    yield found if is_simple else replace(found, output=_output(found))


def _output(node: Named) -> Output | None:
    """What a node is known to give."""
    if not node.part.sees("after"):
        return None
    settings = settings_of(node)
    return output_of(node.kind, settings.config, settings.after)


def held_regions(node: Named) -> tuple[dict[str, tuple[Place, Data]], bool]:
    """The regions of a node by their names, each with its place, and whether these are all."""
    part = node.part
    held: dict[str, tuple[Place, Data]] = {}
    if node.kind is None:
        return held, False
    fields = REGION_FIELDS.get(node.kind, {} if node.kind in KINDS else OTHER_REGIONS)
    is_whole = all(part.sees(field) for field in fields)
    for field in fields:
        value = part.given.get(field)
        if not isinstance(value, dict):
            continue
        if field not in GROUPS:
            held[field] = (part.at(field), value)
            continue
        for slot, region in value.items():
            if isinstance(slot, str):
                held[slot] = ((*part.at(field), slot), region)
    return held, is_whole


class NodeChecks:
    """Tells what is wrong with single nodes. `is_first`: the first edge surely is taken."""

    def __init__(self, known: Known, *, is_first: bool) -> None:
        self.known = known
        self.is_first = is_first

    def faults(self, node: Named, runs: CallableFacts | None) -> Iterator[Violation]:
        """What is wrong with the fields of a node."""
        part, name, kind = node.part, node.name, node.kind
        facts = KINDS.get(kind) if kind is not None else None
        if facts is not None and facts.runs and "run" not in part.given and part.sees("run"):
            yield faults.no_function(name, str(kind), self._span(part.place))
        join = part.text("join")
        if join is not None and join not in JOINS:
            span = self._span(part.at("join"))
            yield faults.bad_choice(f"Join of node `{name}`", join, JOINS, span, name)
        elif join == "all" and self.is_first:
            yield faults.vain_join(name, self._span(part.at("join")))
        yield from self._limits(name, part)
        yield from self._run(node, runs)

    def _limits(self, name: str, part: Part) -> Iterator[Violation]:
        for field in ("timeout", "heartbeat"):
            seconds = duration(part.given.get(field))
            if seconds is not None and not 0 < seconds < inf:
                what = f"{field.capitalize()} of node `{name}`"
                yield faults.bad_limit(what, seconds, self._span(part.at(field)), name)
        retry = part.given.get("retry")
        if isinstance(retry, dict):
            inner = part_of("retry", retry, part.at("retry"))
            given = {
                field: (duration(inner.given[field]), self._span(inner.at(field)))
                for field in faults.RETRY_LIMITS
                if field in inner.given
            }
            yield from faults.retry_faults(name, given)

    def _run(self, node: Named, runs: CallableFacts | None) -> Iterator[Violation]:
        """How the function of the node is called, and limits that it knows nothing of."""
        part = node.part
        if runs is None or node.kind not in CALLS_RUN:
            return
        given = None if node.kind in STATE_KINDS else "with the context alone"
        if runs.takes is not None and 1 not in runs.takes:
            what = f"What node `{node.name}` runs"
            span = self._span(part.at("run"))
            yield faults.wrong_arguments(what, 1, span, node.name, given)
        for field in ("timeout", "heartbeat"):
            if runs.is_async is False and duration(part.given.get(field)) is not None:
                span = self._span(part.at(field))
                yield faults.unstoppable(field.capitalize(), node.name, span)

    def settings(self, node: Named, names: Names, inner: Names) -> Iterator[Violation]:
        """What is wrong with the config and actions; `names` are the nodes around."""
        if node.kind is None:
            return
        part, known = node.part, self.known
        settings = settings_of(node)

        def span_of(place: Place, of_key: bool) -> Span:
            return known.span_of((*part.place, *place), of_key)

        checker = ConfigChecker(node.name, node.kind, span_of, names, inner, known.registered)
        found: list[Violation] = []
        if not is_foreign(node.kind):
            found = [*checker.config(settings.config, settings.has_run)]
        yield from found
        if not any(fault.severity is None for fault in found):
            yield from known.more(settings, "config", span_of)
        found = [*checker.actions(settings.before, settings.after)]
        yield from found
        if not any(fault.severity is None for fault in found):
            yield from known.more(settings, "actions", span_of)

    def _span(self, place: Place) -> Span:
        return self.known.span_of(place, False)


def settings_of(node: Named) -> NodeSettings:
    """The config and the actions of a node, as far as they can be told."""
    part = node.part
    has_run = None if not part.sees("run") else "run" in part.given
    return NodeSettings(
        node.name,
        str(node.kind),
        part.given.get("config", {}) if part.sees("config") else HIDDEN,
        _actions(part, "before"),
        _actions(part, "after"),
        has_run,
    )


def lacks_prompt(node: Named) -> bool:
    """Whether an agent surely has no prompt of its own."""
    if node.kind != "agent":
        return False
    config = settings_of(node).config
    if not isinstance(config, Mapping) or isinstance(config, OpenDict):
        return False
    return config.get("prompt") is None


def _actions(part: Part, field: str) -> Data:
    """The actions of a node; those that are none are hidden, for they are told as such."""
    if not part.sees(field):
        return HIDDEN
    return [
        single if isinstance(single, dict) and isinstance(single.get("type"), str) else HIDDEN
        for _, single in listed(part.given.get(field))
    ]
