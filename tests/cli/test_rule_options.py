"""Options of single rules in settings, as a user meets them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from flow_sources import WARNING
from support import RunFlowlint

from flowlint.report.rule_docs import markdown
from flowlint.rules.registry import all_rules, built_in_options, built_in_rules

COUNTED = '[rules.unbounded-loop]\ncounting = ["collect"]\n'
"""What silences the one finding of WARNING."""

CALLED = """\
from flows import Edge, Flow

from one.build import build

FLOW: Flow = build()
"""


@pytest.fixture
def flowlint(flowlint_inside: RunFlowlint) -> RunFlowlint:
    """No process of its own: there are many runs here."""
    return flowlint_inside


def names(flowlint: RunFlowlint, *arguments: str) -> list[str]:
    run = flowlint("check", "--format", "json", *arguments)
    assert run.err == ""
    return [finding["name"] for finding in json.loads(run.out)]


@pytest.mark.parametrize(
    ("file", "settings"),
    [
        ("flowlint.toml", COUNTED),
        ("flowlint.toml", '[rules.FL302]\ncounting = ["co*"]\n'),
        ("flowlint.toml", 'rules.fl302.counting = ["other", "c?llect"]\n'),
        ("pyproject.toml", '[tool.flowlint.rules.unbounded-loop]\ncounting = ["collect"]\n'),
    ],
)
def test_options_reach_their_rule(
    flowlint: RunFlowlint, tmp_path: Path, file: str, settings: str
) -> None:
    (tmp_path / "flow.py").write_text(WARNING)
    assert names(flowlint) == ["unbounded-loop"]
    (tmp_path / file).write_text(settings)
    assert names(flowlint) == []
    assert names(flowlint, "--isolated") == ["unbounded-loop"]


def test_patterns_tell_capitals_from_small_letters(flowlint: RunFlowlint, tmp_path: Path) -> None:
    (tmp_path / "flow.py").write_text(WARNING)
    (tmp_path / "flowlint.toml").write_text(COUNTED.replace("collect", "Collect"))
    assert names(flowlint) == ["unbounded-loop"]


def test_the_command_line_states_options(flowlint: RunFlowlint, tmp_path: Path) -> None:
    (tmp_path / "flow.py").write_text(WARNING)
    for given in ("counting=collect", "counting=a, coll*", 'counting=["collect"]'):
        assert names(flowlint, "-c", f"rules.unbounded-loop.{given}") == []
    (tmp_path / "flowlint.toml").write_text(COUNTED)
    assert names(flowlint, "-c", "rules.FL302.counting=other") == ["unbounded-loop"]
    assert names(flowlint, "-c", "rules.unbounded-loop.counting=[]") == ["unbounded-loop"]
    assert names(flowlint, "-c", "rules.bad-limit.most-steps=5") == []


def test_each_option_is_taken_from_the_closest_place(flowlint: RunFlowlint, tmp_path: Path) -> None:
    (tmp_path / "base.toml").write_text(
        '[rules.dead-end]\nends = ["a"]\nhints = false\n[rules.FL302]\ncounting = ["b"]\n'
    )
    (tmp_path / "flowlint.toml").write_text('extend = "base.toml"\n\n[rules.FL107]\nends = ["c"]\n')
    (tmp_path / "inner").mkdir()
    (tmp_path / "inner" / "flowlint.toml").write_text("[rules.bad-limit]\nmost-steps = 7\n")
    shown = flowlint("check", "--show-settings", "x.py", "-c", "rules.bad-limit.most-steps=9").out
    assert shown.endswith(
        """
[rules.dead-end]
ends = ["c"]  # flowlint.toml:4
hints = false  # base.toml:3

[rules.unbounded-loop]
counting = ["b"]  # base.toml:5

