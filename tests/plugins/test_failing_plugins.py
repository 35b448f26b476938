"""Plugins that fail on a flow: the flow is told, and whose fault it is; the rest goes on."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from plugin_help import BAD_FLOW, GOOD_DIALECT, install_dialect, install_rule, rule
from support import Run, RunFlowlint

CHECK = "def check(graph, context):\n    {}\n    yield\n"
AUTHORS = "this is a fault of Some-Plugin 1.0: please report it to its authors"

DATA_DIALECT = '''\
"""Mine: flows as data."""

from flowlint.dialects.hydraflow import SEMANTICS
from flowlint.dialects.reading import text_of
from flowlint.graph.model import Entry, FlowGraph, Node
from flowlint.values.model import Mapped


class Mine:
    name = "mine"
    semantics = (SEMANTICS,)
    types = ()
    constants = {}
    data_needles = ((b"mine-flow",),)

    def graph(self, built, around):
        return None

    def document(self, value, around):
        if not isinstance(value, Mapped):
            return None
        found = {text_of(entry.key): entry.value for entry in value.entries}
        if "mine-flow" not in found:
            return None
        span = found["mine-flow"].origin.span()
        name = text_of(found["mine-flow"])
        node = Node(name, span, span)
        return FlowGraph(
            name, "mine", span, SEMANTICS, nodes=(node, node), entries=(Entry(name, span),)
        )


DIALECT = Mine()
'''


def findings(run: Run) -> dict[str, dict[str, str]]:
    return {finding["name"]: finding for finding in json.loads(run.out)}


@pytest.fixture(autouse=True)
def flow(tmp_path: Path) -> None:
    (tmp_path / "flow.py").write_text(BAD_FLOW)


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("raise OSError('no')", "OSError: no"),
        ("yield 3", "TypeError: gives int for a finding"),
        (
            'yield Finding("FL105", "dangling-edge", "error", "Mine.", graph.span)',
            "ValueError: reports FL105 dangling-edge, which is not its own",
        ),
    ],
)
def test_a_rule_that_fails(plugged: RunFlowlint, site: Path, code: str, said: str) -> None:
    text = rule().partition("def check")[0] + CHECK.format(code)
    install_rule(site, text.replace("import RuleInfo", "import RuleInfo, Finding"))
    run = plugged("check", "--format", "json")
    found = findings(run)
    assert run.code == 2
    assert found.keys() == {"dangling-edge", "internal-error"}
    fault = found["internal-error"]
    assert fault["message"].startswith(f"rule here of Some-Plugin 1.0 failed: {said} (")
    assert fault["help"].startswith(AUTHORS)


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("raise OSError('no')", "OSError: no"),
        ("return 3", "TypeError: gives int for a flow"),
        (
            "from flowlint.graph.model import FlowGraph\n"
            '        return FlowGraph("x", "langgraph", built.origin.span(), SEMANTICS)',
            "ValueError: gives a flow of the dialect `langgraph`",
        ),
    ],
)
def test_a_dialect_that_fails(
    plugged: RunFlowlint, site: Path, tmp_path: Path, code: str, said: str
) -> None:
    install_dialect(site, GOOD_DIALECT.replace("return None", code))
    (tmp_path / "flow.py").write_text(f"from mine import Flow as Other\n{BAD_FLOW}\nx = Other()\n")
    run = plugged("check", "--format", "json")
    found = findings(run)
    assert run.code == 2
    assert found.keys() == {"dangling-edge", "internal-error"}
    fault = found["internal-error"]
    assert fault["message"].startswith(f"the dialect mine of Some-Plugin 1.0 failed: {said} (")
    assert fault["help"].startswith(AUTHORS)


def test_flows_as_data(plugged: RunFlowlint, site: Path, tmp_path: Path) -> None:
    install_dialect(site, DATA_DIALECT)
    (tmp_path / "flow.json").write_text('{"mine-flow": "one"}')
    (tmp_path / "flow.yaml").write_text("mine-flow: two\n---\nflowrt: 1\nname: three\n")
    (tmp_path / "other.json").write_text('["mine-flow"]')
    run = plugged("check", "--format", "json")
    told = [(found["path"], found["name"]) for found in json.loads(run.out)]
    assert ("flow.json", "duplicate-node") in told
    assert ("flow.yaml", "duplicate-node") in told
    assert ("flow.yaml", "invalid-definition") in told
    assert run.code == 1


def test_data_that_a_dialect_fails_on(plugged: RunFlowlint, site: Path, tmp_path: Path) -> None:
    install_dialect(site, DATA_DIALECT.replace("span = found", "span = lost"))
    (tmp_path / "flow.yaml").write_text("mine-flow: two\n---\nflowrt: 1\nname: three\n")
    run = plugged("check", "--format", "json", "flow.yaml")
    found = findings(run)
    assert found.keys() == {"internal-error", "invalid-definition"}
    said = "the dialect mine of Some-Plugin 1.0 failed: NameError: name 'lost' is not defined ("
    assert found["internal-error"]["message"].startswith(said)
