"""One flow, described without regard to any system, as programs and data of many systems."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import yaml

Written = tuple[str, str]
"""The name of a file, and its text."""


@dataclass(frozen=True, slots=True)
class Way:
    """An edge. It is taken where the route is `case`, or `other` than it; without both always."""

    source: str
    target: str
    case: str | None = None
    other: bool = False

    def when(self, route: str) -> str:
        """The condition in an expression in which the route has this name."""
        return f'{route} {"!=" if self.other else "=="} "{self.case}"'


@dataclass(frozen=True, slots=True)
class Sketch:
    """A flow: its nodes in their order, its edges in theirs, and where it begins."""

    nodes: tuple[str, ...]
    ways: tuple[Way, ...]
    entry: str | None


def sketch(nodes: str, ways: str = "", entry: str | None = "a") -> Sketch:
    """A flow of nodes such as `a b c`, and of ways such as `a>b`, `a>b=x`, `a>b!x`."""
    return Sketch(tuple(nodes.split()), tuple(_way(one) for one in ways.split()), entry)


def _way(text: str) -> Way:
    source, _, rest = text.partition(">")
    for sign in "=!":
        if sign in rest:
            target, _, case = rest.partition(sign)
            return Way(source, target, case, sign == "!")
    return Way(source, rest)


def _flowrt_data(flow: Sketch) -> dict[str, Any]:
    edges: list[dict[str, Any]] = []
    for way in flow.ways:
        when = {"when": way.when("state.route")} if way.case is not None else {}
        edges.append({"from": way.source, "to": way.target, **when})
    nodes = [{"name": name, "run": "work"} for name in flow.nodes]
    entry = {"entry": flow.entry} if flow.entry is not None else {}
    return {"flowrt": 1, "name": "sample", **entry, "nodes": nodes, "edges": edges}


def flowrt_json(flow: Sketch) -> Written:
    return "flow.json", json.dumps(_flowrt_data(flow), indent=1)


def flowrt_yaml(flow: Sketch) -> Written:
    return "flow.yaml", yaml.safe_dump(_flowrt_data(flow), sort_keys=False)


def flowrt_python(flow: Sketch) -> Written:
    """Conditions in CEL, as in data."""
    return _flow_call(flow, "flowrt", lambda way: repr(way.when("state.route")), 'name="sample", ')


def flowrt_functions(flow: Sketch) -> Written:
    """Conditions as functions."""
    return _flow_call(flow, "flowrt", _function, 'name="sample", ')


def hydraflow(flow: Sketch) -> Written:
    return _flow_call(flow, "flows", _function, "")


def _function(way: Way) -> str:
    return "lambda state: " + way.when('state["route"]')


def _flow_call(flow: Sketch, module: str, guard: Callable[[Way], str], name: str) -> Written:
    lines = [f"from {module} import Edge, Flow, Node", "from steps import work", ""]
    lines += [f"flow = Flow({name}", "    nodes=["]
    lines += [f"        Node({one!r}, work)," for one in flow.nodes]
    lines += ["    ],", "    edges=["]
    for way in flow.ways:
        when = f", when={guard(way)}" if way.case is not None else ""
        lines.append(f"        Edge({way.source!r}, {way.target!r}{when}),")
    lines += ["    ],"]
    lines += [f"    entry={flow.entry!r},"] if flow.entry is not None else []
    return "flow.py", "\n".join([*lines, ")", ""])


def _agentsflow_data(flow: Sketch) -> dict[str, Any]:
    nodes = [
        {"id": one, "type": "agent", "agent_ref": "worker", "max_retries": 0} for one in flow.nodes
    ]
    return {"flow": "sample", "nodes": nodes, "edges": [_agentsflow_edge(w) for w in flow.ways]}


def _agentsflow_edge(way: Way) -> dict[str, str]:
    ends = {"from": way.source, "to": way.target}
    if way.case is None:
        return {**ends, "condition": "on_success"}
    return {**ends, "condition": "on_condition", "predicate": way.when("result.response")}


def agentsflow_json(flow: Sketch) -> Written:
    return "flow.json", json.dumps(_agentsflow_data(flow), indent=1)


def agentsflow_yaml(flow: Sketch) -> Written:
    return "flow.yaml", yaml.safe_dump(_agentsflow_data(flow), sort_keys=False)


def agentsflow_definition(flow: Sketch) -> Written:
    held = _agentsflow_data(flow)
    lines = ["from parrot.bots.flows import EdgeDefinition, FlowDefinition, NodeDefinition", ""]
    lines += ["flow = FlowDefinition(", '    flow="sample",', "    nodes=["]
    lines += [f"        NodeDefinition(**{one!r})," for one in held["nodes"]]
    lines += ["    ],", "    edges=["]
    lines += [f"        EdgeDefinition(**{one!r})," for one in held["edges"]]
    return "flow.py", "\n".join([*lines, "    ],", ")", ""])


def svelteflow(flow: Sketch) -> Written:
    held = _agentsflow_data(flow)
    nodes = [
        {"id": one["id"], "type": "agent", "data": {"agent_ref": "worker", "max_retries": 0}}
        for one in held["nodes"]
    ]
    edges = [
        {
            "id": f"e{number}",
            "source": one["from"],
            "target": one["to"],
            "data": {key: one[key] for key in ("condition", "predicate") if key in one},
        }
        for number, one in enumerate(held["edges"])
    ]
    return "flow.json", json.dumps({"nodes": nodes, "edges": edges}, indent=1)


def agentsflow_builder(flow: Sketch) -> Written:
    lines = ["from agents import worker", "from parrot.bots.flows import AgentNode, AgentsFlow", ""]
    lines.append('flow = AgentsFlow("sample")')
    for one in flow.nodes:
        before = {way.source for way in flow.ways if way.target == one}
        more = f", dependencies={{{', '.join(map(repr, sorted(before)))}}}" if before else ""
        lines.append(f"flow.add_node(AgentNode(node_id={one!r}, agent=worker{more}))")
    for way in flow.ways:
        held = _agentsflow_edge(way)
        keys = [key for key in ("condition", "predicate") if key in held]
        more = "".join(f", {key}={held[key]!r}" for key in keys)
        lines.append(f"flow.add_edge({way.source!r}, {way.target!r}{more})")
    return "flow.py", "\n".join([*lines, ""])


def acpx(flow: Sketch) -> Written:
    """Cases as switches; `can_acpx` tells what those cannot say."""
    nodes = "".join(f"    {one}: compute({{ run: () => ({{}}) }}),\n" for one in flow.nodes)
    edges = ""
    for source in dict.fromkeys(way.source for way in flow.ways):
        ways = [way for way in flow.ways if way.source == source]
        cases = ", ".join(f"{way.case}: {way.target!r}" for way in ways if way.case is not None)
        for way in ways:
            if way.case is None:
                edges += f"    {{ from: {source!r}, to: {way.target!r} }},\n"
        if cases:
            switch = f'{{ on: "$.route", cases: {{ {cases} }} }}'
            edges += f"    {{ from: {source!r}, switch: {switch} }},\n"
    entry = f"  startAt: {flow.entry!r},\n" if flow.entry is not None else ""
    head = 'import { compute, defineFlow } from "acpx/flows";\n\nexport default defineFlow({\n'
    body = f'  name: "sample",\n{entry}  nodes: {{\n{nodes}  }},\n  edges: [\n{edges}  ],\n}});\n'
    return "flow.ts", head + body


def can_acpx(flow: Sketch) -> bool:
    """Whether names and cases are there once, as keys of an object, and no edge beside a switch."""
    mixed = {way.source for way in flow.ways if way.case is None} & {
        way.source for way in flow.ways if way.case is not None
    }
    cases = [(way.source, way.case) for way in flow.ways if way.case is not None]
    return (
        not mixed
        and not any(way.other for way in flow.ways)
        and len(set(cases)) == len(cases)
        and len(set(flow.nodes)) == len(flow.nodes)
    )


def _objectstack_data(flow: Sketch) -> dict[str, Any]:
    """The entry is the node of type `start`; it is in no other way told."""
    nodes = [
        {
            "id": one,
            "type": "start" if one == flow.entry else "assignment",
            "label": one.upper(),
            **({} if one == flow.entry else {"config": {"done": True}}),
        }
        for one in flow.nodes
    ]
    edges = [
        {
            "id": f"e{number}",
            "source": way.source,
            "target": way.target,
            **({"condition": way.when("route")} if way.case is not None else {}),
        }
        for number, way in enumerate(flow.ways)
    ]
    variables = [{"name": "route", "type": "text", "isInput": True}]
    return {
        "name": "sample",
        "label": "Sample",
        "type": "autolaunched",
        "variables": variables,
        "nodes": nodes,
        "edges": edges,
    }


def objectstack_typescript(flow: Sketch) -> Written:
    head = 'import { defineFlow } from "@objectstack/spec/automation";\n\n'
    text = json.dumps(_objectstack_data(flow), indent=2)
    return "flow.ts", f"{head}export const flow = defineFlow({text});\n"


def objectstack_json(flow: Sketch) -> Written:
    return "sample.flow.json", json.dumps(_objectstack_data(flow), indent=1)


def objectstack_yaml(flow: Sketch) -> Written:
    return "sample.flow.yaml", yaml.safe_dump(_objectstack_data(flow), sort_keys=False)


def can_objectstack(flow: Sketch) -> bool:
    """Whether the entry can be told by a node's type."""
    return flow.entry is None or flow.nodes.count(flow.entry) == 1


