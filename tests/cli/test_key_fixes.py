"""Fixes of suppressions that are keys of data: the list loses words, or the flow the whole key."""

from __future__ import annotations

from pathlib import Path

import pytest

from flowlint.check import Options, check
from flowlint.findings.model import FixSafety
from flowlint.fixing import fix

BOTH: frozenset[FixSafety] = frozenset({"safe", "unsafe"})

JSON = """{
  "flowrt": 1,
  "name": "story",
%s  "entry": "draft",
  "nodes": [{"name": "draft", "run": "story:draft"}],
  "edges": [%s]%s
}
"""
YAML = """# A story.
flowrt: 1
name: story
%sentry: draft
nodes:
  - {name: draft, run: "story:draft"}
edges: [%s]
"""
TO_NOBODY = '{"from": "draft", "to": "nobody"}'
"""An edge with a finding: FL105 dangling-edge."""


def mended(folder: Path, name: str, text: str, safeties: frozenset[FixSafety] = BOTH) -> str:
    """The text with all fixes, after which there is nothing left to fix."""
    (folder / name).write_text(text)
    fixed = fix([name], Options(jobs=1), safeties)
    assert not fixed.refused
    after = fixed.after.get(name, text.encode())
    (folder / name).write_bytes(after)
    assert not fix([name], Options(jobs=1), safeties).after
    codes = {finding.code for finding in check([name], Options(jobs=1)).findings}
    assert not codes & {"FL901", "FL701", "FL702"}
    return after.decode()


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "flowlint.toml").write_text("")
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize(
    ("edges", "before", "after"),
    [
        ("", '  "flowlint": {"ignore": ["FL105"], "reason": "soon"},\n', ""),
        ("", '  "flowlint": {\n    "ignore": ["FL105", "dead-end"]\n  },\n', ""),
        ("", '  "flowlint": {"ignore": []},\n', ""),
        ("", '  "flowlint": {"ignore": ["nosuchword"]},\n', ""),
        (
            TO_NOBODY,
            '  "flowlint": {"ignore": ["FL302", "FL105"], "reason": "soon"},\n',
            '  "flowlint": {"ignore": ["FL105"], "reason": "soon"},\n',
        ),
        (
            TO_NOBODY,
            '  "flowlint": {"ignore": [\n    "FL302",\n    "FL105",\n    "dead-end"\n  ]},\n',
            '  "flowlint": {"ignore": [\n    "FL105"\n  ]},\n',
        ),
        (
            TO_NOBODY,
            '  "flowlint": {"ignore": ["dangling-egde", "nosuchword"]},\n',
            '  "flowlint": {"ignore": ["dangling-edge"]},\n',
        ),
        (
            TO_NOBODY,
            '  "flowlint": {"ignore": ["all"]},\n',
            '  "flowlint": {"ignore": ["dangling-edge"]},\n',
        ),
        (
            TO_NOBODY,
            '  "flowlint": {"ignore": []},\n',
            '  "flowlint": {"ignore": ["dangling-edge"]},\n',
        ),
    ],
)
def test_keys_of_json(tmp_path: Path, edges: str, before: str, after: str) -> None:
    assert mended(tmp_path, "flow.json", JSON % (before, edges, "")) == JSON % (after, edges, "")


def test_the_last_key_goes_with_the_comma_before_it(tmp_path: Path) -> None:
    key = ',\n  "flowlint": {"ignore": ["FL302"]}'
    assert mended(tmp_path, "flow.json", JSON % ("", "", key)) == JSON % ("", "", "")


@pytest.mark.parametrize(
    ("edges", "before", "after"),
    [
        ("", "flowlint:\n  ignore:\n    - FL105\n  reason: soon\n", ""),
        ("", "flowlint: {ignore: [FL105]}\n", ""),
        (
            TO_NOBODY,
            "flowlint:\n  ignore:\n    - FL302\n    - FL105\n    - 'dead-end'\n",
            "flowlint:\n  ignore:\n    - FL105\n",
        ),
        (
            TO_NOBODY,
            "flowlint:\n  ignore: [FL302, 'dangling-egde']\n",
            "flowlint:\n  ignore: ['dangling-edge']\n",
        ),
        (TO_NOBODY, "flowlint: {ignore: []}\n", "flowlint: {ignore: [dangling-edge]}\n"),
    ],
)
def test_keys_of_yaml(tmp_path: Path, edges: str, before: str, after: str) -> None:
    assert mended(tmp_path, "flow.yaml", YAML % (before, edges)) == YAML % (after, edges)


def test_no_comment_goes_with_a_word(tmp_path: Path) -> None:
    key = "flowlint:\n  ignore:\n    - FL105  # known\n    - FL302\n"
    text = YAML % (key, TO_NOBODY)
    assert mended(tmp_path, "flow.yaml", text) == text


def test_what_comes_to_silence_more_is_unsafe(tmp_path: Path) -> None:
    for word in ('"all"', '"dangling-egde"'):
        text = JSON % (f'  "flowlint": {{"ignore": [{word}]}},\n', TO_NOBODY, "")
        assert mended(tmp_path, "flow.json", text, frozenset({"safe"})) == text


def test_bytes_around_the_key_stay(tmp_path: Path) -> None:
    before = (JSON % ('  "flowlint": {"ignore": ["FL105"]},\n', "", "")).replace("\n", "\r\n")
    (tmp_path / "flow.json").write_bytes(b"\xef\xbb\xbf" + before.encode())
    fixed = fix(["flow.json"], Options(jobs=1), BOTH)
    expected = (JSON % ("", "", "")).replace("\n", "\r\n")
    assert fixed.after["flow.json"] == b"\xef\xbb\xbf" + expected.encode()
