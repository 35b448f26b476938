"""What a release of LangGraph does not take yet, or not any more, where its version is known."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from flowlint.dialects.langgraph.editions import PYTHON
from flowlint.dialects.langgraph.releases import Release
from flowlint.dialects.reading import relative, written
from flowlint.dialects.surroundings import Version, shown
from flowlint.graph.model import END, Entry, FlowGraph, Violation
from flowlint.values.model import Argument, Arguments, Built, Const, Operation

CONSTRUCTOR = "StateGraph"

SINCE: Mapping[tuple[str, str], Version] = {
    ("StateGraph", "input_schema"): (0, 5, 0),
    ("StateGraph", "output_schema"): (0, 5, 0),
    ("StateGraph", "context_schema"): (0, 6, 0),
    ("add_node", "destinations"): (0, 2, 71),
    ("add_node", "defer"): (0, 4, 5),
    ("add_node", "input_schema"): (0, 5, 0),
    ("add_node", "retry_policy"): (0, 5, 0),
    ("add_node", "timeout"): (1, 2, 0),
    ("add_node", "error_handler"): (1, 2, 0),
}
"""The first release that takes an argument."""

METHODS: Mapping[str, Version] = {"set_node_defaults": (1, 2, 0)}
"""The first release that has a method."""

SINCE_OF_JAVASCRIPT: Mapping[tuple[str, str], Version] = {
    ("add_node", "defer"): (0, 3, 0),
    ("add_node", "timeout"): (1, 4, 0),
    ("add_node", "error_handler"): (1, 4, 0),
}
METHODS_OF_JAVASCRIPT: Mapping[str, Version] = {"set_node_defaults": (1, 4, 0)}
"""The same of LangGraph.js, whose releases pass over what they do not know."""

GONE: Mapping[tuple[str, str], Version] = {
    ("add_conditional_edges", "then"): (0, 5, 0),
    ("set_conditional_entry_point", "then"): (0, 5, 0),
}
"""The first release that does not take an argument any more."""

SWALLOWING = frozenset({"StateGraph", "add_node"})
"""What passes over arguments that it does not know, in releases that do so."""


def outdated(graph: FlowGraph, built: Built, release: Release) -> Iterator[Violation]:
    """What the release does not take of all that a builder is given."""
    if release.version is None:
        return
    if built.cls is None:
        yield from _arguments(CONSTRUCTOR, built.arguments, release)
    for operation in built.operations:
        if not relative(operation, built):
            yield from _call(operation, release)
    if not release.start_may_lead_to_end:
        yield from _starts_at_end(graph.entries)


def _call(operation: Operation, release: Release) -> Iterator[Violation]:
    assert release.version is not None
    methods = METHODS if release.edition is PYTHON else METHODS_OF_JAVASCRIPT
    first = methods.get(operation.method)
    if first is None or release.version >= first:
        yield from _arguments(operation.method, operation.arguments, release)
        return
    yield Violation(
        operation.origin.span(),
        f"{operation.method}() is there from LangGraph {shown(first)} on, but this project uses "
        f"{shown(release.version)}: calling it raises AttributeError",
        f"leave it out, or use LangGraph {shown(first)} or newer",
        severity="warning",
    )


def _arguments(method: str, arguments: Arguments, release: Release) -> Iterator[Violation]:
    assert release.version is not None
    used = f"this project uses {shown(release.version)}"
    since = SINCE if release.edition is PYTHON else SINCE_OF_JAVASCRIPT
    for item in arguments.items:
        if item.name is None:
            continue
        first, last = since.get((method, item.name)), GONE.get((method, item.name))
        if first is not None and release.is_before(first):
            ignored = release.swallows_arguments and method in SWALLOWING
            if ignored and _is_none(item):
                continue
            effect = f"{method}() ignores it" if ignored else f"{method}() raises TypeError"
            yield Violation(
                written(item),
                f"{method}() takes `{item.name}` from LangGraph {shown(first)} on, but {used}: "
                f"{effect}",
                f"leave it out, or use LangGraph {shown(first)} or newer",
                rule="ineffective-field" if ignored else "invalid-definition",
                severity="warning",
            )
        elif last is not None and release.version >= last:
            yield Violation(
                written(item),
                f"{method}() takes no `{item.name}` from LangGraph {shown(last)} on, and {used}: "
                f"{method}() raises TypeError",
                "add an edge from each of the targets instead",
                severity="warning",
            )


def _is_none(item: Argument) -> bool:
    return isinstance(item.value, Const) and item.value.value is None


def _starts_at_end(entries: Iterable[Entry]) -> Iterator[Violation]:
    """Edges that lead from the start to the end, whatever else there is."""
    for entry in entries:
        if entry.name == END and entry.kind == "always" and entry.edge is not None:
            yield Violation(
                entry.edge,
                "An edge leads from START to END, which LangGraph refuses before 0.3.22: "
                "compile() raises KeyError",
                "lead the edge to a node",
                severity="warning" if entry.presence else None,
            )
