"""Comments, broken text and keys written twice in files of data, as a user meets them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from support import RunFlowlint

COMMENTED = """\
{ // a flow "of one node"
  "flowrt": 1, "name": "x", "entry": "a",
  "nodes": [{"name": "a", "run": "m:a"}],
  "edges": [
    {"from": "a", "to": "http://b"}, // flowlint: ignore[dangling-edge] soon
    {"from": "a", "to": "c", "outcome": "failed"}, /* other */
  ],
}
"""
BROKEN = """\
{
  "flow": "f",
  "nodes": [
    {"id": "a", "type": "agent", "agent_ref": "x"}
    {"id": "b", "type": "agent", "agent_ref": "x},
    {"id": "c", "type": "agent", "agent_ref": "x"
  ],
  "edges": [
    {"from": "a", "to": "b"},
    {"from": "b", "to":},
    {"from": "a", "to": "nowhere"}
  ]
}
"""
HALF_TYPED = """\
flowrt: 1
name: x
entry: a
nodes:
  - name: a
    run: m:a
    tim
  - name: 'b
edges:
  - {from: a, to: nowhere}
"""


@pytest.fixture
def flowlint(flowlint_inside: RunFlowlint) -> RunFlowlint:
    """No process of its own: there are many runs here."""
    return flowlint_inside


def findings(flowlint: RunFlowlint, *arguments: str) -> list[tuple[int, int, str]]:
    found = json.loads(flowlint("check", "--format", "json", "--no-cache", *arguments).out)
    places = [(one["range"]["start"], one["code"]) for one in found]
    return sorted((start["line"], start["column"], code) for start, code in places)


@pytest.mark.parametrize("ending", ["jsonc", "json5"])
def test_comments_silence_in_what_allows_them(
    flowlint: RunFlowlint, tmp_path: Path, ending: str
) -> None:
    file = tmp_path / f"flow.{ending}"
    file.write_text(COMMENTED)
    assert findings(flowlint, file.name) == [(6, 25, "FL105")]
    assert flowlint("check", "--no-cache", "--add-ignore", file.name).code == 0
    written = file.read_text()
    assert written == COMMENTED.replace(
        "/* other */", "/* other */ // flowlint: ignore[dangling-edge]"
    )
    assert findings(flowlint, file.name) == []


def test_a_comment_in_plain_json_is_a_fault_and_the_rest_is_read(
    flowlint: RunFlowlint, tmp_path: Path
) -> None:
    (tmp_path / "flow.json").write_text(COMMENTED)
    found = findings(flowlint, "flow.json")
    assert found == [
        (1, 3, "FL901"),
        (5, 25, "FL105"),
        (6, 25, "FL105"),
        (7, 3, "FL901"),
        (8, 1, "FL901"),
    ]


def test_every_break_in_json_costs_its_own_part_only(flowlint: RunFlowlint, tmp_path: Path) -> None:
    (tmp_path / "flow.json").write_text(BROKEN)
    found = findings(flowlint, "flow.json")
    faults = [line for line, _, code in found if code == "FL901"]
    assert faults == [5, 7, 10]
    # A node may have been swallowed, so that nothing is said of edges to none.
    assert {code for _, _, code in found} == {"FL901"}
    mended = BROKEN.replace('"x},', '"x"},').replace('"x"\n  ],', '"x"}\n  ],')
    (tmp_path / "flow.json").write_text(mended)
    assert findings(flowlint, "flow.json") == [
        (5, 5, "FL901"),
        (10, 24, "FL901"),
        (11, 25, "FL105"),
    ]


def test_every_break_in_yaml_costs_its_own_part_only(flowlint: RunFlowlint, tmp_path: Path) -> None:
    (tmp_path / "flow.yaml").write_text(HALF_TYPED)
    found = findings(flowlint, "flow.yaml")
    assert [code for _, _, code in found].count("FL901") == 2
    assert [code for _, _, code in found if code != "FL901"] == []


def test_of_a_key_written_twice_the_last_one_counts(flowlint: RunFlowlint, tmp_path: Path) -> None:
    nodes = '"nodes": [{"id": "a", "type": "agent", "agent_ref": "x"}]'
    (tmp_path / "a.json").write_text(f'{{"flow": "f", {nodes},\n"edges": [],\n{nodes}}}')
    assert findings(flowlint, "a.json") == [(3, 1, "FL210")]
    text = 'flowrt: 1\nname: x\nentry: a\nnodes: [{name: a, run: "m:a"}]\nedges: []\nname: y\n'
    (tmp_path / "b.yaml").write_text(text)
    assert findings(flowlint, "b.yaml") == [(6, 1, "FL901")]


BLOCK = """flowrt: 1
name: t
entry: a
nodes:
  - {name: a, kind: gate, run: "f:f"}
  - {name: b, run: "f:f"}
edges:
  - from: a
    to: b
    when: >-
      foo.bar == 1
  - {from: a, to: b}
"""


@pytest.mark.parametrize("sign", [">-", "|", ">", "|2-"])
def test_a_comment_behind_the_sign_of_a_block_counts(
    sign: str, flowlint: RunFlowlint, tmp_path: Path
) -> None:
    path = tmp_path / "flow.yaml"
    path.write_text(BLOCK.replace(">-", sign).replace("      foo", "      foo"))
    assert "unknown-variable" in flowlint("check", "flow.yaml").out
    assert "Wrote" in flowlint("check", "--add-ignore", "flow.yaml").out
    written = path.read_text()
    assert written.count("# flowlint: ignore[unknown-variable]") == 1
    assert flowlint("check", "flow.yaml").code == 0
    flowlint("check", "--add-ignore", "flow.yaml")
    assert path.read_text() == written
