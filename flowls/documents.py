"""Open texts with the lines that the protocol means.

pygls takes everything for the end of a line that `str.splitlines` does (form feed, U+2028 …), so
that edits behind one of them land on wrong lines; it also reads all lines again at every change.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from lsprotocol import types
from pygls.workspace import TextDocument, Workspace

from flowls.convert import characters
from flowls.session.lines import replaced, split_lines


class FlowDocument(TextDocument):
    """A text whose lines end with `\\n`, `\\r\\n` or `\\r`."""

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self._lines: list[str] | None = None

    @property
    def lines(self) -> Sequence[str]:
        """The lines with their ends."""
        if self._lines is None:
            self._lines = split_lines(self.source)
        return self._lines

    @property
    def source(self) -> str:
        """The whole text."""
        if self._source is None and self._lines is not None:
            self._source = "".join(self._lines)
        return super().source

    def apply_change(self, change: types.TextDocumentContentChangeEvent) -> None:
        """Make one change."""
        if not isinstance(change, types.TextDocumentContentChangePartial):
            self._source, self._lines = change.text, None
            return
        lines = list(self.lines)
        encoding = self.position_codec.encoding
        start, end = (
            (place.line, characters(lines, place, encoding))
            for place in (change.range.start, change.range.end)
        )
        self._lines, self._source = replaced(lines, start, end, change.text), None


class FlowWorkspace(Workspace):
    """Texts and notebooks that are open."""

    def _create_text_document(
        self,
        doc_uri: str,
        source: str | None = None,
        version: int | None = None,
        language_id: str | None = None,
    ) -> TextDocument:
        return FlowDocument(
            doc_uri,
            source=source,
            version=version,
            language_id=language_id,
            sync_kind=self._sync_kind,
            position_codec=self._position_codec,
        )
