"""Comments that silence a rule at a place."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from flow_sources import DANGLING, GOOD
from hypothesis import given, settings
from hypothesis import strategies as st
from support import RunFlowlint

from flowlint.findings.model import Finding, Related
from flowlint.findings.suppressions import Suppressions, find_suppressions
from flowlint.project.files import ProjectFiles
from flowlint.project.selection import codes_of
from flowlint.source import Span

EDGE = '        edges=[Edge("collect", "publihs")],'


def with_comment(comment: str) -> str:
    return DANGLING.replace(EDGE, f"{EDGE}  {comment}")


@pytest.mark.parametrize(
    ("source", "silent"),
    [
        (with_comment("# flowlint: ignore[dangling-edge] renamed soon"), True),
        (with_comment("# flowlint: ignore[FL105]"), True),
        (with_comment("# flowlint:ignore[fl105, loop-without-exit]"), True),
        (with_comment("# noqa # flowlint: ignore[FL105]"), True),
        (with_comment("# flowlint: ignore[empty-flow]"), False),
        (with_comment("# flowlint: ignore"), False),
        (with_comment("# flowlint: ignore[]"), False),
        (with_comment("# flowlint: ignore[structure]"), True),
        (with_comment("# flowlint: ignore[FL1]"), True),
        (with_comment("# flowlint: ignore[routing, FL2, FL106]"), False),
        (with_comment("# flowlint: ignore[all]"), False),
        (DANGLING.replace(EDGE, f"        # flowlint: ignore[FL105]\n{EDGE}"), False),
        (DANGLING.replace(EDGE, f"        # flowlint: ignore-next-line[FL105]\n{EDGE}"), True),
        (DANGLING.replace(EDGE, f"        # flowlint: ignore-next-line[FL105]\n\n{EDGE}"), True),
        (f"{DANGLING}\n# flowlint: ignore-file[dangling-edge]\n", True),
        (f'{DANGLING}\nTEXT = "# flowlint: ignore-file[dangling-edge]"\n', False),
        (f'"""\n# flowlint: ignore-file[FL105]\n"""\n{DANGLING}', False),
    ],
)
def test_what_silences(flowlint: RunFlowlint, tmp_path: Path, source: str, silent: bool) -> None:
    (tmp_path / "flow.py").write_text(source)
    run = flowlint("check", "flow.py", "--format", "json")
    found = [finding["name"] for finding in json.loads(run.out)]
    assert ("dangling-edge" not in found) == silent
    assert "dangling-edge" in found or run.code == 0


def finding(span: Span, *related: Span) -> Finding:
    places = tuple(Related("see here", place) for place in related)
    return Finding("FL105", "dangling-edge", "error", "m", span, related=places)


def keep(source: str, found: Finding) -> bool:
    files = ProjectFiles({"a.py": source.encode()})
    return Suppressions(files, codes_of).keep([found]) == (found,)


def test_first_and_last_line_of_a_long_place_count_and_no_other() -> None:
    place = Span("a.py", 1, 1, 3, 2)
    for number, kept in ((1, False), (2, True), (3, False)):
        lines = ["f(", "1,", ")"]
        lines[number - 1] += " # flowlint: ignore[FL105]"
        assert keep("\n".join(lines), finding(place)) == kept


def test_related_places_do_not_count() -> None:
    source = "a\nb # flowlint: ignore[FL105]\n"
    assert keep(source, finding(Span("a.py", 1, 1, 1, 2), Span("a.py", 2, 1, 2, 2)))


def test_comments_below_broken_code_are_found() -> None:
    source = b"if 1:\n    x\n  y # flowlint: ignore[a]\nz = $ ? # flowlint: ignore[b]\n"
    found = find_suppressions("a.py", source)
    assert [(comment.rules, comment.first) for comment in found] == [(("a",), 3), (("b",), 4)]


