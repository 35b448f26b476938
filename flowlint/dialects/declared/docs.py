"""The documentation of a declared system, written from its declaration."""

from __future__ import annotations

from collections.abc import Iterator

from flowlint.dialects.declared.declaration import Edges, Entry, Field, Names, Nodes, System


def docs_of(system: System) -> str:
    """What is read of a system, under the headings that every dialect has."""
    return "\n".join(_lines(system))


def _lines(system: System) -> Iterator[str]:
    title = system.semantics.system
    yield f"{title}: declared by the settings of this project."
    yield ""
    yield "## What is read"
    yield ""
    yield f"Flows that {_listed(system.flow)} builds, in Python files and notebooks for which these"
    yield "settings hold."
    yield ""
    yield "## What is resolved"
    yield ""
    for word, parts in (("Nodes", system.nodes), ("Edges", system.edges)):
        for part in parts:
            yield f"* {word}: {_place(part)}."
    for entry in system.entry:
        yield f"* The entry: {_entry(entry)}."
    if system.limit:
        yield f"* The limit of steps: {_field(system.limit)}."
    yield "* Names from constants, enumerations and texts that are put together; what is there on a"
    yield "  condition; guards that are functions or lambdas."
    yield ""
    yield "## What is not resolved"
    yield ""
    yield "* What the declaration does not name. A flow that is handed to other methods, or to code"
    yield "  out of sight, is read as far as it goes, and `unresolved-flow` tells what is missing."
    yield "* What nodes do to the state."


def _place(part: Nodes | Edges) -> str:
    if isinstance(part, Edges) and part.returns:
        return f"the declared result of `{part.returns}` of each node"
    if isinstance(part, Edges) and part.of_nodes:
        return f"{_field(part.target)} of each node"
    of = f", objects of {_listed(part.class_)}" if part.class_ else ""
    if part.method:
        return f"calls of `{part.method}(…)`{of}"
    return f"the argument {_field(part.argument)}{of}"


def _entry(entry: Entry) -> str:
    defaults = {"first": "the first node", "any": "any node, as a run says", "none": ""}
    if entry.argument:
        return f"the argument {_field(entry.argument)}"
    return f"calls of `{entry.method}(…)`" if entry.method else defaults[entry.default]


def _field(field: Field) -> str:
    return " or ".join(f"`{one}`" if isinstance(one, str) else f"number {one}" for one in field)


def _listed(names: Names) -> str:
    return " or ".join(f"`{name}`" for name in names)
