"""Suppressions in data that has no comments: the key `flowlint` of a flow definition.

`"flowlint": {"ignore": ["dead-end"], "reason": "…"}` silences rules in the flow that it is a key
of.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable, Iterator
from itertools import pairwise

from flowlint.changes import Change, Remove, Rename
from flowlint.findings.comments import Suppression, Word
from flowlint.findings.removal import cut
from flowlint.findings.text import split_lines
from flowlint.languages.data import read_data
from flowlint.languages.data_changes import data_changer
from flowlint.languages.places import Fault, text_of_bytes
from flowlint.source import Edit, Span
from flowlint.suffixes import JSON_SUFFIXES
from flowlint.values.model import Const, Mapped, Sequence, Value

_SEPARATOR = re.compile(r"\s*(,\s*|\n\s*-\s+)")
"""What stands between two elements of a list where nothing else does."""

KEY, IGNORE, REASON = "flowlint", "ignore", "reason"


def suppressions_of(path: str, data: bytes) -> Iterator[Suppression]:
    """The suppressions that the documents of a file hold as keys."""
    for document in read_data(path, data).values:
        for entry in _entries(document, KEY):
            for rules in _entries(entry, IGNORE):
                if isinstance(rules, Sequence):
                    span, whole = rules.origin.span(), entry.origin.span()
                    reasons = [_text(value) for value in _entries(entry, REASON)]
                    yield Suppression(
                        "flow",
                        tuple(_words(rules)),
                        "".join(reason or "" for reason in reasons),
                        span,
                        whole,
                        kind=KEY,
                        is_key=True,
                    )


def _entries(value: Value, name: str) -> Iterator[Value]:
    if isinstance(value, Mapped):
        for entry in value.entries:
            if isinstance(entry.key, Const) and entry.key.value == name:
                yield entry.value


def _words(rules: Sequence) -> Iterator[Word]:
    for item in rules.items:
        text = _text(item.value)
        if text is not None:
            yield Word(text.lower(), item.value.origin.span(), text)


def _text(value: Value) -> str | None:
    return value.value if isinstance(value, Const) and isinstance(value.value, str) else None


def without(comment: Suppression, words: Collection[Word], data: bytes) -> tuple[Edit, ...]:
    """What takes these words out of a key, and the whole key with its last one.

    None where more would go with them, such as a comment.
    """
    left = [word for word in comment.words if word not in words]
    if not left:
        return _made(comment, Remove(comment.rest), data)
    source = _Source(comment.span.path, data)
    between = pairwise(word.span for word in comment.words)
    if not all(_SEPARATOR.fullmatch(source.between(one, other)) for one, other in between):
        return ()
    return cut(comment, {word.text for word in words})


def renamed(comment: Suppression, word: Word, name: str, data: bytes) -> tuple[Edit, ...]:
    """What writes another word instead; none where it is written in some special way."""
    return _made(comment, Rename(word.span, word.written, name), data)


def named(comment: Suppression, names: Iterable[str], data: bytes) -> Edit | None:
    """What makes a key name these rules; None for a list that stands in lines of its own."""
    path = comment.span.path
    if not _Source(path, data).at(comment.span).startswith("["):
        return None
    is_json = path.endswith(JSON_SUFFIXES)
    written = [json.dumps(name) if is_json else name for name in names]
    return Edit(comment.span, f"[{', '.join(written)}]")


def _made(comment: Suppression, change: Change, data: bytes) -> tuple[Edit, ...]:
    made = data_changer(comment.span.path, data)(change)
    return () if made is None or made.drops_comment else made.edits


class _Source:
    """The text of a file by places in it."""

    def __init__(self, path: str, data: bytes) -> None:
        found = text_of_bytes(path, data)
        self._lines = [] if isinstance(found, Fault) else split_lines(found.text)

    def at(self, span: Span) -> str:
        """What is written at a place."""
        last = span.end_line - 1
        lines = self._lines[span.line - 1 : span.end_line]
        if not lines or last >= len(self._lines):
            return ""
        lines[-1] = lines[-1][: span.end_column - 1]
        lines[0] = lines[0][span.column - 1 :]
        return "\n".join(lines)

    def between(self, one: Span, other: Span) -> str:
        """What is written between two places."""
        return self.at(Span(one.path, one.end_line, one.end_column, other.line, other.column))
