"""What is known of the lists of a flow while it is read, and what is not."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal

from flowlint.dialects.reading import Texts, alternatives, listed, reason_of
from flowlint.graph.model import ALWAYS, Gap, Presence
from flowlint.source import Span
from flowlint.values.model import Const, Mapped, Sequence, Unknown, Value

Hidden = Literal["nodes", "edges", "entry"]

_CURE = "write the list out, or build it from constants of this project"


@dataclass(slots=True)
class Sight:
    """The gaps of one flow. `base` is the condition under which it is there at all."""

    base: Presence = ALWAYS
    gaps: list[Gap] = field(default_factory=list)
    texts: Texts = field(default_factory=Texts)

    def gap(self, value: Value, what: str, hides: Hidden, span: Span) -> None:
        """Note that something could not be told, and why."""
        reason = f"{what}: {reason_of(value)}"
        told = isinstance(value, Unknown) and value.broken
        self.gaps.append(Gap(span, reason, frozenset({hides}), cure=_CURE, told=told))

    def elements(self, value: Value, what: Hidden) -> Iterator[tuple[Presence, Value]]:
        """The elements of a list, with a gap for what is not known of it."""
        for presence, single in alternatives(value):
            found = listed(single)
            if found is None:
                if not isinstance(single, Const):
                    self.gap(single, f"{what} are not known", what, single.origin.span())
                continue
            items, rest = found
            if rest is not None:
                self.gap(rest, f"more {what} may be there", what, single.origin.span())
            for item in items:
                for own, one in alternatives(item.value, presence | item.presence):
                    yield own - self.base, one

    def names(
        self, value: Value, what: str, place: Span, hides: Hidden
    ) -> list[tuple[Presence, str]]:
        """The names that a value may be, with a gap where that is not known."""
        found: list[tuple[Presence, str]] = []
        for presence, single in alternatives(value):
            if isinstance(single, Const) and isinstance(single.value, str):
                self.texts.note(single, place)
                found.append((presence, single.value))
            elif not isinstance(single, Const | Mapped | Sequence):
                self.gap(single, f"{what} is not known", hides, place)
        return found
