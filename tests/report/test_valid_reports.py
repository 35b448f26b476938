"""Reports of all that examples have against the schemas, and with the tool of the SARIF authors."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import jsonschema_rs
import pytest
import xmlschema
from report_samples import SCHEMAS
from support import run_flowlint

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def sarif() -> str:
    run = run_flowlint("check", "examples", "nowhere.py", "--output-format", "sarif", cwd=ROOT)
    assert run.code == 2
    return run.out


def test_sarif_meets_its_schema(sarif: str) -> None:
    schema = json.loads((SCHEMAS / "sarif-2.1.0.json").read_text())
    jsonschema_rs.validator_for(schema).validate(json.loads(sarif))


def test_sarif_meets_what_code_scanning_asks_for(sarif: str) -> None:
    (run,) = json.loads(sarif)["runs"]
    rules = run["tool"]["driver"]["rules"]
    assert run["results"]
    for result in run["results"]:
        rule = rules[result["ruleIndex"]]
        assert rule["id"] == result["ruleId"]
        assert rule["help"]["markdown"]
        assert rule["shortDescription"]["text"]
        place = result["locations"][0]["physicalLocation"]
        assert not Path(place["artifactLocation"]["uri"]).is_absolute()
        assert (ROOT / place["artifactLocation"]["uri"]).is_file()
        assert place["artifactLocation"]["uriBaseId"] in run["originalUriBaseIds"]
        assert result["partialFingerprints"]
    prints = [tuple(result["partialFingerprints"].values()) for result in run["results"]]
    assert len(set(prints)) == len(prints)
    (invocation,) = run["invocations"]
    assert invocation["executionSuccessful"] is False
    (told,) = invocation["toolExecutionNotifications"]
    assert "nowhere.py" in told["message"]["text"]


def test_sarif_meets_the_multitool(sarif: str, tmp_path: Path) -> None:
    tool = os.environ.get("SARIF_MULTITOOL")
    if not tool:
        pytest.skip(
            "SARIF_MULTITOOL does not name the program of npm @microsoft/sarif-multitool-linux"
        )
    report, verdict = tmp_path / "report.sarif", tmp_path / "verdict.sarif"
    report.write_text(sarif, "utf-8")
    subprocess.run(
        [
            *(tool, "validate", report, "--rule-kind", "Sarif;Ghas"),
            *("--level", "Error;Warning;Note", "--output", verdict, "--log", "ForceOverwrite"),
        ],
        check=True,
        capture_output=True,
        timeout=300,
        env={**os.environ, "DOTNET_SYSTEM_GLOBALIZATION_INVARIANT": "1"},
    )
    runs = json.loads(verdict.read_text("utf-8-sig"))["runs"]
    wrong = [r for run in runs for r in run.get("results", []) if r.get("level") == "error"]
    assert wrong == []


@pytest.mark.parametrize("paths", [("examples",), ("examples", "nowhere.py"), ("README.md",)])
def test_junit_meets_its_schema(paths: tuple[str, ...], tmp_path: Path) -> None:
    run = run_flowlint("check", *paths, "--output-format", "junit", cwd=ROOT)
    xmlschema.XMLSchema(str(SCHEMAS / "junit-10.xsd")).validate(run.out)


def test_graphviz_reads_what_is_written_for_it() -> None:
    from shutil import which

    program = which("dot")
    if program is None:
        pytest.skip("Graphviz is not installed")
    run = run_flowlint("graph", "examples", "--format", "dot", cwd=ROOT)
    done = subprocess.run(
        [program, "-Tsvg"], input=run.out, capture_output=True, encoding="utf-8", check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
