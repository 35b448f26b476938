"""Members of enumerations as names: which of them LangGraph takes for the texts they hold.

A member of `StrEnum` is its text everywhere. One of a class that derives from both `str` and
`Enum` is found like its text, but is printed as `Class.MEMBER`, and LangGraph goes by that where
it hands over. One of a plain `Enum` is no text at all.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from flowlint.dialects.langgraph.releases import Release
from flowlint.dialects.langgraph.targets import mapped_targets
from flowlint.dialects.reading import alternatives, text_of, written
from flowlint.graph.model import END, Violation
from flowlint.source import Span
from flowlint.values.model import Argument, Built, Const, Operation, Value

PLAIN = "Enum"
PRINTED_OTHERWISE = "str"


@dataclass(frozen=True, slots=True)
class _Name:
    """A name as it was written: the text it holds, what it is printed as, its enumeration."""

    text: str
    printed: str
    kind: str | None
    member: str
    span: Span


def enum_violations(built: Built, release: Release) -> Iterator[Violation]:
    """What is wrong with names that are members of enumerations."""
    nodes: dict[str, _Name] = {}
    for operation in built.operations:
        if operation.method == "add_node":
            for name in _names(operation.arguments.find("node", 0)):
                nodes.setdefault(name.text, name)
    yield from (_plain_node(name) for name in nodes.values() if name.kind == PLAIN)
    told: set[tuple[str, Span]] = set()
    for operation in built.operations:
        for target in _targets(operation):
            node = nodes.get(target.text)
            if target.text == END or (target.text, target.span) in told:
                continue
            if node is not None and node.kind == PLAIN:
                continue
            told.add((target.text, target.span))
            if target.kind == PLAIN:
                yield _plain_target(target)
            elif node is not None and node.printed != target.printed:
                if release.goes_by_printed_names:
                    yield _mixed(node, target)


def _targets(operation: Operation) -> Iterator[_Name]:
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
            yield from _mapped(arguments.find("path_map", 2))
        case "set_conditional_entry_point":
            yield from _mapped(arguments.find("path_map", 1))


def _mapped(path_map: Argument | None) -> Iterator[_Name]:
    if path_map is None:
        return
    for presence, mapping in alternatives(path_map.value):
        for _, _, target, span in mapped_targets(mapping, path_map, presence):
            yield from _name(target, span)


def _names(argument: Argument | None) -> Iterator[_Name]:
    if argument is not None:
        for _, value in alternatives(argument.value):
            yield from _name(value, written(argument))


def _name(value: Value, span: Span) -> Iterator[_Name]:
    text = text_of(value)
    if text is None or not isinstance(value, Const):
        return
    if value.enum is None or value.member is None:
        yield _Name(text, text, None, "", span)
        return
    kind, _, qualified = value.enum.partition(":")
    member = f"{qualified.rsplit('.', 1)[-1]}.{value.member}"
    yield _Name(text, member if kind == PRINTED_OTHERWISE else text, kind, member, span)


def _plain_node(name: _Name) -> Violation:
    return Violation(
        name.span,
        f"`{name.member}` is a member of an Enum, which is no text: add_node() raises TypeError",
        f"pass `{name.member}.value`, or derive the enumeration from StrEnum",
        name.text,
        refuses_node=True,
    )


def _plain_target(name: _Name) -> Violation:
    return Violation(
        name.span,
        f"`{name.member}` is a member of an Enum, which is no text and so names no node: "
        "compile() raises",
        f"pass `{name.member}.value`, or derive the enumeration from StrEnum",
        rule="dangling-edge",
    )


def _mixed(node: _Name, target: _Name) -> Violation:
    enum = (target.member or node.member).partition(".")[0]
    return Violation(
        target.span,
        f"This leads to `{target.printed}`, but the node was added as `{node.printed}`, which is "
        "printed differently from Python 3.11 on: nothing runs there, and the run reports success",
        f"derive `{enum}` from StrEnum, or write the same on both sides",
        rule="dangling-edge",
        related=((f"`{node.printed}` is added here", node.span),),
        severity="warning",
    )
