"""Errors in a line, as they are written down."""

from __future__ import annotations

_PLACES = ("in the guard ", "in a hook ", "in the kill switch ", "in what merges ")


def in_words(error: BaseException) -> str:
    """The type and message of an error."""
    return f"{type(error).__name__}: {error}" if str(error) else type(error).__name__


def with_place(error: BaseException) -> str:
    """The same, with the guard, hook, kill switch or merging function that raised it."""
    notes = [note for note in getattr(error, "__notes__", ()) if note.startswith(_PLACES)]
    return f"{in_words(error)} ({notes[0]})" if notes else in_words(error)
