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
                yield _unknown_kind(comment)
            elif comment.scope == "end":
                if not comment.closes:
                    yield unopened_end(comment.span, () if comment.is_key else _gone(comment))
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
            edits = without(comment, unused)
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
        edits = without(comment, [word])
        codes = codes_of(near) if near else frozenset()
        if any(found.code in codes for found in self._spoken_of(comment, here)):
            fix = Fix(f"write `{near}`", "unsafe", (Edit(word.span, near),))
        elif edits and self._could_be(comment, codes):
            fix = Fix(f"remove `{word.written}`", "safe", edits)
        message = f"`{word.written}` is no rule: nothing is silenced."
        return unknown_suppression(word.span, message, meant or "remove it", fix)

    def _blanket(self, comment: Suppression, here: Collection[Finding]) -> Finding:
        broken = sorted({found.name for found in self._spoken_of(comment, here)})
        text = comment.kind + f"[{', '.join(broken)}]"
        naming = None if comment.is_key or comment.closer else Edit(_head(comment), text)
        return blanket_suppression(comment.span, broken, naming, _gone(comment))

    def _spoken_of(self, comment: Suppression, here: Collection[Finding]) -> Iterator[Finding]:
        for finding in here:
            if comment.scope == "flow" or comment in self._suppressions.covering(finding):
                yield finding


def _gone(comment: Suppression) -> tuple[Edit, ...]:
    return without(comment, comment.words)


def _head(comment: Suppression) -> Span:
    """The stretch from the word `ignore` to the closing bracket, or to its own end without any."""
    span = comment.span
    return Span(span.path, span.line, comment.head[0], span.line, comment.head[1], span.cell)


def _unknown_kind(comment: Suppression) -> Finding:
    near = nearest(comment.kind, KINDS)
    message = f"`{comment.kind}` is no comment that flowlint knows: nothing is silenced."
    listed = f"{', '.join(f'`{kind}`' for kind in KINDS[:-1])} and `{KINDS[-1]}`"
    help_ = f"did you mean `{near}`?" if near else f"there are {listed}"
    fix = Fix("remove the comment", "safe", _gone(comment))
    return unknown_suppression(comment.span, message, help_, fix)