def langgraph_python(flow: Sketch) -> Written:
    lines = ["from typing import TypedDict", "", "from langgraph.graph import START, StateGraph"]
    lines += ["", "", "class State(TypedDict):", "    route: str", "", ""]
    lines += ["def work(state: State):", "    return {}", "", ""]
    lines += ["sample = StateGraph(State)"]
    lines += [f"sample.add_node({one!r}, work)" for one in flow.nodes]
    lines += [f"sample.add_edge(START, {flow.entry!r})"] if flow.entry is not None else []
    lines += [f"sample.add_edge({way.source!r}, {way.target!r})" for way in flow.ways]
    return "flow.py", "\n".join([*lines, "flow = sample.compile()", ""])


def langgraph_script(flow: Sketch) -> Written:
    lines = ['import { Annotation, START, StateGraph } from "@langchain/langgraph";', ""]
    lines += ["const State = Annotation.Root({ route: Annotation });"]
    lines += ["const work = () => ({});", "const flow = new StateGraph(State)"]
    lines += [f"  .addNode({one!r}, work)" for one in flow.nodes]
    lines += [f"  .addEdge(START, {flow.entry!r})"] if flow.entry is not None else []
    lines += [f"  .addEdge({way.source!r}, {way.target!r})" for way in flow.ways]
    return "flow.mjs", "\n".join([*lines, "  .compile();", ""])


def can_langgraph(flow: Sketch) -> bool:
    """Whether no edge has a condition: that is another construct there."""
    return all(way.case is None for way in flow.ways)
