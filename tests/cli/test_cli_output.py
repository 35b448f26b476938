"""Where findings go and in which format, what is coloured, and what the shell is told."""

from __future__ import annotations

import json
import os
import pty
import re
import stat
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest
from flow_sources import DANGLING, GOOD, WARNING
from support import PROGRAM, RunFlowlint

FORMATS = (
    "full", "concise", "grouped", "json", "json-lines", "sarif", "github", "gitlab", "junit",
    "rdjson",
)  # fmt: skip


@pytest.fixture(autouse=True)
def files(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "bad.py").write_text(DANGLING)
    (tmp_path / "good.py").write_text(GOOD)
    (tmp_path / "warn.py").write_text(WARNING)


def reading(name: str, text: str) -> list[str]:
    """The rules that a report tells of, read as its readers do."""
    match name:
        case "json":
            return [found["name"] for found in json.loads(text)]
        case "json-lines":
            return [json.loads(line)["name"] for line in text.splitlines()]
        case "sarif":
            (run,) = json.loads(text)["runs"]
            rules = run["tool"]["driver"]["rules"]
            return [rules[result["ruleIndex"]]["name"] for result in run["results"]]
        case "gitlab":
            return [issue["check_name"] for issue in json.loads(text)]
        case "junit":
            failed = [c for c in ElementTree.fromstring(text).iter("testcase") if len(c)]
            return [case.attrib["name"].split()[1] for case in failed]
        case "rdjson":
            return [found["message"] for found in json.loads(text)["diagnostics"]]
    return re.findall(r"dangling-edge|unbounded-loop", text)


@pytest.mark.parametrize("name", FORMATS)
def test_every_format_tells_the_finding(flowlint: RunFlowlint, name: str) -> None:
    run = flowlint("check", "bad.py", "--output-format", name)
    assert run.code == 1
    found = reading(name, run.out)
    assert len(found) == 1
    assert found[0] == "dangling-edge" or "publihs" in found[0]


@pytest.mark.parametrize("name", FORMATS)
def test_every_format_can_tell_nothing(flowlint: RunFlowlint, name: str) -> None:
    run = flowlint("check", "good.py", "--output-format", name)
    assert (run.code, run.err) == (0, "")
    assert reading(name, run.out) == []


@pytest.mark.parametrize("name", FORMATS)
def test_every_format_goes_into_a_file(flowlint: RunFlowlint, tmp_path: Path, name: str) -> None:
    shown = flowlint("check", "bad.py", "--output-format", name, env={"SOURCE_DATE_EPOCH": "0"})
    run = flowlint(
        *("check", "bad.py", "--output-format", name, "--output-file", "new/folder/report"),
        env={"SOURCE_DATE_EPOCH": "0"},
    )
    assert run.code == 1
    assert run.out.startswith("Found 1 error in 1 flow (1 file checked).\n")
    written = (tmp_path / "new" / "folder" / "report").read_text("utf-8")
    assert len(written) > 80
    assert shown.out.startswith(written)
    assert [path.name for path in (tmp_path / "new" / "folder").iterdir()] == ["report"]


def test_a_file_is_replaced_wholly_and_keeps_its_rights(
    flowlint: RunFlowlint, tmp_path: Path
) -> None:
    report, link = tmp_path / "report.json", tmp_path / "link.json"
    report.write_text("x" * 100_000)
    report.chmod(0o640)
    link.symlink_to("report.json")
    flowlint("check", "bad.py", "--output-file", "link.json")
    assert link.is_symlink()
    assert [found["code"] for found in json.loads(report.read_text())] == ["FL105"]
    assert stat.S_IMODE(report.stat().st_mode) == 0o640


def test_a_file_that_cannot_be_written_is_told(flowlint: RunFlowlint) -> None:
    for place in ("bad.py/report", "."):
        run = flowlint("check", "good.py", "--output-file", place)
        assert run.code == 2
        assert re.fullmatch(rf"error: {re.escape(place)}: .+\n", run.err)


