"""Ways on from one node that look like alternatives and are all taken."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from flowlint.findings.model import Severity
from flowlint.graph.model import END, START, Semantics
from flowlint.rules.leavings import Chooser, Lead, Leavings, together
from flowlint.rules.report import listing
from flowlint.source import Span


@dataclass(frozen=True, slots=True)
class Conflict:
    """What is said about one pair of ways on."""

    span: Span
    message: str
    severity: Severity
    help: str
    related: tuple[tuple[str, Span], ...]


def conflicts(leaving: Leavings, semantics: Semantics) -> Iterator[Conflict]:
    """The conflicts at one place of a flow, each once."""
    end = semantics.end_marker or "the end"
    yield from _ending(leaving, end)
    yield from _elsewhere(leaving)
    if leaving.choosers:
        yield from _two_routers(leaving)
        yield from _beside_router(leaving, end)
    else:
        yield from _end_beside_others(leaving, end)


def _ending(leaving: Leavings, end: str) -> Iterator[Conflict]:
    """Code that ends the run, where an edge goes on."""
    certain = [edge for edge in leaving.onward if not edge.presence]
    edges = certain or list(leaving.onward)
    ending = [handover for handover in leaving.handovers if handover.target == END]
    if not edges:
        chooser = next((c for c in leaving.choosers if c.targets - {END}), None)
        if chooser is None:
            return
        for handover in ending:
            yield Conflict(
                handover.span,
                f"The hand-over from `{leaving.source}` to {end} does not end the run where "
                f"{chooser.shown} leads on: it chooses as well.",
                "warning",
                "let either the code or the router decide where the run goes on",
                (("the conditional edges are added here", chooser.span),),
            )
        return
    for handover in ending:
        names = listing(list(dict.fromkeys(edge.target for edge in edges)))
        yield Conflict(
            handover.span,
            f"The hand-over from `{leaving.source}` to {end} does not end the run: "
            f"the edge to {names} is taken as well.",
            "error" if certain and not handover.presence else "warning",
            f"remove the edge, and hand over to {names} in the code where the run is to go on",
            tuple((f"the edge to `{edge.target}` is added here", edge.span) for edge in edges[:4]),
        )


def _elsewhere(leaving: Leavings) -> Iterator[Conflict]:
    """Code that hands over to nodes, where edges or routers lead on."""
    handed = [handover for handover in leaving.handovers if handover.target != END]
    if not handed:
        return
    source, onward = leaving.source, leaving.onward
    targets = {edge.target for edge in onward}
    for edge in onward:
        others = [handover for handover in handed if handover.target != edge.target]
        if others:
            names = listing(list(dict.fromkeys(handover.target for handover in others)))
            yield Conflict(
                others[0].span,
                f"The hand-over from `{source}` to {names} does not replace the edge to "
                f"`{edge.target}`: both run.",
                "warning",
                f"remove the edge, and hand over to `{edge.target}` in the code where it is meant",
                ((f"the edge to `{edge.target}` is added here", edge.span),),
            )
            break
    else:
        same = next((handover for handover in handed if handover.target in targets), None)
        if same is not None:
            edge = next(edge for edge in onward if edge.target == same.target)
            yield Conflict(
                same.span,
                f"The hand-over from `{source}` to `{same.target}` is to spare: "
                "an edge leads there anyway.",
                "info",
                "remove the edge, or return the update alone",
                ((f"the edge to `{same.target}` is added here", edge.span),),
            )
    # A router that only ever ends the run leads nowhere beside.
    leading = [chooser for chooser in leaving.choosers if chooser.more or chooser.targets - {END}]
    for chooser in leading[:1]:
        names = listing(list(dict.fromkeys(handover.target for handover in handed)))
        may_agree = all(handover.target in chooser.targets for handover in handed)
        both = "both run where they differ" if may_agree else "both run"
        yield Conflict(
            handed[0].span,
            f"The hand-over from `{source}` to {names} does not replace the conditional edges of "
            f"`{source}`: {chooser.shown} chooses as well, and {both}.",
            "warning",
            "let either the code or the router decide where the run goes on",
            (("the conditional edges are added here", chooser.span),),
        )


def _two_routers(leaving: Leavings) -> Iterator[Conflict]:
    first, *others = leaving.choosers
    for other in others:
        if other.span == first.span or not together(first.presence, other.presence):
            continue
        yield Conflict(
            other.span,
            f"{_place(leaving.source)} has several conditional edges, which are all taken: "
            f"what {first.shown} chooses runs beside what {other.shown} chooses.",
            "warning",
            "let one router choose among all of the targets",
            (("the first ones are added here", first.span),),
        )


def _beside_router(leaving: Leavings, end: str) -> Iterator[Conflict]:
    """Plain edges beside conditional ones."""
    for edge in leaving.edges:
        chooser = _rival(edge, leaving.choosers)
        if chooser is None:
            continue
        related = (("the conditional edges are added here", chooser.span),)
        if edge.target == END:
            yield Conflict(
                edge.span,
                f"The edge from {_source(leaving.source)} to {end} does nothing: "
                f"the run goes on wherever {chooser.shown} leads.",
                "info",
                f"remove it; {chooser.shown} has to choose {end} where the run is to end",
                related,
            )
            continue
        yield Conflict(
            edge.span,
            f"The edge from {_source(leaving.source)} to `{edge.target}` is taken whatever "
            f"{chooser.shown} chooses: {_effect(edge, chooser, end)}.",
            "warning" if {END, edge.target} & chooser.targets else "info",
            f"remove the edge, and let the router choose `{edge.target}` where it is meant",
            related,
        )


def _rival(edge: Lead, choosers: tuple[Chooser, ...]) -> Chooser | None:
    return next(
        (chooser for chooser in choosers if together(edge.presence, chooser.presence)), None
    )


def _effect(edge: Lead, chooser: Chooser, end: str) -> str:
    if END in chooser.targets:
        return f"the run does not end where it chooses {end}"
    others = [target for target in chooser.targets if target not in (edge.target, END)]
    if len(others) == 1:
        return f"it runs beside `{others[0]}`"
    return "both run"


def _end_beside_others(leaving: Leavings, end: str) -> Iterator[Conflict]:
    ending = [edge for edge in leaving.edges if edge.target == END]
    for edge in ending[:1]:
        others = [other for other in leaving.onward if together(edge.presence, other.presence)]
        if not others:
            continue
        names = listing(list(dict.fromkeys(other.target for other in others)))
        yield Conflict(
            edge.span,
            f"The edge from {_source(leaving.source)} to {end} does not end the run: "
            f"the edge to {names} is taken as well.",
            "warning",
            "remove one of them, or choose between them by conditional edges",
            tuple(
                (f"the edge to `{other.target}` is added here", other.span) for other in others[:4]
            ),
        )


def _place(source: str) -> str:
    return "The start" if source == START else f"`{source}`"


def _source(source: str) -> str:
    return "the start" if source == START else f"`{source}`"
