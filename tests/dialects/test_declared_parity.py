"""Declared systems against the real libraries: what they build is read, what they refuse is told.

Neither library is a dependency of the tests; where one is not installed its tests are skipped.
"""

from __future__ import annotations

import json
import shutil
import sys
import types
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from flowlint.cli.main import main

EXAMPLES = Path(__file__).parents[2] / "examples" / "declared"

BURR = """\
from burr.core import ApplicationBuilder, State, action, default, expr, when


@action(reads=[], writes=["x"])
def a(state: State) -> State:
    return state.update(x=1)


@action(reads=["x"], writes=["y"])
def b(state: State) -> State:
    return state.update(y=2)


app = ApplicationBuilder(){}.build()
"""

CHAINS = {
    "plain": '.with_actions(a, b).with_transitions(("a", "b")).with_entrypoint("a")',
    "named": '.with_actions(one=a, two=b).with_transitions(("one", "two")).with_entrypoint("one")',
    "bound": '.with_actions(a, two=b.bind()).with_transitions(("a", "two")).with_entrypoint("a")',
    "lists": '.with_actions(a, b).with_transitions((["a", "b"], "a")).with_entrypoint("b")',
    "guards": '.with_actions(a, b).with_transitions(("a", "b", when(x=1)), ("b", "a", default),'
    ' ("a", "a", expr("x > 1"))).with_entrypoint(action="a")',
    "twice": '.with_actions(a).with_actions(b).with_transitions(("a", "b"))'
    '.with_transitions(("b", "a")).with_state(x=0).with_entrypoint("a")',
    "again": '.with_actions(a, b).with_transitions(("a", "b", when(x=1)), ("a", "b", when(x=1)))'
    '.with_entrypoint("a")',
    "alone": '.with_actions(a).with_entrypoint("a")',
    "unreached": '.with_actions(a, b).with_transitions(("a", "a", when(x=1))).with_entrypoint("a")',
    "no target": '.with_actions(a, b).with_transitions(("a", "z")).with_entrypoint("a")',
    "no source": '.with_actions(a, b).with_transitions(("z", "a")).with_entrypoint("a")',
    "no entry": '.with_actions(a, b).with_transitions(("a", "b"))',
    "wrong entry": '.with_actions(a, b).with_transitions(("a", "b")).with_entrypoint("z")',
    "same name": '.with_actions(a, b, a=b).with_transitions(("a", "b")).with_entrypoint("a")',
    "two defaults": '.with_actions(a, b).with_transitions(("a", "b"), ("a", "a", default))'
    '.with_entrypoint("a")',
    "nothing": '.with_entrypoint("a")',
}

NODES = """\
from __future__ import annotations

from dataclasses import dataclass
from typing import Optional, Union

from pydantic_graph import BaseNode, End, Graph, GraphRunContext


@dataclass
class A(BaseNode[None]):
    async def run(self, ctx: GraphRunContext) -> B:
        return B()


@dataclass
class B(BaseNode[None, None, int]):
    async def run(self, ctx: GraphRunContext) -> Union[A, C, End[int]]:
        return C()


@dataclass
class C(BaseNode[None, None, int]):
    async def run(self, ctx: GraphRunContext) -> End[int] | C:
        return End(1)


graph = Graph({})
"""

GRAPHS = {
    "list": "nodes=[A, B, C]",
    "tuple": "nodes=(C, B, A)",
    "one": "nodes=[C]",
    "missing": "nodes=[A, B]",
    "two missing": "nodes=[A]",
    "twice": "nodes=[A, B, C, C]",
}

Edges = list[tuple[str, str]]


def read(folder: Path, texts: dict[str, str], capsys: pytest.CaptureFixture[str]) -> Iterator[Any]:
    """Each text by its name with its graph and the names of its errors, all read in one run."""
    files = {name: folder / f"{name.replace(' ', '_')}.py" for name in texts}
    for name, text in texts.items():
        files[name].write_text(text)
    main(("graph", ".", "--format", "json"))
    graphs = {one["path"]: one for one in json.loads(capsys.readouterr().out)["graphs"]}
    main(("check", ".", "--format", "json", "--no-cache"))
    findings = json.loads(capsys.readouterr().out)
    for name, file in files.items():
        own = [one for one in findings if one["path"] == file.name]
        errors = {one["name"] for one in own if one["severity"] == "error"}
        yield name, graphs.get(file.name), errors


def read_edges(graph: dict[str, Any]) -> Edges:
    assert graph["complete"]
    return [(edge["source"], edge["target"]) for edge in graph["edges"]]


def run(text: str, name: str, refusal: type[Exception]) -> types.ModuleType | None:
    """The module of a text; None when the library refuses it."""
    module = types.ModuleType(name)
    # What annotations name is looked for in the module of a class.
    sys.modules[name] = module
    try:
        exec(compile(text, name, "exec"), module.__dict__)
    except refusal:
        return None
    finally:
        del sys.modules[name]
    return module


def test_burr(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("burr.core", reason="Burr is not installed")
    shutil.copy(EXAMPLES / "burr" / "flowlint.toml", tmp_path)
    monkeypatch.chdir(tmp_path)
    texts = {name: BURR.format(chain) for name, chain in CHAINS.items()}
    refused = set()
    for name, graph, errors in read(tmp_path, texts, capsys):
        module = run(texts[name], "declared_burr", ValueError)
        if module is None:
            refused.add(name)
            assert errors, name
            continue
        assert not errors, name
        built = module.app.graph
        assert [node["name"] for node in graph["nodes"]] == [one.name for one in built.actions]
        made = [(one.from_.name, one.to.name) for one in built.transitions]
        assert read_edges(graph) == made, name
        assert graph["entry"] == [module.app.entrypoint], name
        labels = [edge["label"] or "default" for edge in graph["edges"]]
        assert labels == [one.condition.name for one in built.transitions], name
    assert len(refused) == 7


def test_pydantic_graph(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    # Releases from 2 on have no such class.
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        library = pytest.importorskip(
            "pydantic_graph.graph", reason="pydantic-graph 1 is not there"
        )
    from pydantic_graph.exceptions import GraphSetupError

    assert library.Graph
    shutil.copy(EXAMPLES / "pydantic_graph" / "flowlint.toml", tmp_path)
    monkeypatch.chdir(tmp_path)
    texts = {name: NODES.format(given) for name, given in GRAPHS.items()}
    refused = set()
    for name, graph, errors in read(tmp_path, texts, capsys):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            module = run(texts[name], "declared_graph", GraphSetupError)
        if module is None:
            refused.add(name)
            assert errors, name
            continue
        assert not errors, name
        made = {
            (node, target)
            for node, known in module.graph.node_defs.items()
            for target in [*known.next_node_edges, *(["__end__"] if known.end_edge else [])]
        }
        assert {node["name"] for node in graph["nodes"]} == set(module.graph.node_defs), name
        assert set(read_edges(graph)) == made, name
    assert refused == {"missing", "two missing", "twice"}
