"""Which nodes ways lead to, and from."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from flowlint.graph.model import Edge


def after(start: str, edges: Iterable[Edge]) -> set[str]:
    """A node and all to which ways lead from it."""
    targets: dict[str, list[str]] = {}
    for edge in edges:
        targets.setdefault(edge.source, []).append(edge.target)
    return _along(start, targets)


def before(end: str, edges: Iterable[Edge]) -> set[str]:
    """A node and all from which ways lead to it."""
    sources: dict[str, list[str]] = {}
    for edge in edges:
        sources.setdefault(edge.target, []).append(edge.source)
    return _along(end, sources)


def _along(start: str, others: Mapping[str, Sequence[str]]) -> set[str]:
    found, waiting = {start}, [start]
    while waiting:
        for name in others.get(waiting.pop(), ()):
            if name not in found:
                found.add(name)
                waiting.append(name)
    return found
