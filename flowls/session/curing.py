"""What can be done about findings: their fixes, also all at once, and comments that silence."""

from __future__ import annotations

import difflib
import json
import os
from collections.abc import Iterable, Iterator, Sequence

from flowlint.check import CheckResult, Options, check
from flowlint.findings.adding import comments_for
from flowlint.findings.codes import INTERNAL_ERROR
from flowlint.findings.model import Finding
from flowlint.fixing import Fixed, fix
from flowlint.source import Edit, Span
from flowls.session.lines import split_lines
from flowls.session.offers import Hole, Made, Offer
from flowls.session.session import Session
from flowls.session.texts import decoded

_REASON = "reason"
_ABOUT_COMMENTS = ("FL903", "FL904", "FL905")


def fixes(findings: Iterable[Finding]) -> Iterator[Offer]:
    """The fixes of these findings that may be made."""
    for finding in findings:
        cure = finding.fix
        if cure is None or cure.safety == "display-only" or not cure.edits:
            continue
        made = Made(cure.edits)
        is_safe = cure.safety == "safe"
        title = f"{cure.title[:1].upper()}{cure.title[1:]}"
        yield Offer(title, "quickfix", lambda made=made: made, finding, is_safe)  # type: ignore[misc]


def silencers(session: Session, findings: Iterable[Finding]) -> Iterator[Offer]:
    """Comments that silence these findings, with a reason to fill in."""
    for finding in findings:
        if finding.code in (*_ABOUT_COMMENTS, INTERNAL_ERROR):
            continue
        added = comments_for([finding], session.files, _REASON)
        if added.edits:
            edit = added.edits[0]
            hole = Hole(edit, _REASON) if _REASON in edit.new_text else None
            made = Made((edit,), hole)
            title = f"Silence {finding.name} here, with a reason"
            yield Offer(title, "quickfix", lambda made=made: made, finding)  # type: ignore[misc]


def all_fixes(session: Session, path: str, findings: Sequence[Finding]) -> Iterator[Offer]:
    """All safe fixes of a file at once, those that only come to be possible included."""
    if any(_is_ours(finding, path) for finding in findings):
        yield Offer(
            "Fix all that flowlint can safely fix",
            "source.fixAll.flowlint",
            lambda: _all_fixed(session, path, findings),
        )


def _is_ours(finding: Finding, path: str) -> bool:
    """Whether a finding has a safe fix that touches nothing but its file."""
    cure = finding.fix
    if cure is None or cure.safety != "safe":
        return False
    return bool(cure.edits) and all(edit.span.path == path for edit in cure.edits)


def _all_fixed(session: Session, path: str, findings: Sequence[Finding]) -> Made | None:
    def run(paths: Iterable[str], options: Options) -> CheckResult:
        found = check(paths, options).findings
        return CheckResult(tuple(one for one in found if _is_ours(one, path)))

    first = CheckResult(tuple(one for one in findings if _is_ours(one, path)))
    options = Options(session.configuration(path), jobs=1, overlay=dict(session.files.open))
    fixed = fix([path], options, {"safe"}, run, first)
    edits = tuple(_differences(fixed, path))
    return Made(edits) if edits else None


def _differences(fixed: Fixed, path: str) -> Iterator[Edit]:
    if path not in fixed.after:
        return
    before, after = fixed.before[path], fixed.after[path]
    if os.path.splitext(path)[1] != ".ipynb":
        yield from _line_edits(path, None, decoded(path, before), decoded(path, after))
        return
    cells = zip(json.loads(before)["cells"], json.loads(after)["cells"], strict=True)
    for number, (old, new) in enumerate(cells):
        yield from _line_edits(path, number, "".join(old["source"]), "".join(new["source"]))


def _line_edits(path: str, cell: int | None, before: str, after: str) -> Iterator[Edit]:
    """The lines that differ, so that marks and cursors elsewhere stay where they are."""
    old, new = split_lines(before), split_lines(after)
    matched = difflib.SequenceMatcher(None, old, new, autojunk=False)
    for what, low, high, first, last in matched.get_opcodes():
        if what != "equal":
            span = Span(path, low + 1, 1, high + 1, 1, cell)
            if high == len(old) and old and not old[-1].endswith(("\n", "\r")):
                span = Span(path, low + 1, 1, high, len(old[-1]) + 1, cell)
            yield Edit(span, "".join(new[first:last]))
