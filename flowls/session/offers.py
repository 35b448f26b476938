"""What may be done to a text: offered with a title, and made only when it is wanted."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from flowlint.findings.model import Finding
from flowlint.source import Edit

Kind = Literal["quickfix", "refactor.extract", "refactor.rewrite", "source.fixAll.flowlint"]


@dataclass(frozen=True, slots=True)
class Hole:
    """What the user is to fill in: the last `text` of an edit, perhaps one of some choices."""

    edit: Edit
    text: str
    choices: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Made:
    """The edits of what was offered."""

    edits: tuple[Edit, ...]
    hole: Hole | None = None


@dataclass(frozen=True, slots=True)
class Offer:
    """Something that can be done. `make` gives None where it turns out that it cannot.

    Offers of one kind and title at one place are told apart by what they are about.
    """

    title: str
    kind: Kind
    make: Callable[[], Made | None]
    finding: Finding | None = None
    is_preferred: bool = False

    @property
    def key(self) -> str:
        """What tells the offer from others of the same text."""
        about = self.finding
        return (
            f"{self.kind} {self.title} {about.code if about else ''} {about.span if about else ''}"
        )
