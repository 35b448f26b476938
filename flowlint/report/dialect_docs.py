"""All there is to know of a dialect, for people and for programs."""

from __future__ import annotations

from collections.abc import Iterator

from flowlint.dialects.registry import DialectEntry
from flowlint.graph.model import Semantics
from flowlint.report.explanations import section_of, summary_of
from flowlint.report.places import Json

SECTIONS = {
    "read": "What is read",
    "resolved": "What is resolved",
    "unresolved": "What is not resolved",
}
"""The headings that the documentation of a dialect has, by the names they bear as data."""

_ROUTES = {
    "first": "the first edge that applies is taken",
    "all": "every edge that applies is taken",
    "inclusive": "every edge that applies is taken, or the default",
    "single-switch": "one switch decides",
}
_JOINS = {
    "any": "it runs for each of them",
    "all": "it waits for all of them",
    "any-with-skip": "it waits for those that are still to come",
}
_UNMATCHED = {
    "raises": "the run fails",
    "ends-silently": "the run ends there and reports success",
    "takes-all": "all edges are taken",
}
_FAILURES = {
    "raises": "the run fails",
    "routes-by-edge": "an edge for failures is followed; without one the run fails",
    "routes-by-result": "the run goes on by what came of it",
}
_FAULTS = {
    "refused-at-once": "adding it raises",
    "fails": "the run fails",
    "silent": "nothing is said",
    "allowed": "it is allowed",
    "collapsed": "it counts once",
    "taken-twice": "both are taken",
    "starts-at-once": "it starts at once",
}


def data(entry: DialectEntry) -> dict[str, Json]:
    """A dialect as data."""
    return {
        "name": entry.name,
        "origin": entry.origin,
        "reads_data": entry.reads_data,
        "summary": summary_of(entry.docs),
        **{name: section_of(entry.docs, heading) for name, heading in SECTIONS.items()},
        "semantics": [
            [{"case": case, "then": then} for case, then in _behaviour(one)]
            for one in entry.dialect.semantics
        ],
        "docs": entry.docs,
    }


def markdown(entry: DialectEntry) -> Iterator[str]:
    """The page of a dialect: its documentation, and what its system does."""
    yield f"# {entry.name}"
    yield ""
    if entry.origin is not None:
        yield f"* Comes with: {entry.origin}"
        yield ""
    yield from entry.docs.splitlines()
    named = [semantics.system for semantics in entry.dialect.semantics]
    for semantics in entry.dialect.semantics:
        yield ""
        alike = named.count(semantics.system) > 1
        several = f" where {_ROUTES[semantics.routing]}" if alike else ""
        yield f"## What {semantics.system} does{several}"
        yield ""
        for case, then in _behaviour(semantics):
            yield f"* {case}: {then}."


def _behaviour(semantics: Semantics) -> Iterator[tuple[str, str]]:
    """What becomes of a flow in its system, in words: what findings go by."""

    def fault(what: str) -> str:
        return _FAULTS.get(what, f"{semantics.built_by} refuses the flow")

    yield "After a node", _ROUTES[semantics.routing]
    yield "A node with several edges into it", _JOINS[semantics.join]
    yield "No edge of a node applies", _UNMATCHED[semantics.unmatched_route]
    yield "A node fails", _FAILURES[semantics.failure]
    if semantics.refuses_unnamed:
        yield "A node that no edge names", fault("rejected")
    yield "A node that nothing leads to", fault(semantics.on_unreachable)
    yield "An edge to a name that is no node", fault(semantics.on_unknown_name)
    yield "Two nodes of one name", fault(semantics.on_duplicate_node)
    yield "The same edge twice", fault(semantics.on_duplicate_edge)
    error = semantics.no_entry_error
    fails = f"every run fails with {error}" if error is not None else None
    yield "No entry", fails or fault(semantics.on_missing_entry)
    yield "No nodes", fails or fault(semantics.on_empty)
    if semantics.cycles == "forbidden":
        yield "A cycle", fault(semantics.on_forbidden_cycle)
    if semantics.cycles == "marked-back-edges":
        yield "A cycle without an edge that says so", fault(semantics.on_forbidden_cycle)
    bound = semantics.default_step_bound
    limit = f"after {bound:,} steps" if bound is not None else "never, unless the flow says when"
    if semantics.step_bound_name:
        yield f"A run that goes round is stopped (`{semantics.step_bound_name}`)", limit
    else:
        yield "A run that goes round is stopped", "never"
