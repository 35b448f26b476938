"""Paths from the root of the repository."""

from __future__ import annotations

from pathlib import Path

import pytest

from flowlint.report.formats import default_format
from flowlint.report.paths import below, file_uri, from_root, repository_root


def test_the_root_is_the_checkout(tmp_path: Path) -> None:
    inner = tmp_path / "repo" / "a" / "b"
    inner.mkdir(parents=True)
    (tmp_path / "repo" / ".git").write_text("gitdir: elsewhere\n")
    assert repository_root({}, str(inner)) == str(tmp_path / "repo")
    for name in ("GITHUB_WORKSPACE", "CI_PROJECT_DIR"):
        assert repository_root({name: str(inner.parent)}, str(inner)) == str(inner.parent)
        elsewhere = {name: str(tmp_path / "other")}
        assert repository_root(elsewhere, str(inner)) == str(tmp_path / "repo")


def test_paths_from_the_root_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    inner = tmp_path / "repo" / "a"
    inner.mkdir(parents=True)
    monkeypatch.chdir(inner)
    root = str(tmp_path / "repo")
    assert below("x.py", root) == "a/x.py"
    assert below("../x.py", root) == "x.py"
    assert below(str(inner / "x.py"), root) == "a/x.py"
    assert below("../../x.py", root) is None
    assert from_root("../../x.py", root) == "../../x.py"
    assert below(str(tmp_path / "repository" / "x.py"), root) is None


def test_links_to_the_checkout_lead_into_it(tmp_path: Path) -> None:
    (tmp_path / "repo").mkdir()
    (tmp_path / "link").symlink_to("repo")
    assert below(str(tmp_path / "link" / "x.py"), str(tmp_path / "repo")) == "x.py"
    assert below(str(tmp_path / "repo" / "x.py"), str(tmp_path / "link")) == "x.py"


def test_uris_of_odd_names(tmp_path: Path) -> None:
    assert file_uri("/a b/é%.py") == "file:///a%20b/%C3%A9%25.py"
    assert file_uri("/a", folder=True) == "file:///a/"
    assert file_uri("/\udcff.py") == "file:///%FF.py"


@pytest.mark.parametrize(
    ("environment", "file", "expected"),
    [
        ({}, None, "full"),
        ({"GITHUB_ACTIONS": "true"}, None, "github"),
        ({"GITHUB_ACTIONS": ""}, None, "full"),
        ({"GITLAB_CI": "true"}, None, "full"),
        ({"GITHUB_ACTIONS": "true"}, "out/a.SARIF", "sarif"),
        ({}, "a.sarif.json", "sarif"),
        ({}, "a.json", "json"),
        ({"GITLAB_CI": "true"}, "gl-code-quality-report.json", "gitlab"),
        ({}, "a.xml", "junit"),
        ({}, "a.jsonl", "json-lines"),
        ({}, "a.txt", "full"),
    ],
)
def test_the_format_that_nobody_names(
    environment: dict[str, str], file: str | None, expected: str
) -> None:
    assert default_format(environment, file) == expected
