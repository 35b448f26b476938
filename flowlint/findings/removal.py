"""Edits that take suppressions, or words of them, out of a text."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from flowlint.findings.comments import Suppression, Word
from flowlint.source import Edit, Span


def without(comment: Suppression, words: Collection[Word]) -> tuple[Edit, ...]:
    """What takes these words out of a comment, and the whole comment with its last one."""
    left = [word for word in comment.words if word not in words]
    if not left:
        closers = [comment.closer.rest] if comment.closer is not None else []
        return tuple(Edit(span, "") for span in (comment.rest, *closers))
    parts = [comment, comment.closer] if comment.closer is not None else [comment]
    gone = {word.text for word in words}
    return tuple(edit for part in parts for edit in cut(part, gone))


def cut(comment: Suppression, gone: Collection[str]) -> tuple[Edit, ...]:
    """What takes words out of the list that they stand in."""
    return tuple(_cut(comment, gone))


def _cut(comment: Suppression, gone: Collection[str]) -> Iterator[Edit]:
    words = comment.words
    kept = [number for number, word in enumerate(words) if word.text not in gone]
    if not kept:
        return
    # Each stretch of words that go takes the comma before it along, or at the front that after it.
    number = 0
    while number < len(words):
        if words[number].text not in gone:
            number += 1
            continue
        end = number
        while end < len(words) and words[end].text in gone:
            end += 1
        if number == 0:
            yield Edit(_between(words[0].span, words[end].span), "")
        else:
            before, last = words[number - 1].span, words[end - 1].span
            yield Edit(_from_end(before, last), "")
        number = end


def _between(begin: Span, end: Span) -> Span:
    return Span(begin.path, begin.line, begin.column, end.line, end.column, begin.cell)


def _from_end(before: Span, last: Span) -> Span:
    return Span(
        before.path, before.line, before.end_column, last.line, last.end_column, before.cell
    )
