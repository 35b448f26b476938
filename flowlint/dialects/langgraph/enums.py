"""Members of enumerations as names: which of them LangGraph takes for the texts they hold.

A member of `StrEnum` is its text everywhere. One of a class that derives from both `str` and
`Enum` is found like its text, but is printed as `Class.MEMBER`, and LangGraph goes by that where
it hands over. One of a plain `Enum` is no text at all.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from flowlint.dialects.langgraph.bodies import Mention
from flowlint.dialects.langgraph.callables import command_targets, route_targets
from flowlint.dialects.langgraph.members import PLAIN, Name, cure_of, name_of
from flowlint.dialects.langgraph.releases import Release
from flowlint.dialects.langgraph.targets import destinations, mapped_targets
from flowlint.dialects.reading import alternatives, text_of, written
from flowlint.graph.model import END, Node, Violation
from flowlint.source import Span
from flowlint.values.model import Argument, Built, Const, Operation, Value

NO_TEXT = "is a member of an Enum, which is no text"
NO_NODE = f"{NO_TEXT} and so names no node"
NOTHING_RUNS = "nothing runs there, and the run reports success"


@dataclass(frozen=True, slots=True)
class _Written:
    """A name at its place; `is_only_declared`: it is compared with nodes, and leads nowhere."""

    name: Name
    span: Span
    is_only_declared: bool = False


def enum_violations(
    built: Built,
    nodes: Iterable[Node],
    mentioned: Iterable[tuple[Mention, str]],
    release: Release,
) -> Iterator[Violation]:
    """What is wrong with names that are members of enumerations.

    `mentioned` are the names in code that LangGraph hands over by, each with its node.
    """
    added = _added(built, nodes)
    yield from (_plain_node(node) for node in added.values() if node.name.kind == PLAIN)
    told: set[Span] = set()
    for operation in built.operations:
        for target in _targets(operation):
            node = added.get(target.name.text)
            if target.span in told or (node is not None and node.name.kind == PLAIN):
                continue
            if target.name.kind == PLAIN:
                told.add(target.span)
                yield _plain_target(target)
            elif not target.is_only_declared and _is_mixed(node, target.name, release):
                told.add(target.span)
                yield _mixed(node, target.name, target.span)
    for mention, source in mentioned:
        node = added.get(mention.name.text)
        if mention.span in told or (node is not None and node.name.kind == PLAIN):
            continue
        told.add(mention.span)
        if mention.name.kind == PLAIN and mention.how != "route":
            yield _plain_mention(mention, source)
        elif mention.how != "send" and _is_mixed(node, mention.name, release):
            yield _mixed(node, mention.name, mention.span, source)


def _added(built: Built, nodes: Iterable[Node]) -> dict[str, _Written]:
    """The nodes by the texts that their names hold."""
    found: dict[str, _Written] = {}
    for operation in built.operations:
        if operation.method == "add_node":
            for name in _names(operation.arguments.find("node", 0)):
                found.setdefault(name.name.text, name)
    for node in nodes:
        found.setdefault(node.name, _Written(Name(node.name), node.name_span))
    return found


def _targets(operation: Operation) -> Iterator[_Written]:
    """The names that an operation leads to, but for those of joins, which go by their text."""
    arguments = operation.arguments
    match operation.method:
        case "add_edge":
            start = arguments.find("start_key", 0)
            if start is not None and text_of(start.value) is not None:
                yield from _names(arguments.find("end_key", 1))
        case "set_entry_point":
            yield from _names(arguments.find("key", 0))
        case "add_conditional_edges":
            yield from _chosen(arguments.find("path", 1), arguments.find("path_map", 2))
        case "set_conditional_entry_point":
            yield from _chosen(arguments.find("path", 0), arguments.find("path_map", 1))
        case "add_node":
            yield from _declared(operation)


def _chosen(path: Argument | None, path_map: Argument | None) -> Iterator[_Written]:
    """The targets of a path map, or else those that the router declares."""
    if path_map is not None:
        for presence, mapping in alternatives(path_map.value):
            for _, _, target, span in mapped_targets(mapping, path_map, presence):
                yield from _written(target, span)
    elif path is not None:
        for _, router in alternatives(path.value):
            for declared in route_targets(router).targets or ():
                yield from _written(declared, written(path))


def _declared(operation: Operation) -> Iterator[_Written]:
    """Where a node says that it leads to."""
    stated = destinations(operation.arguments.get("destinations"))
    for target, span in stated or ():
        yield from _written(target, span, is_only_declared=True)
    action = operation.arguments.find("action", 1) or operation.arguments.find("node", 0)
    if stated is None and action is not None:
        for _, single in alternatives(action.value):
            for target in command_targets(single).targets or ():
                yield from _written(target, written(action), is_only_declared=True)


def _names(argument: Argument | None) -> Iterator[_Written]:
    if argument is not None:
        for _, value in alternatives(argument.value):
            yield from _written(value, written(argument))


def _written(value: Value, span: Span, *, is_only_declared: bool = False) -> Iterator[_Written]:
    name = name_of(value) if isinstance(value, Const) else None
    if name is not None:
        yield _Written(name, span, is_only_declared)


def _is_mixed(node: _Written | None, target: Name, release: Release) -> bool:
    """Whether a name is printed otherwise than that of the node it means."""
    if node is None or target.text == END or not release.goes_by_printed_names:
        return False
    return node.name.printed != target.printed


def _plain_node(node: _Written) -> Violation:
    return Violation(
        node.span,
        f"`{node.name.member}` {NO_TEXT}: add_node() raises TypeError",
        cure_of(node.name),
        node.name.text,
        refuses_node=True,
    )


def _plain_target(target: _Written) -> Violation:
    return Violation(
        target.span,
        f"`{target.name.member}` {NO_NODE}: compile() raises",
        cure_of(target.name),
        rule="dangling-edge",
    )


def _plain_mention(mention: Mention, source: str) -> Violation:
    """A plain member that code hands over to: only a `goto` by itself raises."""
    effect = "the run fails with TypeError" if mention.alone else NOTHING_RUNS
    return Violation(
        mention.span,
        f"`{mention.name.member}` {NO_NODE}: {effect}",
        cure_of(mention.name),
        source,
        "dangling-edge",
        severity=None if mention.alone and mention.sure else "warning",
    )


def _mixed(node: _Written | None, target: Name, span: Span, source: str | None = None) -> Violation:
    assert node is not None
    enum = target.enum or node.name.enum
    return Violation(
        span,
        f"This leads to `{target.printed}`, but the node was added as `{node.name.printed}`, which "
        f"is printed differently from Python 3.11 on: {NOTHING_RUNS}",
        f"derive `{enum}` from StrEnum, or write the same on both sides",
        node=source,
        rule="dangling-edge",
        related=((f"`{node.name.printed}` is added here", node.span),),
        severity="warning",
    )
