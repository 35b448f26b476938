"""Fixes as rules state them in, fixes made of edits out."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise

from flowlint.changes import AddCase, Change, Reorder
from flowlint.findings.model import Fix, digest_of
from flowlint.languages.edits import Made
from flowlint.source import Edit, Files
from flowlint.suffixes import DATA_SUFFIXES, SCRIPT_SUFFIXES


class Changers:
    """Makes the edits of fixes; each file is read once, and only when something changes in it."""

    def __init__(self, files: Files) -> None:
        self._files = files
        self._known: dict[str, Callable[[Change], Made | None]] = {}
        self._digests: dict[str, str] = {}

    def resolve(self, fix: Fix) -> Fix | None:
        """The fix with its edits, None where what it asks for cannot be done."""
        edits: dict[Edit, None] = dict.fromkeys(fix.edits)
        drops_comment = False
        for change in fix.changes:
            made = self._made(change)
            if made is None:
                return None
            edits.update(dict.fromkeys(made.edits))
            drops_comment = drops_comment or made.drops_comment
        if not edits or _overlap([*edits]):
            return None
        safety = "unsafe" if drops_comment and fix.safety == "safe" else fix.safety
        ordered = tuple(sorted(edits, key=lambda edit: edit.span))
        paths = dict.fromkeys(edit.span.path for edit in ordered)
        digests = tuple((path, self._digests[path]) for path in paths if path in self._digests)
        return replace(fix, edits=ordered, changes=(), safety=safety, digests=digests)

    def _made(self, change: Change) -> Made | None:
        path = path_of(change)
        if path not in self._known:
            try:
                data = self._files.read(path)
            except OSError:
                return None
            self._known[path] = _changer(path, data)
            self._digests[path] = digest_of(data)
        return self._known[path](change)


def path_of(change: Change) -> str:
    """The file that a change is made to."""
    match change:
        case Reorder(spans):
            return spans[0].path
        case AddCase(beside):
            return beside.path
        case _:
            return change.span.path


def _changer(path: str, data: bytes) -> Callable[[Change], Made | None]:
    if path.endswith(DATA_SUFFIXES):
        from flowlint.languages.data_changes import data_changer

        return data_changer(path, data)
    if path.endswith(SCRIPT_SUFFIXES):
        from flowlint.languages.typescript.changing.changing import typescript_changer

        return typescript_changer(path, data)
    from flowlint.languages.python.changing.changing import python_changer

    return python_changer(path, data)


def _overlap(edits: list[Edit]) -> bool:
    """Whether two edits of one fix touch the same text."""
    edits.sort(key=lambda edit: edit.span)
    return any(
        (first.span.path, first.span.cell) == (second.span.path, second.span.cell)
        and (first.span.end_line, first.span.end_column) > (second.span.line, second.span.column)
        for first, second in pairwise(edits)
    )
