"""Fixes as lines that go and lines that come."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from flowlint.findings.text import split_lines
from flowlint.project.files import ProjectFiles
from flowlint.report.lines import Sources
from flowlint.report.patch import hunks, merged
from flowlint.source import Edit, Span

LINES = st.lists(st.text("ab \té", max_size=6), min_size=1, max_size=6).filter(
    lambda lines: lines[-1] != "" or len(lines) == 1
)


def span(line: int, column: int, end_line: int, end_column: int, path: str = "a.py") -> Span:
    return Span(path, line, column, end_line, end_column)


def sources(text: str) -> Sources:
    return Sources(ProjectFiles({"a.py": text.encode(), "b.py": text.encode()}))


@st.composite
def edits(draw: st.DrawFn) -> tuple[list[str], list[Edit]]:
    """Lines, and edits that do not overlap, in any order."""
    lines = draw(LINES)
    places = [(at + 1, column) for at, line in enumerate(lines) for column in range(len(line) + 1)]
    cuts = sorted(draw(st.lists(st.sampled_from(places), max_size=6)))
    made = [
        Edit(span(start[0], start[1] + 1, end[0], end[1] + 1), draw(st.text("xy\n", max_size=4)))
        for start, end in zip(cuts[::2], cuts[1::2], strict=False)
    ]
    return lines, draw(st.permutations(made))


def applied(lines: list[str], made: list[Edit]) -> str:
    """The text with the edits, done the plain way from the end on."""
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line) + 1)
    text = "\n".join(lines)
    where = [
        (starts[e.span.line - 1] + e.span.column - 1, at, starts[e.span.end_line - 1], e)
        for at, e in enumerate(sorted(made, key=lambda edit: edit.span))
    ]
    for start, _, end_line, edit in sorted(where, reverse=True, key=lambda known: known[:2]):
        text = text[:start] + edit.new_text + text[end_line + edit.span.end_column - 1 :]
    return text


@given(edits())
def test_hunks_lead_from_one_text_to_the_other(made: tuple[list[str], list[Edit]]) -> None:
    lines, changes = made
    found = list(hunks(changes, sources("\n".join(lines))))
    patched = list(lines)
    for hunk in reversed(found):
        first = hunk.line - 1
        assert patched[first : first + len(hunk.before)] == list(hunk.before)
        patched[first : first + len(hunk.before)] = hunk.after
    expected = applied(lines, changes)
    assert "\n".join(patched) == expected


@given(edits())
def test_edits_as_one_do_the_same(made: tuple[list[str], list[Edit]]) -> None:
    lines, changes = made
    if changes:
        known = sources("\n".join(lines))
        if known.lines(span(1, 1, 1, 1)) == lines:
            assert applied(lines, [merged(changes, known)]) == applied(lines, changes)


def test_whole_lines_that_go() -> None:
    (hunk,) = hunks([Edit(span(2, 1, 3, 1), "")], sources("one\ntwo\nthree\n"))
    assert (hunk.line, list(hunk.before), list(hunk.after)) == (2, ["two"], [])


def test_the_last_line_goes_with_its_end() -> None:
    (hunk,) = hunks([Edit(span(2, 1, 3, 1), "")], sources("one\ntwo\n"))
    assert (hunk.line, list(hunk.before), list(hunk.after)) == (2, ["two"], [])


def test_edits_far_apart_and_in_other_files_are_shown_apart() -> None:
    made = [
        Edit(span(3, 1, 3, 2), "T"),
        Edit(span(1, 1, 1, 2), "O"),
        Edit(span(1, 1, 1, 2, "b.py"), "Q"),
    ]
    found = [(h.span.path, h.line, *h.after) for h in hunks(made, sources("one\ntwo\nthree\n"))]
    assert found == [("a.py", 1, "One"), ("a.py", 3, "Three"), ("b.py", 1, "Qne")]


def test_nothing_is_shown_of_files_that_have_gone() -> None:
    gone = Edit(Span("no/where.py", 1, 1, 1, 1), "x")
    assert list(hunks([gone], sources("one\n"))) == []


def test_lines_are_those_that_editors_show() -> None:
    assert split_lines("a\r\nb\rc") == ["a", "b", "c"]
    (hunk,) = hunks([Edit(span(2, 1, 2, 2), "B")], sources("a\r\nb\rc"))
    assert (hunk.line, list(hunk.before), list(hunk.after)) == (2, ["b"], ["B"])
