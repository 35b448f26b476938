"""Which modules are looked into at all: those that can hold a flow, however it is written."""

from __future__ import annotations

from pathlib import Path

import pytest
from support import RunFlowlint

from flowlint.project.scan import may_hold_flow

PARTS = """\
from flows import Edge, Node


async def collect(state):
    return state


NODES = [Node("collect", collect)]
EDGES = [Edge("collect", "nobody")]
SPEC = {"nodes": NODES, "edges": EDGES, "entry": "collect"}
"""
BROKEN = [{"name": "dangling-edge", "path": "parts.py"}]


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        (
            'Flow(nodes=[], edges=[], entry="collect")',
            [{"name": "empty-flow", "path": "flow.py"}],
        ),
        ('Flow(nodes=NODES, edges=EDGES, entry="collect")', BROKEN),
        ("Flow(**SPEC)", BROKEN),
        ("Flow(\n    **SPEC,\n)", BROKEN),
    ],
    ids=["no edges", "edges from elsewhere", "all from elsewhere", "in a line of its own"],
)
def test_a_flow_is_found_in_a_module_without_edges_of_its_own(
    flowlint: RunFlowlint, tmp_path: Path, call: str, expected: list[dict[str, str]]
) -> None:
    import json

    (tmp_path / "parts.py").write_text(PARTS)
    (tmp_path / "flow.py").write_text(f"import flows\nfrom parts import *\n\nflow = flows.{call}\n")
    run = flowlint("check", "--output-format", "json", "--select", "FL103,FL105")
    found = [{key: one[key] for key in ("name", "path")} for one in json.loads(run.out)]
    assert found == expected


class Watched(bytearray):
    """Bytes that remember what was looked for in them."""

    def __init__(self, data: bytes) -> None:
        super().__init__(data)
        self.sought: list[bytes] = []

    def find(self, needle: bytes, *place: int) -> int:  # type: ignore[override]
        self.sought.append(needle)
        return super().find(needle, *place)


@pytest.mark.parametrize("path", ["plain.py", "plain.yaml"])
def test_nothing_is_looked_for_twice_in_a_file_without_flows(path: str) -> None:
    data = Watched(b"x = 1\n")
    assert not may_hold_flow(data, path)
    assert len(data.sought) == len(set(data.sought))
    assert not {b"Edge", b"entry", b"nodes", b"Flow("} & set(data.sought)