def test_a_device_stays_one(flowlint: RunFlowlint) -> None:
    run = flowlint("check", "bad.py", "--format", "concise", "--output-file", "/dev/stdout")
    assert run.out.startswith("bad.py:15:32: FL105")


def test_the_name_of_a_file_tells_its_format(flowlint: RunFlowlint, tmp_path: Path) -> None:
    for file, name in (("a.sarif", "sarif"), ("a.xml", "junit"), ("a.jsonl", "json-lines")):
        flowlint("check", "bad.py", "--output-file", file)
        assert reading(name, (tmp_path / file).read_text()) == ["dangling-edge"]
    flowlint("check", "bad.py", "--output-file", "gl.json", env={"GITLAB_CI": "true"})
    assert "fingerprint" in json.loads((tmp_path / "gl.json").read_text())[0]


def test_github_actions_get_annotations_and_gitlab_a_log(flowlint: RunFlowlint) -> None:
    on_github = flowlint("check", "bad.py", env={"GITHUB_ACTIONS": "true"})
    first, last = on_github.out.splitlines()[:2]
    assert first.startswith(
        "::error title=dangling-edge (FL105),file=bad.py,line=15,endLine=15,col=32,endColumn=41::"
    )
    assert last.startswith("Found 1 error")
    on_gitlab = flowlint("check", "bad.py", env={"GITLAB_CI": "true"})
    assert on_gitlab.out == flowlint("check", "bad.py").out
    asked = flowlint("check", "bad.py", "--format", "full", env={"GITHUB_ACTIONS": "true"})
    assert asked.out == on_gitlab.out
    by_variable = flowlint("check", "bad.py", env={"FLOWLINT_OUTPUT_FORMAT": "concise"})
    assert by_variable.out == flowlint("check", "bad.py", "--format", "concise").out


@pytest.mark.parametrize("name", ["github", "gitlab", "sarif", "rdjson", "junit"])
def test_services_get_paths_from_the_root(flowlint: RunFlowlint, tmp_path: Path, name: str) -> None:
    inner = tmp_path / "src" / "app"
    inner.mkdir(parents=True)
    (inner / "flow.py").write_text(DANGLING)
    for path in ("flow.py", str(inner / "flow.py"), "../app/flow.py"):
        run = flowlint("check", path, "--format", name, cwd=inner)
        assert "src/app/flow.py" in run.out
    workspace = {"GITHUB_WORKSPACE": str(tmp_path / "src")}
    run = flowlint("check", "flow.py", "--format", name, cwd=inner, env=workspace)
    assert "src/app/flow.py" not in run.out.replace(tmp_path.as_uri(), "")
    assert "app/flow.py" in run.out


def test_fingerprints_survive_moved_lines(flowlint: RunFlowlint, tmp_path: Path) -> None:
    def prints(name: str) -> list[object]:
        out = json.loads(flowlint("check", "bad.py", "--format", name).out)
        if name == "gitlab":
            return [issue["fingerprint"] for issue in out]
        return [result["partialFingerprints"] for result in out["runs"][0]["results"]]

    before = [prints("gitlab"), prints("sarif")]
    (tmp_path / "bad.py").write_text("# moved\n\n\n" + DANGLING)
    assert [prints("gitlab"), prints("sarif")] == before


def test_lines_in_notebooks_are_those_of_the_file(flowlint: RunFlowlint, tmp_path: Path) -> None:
    source = DANGLING.splitlines(keepends=True)
    cells = [{"cell_type": "code", "metadata": {}, "outputs": [], "source": source}]
    text = json.dumps({"cells": cells, "metadata": {}, "nbformat": 4}, indent=1)
    (tmp_path / "n.ipynb").write_text(text)
    line = 1 + next(at for at, line in enumerate(text.splitlines()) if "publihs" in line)
    (issue,) = json.loads(flowlint("check", "n.ipynb", "--format", "gitlab").out)
    assert issue["location"]["lines"] == {"begin": line, "end": line}
    assert "cell 0, line 15: " in issue["description"]
    (found,) = json.loads(flowlint("check", "n.ipynb", "--format", "json").out)
    assert found["range"]["cell"] == 0
    assert found["range"]["start"]["line"] == 15


