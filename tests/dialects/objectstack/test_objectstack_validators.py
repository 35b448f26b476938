"""Definitions with faults, told by us and by ObjectStack's own schema, registry and linter.

OBJECTSTACK_MODULES names a folder in whose `node_modules` are `@objectstack/spec`,
`@objectstack/service-automation` and `@objectstack/lint` 17.1.0; without it this is skipped.
"""

from __future__ import annotations

import json
import os
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from flow_mutants import Flow, mutants, seeds
from test_objectstack_recorded import PARSED, REFUSED, findings

from flowlint.findings.model import Finding

SCRIPT = Path(__file__).with_name("verdicts.cjs")
COUNT = 300

SAME: dict[str, set[str]] = {
    "approval-approver-not-membership-tier": {"invalid-definition"},
    "approval-approver-type-deprecated": {"removed-api"},
    "approval-approver-type-unknown": {"invalid-definition"},
    "approval-approver-type-unsupported": {"invalid-definition"},
    "approval-approvers-may-resolve-empty": {"invalid-definition"},
    "approval-decision-outputs-reserved": {"invalid-definition"},
    "approval-escalation-reassign-no-target": {"ineffective-field"},
    "approval-expression-invalid": {"invalid-expression", "unknown-variable"},
    "approval-expression-no-empty-policy": {"invalid-definition"},
    "flow-approval-revise-dead-end": {"dead-end"},
    "flow-approval-revise-disabled": {"ineffective-field"},
    "flow-approval-revise-target-not-service-owned": {"invalid-definition"},
    "flow-approval-revise-unmarked-backedge": {"forbidden-cycle"},
    "flow-bare-dollar-reference": {"invalid-expression"},
    "flow-branch-label-unmatched": {"unhandled-route"},
    "flow-date-equality-filter": {"guard-never-true"},
    "flow-decision-unconditional-branch": {"conflicting-routing"},
    "flow-default-edge-with-condition": {"ineffective-field"},
    "flow-double-brace-interpolation": {"invalid-expression"},
    "flow-draft-status-ambiguous": {"ineffective-field"},
    "flow-error-label-not-fault": {"unhandled-failure"},
    "flow-inert-node-condition": {"ineffective-field", "unknown-field"},
    "flow-multi-write-unfiltered": {"ineffective-field", "invalid-definition"},
    "flow-multiple-default-edges": {"multiple-outgoing-edges"},
    "flow-phantom-aggregation": {"ineffective-field", "unknown-field"},
    "flow-runas-unscoped": {"invalid-definition"},
    "flow-time-relative-antipattern": {"guard-never-true"},
    "flow-time-relative-descriptor-invalid": {"invalid-definition", "unknown-field"},
    "flow-time-relative-descriptor-unroutable": {"invalid-definition"},
    "flow-trigger-unknown-event": {"invalid-definition"},
    "flow-trigger-unroutable": {"invalid-definition"},
    "validateStackExpressions": {
        "invalid-definition",
        "invalid-expression",
        "removed-api",
        "unknown-variable",
    },
}
"""By the rules of their linter, those of ours that tell the same."""

NOT_TOLD = {
    "flow-trigger-unknown-object": "their linter is given no objects",
    "crash": "their linter fails on definitions that their schema refuses",
}


@dataclass(frozen=True)
class Mutant:
    """A definition, what was done to it, and what both say."""

    done: str
    flow: Flow
    theirs: dict[str, Any]
    ours: list[Finding]
    parsed: list[Finding]

    @property
    def names(self) -> set[str]:
        return {finding.name for finding in self.ours}


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> list[Mutant]:
    modules = os.environ.get("OBJECTSTACK_MODULES")
    if not modules:
        pytest.skip("OBJECTSTACK_MODULES is not set")
    flows = [("nothing", seed) for seed in seeds()] + mutants(COUNT)
    lines = "\n".join(json.dumps(flow) for _, flow in flows)
    done = subprocess.run(
        ["node", str(SCRIPT), modules],
        input=lines,
        capture_output=True,
        text=True,
        timeout=300,
        check=True,
    )
    verdicts = [json.loads(line) for line in done.stdout.splitlines()]
    folder = tmp_path_factory.mktemp("mutants")
    before = Path.cwd()
    os.chdir(folder)
    try:
        return [
            Mutant(
                what,
                flow,
                theirs,
                findings(flow, folder),
                findings(flow, folder, "export const flow = defineFlow({});"),
            )
            for (what, flow), theirs in zip(flows, verdicts, strict=True)
        ]
    finally:
        os.chdir(before)


def refuses(found: list[Finding], how: str) -> bool:
    return any(finding.severity == "error" and how in finding.message for finding in found)


def test_the_schema_takes_what_we_take(made: list[Mutant]) -> None:
    differing = [
        (mutant.done, mutant.theirs["parse"])
        for mutant in made
        if refuses(mutant.parsed, PARSED) != (mutant.theirs["parse"] is not None)
    ]
    assert differing == []


def test_the_registry_takes_what_we_take(made: list[Mutant]) -> None:
    differing = [
        (mutant.done, mutant.theirs["register"])
        for mutant in made
        if refuses(mutant.ours, REFUSED) != (mutant.theirs["register"] is not None)
    ]
    assert differing == []


def test_runs_fail_where_we_say_so(made: list[Mutant]) -> None:
    said = [
        mutant
        for mutant in made
        if mutant.theirs["register"] is None and refuses(mutant.ours, "the run fails when it gets")
    ]
    assert [(mutant.done, mutant.ours) for mutant in said if mutant.theirs["runs"]] == []
    assert len(said) > 10


def test_what_their_linter_tells_is_told(made: list[Mutant]) -> None:
    missing = [
        (mutant.done, rule)
        for mutant in made
        for _, rule in mutant.theirs["lint"]
        if not any(rule.startswith(known) for known in NOT_TOLD)
        and not SAME[rule] & mutant.names
        and explained(mutant, rule) is None
    ]
    assert missing == []


def explained(mutant: Mutant, rule: str) -> str | None:
    """Why we do not tell what a rule of theirs does."""
    if mutant.theirs["register"] is not None:
        return "the flow is refused, so that only this is told"
    if rule == "flow-approval-revise-unmarked-backedge":
        return "another edge of the loop is marked, as the registry wants it"
    if rule == "flow-error-label-not-fault":
        return "a wait may be resumed by a label"
    if rule == "flow-phantom-aggregation":
        return "an assignment may set a variable of that name"
    return None


def test_both_see_many_faults(made: list[Mutant]) -> None:
    refused = [mutant for mutant in made if mutant.theirs["register"] is not None]
    told = {rule for mutant in made for _, rule in mutant.theirs["lint"]}
    assert len(made) == COUNT + len(seeds())
    assert len(refused) > 60
    assert len(told & SAME.keys()) > 12
