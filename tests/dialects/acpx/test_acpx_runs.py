"""What acpx accepts and is an error all the same: the real runs show it."""

from __future__ import annotations

import json
import os
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest
from acpx_real import modules

from flowlint.pipeline import analyse_file
from flowlint.project.files import ProjectFiles

HEAD = """\
import { acp, action, checkpoint, compute, defineFlow, shell } from "acpx/flows";

const run = () => ({ route: "x" });

"""
TO_B = '[{ from: "a", to: "b" }]'


@dataclass(frozen=True)
class Run:
    """A flow with the rule that reports it as an error, and what its run says."""

    title: str
    nodes: str
    edges: str
    rule: str
    says: str
    severity: str = "error"

    @property
    def source(self) -> str:
        fields = f'name: "f", startAt: "a", nodes: {{ {self.nodes} }}, edges: {self.edges}'
        return f"{HEAD}export default defineFlow({{ {fields} }});\n"


def switch(on: str, cases: str) -> str:
    return f'[{{ from: "a", switch: {{ on: "{on}", cases: {cases} }} }}]'


TWO = "a: compute({ run }), b: compute({ run })"
NOT_SCALAR = "Flow switch value must be scalar"
NO_CASE = "No flow switch case"

RUNS = (
    Run(
        "a checkpoint ends the run",
        "a: checkpoint(), b: compute({ run })",
        TO_B,
        "edge-never-taken",
        '"status":"waiting"',
    ),
    Run("no path", TWO, switch("route", '{ x: "b" }'), "invalid-expression", "Unsupported JSON"),
    Run("the output", TWO, switch("$", '{ x: "b" }'), "invalid-expression", "Unsupported JSON"),
    Run("brackets", TWO, switch("$.route[0]", '{ x: "b" }'), "invalid-expression", NOT_SCALAR),
    Run("no name", TWO, switch("$.a..b", '{ x: "b" }'), "invalid-expression", NOT_SCALAR),
    Run(
        "no such field of a result",
        TWO,
        switch("$result.outcom", '{ ok: "b" }'),
        "unknown-variable",
        NOT_SCALAR,
    ),
    Run("no cases", TWO, switch("$.route", "{}"), "unroutable-gate", NO_CASE),
    Run(
        "no case for success",
        TWO,
        switch("$result.outcome", '{ failed: "b", timed_out: "b" }'),
        "unhandled-route",
        NO_CASE,
    ),
    Run("no case for a value", TWO, switch("$.route", '{ y: "b" }'), "unhandled-route", NO_CASE),
    Run("no such value", TWO, switch("$.way", '{ x: "b" }'), "unhandled-route", NOT_SCALAR),
    Run(
        "no case for a failure",
        "a: compute({ run: () => { throw new Error('why'); } }), b: compute({ run })",
        switch("$result.outcome", '{ ok: "b" }'),
        "unhandled-route",
        NO_CASE,
        "warning",
    ),
    Run(
        "a timer that counts as 1 ms",
        'a: shell({ exec: () => ({ command: "sleep", args: ["1"] }), timeoutMs: 2 ** 31 })',
        "[]",
        "bad-limit",
        "Timed out after 2147483648ms",
    ),
    Run(
        "a timer of a command that counts as 1 ms",
        'a: shell({ exec: () => ({ command: "sleep", args: ["1"], timeoutMs: 2147483648 }) })',
        "[]",
        "bad-limit",
        "Timed out after 2147483648ms",
    ),
    Run(
        "a limit of output below 0",
        'a: shell({ exec: () => ({ command: "true", maxBufferBytes: -1 }) })',
        "[]",
        "bad-limit",
        "maxBufferBytes",
    ),
    Run(
        "a status that no parse gets to see",
        'a: shell({ exec: () => ({ command: "false" }), '
        'parse: (result) => (result.exitCode === 0 ? "good" : "bad") })',
        "[]",
        "ineffective-field",
        "exit 1",
        "warning",
    ),
    Run(
        "an output that is not there",
        "a: compute({ run: ({ outputs }) => outputs.z.text })",
        "[]",
        "unknown-output-reference",
        "Cannot read properties of undefined",
    ),
    Run(
        "an output that is not there yet",
        "a: compute({ run: ({ outputs }) => outputs.b.text }), b: compute({ run })",
        TO_B,
        "unknown-output-reference",
        "Cannot read properties of undefined",
    ),
    Run(
        "two nodes of one name",
        "a: compute({ run: () => 1 }), a: compute({ run: () => 2 })",
        "[]",
        "duplicate-node",
        '"outputs":{"a":2}',
    ),
    Run(
        "two cases of one name",
        "a: compute({ run }), b: compute({ run: () => 1 }), c: compute({ run: () => 2 })",
        switch("$.route", '{ x: "b", x: "c" }'),
        "duplicate-edge",
        '"c":2',
    ),
    Run(
        "an object that nothing has made a flow",
        "a: compute({ run })",
        "[]",
        "not-a-flow",
        "defineFlow",
    ),
)


def source_of(case: Run) -> str:
    is_bare = case.rule == "not-a-flow"
    return case.source.replace("defineFlow({", "({") if is_bare else case.source


@pytest.mark.parametrize("case", RUNS, ids=lambda case: case.title)
def test_it_is_found(case: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a.flow.mjs").write_text(source_of(case))
    found = analyse_file("a.flow.mjs", ProjectFiles(), str(tmp_path)).findings
    assert (case.rule, case.severity) in {(one.name, one.severity) for one in found}


@pytest.mark.parametrize("case", RUNS, ids=lambda case: case.title)
def test_the_real_run_shows_it(case: Run, tmp_path: Path) -> None:
    installed = modules()
    (tmp_path / "node_modules").symlink_to(installed.resolve())
    (tmp_path / "a.flow.mjs").write_text(source_of(case))
    done = subprocess.run(
        ["node", "node_modules/acpx/dist/cli.js", "--format", "json", "flow", "run", "a.flow.mjs"],
        cwd=tmp_path,
        env={**os.environ, "HOME": str(tmp_path)},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    said = done.stdout + done.stderr
    assert case.says in said
    if '"action":"flow_run_result"' in said:
        outputs = json.loads(done.stdout.splitlines()[-1])["outputs"]
        # What follows a checkpoint has not run, though the program ends well.
        assert (done.returncode, case.rule == "edge-never-taken" and "b" in outputs) == (0, False)