def test_sarif_shows_the_run(flowlint: RunFlowlint, tmp_path: Path) -> None:
    endless = 'edges=[Edge("collect", "publish"), Edge("publish", "collect")],'
    (tmp_path / "loop.py").write_text(GOOD.replace('edges=[Edge("collect", "publish")],', endless))
    (run,) = json.loads(flowlint("check", "loop.py", "--format", "sarif").out)["runs"]
    (endless_loop,) = [result for result in run["results"] if result["ruleId"] == "FL301"]
    steps = endless_loop["codeFlows"][0]["threadFlows"][0]["locations"]
    names = [step["location"]["message"]["text"] for step in steps]
    assert names == ["collect", "publish", "collect"]
    places = [step["location"]["physicalLocation"]["region"] for step in steps]
    assert {place["startLine"] for place in places} == {14}
    assert places[0] == places[2] != places[1]


def test_statistics(flowlint: RunFlowlint) -> None:
    run = flowlint("check", ".", "--statistics")
    first, _, last = run.out.splitlines()[:3]
    assert re.fullmatch(r"1  FL\d+  [\w-]+( +1 with a fix)?", first)
    assert last.startswith("Found 1 error and 1 warning in 3 flows")
    data = json.loads(flowlint("check", ".", "--statistics", "--format", "json").out)
    assert [(rule["name"], rule["count"], rule["errors"]) for rule in data] == [
        ("dangling-edge", 1, 1),
        ("unbounded-loop", 1, 0),
    ]
    refused = flowlint("check", ".", "--statistics", "--format", "sarif")
    assert refused.code == 2
    assert "the format `sarif` cannot show statistics" in refused.err


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (("bad.py",), 1),
        (("bad.py", "--exit-zero"), 0),
        (("bad.py", "--exit-zero", "nowhere.py"), 2),
        (("warn.py",), 1),
        (("warn.py", "--max-warnings", "1"), 0),
        (("warn.py", "--max-warnings", "0"), 1),
        (("warn.py", "--max-warnings", "1", "--error-on-warning"), 1),
        (("bad.py", "warn.py", "--max-warnings", "5"), 1),
        (("good.py", "--error-on-warning"), 0),
        (("bad.py", "--max-warnings", "-1"), 2),
    ],
)
def test_what_fails_a_run(flowlint: RunFlowlint, arguments: tuple[str, ...], code: int) -> None:
    assert flowlint("check", *arguments).code == code


def test_problems_are_part_of_reports(flowlint: RunFlowlint) -> None:
    def out(name: str) -> str:
        run = flowlint("check", "good.py", "nowhere.py", "--format", name)
        assert run.code == 2
        assert run.err.startswith("error: nowhere.py: ")
        return run.out

    (invocation,) = json.loads(out("sarif"))["runs"][0]["invocations"]
    assert invocation["executionSuccessful"] is False
    assert "::error title=flowlint,file=nowhere.py::nowhere.py: " in out("github")
    errors = list(ElementTree.fromstring(out("junit")).iter("error"))
    assert [error.attrib["type"] for error in errors] == ["not-checked"]


def on_terminal(folder: Path, *arguments: str, **environment: str) -> str:
    """What the program writes to a terminal."""
    master, slave = pty.openpty()
    process = subprocess.Popen(
        [PROGRAM, *arguments],
        cwd=folder,
        stdin=slave,
        stdout=slave,
        stderr=slave,
        env={**os.environ, "TERM": "xterm-256color", **environment},
    )
    os.close(slave)
    out = b""
    while True:
        try:
            data = os.read(master, 65536)
        except OSError:
            break
        if not data:
            break
        out += data
    process.wait(60)
    os.close(master)
    return out.decode()


