"""What is written to a builder without any effect: LangGraph passes over it."""

from __future__ import annotations

from collections.abc import Iterator

from flowlint.dialects.langgraph.editions import Edition
from flowlint.dialects.reading import alternatives, text_of, written
from flowlint.graph.model import START, Violation
from flowlint.values.model import Argument, Built, Const, Operation, Sequence, Value

INEFFECTIVE = "ineffective-field"
MAPS = {"add_conditional_edges": 2, "set_conditional_entry_point": 1}
"""Methods that take the targets of a router, with the position of that argument."""

ADDING = frozenset(
    {
        "add_node",
        "add_edge",
        "add_conditional_edges",
        "add_sequence",
        "set_entry_point",
        "set_conditional_entry_point",
        "set_finish_point",
    }
)


def ignored(built: Built, edition: Edition) -> Iterator[Violation]:
    """All that was written to a builder without any effect."""
    for operation in built.operations:
        position = MAPS.get(operation.method)
        if position is not None and edition.reads_types:
            path_map = operation.arguments.find("path_map", position)
            if path_map is not None and not operation.arguments.spread:
                yield from _ignored_map(operation, path_map)
    yield from _added_after(built)


def _ignored_map(operation: Operation, path_map: Argument) -> Iterator[Violation]:
    """A container of targets that is neither dict nor list."""
    for _, value in alternatives(path_map.value):
        kind = _odd_container(value)
        if kind is None:
            continue
        source = operation.arguments.get("source", 0)
        name = text_of(source) if source is not None else None
        node = name if operation.method == "add_conditional_edges" and name != START else None
        yield Violation(
            written(path_map),
            f"The targets are given as {kind}, which {operation.method}() ignores: "
            "it takes what the router returns for the name of a node, unchecked",
            "write them as a list or a dict",
            node,
            INEFFECTIVE,
        )
        return


def _odd_container(value: Value) -> str | None:
    if isinstance(value, Sequence):
        if value.lazy:
            return "a generator"
        return None if value.kind == "list" else f"a {value.kind}"
    return "a text" if isinstance(value, Const) and isinstance(value.value, str) else None


def _added_after(built: Built) -> Iterator[Violation]:
    """What is added when the flow was compiled for the last time already."""
    # Where it leaves sight it may be compiled once more.
    if built.escapes or built.returned or built.parameter or built.cls is not None:
        return
    compiled = [i for i, o in enumerate(built.operations) if o.method == "compile"]
    if not compiled:
        return
    last = built.operations[compiled[-1]]
    late = [o for o in built.operations[compiled[-1] + 1 :] if o.method in ADDING]
    if not late or last.presence - late[0].presence:
        return
    first, *others = late
    yield Violation(
        first.origin.span(),
        f"{first.method}() comes after compile(): the compiled flow does not change any more",
        "add it before compile() is called, or compile the flow again",
        rule=INEFFECTIVE,
        related=(
            ("compiled here for the last time", last.origin.span()),
            *(("this comes too late as well", other.origin.span()) for other in others[:4]),
        ),
    )
