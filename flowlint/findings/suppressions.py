"""Comments by which an author silences a rule at a place.

`# flowlint: ignore[dangling-edge] reason` silences the line it stands on,
`# flowlint: ignore-next-line[FL105]` the next line of code, `ignore-start[…]` all lines up to
`ignore-end[…]`, `ignore-flow[…]` the flow that is constructed on its line, `ignore-file[…]` the
whole file. What lies within a statement or the arguments of a call is also silenced at the first
and the last line of that. Rules must be named, by name, code, category or the beginning of codes:
a blanket comment silences nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from flowlint.findings.comments import (
    KINDS,
    Suppression,
    Texts,
    Word,
    find_suppressions,
    read_comments,
)
from flowlint.findings.layout import last_line
from flowlint.findings.model import Finding
from flowlint.source import Files, Span

__all__ = ["KINDS", "Suppression", "Suppressions", "Word", "find_suppressions"]

Keys = Callable[[str, bytes], Iterable[Suppression]]
"""What keys in a file of data silence."""


class Suppressions:
    """The suppressions of the files in which findings lie, each file read once.

    `codes_of` gives the codes of the rules that a word stands for. What silences something is
    remembered.
    """

    __slots__ = ("_codes_of", "_files", "_keys", "_known", "_used")

    def __init__(
        self,
        files: Files,
        codes_of: Callable[[str], frozenset[str]],
        keys: Keys = lambda _path, _data: (),
    ) -> None:
        self._files = files
        self._codes_of = codes_of
        self._keys = keys
        self._known: dict[str, Texts] = {}
        self._used: set[Span] = set()

    def of(self, path: str) -> tuple[Suppression, ...]:
        """The suppressions of one file, in order; none when it cannot be read."""
        return self.texts(path).comments

    def texts(self, path: str) -> Texts:
        """The suppressions of one file with the texts that they stand in."""
        if path not in self._known:
            data = self.data_of(path)
            texts = read_comments(path, data)
            keys = tuple(self._keys(path, data))
            if keys:
                texts = Texts((*texts.comments, *keys), texts.layouts, texts.lines)
            self._known[path] = texts
        return self._known[path]

    def data_of(self, path: str) -> bytes:
        """The bytes of one file; none when it cannot be read."""
        try:
            return self._files.read(path)
        except OSError:
            return b""

    def keep(self, findings: Iterable[Finding]) -> tuple[Finding, ...]:
        """The findings that no comment silences."""
        return tuple(finding for finding in findings if not self.silences(finding))

    def silences(self, finding: Finding, sites: Iterable[Span] = ()) -> bool:
        """Whether something silences a finding; `sites` are where its flows are constructed.

        What silences flows has to speak of all that the finding is of.
        """
        words = [*self._words_at(finding)]
        of_flows = [[*self._words_of(finding, site)] for site in sites]
        if of_flows and all(of_flows):
            words += [word for found in of_flows for word in found]
        self._used.update(word.span for word in words)
        return bool(words)

    def covering(self, finding: Finding) -> Iterator[Suppression]:
        """The comments that speak of the place of a finding, whatever rules they name."""
        texts = self.texts(finding.span.path)
        if texts.comments:
            lines = _lines(finding.span, texts)
            yield from (one for one in texts.comments if one.speaks_of(lines, finding.span))

    def is_used(self, word: Word) -> bool:
        """Whether this word silenced something."""
        return word.span in self._used

    def _words_at(self, finding: Finding) -> Iterator[Word]:
        texts = self.texts(finding.span.path)
        named = [(one, [*self._naming(one, finding.code)]) for one in texts.comments]
        if not any(words for _, words in named):
            return
        lines = _lines(finding.span, texts)
        for comment, words in named:
            if words and comment.speaks_of(lines, finding.span):
                yield from words

    def _words_of(self, finding: Finding, site: Span) -> Iterator[Word]:
        for comment in self.of(site.path):
            if comment.speaks_of_flow(site):
                yield from self._naming(comment, finding.code)

    def _naming(self, comment: Suppression, code: str) -> Iterator[Word]:
        return (word for word in comment.words if code in self._codes_of(word.text))


def _lines(span: Span, texts: Texts) -> tuple[int, ...]:
    """The lines at which a place can be silenced."""
    layout = texts.layouts.get(span.cell)
    around = layout.ends_around(span) if layout is not None else ()
    return (span.line, last_line(span), *around)
