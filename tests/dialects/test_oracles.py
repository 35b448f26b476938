"""Compares what is read from public repositories with graphs recorded from running them.

FLOWLINT_ORACLES names the folder of the records, FLOWLINT_COMPARE the tool that compares and
FLOWLINT_CHECKOUTS the folder that holds the repositories, one folder OWNER+NAME each.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from support import PROGRAM

HYDRAFLOW = "T-rav+hydraflow"
MIN_EXACT = 99.3

EXPECTED_ERRORS = {
    (352, "unknown-entry"),
    (358, "dangling-edge"),
    (366, "dangling-edge"),
    (376, "unreachable-node"),
    (385, "duplicate-node"),
    (392, "empty-flow"),
}
"""What is wrong with the flows that its tests make wrong on purpose, by line."""


def setting(name: str) -> Path:
    value = os.environ.get(name)
    if not value:
        pytest.skip(f"{name} is not set")
    return Path(value)


def compare(mode: str, records: str) -> str:
    oracles, tool = setting("FLOWLINT_ORACLES"), setting("FLOWLINT_COMPARE")
    checkouts = setting("FLOWLINT_CHECKOUTS")
    done = subprocess.run(
        [sys.executable, tool, mode, oracles / records, checkouts],
        cwd=checkouts,
        env={**os.environ, "FLOWLINT": str(PROGRAM)},
        capture_output=True,
        text=True,
        timeout=900,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def check(path: str, repository: str = HYDRAFLOW) -> list[dict[str, object]]:
    folder = setting("FLOWLINT_CHECKOUTS") / repository
    if not folder.is_dir():
        pytest.skip(f"{repository} is not there")
    done = subprocess.run(
        [PROGRAM, "check", path, "--output-format", "json"],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    findings: list[dict[str, object]] = json.loads(done.stdout)
    return findings


def test_langgraph_graphs() -> None:
    report = compare("langgraph", "langgraph.jsonl.gz")
    counted = re.search(r"exact \d+ \(([\d.]+) %\), .*mismatch (\d+), missing (\d+)", report)
    assert counted is not None, report
    assert (int(counted[2]), int(counted[3])) == (0, 0), report
    assert float(counted[1]) >= MIN_EXACT, report


def test_hydraflow_graphs() -> None:
    report = compare("simple", "hydraflow.jsonl")
    assert "'exact'" in report
    assert not {"mismatch", "missing", "incomplete"} & set(re.findall(r"'(\w+)'", report)), report


def test_hydraflow_flows_that_are_wrong_on_purpose() -> None:
    errors = {
        (finding["range"]["start"]["line"], finding["name"])  # type: ignore[index]
        for finding in check("tests/test_flows.py")
        if finding["severity"] == "error"
    }
    # The loop that its test stops by a limit is an error as well, and rightly so.
    assert {error for error in errors if error[1] != "loop-without-exit"} == EXPECTED_ERRORS


def test_no_error_in_the_flows_of_hydraflow() -> None:
    assert [f for f in check("src") if f["severity"] == "error"] == []


def test_acpx_graphs() -> None:
    report = compare("simple", "acpx.jsonl")
    assert "'exact'" in report
    assert not {"mismatch", "missing", "incomplete"} & set(re.findall(r"'(\w+)'", report)), report


def test_agentsflow_graphs() -> None:
    report = compare("simple", "agentsflow.jsonl")
    assert "'exact'" in report
    assert not {"mismatch", "missing", "incomplete"} & set(re.findall(r"'(\w+)'", report)), report


ACPX_ERRORS = {
    "osolmaz+acpx": {("test/fixtures/flow-wait.flow.ts", 25, "edge-never-taken")},
    "aster2709+shipwright": {
        *((".acpx-flows/build.flow.ts", line, "unknown-node-kind") for line in range(113, 142, 7)),
        *((".acpx-flows/build.flow.ts", line, "unknown-node-kind") for line in (173, 249, 362)),
        (".acpx-flows/build.flow.ts", 648, "invalid-definition"),
        (".acpx-flows/feature.flow.ts", 113, "invalid-definition"),
        (".acpx-flows/feature.flow.ts", 130, "invalid-definition"),
        (".acpx-flows/feature.flow.ts", 242, "edge-never-taken"),
        (".acpx-flows/feature.flow.ts", 245, "edge-never-taken"),
        (".acpx-flows/feature.flow.ts", 246, "multiple-outgoing-edges"),
    },
}
"""What is wrong with the flows of public repositories, each read against the code."""


@pytest.mark.parametrize("repository", ACPX_ERRORS)
def test_errors_in_public_acpx_flows(repository: str) -> None:
    errors = {
        (finding["path"], finding["range"]["start"]["line"], finding["name"])  # type: ignore[index]
        for finding in check(".", repository)
        if finding["severity"] == "error"
    }
    assert errors == ACPX_ERRORS[repository]
