"""Holds switches against what their nodes give: outcomes, and the choices of decisions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from flowlint.dialects.acpx.answers import answers_of
from flowlint.dialects.acpx.callbacks import gives_plain_text
from flowlint.dialects.acpx.decisions import Decision
from flowlint.dialects.acpx.edges import Leaving
from flowlint.dialects.acpx.nodes import NodePart
from flowlint.dialects.acpx.paths import OUTCOME, outcome_faults, output_path, path_fault
from flowlint.graph.code import Route, Router
from flowlint.graph.model import Violation
from flowlint.source import Span

_REASON = "reason"
"""The other field that an answer to a decision has."""


def switch_faults(leaving: Leaving) -> Iterator[Violation]:
    """What is wrong with a switch whatever its node gives."""
    if leaving.cases is None:
        return
    span = leaving.on_span or leaving.span
    if leaving.on is not None:
        fault = path_fault(leaving.on, leaving.source, span)
        if fault is not None:
            yield fault
            return
    if not leaving.is_whole or leaving.presence:
        return
    if not leaving.cases:
        said = (
            f"The switch of `{leaving.source}` has no cases: the run fails with "
            "`No flow switch case` when it gets there"
        )
        cure = "name the node that follows for each value"
        yield Violation(leaving.span, said, cure, leaving.source, "unroutable-gate")
    elif leaving.on == OUTCOME and not any(case.presence for case in leaving.cases):
        cases = {case.label: case.key for case in leaving.cases}
        yield from outcome_faults(leaving.source, cases, span)


def routers_of(
    leaving: Sequence[Leaving], parts: Sequence[NodePart]
) -> tuple[tuple[Router, ...], list[Violation]]:
    """What nodes are seen to give as routers, and what switches look at in vain."""
    by_name = {part.name: part for part in parts}
    routers: list[Router] = []
    found: list[Violation] = []
    for one in leaving:
        part = by_name.get(one.source)
        path = output_path(one.on) if one.on is not None else None
        if part is not None and part.decision is not None and one.target is not None:
            found.append(_vain_choice(one, one.target[0]))
        if part is None or path is None or one.cases is None:
            continue
        if part.decision is not None:
            router, fault = _of_decision(one, part, part.decision, path)
        else:
            router, fault = _of_code(one, part, path)
        if router is not None:
            routers.append(router)
        if fault is not None:
            found.append(fault)
    return tuple(routers), found


def _of_decision(
    leaving: Leaving, part: NodePart, decision: Decision, path: tuple[str, ...]
) -> tuple[Router | None, Violation | None]:
    """What a model may choose, or that the switch looks at something else."""
    if decision.field is None:
        return None, None
    if path == (decision.field,):
        if decision.choices is None:
            return None, None
        routes = tuple(
            Route(choice, choice, span)
            for choice, span in decision.choices
            if choice not in leaving.refused
        )
        return _router(leaving, routes, None, part.span, f"The decision `{part.name}`"), None
    return None, None if path == (_REASON,) else _other_field(leaving, decision.field)


def _of_code(
    leaving: Leaving, part: NodePart, path: tuple[str, ...]
) -> tuple[Router | None, Violation | None]:
    """What the code of a node may give, or that there is nothing a switch can take."""
    if gives_plain_text(part):
        return None, _no_value(leaving, "gives the agent's answer as a text, without fields", True)
    answers = answers_of(part, path)
    if answers is None:
        return None, None
    lacking = [answer for answer in answers.found if answer.value is None]
    routes = tuple(
        Route(answer.value, answer.value, answer.span, sure=answer.sure)
        for answer in answers.found
        if answer.value is not None
    )
    fault = None
    if lacking:
        is_sure = len(lacking) == len(answers.found) and answers.more is None
        name = ".".join(path)
        what = f"gives no value as `{name}`" if is_sure else f"may give no value as `{name}`"
        fault = _no_value(leaving, what, is_sure, lacking[0].span)
    definition = answers.function.origin.span()
    return _router(leaving, routes, answers.more, definition, f"Node `{part.name}`"), fault


def _no_value(leaving: Leaving, what: str, is_sure: bool, place: Span | None = None) -> Violation:
    span = leaving.on_span or leaving.span
    said = (
        f"Node `{leaving.source}` {what}, and its switch looks at `{leaving.on}`: the run "
        f"{'' if is_sure else 'then '}fails with `Flow switch value must be scalar`"
    )
    related = (("this is given", place),) if place is not None else ()
    cure = "return the field, or give the node a `parse` that does"
    fault = Violation(span, said, cure, leaving.source, "unhandled-route", related)
    return fault if is_sure else replace(fault, severity="warning")


def _router(
    leaving: Leaving, routes: tuple[Route, ...], more: str | None, definition: Span, subject: str
) -> Router:
    cases = leaving.cases or []
    return Router(
        leaving.source,
        "",
        leaving.on_span or leaving.span,
        f"switch {leaving.number + 1}",
        routes,
        more,
        cases={case.label: case.target for case in cases},
        case_spans={case.label: case.key for case in cases},
        presence=leaving.presence,
        definition=definition,
        open_cases=not leaving.is_whole,
        subject=subject,
    )


def _vain_choice(leaving: Leaving, target: str) -> Violation:
    """A decision on which no edge depends."""
    said = (
        f"The decision `{leaving.source}` leads to `{target}` whatever is chosen: "
        "only code that reads its output can tell"
    )
    cure = "lead on from it by a switch, or by `decisionEdge`"
    return Violation(leaving.span, said, cure, leaving.source, "ineffective-field", severity="info")


def _other_field(leaving: Leaving, field: str) -> Violation:
    span = leaving.on_span or leaving.span
    said = (
        f"The switch of `{leaving.source}` looks at `{leaving.on}`, and the decision is given as "
        f"`{field}`"
    )
    cure = f"write `$.{field}`"
    return Violation(span, said, cure, leaving.source, "unknown-variable", severity="warning")
