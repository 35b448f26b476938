"""What each format looks like. `UPDATE_SNAPSHOTS=1 pytest tests/report` writes what it looks like
now, to be read before it is kept."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path

import pytest
from report_samples import FINDINGS, GRAPH, PROBLEMS, report

from flowlint.report import dot
from flowlint.report.drawing import page, svg
from flowlint.report.formats import FORMATS, Format, lines_of

SNAPSHOTS = Path(__file__).parent / "snapshots"
ENDINGS = {"json": "json", "sarif": "sarif", "gitlab": "json", "junit": "xml", "rdjson": "json"}


def compare(name: str, text: str) -> None:
    path = SNAPSHOTS / name
    if os.environ.get("UPDATE_SNAPSHOTS"):
        path.write_text(text, "utf-8")
    assert text == path.read_text("utf-8")


@pytest.mark.parametrize("name", FORMATS)
def test_format(name: Format, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1700000000")
    monkeypatch.chdir(tmp_path)
    shown = report(problems=PROBLEMS, remarks=(("flows/é.py:1", "odd"),))
    text = "\n".join(lines_of(name, shown)) + "\n"
    if name == "sarif":
        text = _settled(text, tmp_path)
    compare(f"{name}.{ENDINGS.get(name, 'txt')}", text)


def _settled(text: str, folder: Path) -> str:
    """SARIF without what differs from place to place, or belongs to the rules."""
    text = re.sub(r'"version": "(?!2\.1\.0)[^"]*"', '"version": "VERSION"', text)
    document = json.loads(text.replace(folder.as_uri(), "file:///ROOT"))
    (run,) = document["runs"]
    for rule in run["tool"]["driver"]["rules"]:
        rule["help"] = rule["fullDescription"] = "…"
    return json.dumps(document, indent=2, ensure_ascii=False) + "\n"


def test_pictures() -> None:
    compare("flow.svg", "\n".join(svg.render([GRAPH], FINDINGS)) + "\n")
    compare("flow.dot", "\n".join(dot.render([GRAPH], FINDINGS)) + "\n")
    compare("flows.html", "\n".join(page.render([GRAPH], FINDINGS, 1, 2)) + "\n")
