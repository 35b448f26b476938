"""Systems that settings declare, as a user meets them."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from support import Run, RunFlowlint

from flowlint.cli.main import main

EXAMPLES = Path(__file__).parents[2] / "examples" / "declared"

MINIMAL = """\
[[systems]]
name = "acme"
flow = "acme.Flow"
nodes = { argument = "steps", item = "name" }
edges = { argument = "routes" }
entry = { argument = "start" }
"""

FLOW = """\
from acme import Flow

flow = Flow(steps=["a", "b"], routes=[("a", "b"), ("b", "c")], start="a")
"""


@pytest.fixture
def flowlint(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> RunFlowlint:
    """Run `flowlint` as a user does but for a process of its own: there are many runs here."""
    monkeypatch.chdir(tmp_path)

    def run(*arguments: str) -> Run:
        code = main(arguments)
        told = capsys.readouterr()
        return Run(code, told.out, told.err)

    return run


def names(flowlint: RunFlowlint, *arguments: str) -> list[str]:
    run = flowlint("check", "--format", "json", *arguments)
    assert run.err == ""
    return [finding["name"] for finding in json.loads(run.out)]


def graphs(flowlint: RunFlowlint, *paths: str) -> list[dict[str, object]]:
    found = json.loads(flowlint("graph", *paths, "--format", "json").out)["graphs"]
    assert isinstance(found, list)
    return found


def shown(graph: dict[str, object]) -> tuple[object, ...]:
    """A graph in brief: nodes, edges with what they depend on, entries, and whether it is whole."""
    nodes, edges = graph["nodes"], graph["edges"]
    assert isinstance(nodes, list)
    assert isinstance(edges, list)
    return (
        [(node["name"], node["kind"]) for node in nodes],
        [(edge["source"], edge["target"], edge["kind"], edge["label"]) for edge in edges],
        graph["entry"],
        graph["complete"],
    )


def example(name: str, folder: Path) -> None:
    shutil.copytree(EXAMPLES / name, folder, dirs_exist_ok=True)


def test_burr(flowlint: RunFlowlint, tmp_path: Path) -> None:
    example("burr", tmp_path)
    (found,) = graphs(flowlint, "bot.py")
    assert shown(found) == (
        [(name, "step") for name in ("prompt", "decide", "answer", "code", "refuse")],
        [
            ("prompt", "decide", "when", "safe=True"),
            ("prompt", "refuse", "always", None),
            ("prompt", "answer", "always", None),
            ("decide", "code", "when", "mode='code'"),
            ("decide", "asnwer", "always", None),
            ("answer", "prompt", "when", "len(chat_history) < 10"),
            ("code", "prompt", "when", "len(chat_history) < 10"),
            ("refuse", "prompt", "when", "len(chat_history) < 10"),
        ],
        ["prompt"],
        True,
    )
    assert names(flowlint) == ["multiple-outgoing-edges", "dangling-edge"]


def test_pydantic_graph(flowlint: RunFlowlint, tmp_path: Path) -> None:
    example("pydantic_graph", tmp_path)
    (found,) = graphs(flowlint, "vending.py")
    nodes = ["InsertCoin", "CoinsInserted", "Purchase"]
    assert shown(found) == (
        [(name, "step") for name in nodes],
        [
            ("InsertCoin", "CoinsInserted", "goto", None),
            ("CoinsInserted", "SelectProduct", "goto", None),
            ("CoinsInserted", "Purchase", "goto", None),
            ("Purchase", "__end__", "goto", None),
            ("Purchase", "InsertCoin", "goto", None),
            ("Purchase", "SelectProduct", "goto", None),
        ],
        nodes,
        True,
    )
    assert names(flowlint) == ["dangling-edge"]


def test_classes_of_the_project_by_their_shape(flowlint: RunFlowlint, tmp_path: Path) -> None:
    example("acme", tmp_path)
    assert names(flowlint) == [
        "unroutable-gate",
        "unreachable-node",
        "shadowed-edge",
        "dangling-edge",
    ]
    (tmp_path / "flowlint.toml").unlink()
    run = flowlint("check", "--format", "json")
    assert json.loads(run.out) == []


def test_a_system_is_only_looked_for_where_its_settings_hold(
    flowlint: RunFlowlint, tmp_path: Path
) -> None:
    for folder in ("one", "two"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "flow.py").write_text(FLOW)
    (tmp_path / "one" / "flowlint.toml").write_text(MINIMAL)
    run = flowlint("check", "--format", "json")
    assert {finding["path"] for finding in json.loads(run.out)} == {"one/flow.py"}


def test_a_changed_declaration_changes_the_answers_of_a_warm_cache(
    flowlint: RunFlowlint, tmp_path: Path
) -> None:
    (tmp_path / "flow.py").write_text(FLOW)
    settings = tmp_path / "flowlint.toml"
    for _ in range(2):
        settings.write_text(MINIMAL)
        assert names(flowlint) == ["dangling-edge"]
        settings.write_text(MINIMAL.replace('"start"', '"first"'))
        assert "missing-entry" in names(flowlint)
        settings.unlink()
        assert names(flowlint) == []


def test_a_declared_system_can_be_left_alone_and_silenced(
    flowlint: RunFlowlint, tmp_path: Path
) -> None:
    flow, settings = tmp_path / "flow.py", tmp_path / "flowlint.toml"
    flow.write_text(FLOW)
    settings.write_text(f"{MINIMAL}\n[dialects]\nacme = false\n")
    assert names(flowlint) == []
    settings.write_text(MINIMAL)
    assert names(flowlint, "-c", "dialects.acme=false") == []
    flow.write_text(
        FLOW.replace('start="a")', 'start="a")  # flowlint: ignore[dangling-edge] known')
    )
    assert names(flowlint) == []


@pytest.mark.parametrize(
    ("before", "after", "line", "said"),
    [
        ("flow =", "flows =", 3, "`acme` has no key `flows`; did you mean `flow`?"),
        ('name = "acme"', 'name = "Acme Flows"', 2, "`name` of a system has to be a word"),
        ('name = "acme"', 'name = "langgraph"', 2, "there is a system `langgraph` already"),
        ('"acme.Flow"', '"acme.Flow!"', 3, "`flow` of `acme`: `acme.Flow!` is no name of Python"),
        ('"acme.Flow"', "[]", 3, "`flow` of `acme` has to name what builds one"),
        (
            '"acme.Flow"',
            '"langgraph.graph.StateGraph"',
            3,
            "`langgraph.graph.StateGraph` is read already, as langgraph",
        ),
        ('item = "name"', 'item = "nmae"', 4, "`item` of `nodes` of `acme` has to be object,"),
        ('item = "name"', 'itme = "name"', 4, "`nodes` of `acme` has no key `itme`; did you mean"),
        ('argument = "steps", ', "", 4, "has to state one of `argument` or `method`"),
        ('"routes"', "-1", 5, "`argument` of `edges` of `acme` has to be the name of an argument"),
        ('"routes"', '"routes", take = "each"', 5, 'take = "each"` needs a `method`'),
        ('flow = "acme.Flow"\n', "", 1, "`acme` lacks the key `flow`: state it"),
    ],
)
def test_bad_declarations_are_told_with_place_and_cure(
    flowlint: RunFlowlint, tmp_path: Path, before: str, after: str, line: int, said: str
) -> None:
    assert before in MINIMAL
    (tmp_path / "flow.py").write_text(FLOW)
    (tmp_path / "flowlint.toml").write_text(MINIMAL.replace(before, after))
    run = flowlint("check")
    assert (run.code, run.out) == (2, "")
    assert f"flowlint.toml:{line}: " in run.err
    assert said in run.err
    assert len(run.err.splitlines()) == 1
