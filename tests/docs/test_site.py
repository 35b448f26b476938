"""The documentation as a site: built as `make docs` builds it."""

from __future__ import annotations

import html
import json
import os
import re
import subprocess
import sysconfig
from pathlib import Path

import pytest

from flowlint.cli.group import COMMANDS
from flowlint.dialects.registry import built_in_dialects
from flowlint.project.settings.keys import KEYS
from flowlint.rules.registry import built_in_rules

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site; that it is built at all means that nothing in it links to nowhere."""
    folder = tmp_path_factory.mktemp("built")
    command = [Path(sysconfig.get_path("scripts")) / "mkdocs", "build", "--quiet", "-d", folder]
    done = subprocess.run(
        command,
        cwd=ROOT,
        env={**os.environ, "NO_MKDOCS_2_WARNING": "1"},
        capture_output=True,
        encoding="utf-8",
        timeout=300,
        check=False,
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    return folder


def page(site: Path, name: str) -> str:
    return (site / name / "index.html").read_text("utf-8")


def plain(text: str) -> str:
    return re.sub(r"<[^>]+>", "", text)


def test_every_rule_has_its_page(site: Path) -> None:
    listed = page(site, "rules")
    for rule in built_in_rules():
        name = rule.info.name
        assert f'href="{name}/"' in listed
        shown = page(site, f"rules/{name}")
        assert f"{name} ({rule.info.code})" in shown
        headings = re.findall(r"<h2 id=[^>]*>([^<]+)", shown)
        options = ["Options"] if rule.info.options else []
        assert headings == [*re.findall(r"^## (.+)$", rule.docs, re.MULTILINE), *options]
        for related in rule.info.related:
            assert f'href="../{related}/"' in shown


def test_every_system_has_its_page(site: Path) -> None:
    for entry in built_in_dialects():
        shown = page(site, f"dialects/{entry.name}")
        for heading in ("What is read", "What is resolved", "What is not resolved"):
            assert f">{heading}<" in shown
        assert f"What {entry.dialect.semantics[0].system} does" in shown


def test_every_command_and_setting_is_told(site: Path) -> None:
    commands = plain(page(site, "commands"))
    for name in COMMANDS:
        assert f"flowlint {name} [OPTIONS]" in commands
    assert "[full|concise|grouped|json|" in commands
    settings = page(site, "settings")
    for rule in built_in_rules():
        for option in rule.info.options:
            assert option.text in html.unescape(settings), option.name
            assert f'href="../rules/{rule.info.name}/"' in settings
    for option in ("--select RULES", "--update-baseline", "--html FILE", "FLOWLINT_OUTPUT_FORMAT"):
        assert option in commands
    settings = page(site, "settings")
    for key in KEYS:
        assert f"<td><code>{key.name}</code></td>" in settings
    assert "generated:" not in settings


def test_files_of_the_example_are_shown_as_they_are(site: Path) -> None:
    shown = plain(page(site, "plugins"))
    for name in ("dialect.py", "rules/vague_name.py"):
        path = ROOT / "examples" / "plugin" / "flowlint_relay" / name
        code = path.read_text("utf-8").partition("from __future__")[2]
        assert code.splitlines()[-1].strip().replace('"', "&quot;") in shown


def test_it_can_be_searched_and_needs_no_network(site: Path) -> None:
    found = json.loads((site / "search" / "search_index.json").read_text("utf-8"))
    places = {entry["location"].partition("#")[0] for entry in found["docs"]}
    assert "rules/dangling-edge/" in places
    first = (site / "index.html").read_text("utf-8")
    loaded = re.findall(r'<(?:script|link|img)[^>]+(?:src|href)="(https?:[^"]+)"', first)
    assert loaded == []


def test_nothing_that_makes_it_is_part_of_it(site: Path) -> None:
    assert not list(site.rglob("*.py"))
