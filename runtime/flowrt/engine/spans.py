"""Results of nodes that all ended well, made when somebody looks at them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from flowrt.authoring import NodeResult

Span = tuple[float, float]
"""When a node began and when it ended."""


class SpanResults(Mapping[str, NodeResult]):
    """The result of each node, from its output and when it ran. A run makes thousands, and most
    are never looked at."""

    __slots__ = ("_made", "_outputs", "_spans")

    def __init__(self, outputs: Mapping[str, Any], spans: Mapping[str, Span]) -> None:
        self._outputs = outputs
        self._spans = spans
        self._made: dict[str, NodeResult] = {}

    def __getitem__(self, name: str) -> NodeResult:
        found = self._made.get(name)
        if found is None:
            began, ended = self._spans[name]
            output = self._outputs[name]
            found = self._made[name] = NodeResult(name, "ok", 1, output, None, began, ended)
        return found

    def __iter__(self) -> Iterator[str]:
        return iter(self._spans)

    def __len__(self) -> int:
        return len(self._spans)

    def __repr__(self) -> str:
        return repr(dict(self))
