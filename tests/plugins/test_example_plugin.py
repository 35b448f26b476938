"""The example plugin, installed and used as any other."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from plugin_help import EXAMPLE
from support import Run, RunFlowlint

FLOW = (EXAMPLE / "flows" / "report.py").read_text("utf-8")
BOTH = {"vague-name", "dangling-edge"}


@pytest.fixture(autouse=True)
def flow(tmp_path: Path) -> Path:
    path = tmp_path / "report.py"
    path.write_text(FLOW)
    return path


def names(run: Run) -> set[str]:
    assert run.err == ""
    return {finding["name"] for finding in json.loads(run.out)}


def check(flowlint: RunFlowlint, *arguments: str) -> set[str]:
    return names(flowlint("check", "--format", "json", *arguments))


def test_its_rule_and_its_dialect_count(relay: RunFlowlint, flowlint: RunFlowlint) -> None:
    assert check(relay) == BOTH
    assert check(flowlint) == set()


def test_its_rule_holds_for_other_systems(relay: RunFlowlint, tmp_path: Path) -> None:
    (tmp_path / "report.py").write_text(
        "from flows import Edge, Flow, Node\n"
        'flow = Flow(nodes=[Node("task", print)], edges=[], entry="task")\n'
    )
    assert "vague-name" in check(relay)


@pytest.mark.parametrize("word", ["vague-name", "RLY001", "rly", "RLY0", "naming"])
def test_every_word_for_its_rule_is_known(relay: RunFlowlint, tmp_path: Path, word: str) -> None:
    assert check(relay, "--select", word) == {"vague-name"}
    assert check(relay, "--ignore", word) == {"dangling-edge"}
    (tmp_path / "flowlint.toml").write_text(f'[per-file-ignores]\n"report.py" = ["{word}"]\n')
    assert check(relay) == {"dangling-edge"}
    (tmp_path / "flowlint.toml").write_text(f'[severity]\n{word} = "error"\n')
    run = relay("check", "--format", "concise")
    assert "RLY001 [vague-name] error: " in run.out


@pytest.mark.parametrize("word", ["RL", "R", "FL001", "name"])
def test_parts_of_its_words_stand_for_nothing(relay: RunFlowlint, word: str) -> None:
    run = relay("check", "--select", word)
    assert (run.code, run.out) == (2, "")
    assert f"unknown rule `{word}`" in run.err


def test_its_option_can_be_stated(relay: RunFlowlint, flow: Path) -> None:
    settings = flow.with_name("flowlint.toml")
    for rule in ("vague-name", "RLY001"):
        settings.write_text(f'[rules.{rule}]\nallow = ["st*"]\n')
        assert check(relay) == {"dangling-edge"}
    settings.write_text('[rules.vague-name]\nallows = ["st*"]\n')
    run = relay("check")
    assert run.code == 2
    assert "flowlint.toml:2: the rule `vague-name` has no option `allows`; did you mean" in run.err
    assert "* Options: `allow`\n" in relay("rule", "vague-name").out


def test_slips_are_told(relay: RunFlowlint, flowlint: RunFlowlint) -> None:
    assert "did you mean `vague-name`?" in relay("check", "--select", "vague-nam").err
    assert "did you mean `RLY001`?" in relay("check", "--select", "RLY01x").err
    assert "did you mean `relay`?" in relay("check", "-c", "dialects.rely=false").err
    assert "unknown rule `RLY001`" in flowlint("check", "--select", "RLY001").err


def test_its_system_can_be_left_alone(relay: RunFlowlint) -> None:
    assert check(relay, "-c", "dialects.relay=false") == set()


@pytest.mark.parametrize("word", ["vague-name", "RLY001", "naming"])
def test_its_findings_are_silenced(relay: RunFlowlint, flow: Path, word: str) -> None:
    flow.write_text(FLOW.replace("write)", f"write)  # flowlint: ignore[{word}] old"))
    assert check(relay) == {"dangling-edge"}
    flow.write_text(FLOW.replace("collect)", f"collect)  # flowlint: ignore[{word}]"))
    assert check(relay) == {*BOTH, "unused-suppression"}


def test_comments_are_written_for_it(relay: RunFlowlint, flow: Path) -> None:
    assert relay("check", "--add-ignore=old").code == 0
    assert "# flowlint: ignore[vague-name] old" in flow.read_text()
    assert check(relay) == set()


def test_it_is_baselined_and_fixed(relay: RunFlowlint, flow: Path) -> None:
    assert relay("check", "--baseline", "b.json", "--update-baseline").code == 0
    held = relay("check", "--baseline", "b.json")
    assert (held.code, held.err) == (0, "2 more findings are recorded in b.json.\n")
    relay("check", "--fix")
    assert 'race.hand("collect", "collect", when=is_empty)' in flow.read_text()


def test_it_is_listed_and_explained(relay: RunFlowlint, flowlint: RunFlowlint) -> None:
    listed = relay("rule").out.splitlines()
    ours = flowlint("rule").out.splitlines()
    assert listed == [*ours, "RLY001  vague-name  (flowlint-relay 0.1.0)"]
    page = relay("rule", "rly001").out
    assert page.startswith("vague-name (RLY001)\n")
    assert "* Comes with: flowlint-relay 0.1.0\n" in page
    data = json.loads(relay("rule", "--all", "--format", "json").out)
    assert {rule["name"]: rule["origin"] for rule in data}["vague-name"] == "flowlint-relay 0.1.0"
    assert relay("dialect").out == f"{flowlint('dialect').out}relay  (flowlint-relay 0.1.0)\n"
    dialect = relay("dialect", "relay").out
    assert "The first leg begins." in dialect
    assert "* Two nodes of one name: adding it raises.\n" in dialect


def test_reports_explain_it(relay: RunFlowlint) -> None:
    docs = {"FLOWLINT_DOCS_URL": "https://docs.example"}
    (run,) = json.loads(relay("check", "--format", "sarif").out)["runs"]
    rules = {rule["id"]: rule for rule in run["tool"]["driver"]["rules"]}
    assert rules["RLY001"]["shortDescription"]["text"] == "A node has a name that says nothing."
    site = relay.keywords["env"]  # type: ignore[attr-defined]
    found = json.loads(relay("check", "--format", "json", env={**site, **docs}).out)
    urls = {finding["name"]: finding["url"] for finding in found}
    assert urls == {
        "vague-name": None,
        "dangling-edge": "https://docs.example/rules/dangling-edge/",
    }


def test_its_graphs_are_shown(relay: RunFlowlint) -> None:
    (graph,) = json.loads(relay("graph", "report.py").out)["graphs"]
    assert graph["dialect"] == "relay"
    assert [node["name"] for node in graph["nodes"]] == ["collect", "step2"]


def test_settings_are_begun_with_it(relay: RunFlowlint, tmp_path: Path) -> None:
    assert relay("init").code == 0
    text = (tmp_path / "flowlint.toml").read_text()
    assert "# Found here: 1 flow of relay.\n" in text
    assert "# langgraph = false\n" in text
    assert "# relay" not in text


def test_processes_share_it(relay: RunFlowlint, tmp_path: Path) -> None:
    for number in range(6):
        (tmp_path / f"other{number}.py").write_text(FLOW)
    one = relay("check", "--format", "concise", "-j", "1")
    two = relay("check", "--format", "concise", "-j", "2")
    assert one == two
    assert one.out.count("RLY001") == 7
