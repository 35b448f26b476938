"""The same flow as definition in Python, JSON, YAML, document of the editor, and built by hand."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from flowlint.pipeline import analyse_file
from flowlint.project.files import ProjectFiles

Flow = dict[str, Any]


def agent(name: str) -> Flow:
    return {"id": name, "type": "agent", "agent_ref": name, "max_retries": 0}


def edge(source: str, target: str, condition: str = "on_success", text: str | None = None) -> Flow:
    held = {"from": source, "to": target, "condition": condition}
    return held | ({"predicate": text} if text is not None else {})


def flow(nodes: str, *edges: Flow) -> Flow:
    return {"flow": "sample", "nodes": [agent(name) for name in nodes.split()], "edges": [*edges]}


FLOWS = {
    "chain": flow("a b c", edge("a", "b"), edge("b", "c")),
    "fan out and in": flow(
        "a b c d", edge("a", "b"), edge("a", "c"), edge("b", "d"), edge("c", "d")
    ),
    "handlers": flow(
        "a b late broken",
        edge("a", "b"),
        edge("a", "late", "on_timeout"),
        edge("b", "broken", "on_error"),
    ),
    "choice": flow(
        "a b c",
        edge("a", "b", "on_condition", 'result.response == "x"'),
        edge("a", "c", "on_condition", 'result.response != "x"'),
    ),
    "choice that leaves something out": flow(
        "a b c",
        edge("a", "b", "on_condition", 'result.response == "x"'),
        edge("a", "c", "on_condition", 'result.response == "y"'),
    ),
    "loop": flow(
        "a b c",
        edge("a", "b"),
        edge("b", "a", "on_condition", 'result.response == "again"'),
        edge("b", "c", "on_condition", 'result.response != "again"'),
    ),
    "unknown target": flow("a b", edge("a", "b"), edge("b", "c")),
    "circle": flow("a b", edge("a", "b"), edge("b", "a")),
    "unknown name": flow("a b", edge("a", "b", "on_condition", "results.x == 1")),
    "no CEL": flow("a b", edge("a", "b", "on_condition", "result.x = 1")),
    "never true": flow(
        "a b", edge("a", "b", "on_condition", 'result.response == "x" && result.response == "y"')
    ),
    "unread predicate": flow("a b", edge("a", "b", "always", "result.response")),
    "unknown condition": flow("a b", edge("a", "b", "on_sucess")),
    "no predicate": flow("a b", edge("a", "b", "on_condition")),
}


def as_json(held: Flow) -> tuple[str, str]:
    return "flow.json", json.dumps(held, indent=1)


def as_yaml(held: Flow) -> tuple[str, str]:
    return "flow.yaml", yaml.safe_dump(held)


def as_definition(held: Flow) -> tuple[str, str]:
    lines = ["from parrot.bots.flows import EdgeDefinition, FlowDefinition, NodeDefinition", ""]
    lines += [f"nodes = [NodeDefinition(**one) for one in {held['nodes']!r}]"]
    lines += ["edges = ["]
    lines += [f"    EdgeDefinition(**{one!r})," for one in held["edges"]]
    lines += ["]", 'flow = FlowDefinition(flow="sample", nodes=nodes, edges=edges)', ""]
    return "flow.py", "\n".join(lines)


def as_builder(held: Flow) -> tuple[str, str]:
    lines = ["from agents import agent", "from parrot.bots.flows import AgentNode, AgentsFlow", ""]
    lines += ['flow = AgentsFlow("sample")']
    for node in held["nodes"]:
        name = node["id"]
        lines.append(f"flow.add_node(AgentNode(node_id={name!r}, agent=agent, dependencies={{1}}))")
    for one in held["edges"]:
        said = "".join(
            f", {field}={one[field]!r}" for field in ("condition", "predicate") if field in one
        )
        lines.append(f"flow.add_edge({one['from']!r}, {one['to']!r}{said})")
    return "flow.py", "\n".join([*lines, ""])


def as_document(held: Flow) -> tuple[str, str]:
    nodes = [
        {
            "id": one["id"],
            "type": one["type"],
            "data": {k: one[k] for k in ("agent_ref", "max_retries")},
        }
        for one in held["nodes"]
    ]
    edges = [
        {
            "id": f"{one['from']}->{one['to']}",
            "source": one["from"],
            "target": one["to"],
            "data": {k: one[k] for k in ("condition", "predicate") if k in one},
        }
        for one in held["edges"]
    ]
    return "flow.json", json.dumps({"nodes": nodes, "edges": edges}, indent=1)


Form = Callable[[Flow], tuple[str, str]]
DEFINITIONS: tuple[Form, ...] = (as_yaml, as_definition, as_document)

MODE = frozenset({"join-never-completes"})
"""What only holds where joins wait for all."""


def seen(held: Flow, form: Form) -> tuple[list[object], list[tuple[str, str]]]:
    """The nodes, edges and entries of a flow in one form, and what is told of it."""
    name, text = form(held)
    Path(name).write_text(text)
    result = analyse_file(name, ProjectFiles(), ".")
    graph = result.graphs[0]
    parts: list[object] = [
        [node.name for node in graph.nodes],
        [(one.source, one.target, one.kind, one.label, one.after) for one in graph.edges],
        sorted(entry.name for entry in graph.entries),
    ]
    return parts, sorted((one.name, one.severity) for one in result.findings)


def of_form(form: Form) -> Iterator[tuple[str, Flow]]:
    """Flows that a form can say: documents with other conditions are none of the editor."""
    for title, held in FLOWS.items():
        if form is not as_document or title != "unknown condition":
            yield title, held


@pytest.mark.parametrize("form", DEFINITIONS)
def test_definitions(form: Form, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for title, held in of_form(form):
        parts, told = seen(held, as_json)
        other, also = seen(held, form)
        assert other == parts, title
        if form is as_definition:
            # In Python it is not said that the definition is run: modes are not told of.
            told = [one for one in told if one[0] not in MODE]
        assert also == told, title


def test_builders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A builder has another mode: it may go round, and `always` stands for `on_success`."""
    monkeypatch.chdir(tmp_path)
    for title, held in FLOWS.items():
        parts, told = seen(held, as_json)
        other, also = seen(held, as_builder)
        if title == "unread predicate":
            # The condition that a builder has by default gives way to a predicate.
            assert [one[2] for one in (parts[1][0], other[1][0])] == ["always", "when"]  # type: ignore[index]
            assert (told, also) == ([("ineffective-field", "warning")], [])
            continue
        if title == "loop":
            assert other[:2] == parts[:2]
            assert (parts[2], other[2]) == ([], ["a"])
        else:
            assert other == parts, title
        assert also == [one for one in told if one[0] not in MODE], title
