"""Systems that settings declare, as a user meets them."""

from __future__ import annotations

import dataclasses
import json
import os
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import jsonschema_rs
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support import RunFlowlint

from flowlint.dialects.declared.declaration import Edges, Entry, Nodes, System, key_of
from flowlint.dialects.declared.dialect import declared_dialect
from flowlint.dialects.declared.docs import docs_of
from flowlint.dialects.declared.parsing import DeclarationError, system_of
from flowlint.project.settings.schema import FILE

KEYS_OF_SYSTEMS = [key_of(field.name) for field in dataclasses.fields(System)]
KEYS_OF_PARTS = [
    key_of(field.name) for made in (Nodes, Edges, Entry) for field in dataclasses.fields(made)
]

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
def flowlint(flowlint_inside: RunFlowlint) -> RunFlowlint:
    """No process of its own: there are many runs here."""
    return flowlint_inside


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


def edges_of(graph: dict[str, object]) -> list[tuple[str, ...]]:
    edges = shown(graph)[1]
    assert isinstance(edges, list)
    return edges


def example(name: str, folder: Path) -> None:
    shutil.copytree(EXAMPLES / name, folder, dirs_exist_ok=True)


def test_burr(flowlint: RunFlowlint, tmp_path: Path) -> None:
    example("burr", tmp_path)
    (found,) = graphs(flowlint, "broken_bot.py")
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
    (found,) = graphs(flowlint, "broken_vending.py")
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
        (
            'item = "name"',
            'class = "flows.Node", name = 0',
            4,
            "`flows.Node` is read already, as hydraflow",
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


HOUSE = """\
class Builder:
    def __init__(self):
        self.parts = {}

    def add_step(self, name, run, gate=False):
        self.parts[name] = run

    def connect(self, source, target, when=None):
        return self

    def begin_at(self, name):
        return self

    def done(self):
        return self
"""

HOUSE_SETTINGS = """\
[[systems]]
name = "house"
flow = "Builder"
finish = "done"
nodes = { method = "add_step", name = ["name", 0], run = ["run", 1] }
edges = { method = "connect", guard = ["when", 2] }
entry = { method = "begin_at" }
semantics = { on-unreachable = "rejected", on-unknown-name = "rejected" }
"""

BUILDING = """\
from house import Builder


def work(state):
    return state


builder = Builder()
for name in ("a", "b"):
    builder.add_step(name, work)
builder.add_step("lost", work)
builder.connect("a", "b")
builder.connect("b", "c", when=lambda state: state["again"])
builder.begin_at("a")
flow = builder.done()
"""


def test_a_builder_of_the_project_by_its_methods(flowlint: RunFlowlint, tmp_path: Path) -> None:
    (tmp_path / "house.py").write_text(HOUSE)
    (tmp_path / "flow.py").write_text(BUILDING)
    (tmp_path / "flowlint.toml").write_text(HOUSE_SETTINGS)
    (found,) = graphs(flowlint, ".")
    assert shown(found) == (
        [("a", "step"), ("b", "step"), ("lost", "step")],
        [("a", "b", "always", None), ("b", "c", "when", "state['again']")],
        ["a"],
        True,
    )
    assert names(flowlint) == ["dangling-edge"]
    # What the declaration does not name may be a condition: nothing is said to be always taken.
    settings = tmp_path / "flowlint.toml"
    settings.write_text(HOUSE_SETTINGS.replace(', guard = ["when", 2]', ""))
    (found,) = graphs(flowlint, ".")
    assert ("b", "c", "when", "a condition") in edges_of(found)
    # A class of that name that lacks one of the methods is another one.
    (tmp_path / "house.py").write_text(HOUSE.replace("begin_at", "start_at"))
    assert names(flowlint) == []


FORMS = {
    "a mapping of names to functions and one of names to names": (
        'nodes = { argument = "steps", take = "mapping" }\n'
        'edges = { argument = "after", take = "mapping" }\n'
        'entry = { default = "first" }\n',
        'Flow(steps={"a": one, "b": two}, after={"a": ["b"], "b": None})',
        ([("a", "step"), ("b", "step")], [("a", "b", "always", None)], ["a"], True),
    ),
    "functions, also as ends of edges": (
        'nodes = { argument = 0 }\nedges = { argument = 1 }\nentry = { argument = "start" }\n',
        'Flow([one, two], [(one, two, lambda s: s["x"])], start=one)',
        ([("one", "step"), ("two", "step")], [("one", "two", "when", "s['x']")], ["one"], True),
    ),
    "declared results of functions": (
        'nodes = { argument = "steps" }\nedges = { returns = "__call__" }\n'
        'entry = { argument = "start" }\nends = "stop"\n',
        "Flow(steps=[choose, two], start=choose)",
        (
            [("choose", "step"), ("two", "step")],
            [("choose", "two", "goto", None), ("choose", "__end__", "goto", None)],
            ["choose"],
            False,
        ),
    ),
    "nodes that say where they lead": (
        'nodes = { argument = "steps", class = "acme.Step", name = 0, kind = "role" }\n'
        'edges = { of-nodes = true, target = "then", guard = "only" }\n'
        'entry = { argument = "start" }\n',
        'Flow(steps=[Step("a", then="b", role="gate"), Step("b", then=["a", "c"], only=is_x),'
        ' Step("c")], start="a")',
        (
            [("a", "gate"), ("b", "step"), ("c", "step")],
            [
                ("a", "b", "always", None),
                ("b", "a", "when", "is_x"),
                ("b", "c", "when", "is_x"),
            ],
            ["a"],
            True,
        ),
    ),
    "tuples with labels, a start and an end": (
        'nodes = { argument = "steps", item = "tuple", name = 0, run = 1, of-kind = "task" }\n'
        'edges = { argument = "lines", source = 0, label = 1, target = 2 }\n'
        'starts = "acme.START"\nends = "acme.END"\n',
        'Flow(steps=[("a", one), ("b", two)], lines=[(START, "", "a"), ("a", "ok", "b"),'
        ' ("a", "bad", END)])',
        (
            [("a", "task"), ("b", "task")],
            [
                ("__start__", "a", "always", None),
                ("a", "b", "case", "ok"),
                ("a", "__end__", "case", "bad"),
            ],
            ["a"],
            True,
        ),
    ),
    "what is not known": (
        'nodes = { argument = "steps" }\nedges = { argument = "lines" }\n'
        'entry = { argument = "start" }\n',
        "Flow(steps=[one, *more()], lines=[(one, two)], start=one)",
        ([("one", "step")], [("one", "two", "always", None)], ["one"], False),
    ),
    "a call with other arguments": (
        'nodes = { argument = "steps" }\nedges = { argument = "lines" }\n',
        'Flow(timeout=3, lines=[("x", "y")])',
        None,
    ),
}

AROUND = """\
from typing import Literal

from acme import END, START, Flow, Step
from elsewhere import more


def one(state):
    return state


def two(state):
    return state


def choose(state) -> Literal["two", "stop"]:
    return "two"


def is_x(state):
    return state["x"]


flow = {}
"""


@pytest.mark.parametrize("form", FORMS)
def test_forms_of_nodes_and_edges(flowlint: RunFlowlint, tmp_path: Path, form: str) -> None:
    declared, made, expected = FORMS[form]
    (tmp_path / "flow.py").write_text(AROUND.format(made))
    rejected = 'semantics = { on-unknown-name = "rejected", on-unreachable = "rejected" }\n'
    head = '[[systems]]\nname = "acme"\nflow = "acme.Flow"\n'
    (tmp_path / "flowlint.toml").write_text(f"{head}{declared}{rejected}")
    found = graphs(flowlint, ".") if expected else []
    assert [shown(one) for one in found] == ([expected] if expected else [])
    run = flowlint("check", "--format", "json")
    assert not [one for one in json.loads(run.out) if one["severity"] == "error"], run.out


def test_the_second_of_two_systems_is_told_by_its_own_line(
    flowlint: RunFlowlint, tmp_path: Path
) -> None:
    (tmp_path / "flow.py").write_text(FLOW)
    second = HOUSE_SETTINGS.replace("connect", "")
    (tmp_path / "flowlint.toml").write_text(f"{MINIMAL}\n{second}")
    run = flowlint("check")
    assert run.err.startswith("error: flowlint.toml:13: `edges` of `house` has to state one of")


def test_two_systems_cannot_read_the_same_class(flowlint: RunFlowlint, tmp_path: Path) -> None:
    (tmp_path / "flow.py").write_text(FLOW)
    second = MINIMAL.replace('name = "acme"', 'name = "other"')
    (tmp_path / "flowlint.toml").write_text(f"{MINIMAL}\n{second}")
    run = flowlint("check")
    assert run.code == 2
    assert run.err.startswith("error: flowlint.toml:10: `acme.Flow` is read already, as acme")


def test_settings_show_and_explain_a_declared_system(flowlint: RunFlowlint, tmp_path: Path) -> None:
    (tmp_path / "flowlint.toml").write_text(MINIMAL)
    (tmp_path / "flow.py").write_text(FLOW)
    out = flowlint("check", "--show-settings").out
    assert '[[systems]]  # flowlint.toml:2\nname = "acme"\n' in out
    # What is shown is itself such a declaration.
    table = out[out.index("[[systems]]") :]
    (tmp_path / "flowlint.toml").write_text(table)
    assert names(flowlint) == ["dangling-edge"]
    assert "acme  (declared by settings)" in flowlint("dialect").out
    page = flowlint("dialect", "acme").out
    assert "Flows that `acme.Flow` builds" in page
    assert "* Nodes: the argument `steps`." in page


def test_a_file_may_extend_one_that_declares(flowlint: RunFlowlint, tmp_path: Path) -> None:
    (tmp_path / "flow.py").write_text(FLOW)
    (tmp_path / "base.toml").write_text(MINIMAL)
    (tmp_path / "flowlint.toml").write_text('extend = "base.toml"\n')
    assert names(flowlint) == ["dangling-edge"]
    (tmp_path / "flowlint.toml").write_text('extend = "base.toml"\n[dialects]\nacme = false\n')
    assert names(flowlint) == []
    # The declaration of the closer file takes the place of that of the same name.
    closer = MINIMAL.replace("acme.Flow", "acme.Other")
    (tmp_path / "flowlint.toml").write_text(f'extend = "base.toml"\n{closer}')
    assert names(flowlint) == []


def test_files_without_flows_are_sifted_anew_for_a_new_declaration(
    flowlint: RunFlowlint, tmp_path: Path
) -> None:
    for number in range(60):
        path = tmp_path / f"flow_{number}.py"
        path.write_text(FLOW)
        # Files that have rested are remembered as holding no flow.
        os.utime(path, (1_600_000_000, 1_600_000_000))
    assert names(flowlint) == []
    (tmp_path / "flowlint.toml").write_text(MINIMAL)
    assert names(flowlint, "-j", "2") == ["dangling-edge"] * 60
    assert names(flowlint, "-j", "1", "--no-cache") == ["dangling-edge"] * 60
    (tmp_path / "flowlint.toml").unlink()
    assert names(flowlint) == []


def test_nothing_of_it_is_imported_where_nothing_is_declared(tmp_path: Path) -> None:
    (tmp_path / "flow.py").write_text("from langgraph.graph import StateGraph\n")
    code = (
        "import sys; from flowlint.cli.main import main; main(['check', '.']);"
        "print([name for name in sys.modules if name.startswith('flowlint.dialects.declared')])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert done.stdout.splitlines()[-1] == "[]"


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-2, 3) | st.sampled_from(["", "a", "x.y", "call", "1"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from([*KEYS_OF_PARTS, "nonsense"]), inner, max_size=4)
    ),
    max_leaves=8,
)


@settings(max_examples=300, deadline=None)
@given(st.dictionaries(st.sampled_from(KEYS_OF_SYSTEMS), VALUES, max_size=6))
def test_any_table_is_a_declaration_or_refused_in_a_sentence(table: dict[str, object]) -> None:
    whole = {"name": "acme", "flow": "acme.Flow", "nodes": {"argument": "nodes"}, **table}
    try:
        system = system_of(whole)
    except DeclarationError as error:
        assert "`" in str(error)
        assert "\n" not in str(error)
    else:
        dialect = declared_dialect(system)
        assert dialect.types
        assert docs_of(system)


def test_the_schema_allows_what_is_read() -> None:
    schema = json.loads(FILE.read_text())
    validator = jsonschema_rs.validator_for(schema)
    for path in EXAMPLES.glob("*/flowlint.toml"):
        validator.validate(tomllib.loads(path.read_text()))
    wrong = tomllib.loads(MINIMAL.replace("argument", "argumnet"))
    assert not validator.is_valid(wrong)
