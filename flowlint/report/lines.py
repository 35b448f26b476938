"""The lines of the files in which findings lie."""

from __future__ import annotations

from flowlint.findings.text import split_lines, texts
from flowlint.source import Files, Span


class Sources:
    """The lines of files, each file read once."""

    __slots__ = ("_files", "_known")

    def __init__(self, files: Files) -> None:
        self._files = files
        self._known: dict[str, dict[int | None, list[str]]] = {}

    def line(self, span: Span, number: int) -> str | None:
        """Line `number` (from 1) of the file and cell of `span`, if there is such a line."""
        lines = self.lines(span)
        return lines[number - 1] if 0 < number <= len(lines) else None

    def lines(self, span: Span) -> list[str]:
        """All lines of the file and cell of `span`; none where it cannot be read."""
        if span.path not in self._known:
            self._known[span.path] = self._load(span.path)
        return self._known[span.path].get(span.cell, [])

    def _load(self, path: str) -> dict[int | None, list[str]]:
        try:
            data = self._files.read(path)
        except OSError:
            return {}
        return {cell: split_lines(text) or [""] for cell, text in texts(path, data).items()}
