"""How rules speak of what a router returns in vain."""

from __future__ import annotations

from flowlint.graph.code import Router
from flowlint.graph.model import END, START, FlowGraph
from flowlint.graph.names import NearNames, letters
from flowlint.rules.context import RuleContext
from flowlint.rules.report import listing
from flowlint.rules.routers import Unhandled, provided, unused_cases


def message_of(unhandled: Unhandled, graph: FlowGraph) -> str:
    """What is wrong with the value, and what becomes of it."""
    router, route = unhandled.router, unhandled.route
    error = unhandled.error
    fails = f"the run fails with {error}" if error else "the run ends there and reports success"
    if unhandled.severity == "info":
        fails += " if it does"
    elif not route.sure:
        fails = fails.replace("the run", "the run then", 1)
    subject, shown = subject_of(router, *unhandled.others), _shown(unhandled, graph)
    if graph.semantics.unknown_case == "takes-all" and error is None:
        goes_on = "goes on" if route.sure else "may go on"
        return f"`{router.source}` {goes_on} by {shown}, {_unlabelled()}."
    match unhandled.fault:
        case "nothing":
            if not route.sure:
                return f"{subject} may end without returning anything: {fails}."
            return f"{subject} returns nothing: {fails}."
        case "the start":
            return f"{subject} returns {shown}, and no run leads back to the start: {fails}."
        case "sent to the end":
            return f"{subject} sends to {shown}, which takes no messages: {fails}."
        case "no node":
            return f"{subject} returns {shown}, which is no node of this flow: {fails}."
        case "no case":
            if router.cases is None:
                return f"{subject} returns {shown}, which its annotation does not name: {fails}."
            return f"{subject} returns {shown}, for which it has no case: {fails}."


def _unlabelled() -> str:
    """What becomes of a label that no edge has."""
    return "but no edge out of it has that label: all its edges are taken at once"


def cure_of(unhandled: Unhandled, graph: FlowGraph, context: RuleContext) -> str:
    """What to do about it."""
    router, value = unhandled.router, unhandled.route.value
    end = graph.semantics.end_marker
    shown = _shown(unhandled, graph)
    if unhandled.route.cure is not None:
        return unhandled.route.cure
    match unhandled.fault:
        case "nothing":
            return f"return where the run is to go on, or {end or 'the end'}, on every way"
        case "the start":
            return "return the node that is to run next"
        case "sent to the end":
            return f"return {end or 'the end'} itself"
        case "no node":
            near = context.near_names.of(value or "")
            if near is not None:
                return f"did you mean `{near}`?"
            if end is not None and letters(value or "") == "end":
                return f'return {end} itself, not the text "{value}"'
            return f"return a node of this flow{_named(list(context.nodes), end)}"
        case "no case":
            cases = provided(router) or ()
            near = NearNames(list(cases)).of(value or "")
            if near is not None and near != value and near not in (START, END):
                return f"did you mean `{near}`?"
            if end is not None and letters(value or "") == "end" and END in cases and value != END:
                return f'return {end} itself, not the text "{value}"'
            unused = unused_cases(router)
            joined = next((u for u in unused if value and u != value and u.endswith(value)), None)
            if joined is not None:
                return (
                    f"the text before {shown} has become part of the key, which is `{joined}`: "
                    "write it as a comment"
                )
            if graph.semantics.unknown_case == "takes-all":
                return f"give the label {shown} to the edge that is to be taken then"
            if len(unused) == 1 and unused[0] not in (START, END) and value not in (START, END):
                return f"did you mean `{unused[0]}`, which has a case and is never returned?"
            if router.cases is None:
                return f"add {shown} to the annotation of `{router.name}`"
            return f"add a case for {shown}"


def subject_of(router: Router, *others: Router) -> str:
    """A router in prose, at the begin of a sentence."""
    if router.subject is not None:
        return router.subject
    names = dict.fromkeys(other.source for other in (router, *others))
    shown = ["the start" if name == START else f"`{name}`" for name in names]
    source = " and ".join([", ".join(shown[:-1]), shown[-1]] if shown[1:] else shown)
    if not router.name.isidentifier():
        return f"The router of {source}"
    return f"The router `{router.name}` of {source}"


def _shown(unhandled: Unhandled, graph: FlowGraph) -> str:
    value = unhandled.route.value
    if value == END:
        return graph.semantics.end_marker or "the end"
    if value == START:
        return graph.semantics.start_marker or "the start"
    return f"`{unhandled.route.shown}`"


def _named(names: list[str], end: str | None) -> str:
    if not names or len(names) > 6:
        return ""
    return f": {listing(names)}" + (f", or {end}" if end else "")
