"""Plugins that cannot be used are told in one sentence; everything else goes on."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from plugin_help import (
    BAD_FLOW,
    GOOD_DIALECT,
    GOOD_FLOW,
    install,
    install_dialect,
    install_rule,
    rule,
)
from support import RunFlowlint

RULES = "error: the rules `mine` of Some-Plugin 1.0 cannot be used: "
DIALECT = "error: the dialect `mine` of Some-Plugin 1.0 cannot be used: "

WRONG_RULES = {
    "code of ours": (
        rule(code="FL105"),
        "its code `FL105` is the code of `dangling-edge` of flowlint",
    ),
    "prefix of ours": (
        rule(code="FL950"),
        "its code is `FL950`, but FL is for rules of flowlint",
    ),
    "name of ours": (rule(name="dead-end"), "its name `dead-end` is a rule of flowlint"),
    "name of a category": (rule(name="loops"), "its name `loops` is a category"),
    "name for all": (rule(name="all"), "its name `all` is the word for all rules"),
    "category is a rule": (
        rule(category="dead-end"),
        "its category `dead-end` is a rule of flowlint",
    ),
    "prefix is a category": (
        rule(code="META001"),
        "its codes begin with `META`, which is a category",
    ),
    "no code": (rule(code="001"), "the code of `some_rule` has to be like `AB001`"),
    "odd name": (
        rule(name="Odd_Name"),
        "`name` of `some_rule` has to be words in small letters, by hyphens",
    ),
    "odd severity": (
        rule(severity="grave"),
        "`severity` of `some_rule` is none of `error`, `warning`, `info`",
    ),
    "no check": (rule().replace("def check", "def look"), "`some_rule` has no function `check`"),
    "no docs": (
        rule().partition("from flowlint")[1] + rule().partition("from flowlint")[2],
        "`some_rule` has no docstring to explain the rule with",
    ),
    "options in no tuple": (
        rule(options="flag('x', 'X.', default=True)"),
        "`options` of `some_rule` has to be a tuple",
    ),
    "no option": (rule(options="'x',"), "an option of `some_rule` is no `RuleOption`"),
    "odd name of an option": (
        rule(options="flag('x_y', 'X.', default=True),"),
        "the name of an option of `some_rule` has to be words in small letters, by hyphens",
    ),
    "odd kind of an option": (
        rule(options="RuleOption('x', 'number', 1, 'X.', 2),"),
        "the kind of the option `x` of `some_rule` is none of `flag`, `count`, `patterns`",
    ),
    "an option without a text": (
        rule(options="flag('x', '', default=True),"),
        "the option `x` of `some_rule` does not say what it does",
    ),
    "a default of another kind": (
        rule(options="count('x', 'X.', default='1', example=2),"),
        "a value of the option `x` of `some_rule` has to be a whole number above 0",
    ),
    "an example of another kind": (
        rule(options="patterns('x', 'X.', example='a'),"),
        "a value of the option `x` of `some_rule` has to be a list of patterns in quotes",
    ),
    "options of one name": (
        rule(options="flag('x', 'X.', default=True), flag('x', 'Y.', default=True),"),
        "two options of `some_rule` have one name",
    ),
    "no rule": ("", "`some_rule` states no `RULE`"),
    "no facts": ("RULE = 3\n", "`RULE` of `some_rule` is no `RuleInfo`"),
    "raises": (
        "raise ValueError('at\\nonce')\n",
        "importing `some_rule` failed with ValueError: at once",
    ),
    "leaves": ("raise SystemExit(7)\n", "importing `some_rule` failed with SystemExit: 7"),
    "lacks": (
        "import no_such_thing\n",
        "importing `some_rule` failed with ModuleNotFoundError: No module named 'no_such_thing'",
    ),
}

WRONG_DIALECTS = {
    "name of ours": (
        GOOD_DIALECT.replace('name = "mine"', 'name = "langgraph"'),
        "its entry point has to bear the name of the dialect, which is `langgraph`",
    ),
    "type of ours": (
        GOOD_DIALECT.replace('"mine.Flow"})', '"langgraph.graph.StateGraph"})'),
        "its type `langgraph.graph.StateGraph` belongs to the dialect `langgraph` of flowlint",
    ),
    "constant of ours": (
        GOOD_DIALECT.replace("constants = {}", 'constants = {"langgraph.graph.END": "x"}'),
        "its constant `langgraph.graph.END` belongs to the dialect `langgraph` of flowlint",
    ),
    "no needles": (
        GOOD_DIALECT.replace('needles = ((b"mine",),)', ""),
        "`needles` of the dialect says of no file that it may hold a flow",
    ),
    "needles for all": (
        GOOD_DIALECT.replace('((b"mine",),)', '((b"",),)'),
        "`needles` of the dialect has to hold rows of bytes, none empty",
    ),
    "needles of text": (
        GOOD_DIALECT.replace('((b"mine",),)', '(("mine",),)'),
        "`needles` of the dialect has to hold rows of bytes, none empty",
    ),
    "odd needles": (
        GOOD_DIALECT.replace('((b"mine",),)', 'b"mine"'),
        "`needles` of the dialect is no tuple of tuples",
    ),
    "odd types": (
        GOOD_DIALECT.replace("types = (", "types = [").replace("),)\n    const", ")]\n    const"),
        "`types` of the dialect is no tuple of `TypeModel`",
    ),
    "no semantics": (
        GOOD_DIALECT.replace("semantics = (SEMANTICS,)", ""),
        "`semantics` of the dialect is no tuple of `Semantics`",
    ),
    "no dialect": (
        GOOD_DIALECT.replace("DIALECT =", "OTHER ="),
        "`some_dialect` states no `DIALECT`",
    ),
    "no docs": (
        GOOD_DIALECT.partition("\n\n")[2],
        "`some_dialect` has no docstring to explain the dialect with",
    ),
    "raises": (
        "1 / 0\n",
        "importing `some_dialect` failed with ZeroDivisionError: division by zero",
    ),
}


@pytest.fixture(autouse=True)
def flow(tmp_path: Path) -> None:
    (tmp_path / "flow.py").write_text(BAD_FLOW)


@pytest.mark.parametrize("case", WRONG_RULES)
def test_rules_that_cannot_be_used(plugged: RunFlowlint, site: Path, case: str) -> None:
    text, reason = WRONG_RULES[case]
    install_rule(site, text)
    run = plugged("check", "--format", "json")
    assert (run.code, run.err) == (2, f"{RULES}{reason}\n")
    assert [found["name"] for found in json.loads(run.out)] == ["dangling-edge"]


@pytest.mark.parametrize("case", WRONG_DIALECTS)
def test_dialects_that_cannot_be_used(plugged: RunFlowlint, site: Path, case: str) -> None:
    text, reason = WRONG_DIALECTS[case]
    install_dialect(site, text)
    run = plugged("check", "--format", "json")
    assert (run.code, run.err) == (2, f"{DIALECT}{reason}\n")
    assert [found["name"] for found in json.loads(run.out)] == ["dangling-edge"]


def test_a_dialect_under_a_name_of_ours(plugged: RunFlowlint, site: Path) -> None:
    install_dialect(site, GOOD_DIALECT.replace('name = "mine"', 'name = "flowrt"'), name="flowrt")
    run = plugged("check")
    assert run.code == 2
    assert "cannot be used: there is the dialect `flowrt` of flowlint already\n" in run.err


def test_the_good_ones_can(plugged: RunFlowlint, site: Path) -> None:
    install(
        site,
        "[flowlint.rules]\nmine = some_rule\n[flowlint.dialects]\nmine = some_dialect\n",
        some_rule=rule(),
        some_dialect=GOOD_DIALECT,
    )
    run = plugged("check", "--format", "json")
    assert (run.code, run.err) == (1, "")
    assert {found["name"] for found in json.loads(run.out)} == {"dangling-edge", "here"}


def test_all_the_rules_of_a_package_or_none(plugged: RunFlowlint, site: Path) -> None:
    package = site / "pack"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "first.py").write_text(rule("first", "TST001"))
    (package / "second.py").write_text(rule("second", "TST002"))
    install(site, "[flowlint.rules]\nmine = pack\n")
    listed = plugged("rule").out.splitlines()[-2:]
    assert [line.split()[:2] for line in listed] == [["TST001", "first"], ["TST002", "second"]]
    (package / "second.py").write_text(rule("second", "TST001"))
    run = plugged("rule")
    reason = "its code `TST001` is the code of `first` of Some-Plugin 1.0"
    assert (run.code, run.err) == (2, f"{RULES}{reason}\n")
    assert "TST" not in run.out


def test_of_two_plugins_that_clash_the_first_counts(plugged: RunFlowlint, site: Path) -> None:
    points = "[flowlint.rules]\nlater = late\nearlier = early\n"
    install(site, points, late=rule("late", "TST001"), early=rule("early", "TST001"))
    run = plugged("rule")
    assert run.code == 2
    assert "the rules `later` of Some-Plugin 1.0 cannot be used: its code `TST001`" in run.err
    assert run.out.endswith("TST001  early  (Some-Plugin 1.0)\n")


def test_an_entry_point_that_names_no_module(plugged: RunFlowlint, site: Path) -> None:
    install(site, "[flowlint.rules]\nmine = some_rule:RULE\n", some_rule=rule())
    run = plugged("check")
    assert f"{RULES}its entry point has to name a module: `some_rule`\n" in run.err


def test_settings_that_name_what_is_left_out(
    plugged: RunFlowlint, site: Path, tmp_path: Path
) -> None:
    install_rule(site, rule().replace("def check", "def look"))
    (tmp_path / "flowlint.toml").write_text('ignore = ["here"]\n')
    run = plugged("check")
    assert (run.code, run.out) == (2, "")
    first, second = run.err.splitlines()
    assert first.startswith("error: flowlint.toml:1: unknown rule `here`")
    assert second == f"{RULES}`some_rule` has no function `check`"


def test_every_command_tells(plugged: RunFlowlint, site: Path, tmp_path: Path) -> None:
    install_rule(site, "")
    (tmp_path / "flow.py").write_text(GOOD_FLOW)
    for command in (["check"], ["graph"], ["rule"], ["rule", "dead-end"], ["dialect"]):
        run = plugged(*command)
        assert (run.code, run.err) == (2, f"{RULES}`some_rule` states no `RULE`\n"), command
        assert run.out