def test_notebooks_silence_within_their_cell() -> None:
    cells = [
        {"cell_type": "markdown", "source": "# flowlint: ignore-file[FL105]"},
        {"cell_type": "code", "source": ["x = 1\n", "y  # flowlint: ignore[FL105] why"]},
        {"cell_type": "code", "source": "z"},
    ]
    (comment,) = find_suppressions("a.ipynb", json.dumps({"cells": cells}).encode())
    assert (comment.span.cell, comment.first, comment.reason) == (1, 2, "why")
    assert comment.speaks_of((2,), Span("a.ipynb", 2, 1, 2, 2, 1))
    assert not comment.speaks_of((2,), Span("a.ipynb", 2, 1, 2, 2, 2))


CALLS = """\
builder = (
    make(
        "zz",
    )
    .add_edge(
        "p",
        "zz",
    )
)
edges = [
    "zz",
    ("p", "zz"),
]
if (
    "zz"
):
    f("a"); g("b", h(
        1, "zz"))
"""


@pytest.mark.parametrize(
    ("line", "spoken_of"),
    [
        # The arguments that the place lies in, and nothing around them.
        (3, {2, 3, 4}),
        (7, {5, 7, 8}),
        (6, {5, 6, 8}),
        # The statement, where it lies in no arguments.
        (11, {10, 11, 13}),
        (12, {10, 12, 13}),
        (15, {14, 15, 16}),
        (18, {17, 18}),
    ],
)
def test_ends_of_the_innermost_call_or_statement_count(line: int, spoken_of: set[int]) -> None:
    lines = CALLS.splitlines()
    column = lines[line - 1].index('"') + 1
    place = Span("a.py", line, column, line, column + 3)
    comment = "  # flowlint: ignore[FL105]"
    silent = {
        number
        for number in range(1, len(lines) + 1)
        if not keep(
            "\n".join([*lines[: number - 1], lines[number - 1] + comment, *lines[number:]]),
            finding(place),
        )
    }
    assert silent == spoken_of


def test_a_comment_above_a_call_of_several_lines_counts() -> None:
    lines = ["# flowlint: ignore-next-line[FL105]", "f(", '    "zz",', ")", 'g("zz")']
    assert not keep("\n".join(lines), finding(Span("a.py", 3, 5, 3, 9)))
    assert keep("\n".join(lines), finding(Span("a.py", 5, 3, 5, 7)))


def test_ends_are_found_below_broken_code() -> None:
    source = 'x = $ ?\nf(  # flowlint: ignore[FL105]\n"zz",\n)\n"zz"\n'
    assert not keep(source, finding(Span("a.py", 3, 1, 3, 5)))
    assert keep(source, finding(Span("a.py", 5, 1, 5, 5)))


def test_words_that_stand_for_no_rule_are_told(flowlint: RunFlowlint, tmp_path: Path) -> None:
    (tmp_path / "bad.py").write_text(with_comment("# flowlint: ignore[dangling-edges, nosuch]"))
    (tmp_path / "good.py").write_text(f"{GOOD}\n# flowlint: ignore-file[FL105, FL1, loops, zzz]\n")
    run = flowlint("check", ".", "--format", "concise")
    assert run.code == 1
    assert run.err == ""
    assert [line for line in run.out.splitlines() if "FL90" in line] == [
        "bad.py:15:65: FL904 [unknown-suppression] warning: "
        "`dangling-edges` is no rule: nothing is silenced.",
        "bad.py:15:81: FL904 [unknown-suppression] warning: "
        "`nosuch` is no rule: nothing is silenced.",
        "good.py:19:25: FL903 [unused-suppression] warning: There is no finding of "
        "`FL105` or `FL1` or `loops` in this file: nothing is silenced.",
        "good.py:19:44: FL904 [unknown-suppression] warning: "
        "`zzz` is no rule: nothing is silenced.",
    ]


PIECES = [
    "f(",
    "g[",
    "{",
    ")",
    "]",
    "\n",
    "\n  ",
    "'",
    '"""',
    "x",
    ";",
    "if y:",
    "\\",
    "$",
    "\0",
    "\r",
]


@settings(deadline=None, max_examples=200)
@given(st.lists(st.sampled_from([*PIECES, "# flowlint: ignore[FL105]", "é"]), max_size=30))
def test_no_text_breaks_it(pieces: list[str]) -> None:
    text = "".join(pieces)
    for line in range(1, text.count("\n") + 2):
        assert keep(text, finding(Span("a.py", line, 1, line, 2))) in (True, False)
