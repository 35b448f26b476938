"""Comments that silence a rule at a place."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from flow_sources import DANGLING
from support import RunFlowlint

from flowlint.findings.model import Finding, Related
from flowlint.findings.suppressions import Suppressions, find_suppressions
from flowlint.project.files import ProjectFiles
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
        (with_comment("# flowlint: ignore[structure]"), False),
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
    return Suppressions(files).keep([found]) == (found,)


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
    assert {(comment.rules, comment.line) for comment in found} == {(("a",), 3), (("b",), 4)}


def test_notebooks_silence_within_their_cell() -> None:
    cells = [
        {"cell_type": "markdown", "source": "# flowlint: ignore-file[FL105]"},
        {"cell_type": "code", "source": ["x = 1\n", "y  # flowlint: ignore[FL105] why"]},
        {"cell_type": "code", "source": "z"},
    ]
    (comment,) = find_suppressions("a.ipynb", json.dumps({"cells": cells}).encode())
    assert (comment.span.cell, comment.line, comment.reason) == (1, 2, "why")
    assert comment.silences(finding(Span("a.ipynb", 2, 1, 2, 2, 1)))
    assert not comment.silences(finding(Span("a.ipynb", 2, 1, 2, 2, 2)))
