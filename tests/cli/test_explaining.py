"""`flowlint rule` and `flowlint dialect`: everything that is known, for people and programs."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from support import RunFlowlint, run_flowlint

SECTIONS = {
    "what": "What it does",
    "why": "Why is this bad",
    "example": "Example",
    "instead": "Use instead",
    "fix_safety": "Fix safety",
}
KEYS = {
    "code", "name", "category", "severity", "since", "preview", "origin", "fix", "options",
    "related", "summary", *SECTIONS, "docs", "url",
}  # fmt: skip


@pytest.fixture(scope="module")
def here(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("explaining")


@pytest.fixture(scope="module")
def rules(here: Path) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(
        run_flowlint("rule", "--all", "--format", "json", cwd=here).out
    )
    return found


@pytest.fixture(scope="module")
def pages(here: Path) -> dict[str, str]:
    text = run_flowlint("rule", "--all", "--format", "markdown", cwd=here).out
    parts = re.split(r"^# ([\w-]+) \(FL\d+\)\n", text, flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def test_every_rule_is_told_whole_as_data(rules: list[dict[str, Any]]) -> None:
    assert len(rules) > 40
    for rule in rules:
        assert rule.keys() == KEYS
        assert rule["origin"] is None
        for option in rule["options"]:
            assert option.keys() == {"name", "kind", "default", "text", "example"}
            assert option["text"].endswith(".")
            assert option["example"] != option["default"]
        assert rule["severity"] in ("error", "warning", "info")
        assert re.fullmatch(r"\d+\.\d+\.\d+", rule["since"])
        for section in ("summary", "what", "why", "example", "instead"):
            assert rule[section], (rule["name"], section)
        assert bool(rule["fix_safety"]) == (rule["fix"] != "none"), rule["name"]


def test_the_sections_are_all_there_is(rules: list[dict[str, Any]]) -> None:
    for rule in rules:
        parts = [
            f"## {heading}\n\n{rule[section]}"
            for section, heading in SECTIONS.items()
            if rule[section] is not None
        ]
        first = rule["docs"].partition("\n\n## ")[0]
        assert "\n\n".join([first, *parts]) == rule["docs"], rule["name"]
        assert " ".join(first.split()) == rule["summary"]


def test_related_rules_are_there_and_know_each_other(rules: list[dict[str, Any]]) -> None:
    related = {rule["name"]: rule["related"] for rule in rules}
    assert related["dangling-edge"] == ["unknown-entry", "unhandled-route", "undeclared-target"]
    for name, others in related.items():
        assert name not in others
        assert len(set(others)) == len(others)
        for other in others:
            assert name in related[other], (name, other)


def names_of(options: list[dict[str, Any]]) -> list[str]:
    return [option["name"] for option in options]


def test_every_rule_is_told_whole_in_markdown(
    rules: list[dict[str, Any]], pages: dict[str, str]
) -> None:
    assert list(pages) == [rule["name"] for rule in rules]
    fixes = {
        "none": "none",
        "sometimes": "where just one thing can have been meant",
        "always": "always",
    }
    for rule in rules:
        facts, _, docs = pages[rule["name"]].strip("\n").partition("\n\n")
        docs, _, options = docs.partition("\n\n## Options\n\n")
        assert docs == rule["docs"]
        names = names_of(rule["options"])
        assert re.findall(r"^\* `([\w-]+)`, ", options, re.MULTILINE) == names
        related = ", ".join(f"`{name}`" for name in rule["related"]) or "none"
        assert facts.splitlines() == [
            f"* Category: {rule['category']}",
            f"* Severity: {rule['severity']}",
            f"* Fix: {fixes[rule['fix']]}",
            f"* Options: {', '.join(f'`{name}`' for name in names) or 'none'}",
            f"* Since: {rule['since']}",
            f"* Related: {related}",
        ]


def test_text_is_for_terminals(flowlint: RunFlowlint) -> None:
    text = flowlint("rule", "dangling-edge").out
    assert text.startswith(
        "dangling-edge (FL105)\n=====================\n\n* Category: structure\n"
    )
    assert "\nFix safety\n----------\n" in text
    assert "\n    from flows import Edge, Flow, Node\n" in text
    assert "```" not in text
    assert "## " not in text


def test_every_system_is_told(flowlint: RunFlowlint) -> None:
    names = flowlint("dialect").out.split()
    assert names == ["hydraflow", "langgraph", "flowrt", "acpx", "objectstack", "agentsflow"]
    data = json.loads(flowlint("dialect", "--all", "--format", "json").out)
    assert [dialect["name"] for dialect in data] == names
    readers = {dialect["name"] for dialect in data if dialect["reads_data"]}
    assert readers == {"flowrt", "objectstack", "agentsflow"}
    pages = flowlint("dialect", "--all", "--format", "markdown").out
    assert re.findall(r"^# (.+)$", pages, re.MULTILINE) == names
    for dialect in data:
        for section in ("summary", "read", "resolved", "unresolved"):
            assert dialect[section], (dialect["name"], section)
        assert dialect["docs"] in pages
        one = json.loads(flowlint("dialect", dialect["name"].upper(), "--format", "json").out)
        assert one == dialect
        for case in (case for semantics in dialect["semantics"] for case in semantics):
            assert f"* {case['case']}: {case['then']}.\n" in pages


def test_what_a_system_does_is_what_findings_go_by(flowlint: RunFlowlint) -> None:
    langgraph = flowlint("dialect", "langgraph").out
    assert "* A node that nothing leads to: nothing is said.\n" in langgraph
    assert "* An edge to a name that is no node: compile() refuses the flow.\n" in langgraph
    assert "(`recursion_limit`): after 10,007 steps.\n" in langgraph
    hydraflow = flowlint("dialect", "hydraflow").out
    assert "* A node that nothing leads to: Flow(…) refuses the flow.\n" in hydraflow
    assert (
        "What flowrt does where every edge that applies is taken\n"
        in flowlint("dialect", "flowrt").out
    )


def test_names_that_are_none(flowlint: RunFlowlint) -> None:
    run = flowlint("dialect", "langraph")
    assert (run.code, run.out) == (2, "")
    assert run.err == "error: unknown dialect `langraph`; did you mean `langgraph`?\n"
    assert flowlint("dialect", "--all", "langgraph").code == 2
    assert flowlint("dialect", "xx").err.endswith(
        "langgraph, flowrt, acpx, objectstack, agentsflow\n"
    )
    assert flowlint("rule", "dangling-egde").err.endswith("did you mean `dangling-edge`?\n")
