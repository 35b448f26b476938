"""What is known of a flow while it is read, and what is not."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal

from flowlint.dialects.reading import Texts, alternatives, listed, reason_of
from flowlint.graph.model import Gap, Presence
from flowlint.graph.node_outputs import Outputs
from flowlint.source import Span
from flowlint.values.model import Argument, Value

Hidden = Literal["nodes", "edges", "entry"]
_CURE = "write the list out, or build it from constants of this project"


@dataclass(slots=True)
class Sight:
    """The gaps of one flow or region.

    `base` is the condition under which the flow is there at all. `nodes` are the nodes here and
    around, None where they are not all known, `outputs` what is known of what they give.
    """

    base: Presence
    gaps: list[Gap] = field(default_factory=list)
    nodes: frozenset[str] | None = frozenset()
    outputs: Outputs = field(default_factory=dict)
    texts: Texts = field(default_factory=Texts)

    def inner(self) -> Sight:
        """The sight of a region: its gaps are its own."""
        return Sight(self.base, nodes=self.nodes, outputs=self.outputs)

    def gap(self, value: Value, what: str, hides: str, span: Span) -> None:
        """Note that something could not be told, and why."""
        self.unknown(f"{what}: {reason_of(value)}", hides, span)

    def unknown(self, reason: str, hides: str, span: Span) -> None:
        """Note that something could not be told."""
        self.gaps.append(Gap(span, reason, frozenset({hides}), cure=_CURE))  # type: ignore[arg-type]

    def elements(
        self, argument: Argument, what: str, where: Span
    ) -> Iterator[tuple[Presence, Value]]:
        """The elements of a list, with a gap for what is not known of it."""
        for presence, single in alternatives(argument.value):
            found = listed(single)
            if found is None:
                self.gap(single, f"{what} are not known", what, single.origin.span())
                continue
            items, rest = found
            if rest is not None:
                self.gap(rest, f"more {what} may be there", what, single.origin.span())
            for item in items:
                for own, value in alternatives(item.value, presence | item.presence):
                    yield own - self.base, value
