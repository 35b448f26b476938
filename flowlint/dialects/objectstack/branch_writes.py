"""Branches that run side by side and set the same variable."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from flowlint.dialects.objectstack.objects import Given, object_of
from flowlint.dialects.objectstack.parts import NodePart, Scope
from flowlint.source import Span
from flowlint.values.model import Mapped

_OUTPUTS = ("outputVariable", "idVariable")


def check_branch_writes(node: NodePart, branches: Sequence[Scope], scope: Scope) -> None:
    """Note a variable that several branches of a node set: which of them is last is chance."""
    first: dict[str, tuple[int, Span]] = {}
    told: set[str] = set()
    for number, branch in enumerate(branches):
        for name, place in _written(branch):
            before = first.setdefault(name, (number, place))
            if before[0] == number or name in told:
                continue
            told.add(name)
            scope.notes.add(
                place,
                f"Several branches of `{node.id}` set `{name}`: they run side by side, and what "
                "the last one sets is kept",
                "give each branch a variable of its own",
                rule="conflicting-writes",
                node=node.id,
                severity="warning",
                related=((f"`{name}` is set here, too", before[1]),),
            )


def _written(branch: Scope) -> Iterator[tuple[str, Span]]:
    """The variables that a branch surely sets, with their places."""
    for node in branch.nodes:
        if node.presence:
            continue
        for key in _OUTPUTS:
            name = node.config.text(key)
            if name and "{" not in name:
                yield name, node.config.fields[key].span
        if node.kind == "assignment":
            for given in _assigned(node):
                yield given.name, given.key


def _assigned(node: NodePart) -> Iterator[Given]:
    listed = node.config.get("assignments")
    if listed is None:
        yield from node.config.fields.values()
    elif isinstance(listed, Mapped):
        yield from object_of(listed).fields.values()