[rules.bad-limit]
most-steps = 9  # -c rules.bad-limit.most-steps=9
"""
    )
    (tmp_path / "again.toml").write_text(shown)
    again = flowlint("check", "--show-settings", "x.py", "--config", "again.toml")
    assert (again.code, again.out.count("# again.toml:")) == (0, shown.count("  # "))
    inner = flowlint("check", "--show-settings", "inner/x.py").out
    assert inner.endswith("[rules.bad-limit]\nmost-steps = 7  # inner/flowlint.toml:2\n")
    assert "dead-end" not in inner


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ("[rules.dead-ends]\nends = []", "flowlint.toml:1: unknown rule `dead-ends`; did you mean"),
        ("[rules.structure]\nends = []", ":1: `structure` is no single rule: state options by"),
        ("[rules]\nFL1 = {}", ":2: `FL1` is no single rule: state options by the name of one"),
        ("[rules.dead-end]\n\nend = []", ":3: the rule `dead-end` has no option `end`; did you me"),
        ("[rules.FL107]\nmax = 1", ":2: the rule `dead-end` has no option `max`; there is `ends`"),
        (
            "[rules.dangling-edge]\nx = 1",
            ":2: the rule `dangling-edge` has no options: remove `x`",
        ),
        ("[rules.dead-end]\nhints = 1", ":2: `hints` of `dead-end` has to be true or false"),
        ("rules.dead-end.ends = 'a'", ":1: `ends` of `dead-end` has to be a list of patterns in"),
        ("rules.dead-end.ends = ['']", ":1: `ends` of `dead-end` has to be a list of patterns"),
        ("[rules.bad-limit]\nmost-steps = 0", ":2: `most-steps` of `bad-limit` has to be a whole"),
        ("[rules.bad-limit]\nmost-steps = true", ":2: `most-steps` of `bad-limit` has to be a wh"),
        ("rules.dead-end = 1", ":1: `dead-end` has to be a table of options"),
        (
            "[rules.dead-end]\nends = ['a']\n[rules.fl107]\nhints = true\nends = ['b']",
            ".toml:5: `ends` of `dead-end` is stated already at flowlint.toml:2: state it once",
        ),
    ],
)
def test_wrong_options_are_one_sentence_with_their_place(
    flowlint: RunFlowlint, tmp_path: Path, settings: str, said: str
) -> None:
    (tmp_path / "flowlint.toml").write_text(settings)
    run = flowlint("check")
    assert (run.code, run.out, run.err.count("\n")) == (2, "", 1)
    assert said in run.err


def test_wrong_options_of_the_command_line(flowlint: RunFlowlint) -> None:
    run = flowlint("check", "-c", "rules.bad-limit.most_step=3")
    assert run.code == 2
    assert "no option `most_step`; did you mean `most-steps`?" in run.err
    run = flowlint("check", "-c", "rules.bad-limit.most-steps=many")
    assert "-c rules.bad-limit.most-steps=many: `most-steps` of `bad-limit` has to be" in run.err


def test_the_options_count_of_the_file_that_a_flow_is_written_in(
    flowlint: RunFlowlint, tmp_path: Path
) -> None:
    (tmp_path / "pyproject.toml").write_text("")
    for folder in ("one", "two"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "flow.py").write_text(WARNING)
    (tmp_path / "one" / "flowlint.toml").write_text(COUNTED)
    (tmp_path / "one" / "build.py").write_text(WARNING)
    (tmp_path / "calls.py").write_text(CALLED)
    run = flowlint("check", "--format", "concise", "-j1")
    assert [line.partition(":")[0] for line in run.out.splitlines()[:-1]] == ["two/flow.py"]
    pages = flowlint("graph", "--format", "dot").out
    assert pages.count("unbounded-loop") == 1


def test_wrong_settings_beside_an_imported_flow_are_told(
    flowlint: RunFlowlint, tmp_path: Path
) -> None:
    (tmp_path / "pyproject.toml").write_text("")
    (tmp_path / "one").mkdir()
    (tmp_path / "one" / "build.py").write_text(WARNING)
    (tmp_path / "one" / "flowlint.toml").write_text(COUNTED.replace("counting", "countin"))
    (tmp_path / "calls.py").write_text(CALLED)
    for _ in ("cold", "warm"):
        run = flowlint("check", "calls.py", "--cache-dir", "kept")
        assert (run.code, run.out) == (2, "")
        assert "one/flowlint.toml:2: the rule `unbounded-loop` has no option `countin`" in run.err
    (tmp_path / "one" / "flowlint.toml").write_text(COUNTED)
    assert names(flowlint, "calls.py", "--cache-dir", "kept") == []


def test_an_answer_is_not_reused_where_other_options_hold(
    flowlint: RunFlowlint, tmp_path: Path
) -> None:
    (tmp_path / "pyproject.toml").write_text("")
    (tmp_path / "one").mkdir()
    (tmp_path / "one" / "build.py").write_text(WARNING)
    (tmp_path / "calls.py").write_text(CALLED)
    cached = ("--cache-dir", "kept")
    assert names(flowlint, "calls.py", *cached) == ["unbounded-loop"]
    assert names(flowlint, *cached) == ["unbounded-loop"]
    (tmp_path / "one" / "flowlint.toml").write_text(COUNTED)
    assert names(flowlint, "calls.py", *cached) == []
    assert names(flowlint, *cached) == []
    (tmp_path / "one" / "flowlint.toml").write_text(COUNTED.replace("collect", "other"))
    assert names(flowlint, *cached) == ["unbounded-loop"]
    assert names(flowlint, *cached, "-c", "rules.FL302.counting=c*") == []
    (tmp_path / "one" / "flowlint.toml").unlink()
    assert names(flowlint, "calls.py", *cached) == ["unbounded-loop"]


def test_options_are_found_without_other_rules() -> None:
    for rule in built_in_rules():
        assert built_in_options(rule.info.name, rule.info.category) is rule.info.options


def test_options_are_explained(flowlint: RunFlowlint) -> None:
    page = flowlint("rule", "dead-end", "--output-format", "markdown").out
    assert "* Options: `ends`, `hints`\n" in page
    assert "* `hints`, `true` or `false` (default: `true`): Whether to hint " in page
    assert '[rules.dead-end]\nends = ["publish", "*_done"]\nhints = false\n' in page
    data = json.loads(flowlint("rule", "dead-end", "--output-format", "json").out)
    assert [option["name"] for option in data["options"]] == ["ends", "hints"]
    assert data["options"][1]["default"] is True
    assert "* Options: none\n" in flowlint("rule", "FL105", "--output-format", "markdown").out


def test_the_example_on_the_page_of_a_rule_can_be_stated(
    flowlint: RunFlowlint, tmp_path: Path
) -> None:
    text = ""
    for rule in all_rules():
        if rule.info.options:
            _, _, rest = "\n".join(markdown(rule)).rpartition("```toml\n")
            text += rest.partition("```")[0]
    (tmp_path / "flowlint.toml").write_text(text)
    shown = flowlint("check", "--show-settings", "x.py")
    assert (shown.code, shown.err) == (0, "")
    told = [line.partition("  #")[0] for line in shown.out.splitlines() if line]
    assert told[-text.count("\n") :] == text.splitlines()
    assert text.count("[rules.") >= 10
