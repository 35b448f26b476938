"""Which files of TypeScript and JavaScript are taken, and which are looked into."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from support import RunFlowlint

from flowlint.check import Options, check
from flowlint.languages import frontends
from flowlint.project.scan import may_hold_flow

FLOW = """\
import { compute, defineFlow } from "acpx/flows";

export default defineFlow({
  name: "one",
  startAt: "load",
  nodes: { load: compute({ run: () => ({}) }) },
  edges: [{ from: "load", to: "nowhere" }],
});
"""
TAKEN = ["a.cjs", "a.cts", "a.js", "a.jsx", "a.mjs", "a.mts", "a.ts", "a.tsx"]
LEFT = [
    "types.d.ts",
    "types.d.mts",
    "types.d.cts",
    "a.css",
    ".next/server/a.js",
    "bower_components/a.js",
    "build/a.js",
    "dist/a.js",
    "node_modules/a/a.ts",
    "packages/one/node_modules/a.ts",
]


def write(folder: Path, names: Sequence[str]) -> None:
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(FLOW)


def test_files_that_are_taken(flowlint: RunFlowlint, tmp_path: Path) -> None:
    write(tmp_path, TAKEN + LEFT)
    assert flowlint("check", "--show-files").out.splitlines() == TAKEN
    run = flowlint("check", "--format", "concise")
    assert [line.partition(":")[0] for line in run.out.splitlines()[:-1]] == TAKEN
    assert "FL105" in flowlint("check", "dist/a.js", "--format", "concise").out


def test_settings_may_take_declarations(flowlint: RunFlowlint, tmp_path: Path) -> None:
    write(tmp_path, TAKEN + LEFT)
    (tmp_path / "flowlint.toml").write_text('include = ["*.d.ts"]\n')
    assert flowlint("check", "--show-files").out == "types.d.ts\n"


MINIFIED = "x();" * 6_000
BUNDLE = "x();\n" * 1_000_000


@pytest.mark.parametrize(
    ("name", "text", "is_looked_into"),
    [
        ("a.ts", FLOW, True),
        ("a.ts", f"{FLOW}// {'-' * 19_000}\n" * 3, True),
        ("a.ts", "export const flow = 1;\n", False),
        ("order.ts", "export default { nodes: [], edges: [] };\n", False),
        ("order.flow.ts", "export default { nodes: [], edges: [] };\n", True),
        ("a.js", f"{FLOW}{MINIFIED}\n", False),
        ("a.js", f"{FLOW}{MINIFIED}", False),
        ("a.js", f"{BUNDLE}{FLOW}", False),
        ("a.flow.js", f"{FLOW}{MINIFIED}", True),
        ("my-Flows.ts", f"{BUNDLE}{FLOW}", True),
        ("a.py", f"# {MINIFIED}\nimport flowrt\n", True),
    ],
)
def test_what_a_program_put_together_is_no_flow(name: str, text: str, is_looked_into: bool) -> None:
    assert may_hold_flow(text.encode(), f"flow/{name}") == is_looked_into


@pytest.mark.parametrize(
    "text",
    [
        'import { StateGraph } from "@langchain/langgraph/web";',
        'import * as lg from "@langchain/langgraph";\nadd(new lg.Graph().addNode("a", f));',
        'import { defineFlow } from "acpx";',
        'import { defineFlow } from "@openclaw/acpx/flows";',
        "import type { Flow } from '@objectstack/spec/automation';",
        "import { defineFlow } from './own';",
    ],
)
def test_texts_that_may_hold_flows(text: str) -> None:
    assert may_hold_flow(text.encode(), "a.ts")
    assert not may_hold_flow(text.encode(), "a.yaml")


class Watched(bytearray):
    """Bytes that remember what was looked for in them."""

    def __init__(self, data: bytes) -> None:
        super().__init__(data)
        self.sought: list[bytes] = []

    def find(self, needle: bytes, *place: int) -> int:  # type: ignore[override]
        self.sought.append(needle)
        return super().find(needle, *place)


def test_nothing_of_typescript_is_looked_for_in_python() -> None:
    for path, others in (("a.py", b"@objectstack/"), ("a.ts", b"flowrt")):
        data = Watched(b"x = 1\n")
        assert not may_hold_flow(data, path)
        assert others not in data.sought
        assert len(data.sought) == len(set(data.sought))


def test_without_what_reads_typescript_that_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    write(tmp_path, ["a.ts", "b.js"])
    monkeypatch.setattr(frontends, "can_read_typescript", lambda: False)
    result = check(["."], Options(jobs=1))
    assert (result.findings, result.problems) == ((), ())
    (remark,) = result.remarks
    assert str(remark) == (
        "2 files of TypeScript or JavaScript cannot be read: install `flowls[typescript]`"
    )
