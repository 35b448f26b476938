"""What turning changes into edits gives, whatever the language."""

from __future__ import annotations

from dataclasses import dataclass

from flowlint.source import Edit


@dataclass(frozen=True, slots=True)
class Made:
    """The edits of a change, and whether a comment goes with them."""

    edits: tuple[Edit, ...]
    drops_comment: bool = False


def quoted(text: str, quote: str = '"') -> str | None:
    """A text between quotes, None where it holds what must not stand there as it is."""
    if not text.isprintable() or "\\" in text or quote[0] in text:
        return None
    return f"{quote}{text}{quote}"
