"""Changed plans, blueprints and configs: what the real models and validators refuse is an error.

What they accept is no error. Tools and agents are all there: only a running registry knows better.
"""

from __future__ import annotations

import json
from pathlib import Path
from types import ModuleType

import pytest
from agentsflow_real import real_flows
from authored_mutations import BLUEPRINT, CONFIG, CREW, PLAN, Data, mutated

from flowlint.findings.model import Finding
from flowlint.pipeline import analyse_file
from flowlint.project.files import ProjectFiles

Modules = dict[str, ModuleType]

ONLY_IN_RUNS = (
    "names no coordinator",
    "which is none of its agents",
    "names no agent that decides",
)
"""What no model checks and makes each run fail that comes to the decision."""


def findings_of(data: Data, indent: int = 1) -> list[Finding]:
    Path("flow.json").write_text(json.dumps(data, indent=indent))
    return list(analyse_file("flow.json", ProjectFiles(), ".").findings)


def told(data: Data) -> list[tuple[str, str]]:
    return [(one.name, one.message) for one in findings_of(data) if one.severity == "error"]


def plan_refusal(modules: Modules, data: Data) -> str | None:
    try:
        plan = modules["plan.models"].ExecutionPlan.model_validate(data)
    except ValueError as error:
        return str(error)
    report = modules["plan.validator"].validate_plan(plan, None)
    return None if report.ok else str(report)


def blueprint_refusal(modules: Modules, data: Data) -> str | None:
    catalog = modules["authoring.catalog"]
    try:
        blueprint = modules["authoring.blueprint"].WorkflowBlueprint.model_validate(data)
    except ValueError as error:
        return str(error)
    entry = catalog.NodeTypeEntry
    agents = {node.agent_ref for node in blueprint.nodes if node.agent_ref}
    agents |= {ref for node in blueprint.nodes for ref in _refs(node.config)}
    tools = {name for node in blueprint.nodes for name in (*node.tools, node.tool) if name}
    known = catalog.ComponentCatalog(
        node_types=[
            entry(type="agent", class_name="x", module="x", engines=["flow", "crew"]),
            entry(type="tool", class_name="x", module="x", engines=["flow", "crew"]),
            *(
                entry(
                    type=kind, class_name="x", module="x", engines=["flow"], config_schema={"x": 1}
                )
                for kind in ("decision", "interactive_decision", "synthesis")
            ),
        ],
        agents=[catalog.AgentEntry(name=name) for name in agents],
        tools=[catalog.ToolEntry(name=name) for name in tools | {*blueprint.shared_tools}],
    )
    try:
        report = modules["authoring.validator"].validate_blueprint(blueprint, known)
    except TypeError as error:  # It takes the config of a decision for one that is well-formed.
        return str(error)
    wrong = [str(issue) for issue in report.issues if issue.severity == "error"]
    return "; ".join(wrong) or None


def _refs(config: Data) -> list[str]:
    refs = config.get("agent_refs")
    return [one for one in refs if isinstance(one, str)] if isinstance(refs, list) else []


def config_refusal(modules: Modules, data: Data) -> str | None:
    try:
        modules["flow.node_configs"].DecisionConfigDef.model_validate(data)
    except ValueError as error:
        return str(error)
    return None


def says_plan(data: Data) -> bool:
    nodes = data.get("nodes")
    if not isinstance(data.get("name"), str) or "objective" not in data:
        return False
    return isinstance(nodes, list) and any(
        isinstance(one, dict) and {"tool", "store_as"} <= one.keys() for one in nodes
    )


def says_blueprint(data: Data) -> bool:
    nodes = data.get("nodes")
    if not isinstance(data.get("name"), str) or not {"engine", "transitions"} <= data.keys():
        return False
    return isinstance(nodes, list) and any(
        isinstance(one, dict) and one.get("kind") in ("agent", "decision", "tool") for one in nodes
    )


def test_plans(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    unlike, refused, count = [], 0, 0
    with real_flows() as modules:
        assert plan_refusal(modules, PLAN) is None
        assert findings_of(PLAN) == []
        for change, data in mutated(PLAN, 150, seed=5):
            if not says_plan(data):
                continue
            count += 1
            refusal, errors = plan_refusal(modules, data), told(data)
            refused += refusal is not None
            if (refusal is not None) != bool(errors):
                unlike.append((change, refusal, errors))
    assert unlike == [], "\n".join(map(str, unlike))
    assert count // 3 < refused < count


@pytest.mark.parametrize("base", [BLUEPRINT, CREW], ids=["flow", "crew"])
def test_blueprints(base: Data, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    unlike, refused, count = [], 0, 0
    with real_flows() as modules:
        assert blueprint_refusal(modules, base) is None
        assert findings_of(base) == []
        for change, data in mutated(base, 100, seed=9):
            if not says_blueprint(data):
                continue
            count += 1
            refusal, errors = blueprint_refusal(modules, data), told(data)
            refused += refusal is not None
            if (refusal is not None) != bool(errors):
                unlike.append((change, refusal, errors))
    assert unlike == [], "\n".join(map(str, unlike))
    assert count // 3 < refused < count


def test_configs_of_decisions(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    unlike, refused = [], 0
    with real_flows() as modules:
        for change, config in mutated(CONFIG, 80, seed=2):
            agent = {"id": "a", "type": "agent", "agent_ref": "a"}
            choose = {"id": "choose", "type": "decision", "config": config}
            edges = [{"from": "a", "to": "choose"}]
            data = {"flow": "sample", "nodes": [agent, choose], "edges": edges}
            refusal, errors = config_refusal(modules, config), told(data)
            refused += refusal is not None
            seen = [said for _, said in errors if not any(late in said for late in ONLY_IN_RUNS)]
            if (refusal is not None) != bool(seen) and (refusal is None or not errors):
                unlike.append((change, refusal, errors))
    assert unlike == [], "\n".join(map(str, unlike))
    assert 20 < refused < 80