LINK = "\x1b]8;;https://docs.example/rules/dangling-edge/\x1b\\"
DOCS = {"FLOWLINT_DOCS_URL": "https://docs.example/"}


@pytest.mark.skipif(sys.platform == "win32", reason="needs pseudo terminals")
def test_terminals_get_colours_and_links(tmp_path: Path) -> None:
    shown = on_terminal(tmp_path, "check", "bad.py", **DOCS)
    assert "\x1b[1;31m" in shown
    assert f"{LINK}dangling-edge\x1b]8;;\x1b\\" in shown
    assert "\x1b]8" not in on_terminal(tmp_path, "check", "bad.py")
    assert "\x1b[" not in on_terminal(tmp_path, "check", "bad.py", NO_COLOR="1")
    dumb = on_terminal(tmp_path, "check", "bad.py", **{**DOCS, "TERM": "dumb"})
    assert "\x1b" not in dumb
    for name in ("concise", "grouped"):
        assert LINK in on_terminal(tmp_path, "check", "bad.py", "--format", name, **DOCS)
    for name in ("json", "github", "junit"):
        assert "\x1b" not in on_terminal(tmp_path, "check", "bad.py", "--format", name, **DOCS)


def test_nothing_else_does_unless_it_is_told_to(flowlint: RunFlowlint, tmp_path: Path) -> None:
    assert "\x1b" not in flowlint("check", "bad.py", env=DOCS).out
    forced = flowlint("check", "bad.py", env={"FORCE_COLOR": "1", **DOCS}).out
    assert "\x1b[1;31m" in forced
    assert LINK not in forced
    assert "\x1b" not in flowlint("check", "bad.py", env={"FORCE_COLOR": "0"}).out
    both = {"FORCE_COLOR": "1", "NO_COLOR": "1"}
    assert "\x1b" not in flowlint("check", "bad.py", env=both).out
    assert "\x1b" in flowlint("check", "bad.py", "--color", "always", env=both).out
    never = flowlint("check", "bad.py", "--color", "never", env={"FORCE_COLOR": "1"})
    assert "\x1b" not in never.out
    flowlint("check", "bad.py", "--output-file", "a.txt", env={"FORCE_COLOR": "1"})
    assert "\x1b" not in (tmp_path / "a.txt").read_text()


def test_docs_are_linked_where_a_report_can(flowlint: RunFlowlint) -> None:
    url = "https://docs.example/rules/dangling-edge/"
    for name in ("json", "rdjson", "sarif"):
        assert url in flowlint("check", "bad.py", "--format", name, env=DOCS).out
    (rule,) = [
        rule
        for rule in json.loads(flowlint("rule", "--all", "--format", "json", env=DOCS).out)
        if rule["name"] == "dangling-edge"
    ]
    assert rule["url"] == url
    odd = {"FLOWLINT_DOCS_URL": "javascript:alert(1)"}
    assert (
        json.loads(flowlint("check", "bad.py", "--format", "json", env=odd).out)[0]["url"] is None
    )


def test_all_rules_at_once(flowlint: RunFlowlint) -> None:
    listed = [line.split() for line in flowlint("rule").out.splitlines()]
    data = json.loads(flowlint("rule", "--all", "--format", "json").out)
    assert [[rule["code"], rule["name"]] for rule in data] == listed
    assert all(rule["summary"] and rule["docs"].startswith(rule["summary"][:20]) for rule in data)
    pages = flowlint("rule", "--all", "--format", "markdown").out
    headings = re.findall(r"^# ([\w-]+) \((FL\d+)\)$", pages, re.MULTILINE)
    assert [[code, name] for name, code in headings] == listed
    one = json.loads(flowlint("rule", "fl105", "--format", "json").out)
    assert one == next(rule for rule in data if rule["code"] == "FL105")
    assert flowlint("rule", "--all", "fl105").code == 2
