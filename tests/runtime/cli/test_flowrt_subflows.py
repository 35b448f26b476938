"""Which flows can be run inside of others, and which flow of a file is meant."""

from __future__ import annotations

from pathlib import Path

import pytest
from flowrt_program import FUNCTIONS, Flowrt

MODULE = f"""{FUNCTIONS}
inner = Flow(nodes=[Node("one", one)], edges=[], entry="one")
named = Flow(name="by_name", nodes=[Node("one", one)], edges=[], entry="one")


def make():
    return inner
"""
OUTER = """
flowrt: 1
name: outer
entry: sub
nodes: [{name: sub, kind: subflow, config: {flow: FLOW, into: left}}]
"""
OTHER = """
---
flowrt: 1
name: other
entry: sub
nodes: [{name: sub, kind: subflow, config: {flow: inner, into: deep}}]
"""


@pytest.fixture(autouse=True)
def module(tmp_path: Path) -> None:
    (tmp_path / "mflow.py").write_text(MODULE)


@pytest.mark.parametrize("suffix", ["yaml", "json"])
@pytest.mark.parametrize("flow", ["inner", "by_name"])
def test_flows_of_a_named_module_can_be_run_inside(
    flowrt: Flowrt, tmp_path: Path, suffix: str, flow: str
) -> None:
    text = OUTER.replace("FLOW", flow)
    if suffix == "json":
        import json

        import yaml

        text = json.dumps(yaml.safe_load(text))
    (tmp_path / f"m.{suffix}").write_text(text)
    ran = flowrt("run", f"m.{suffix}", "--module", "mflow", "--input-json", '{"n": 1}')
    assert ran.state == {"n": 1, "left": {"n": 2}}


def test_so_can_the_other_documents_of_a_file_and_what_these_need(
    flowrt: Flowrt, tmp_path: Path
) -> None:
    (tmp_path / "m.yaml").write_text(OUTER.replace("FLOW", "other") + OTHER)
    ran = flowrt("run", "m.yaml:outer", "--module", "mflow")
    assert ran.state == {"left": {"deep": {"n": 1}}}


def test_a_flow_that_is_not_there_is_told_with_the_cure(flowrt: Flowrt, tmp_path: Path) -> None:
    (tmp_path / "m.yaml").write_text(OUTER.replace("FLOW", "inner"))
    failed = flowrt("run", "m.yaml")
    assert failed.code == 1
    assert "there is no flow `inner` to run inside `outer`, there is `outer`" in failed.err
    assert "--module" in failed.err


def test_a_name_that_is_no_flow_is_told_with_the_flows_there_are(flowrt: Flowrt) -> None:
    refused = flowrt("run", "mflow.py:nope")
    assert refused.code == 2
    assert refused.err == (
        "error: `mflow.py` has no `nope`: name one of `mflow.py:inner`, `mflow.py:named`\n"
    )


def test_a_function_that_is_registered_nowhere_is_told_with_the_option(
    flowrt: Flowrt, tmp_path: Path
) -> None:
    (tmp_path / "m.yaml").write_text(
        "flowrt: 1\nname: x\nentry: a\nnodes: [{name: a, run: nobody}, {name: b, run: 'm:f'}]\n"
    )
    refused = flowrt("check", "m.yaml")
    assert refused.out.count("--module") == 2, refused.out
