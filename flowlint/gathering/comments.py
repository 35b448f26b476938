"""What is to be said of suppressions themselves: unused, unknown and blanket ones."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator

from flowlint.findings.comments import KINDS, Suppression, Word
from flowlint.findings.model import Finding, Fix
from flowlint.findings.removal import without
from flowlint.findings.suppressions import Suppressions
from flowlint.project.selection import codes_of, nearest, suggest
from flowlint.rules.meta.blanket_suppression import blanket_suppression
from flowlint.rules.meta.unknown_suppression import unknown_suppression
from flowlint.rules.meta.unused_suppression import unopened_end, unused_suppression
from flowlint.source import Edit, Span

_ABOUT_COMMENTS = codes_of("FL903") | codes_of("FL904") | codes_of("FL905")

_WHERE = {
    "line": "on this line",
    "next-line": "on the next line of code",
    "start": "in these lines",
    "flow": "in this flow",
    "file": "in this file",
}


class Comments:
    """Looks at the suppressions of files after all findings are known.

    `reports` tells whether a rule is reported in a file, `is_settled` whether the run sees all
    that can be found in a file.
    """

    def __init__(
        self,
        suppressions: Suppressions,
        reports: Callable[[str, str], bool],
        is_settled: Callable[[str], bool],
    ) -> None:
        self._suppressions = suppressions
        self._reports = reports
        self._is_settled = is_settled

    def findings(self, path: str, told: Collection[Finding]) -> Iterator[Finding]:
        """What is to be said of the comments of one file; `told` are the findings that stay."""
        comments = self._suppressions.of(path)
        if not comments:
            return
        here = [finding for finding in told if finding.span.path == path]
        for comment in comments:
            if comment.scope == "unknown":
                yield _unknown_kind(comment, self._gone(comment))
            elif comment.scope == "end":
                if not comment.closes:
                    yield unopened_end(comment.span, self._gone(comment))
            elif not comment.words or any(word.text == "all" for word in comment.words):
                yield self._blanket(comment, here)
            else:
                yield from self._words(comment, here)

    def _words(self, comment: Suppression, here: Collection[Finding]) -> Iterator[Finding]:
        unused: list[Word] = []
        for word in comment.words:
            codes = codes_of(word.text)
            if not codes:
                yield self._unknown(comment, word, here)
            elif not self._suppressions.is_used(word) and self._could_be(comment, codes):
                unused.append(word)
        if unused:
            span = comment.span if len(unused) == len(comment.words) else unused[0].span
            names = [word.written for word in unused]
            edits = self._without(comment, unused)
            yield unused_suppression(span, names, _WHERE[comment.scope], edits)

    def _could_be(self, comment: Suppression, codes: frozenset[str]) -> bool:
        """Whether a finding of these rules would be seen."""
        path = comment.span.path
        if (codes and codes <= _ABOUT_COMMENTS) or not self._is_settled(path):
            return False
        return all(self._reports(path, code) for code in codes)

    def _unknown(self, comment: Suppression, word: Word, here: Collection[Finding]) -> Finding:
        meant = suggest(word.text).removeprefix("; ")
        near = meant.partition("`")[2].partition("`")[0]
        fix: Fix | None = None
        edits = self._without(comment, [word])
        codes = codes_of(near) if near else frozenset()
        if any(found.code in codes for found in self._spoken_of(comment, here)):
            written = self._written(comment, word, near)
            fix = Fix(f"write `{near}`", "unsafe", written) if written else None
        elif edits and self._could_be(comment, codes):
            fix = Fix(f"remove `{word.written}`", "safe", edits)
        message = f"`{word.written}` is no rule: nothing is silenced."
        return unknown_suppression(word.span, message, meant or "remove it", fix)

    def _blanket(self, comment: Suppression, here: Collection[Finding]) -> Finding:
        broken = sorted({found.name for found in self._spoken_of(comment, here)})
        naming = self._naming(comment, broken)
        what = "key" if comment.is_key else "comment"
        return blanket_suppression(comment.span, broken, naming, self._gone(comment), what)

    def _naming(self, comment: Suppression, names: list[str]) -> Edit | None:
        if comment.is_key:
            from flowlint.gathering import keys

            return keys.named(comment, names, self._data_of(comment))
        if comment.closer:
            return None
        return Edit(_head(comment), comment.kind + f"[{', '.join(names)}]")

    def _written(self, comment: Suppression, word: Word, name: str) -> tuple[Edit, ...]:
        if comment.is_key:
            from flowlint.gathering import keys

            return keys.renamed(comment, word, name, self._data_of(comment))
        return (Edit(word.span, name),)

    def _without(self, comment: Suppression, words: Collection[Word]) -> tuple[Edit, ...]:
        if comment.is_key:
            from flowlint.gathering import keys

            return keys.without(comment, words, self._data_of(comment))
        return without(comment, words)

    def _gone(self, comment: Suppression) -> tuple[Edit, ...]:
        return self._without(comment, comment.words)

    def _data_of(self, comment: Suppression) -> bytes:
        return self._suppressions.data_of(comment.span.path)

    def _spoken_of(self, comment: Suppression, here: Collection[Finding]) -> Iterator[Finding]:
        for finding in here:
            if comment.scope == "flow" or comment in self._suppressions.covering(finding):
                yield finding


def _head(comment: Suppression) -> Span:
    """The stretch from the word `ignore` to the closing bracket, or to its own end without any."""
    span = comment.span
    return Span(span.path, span.line, comment.head[0], span.line, comment.head[1], span.cell)


def _unknown_kind(comment: Suppression, gone: tuple[Edit, ...]) -> Finding:
    near = nearest(comment.kind, KINDS)
    message = f"`{comment.kind}` is no comment that flowlint knows: nothing is silenced."
    listed = f"{', '.join(f'`{kind}`' for kind in KINDS[:-1])} and `{KINDS[-1]}`"
    help_ = f"did you mean `{near}`?" if near else f"there are {listed}"
    fix = Fix("remove the comment", "safe", gone)
    return unknown_suppression(comment.span, message, help_, fix)
