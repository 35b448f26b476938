"""action.yml and the CI recipes of the docs: their scripts, run by bash in real repositories."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml
from action_runner import Job, environment
from flow_sources import DANGLING, GOOD, WARNING
from hook_repositories import ROOT, UNREACHABLE, new_repository, this_repository

pytestmark = [
    pytest.mark.skipif(shutil.which("bash") is None, reason="bash is not installed"),
    pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed"),
    pytest.mark.skipif(not (ROOT / ".git").exists(), reason="this is no git repository"),
]

ACTION: dict[str, Any] = yaml.safe_load((ROOT / "action.yml").read_text("utf-8"))
SCRIPTS = [step for step in ACTION["runs"]["steps"] if "run" in step]
UPLOAD = "github/codeql-action/upload-sarif@"


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """What the step that installs flowlint gave."""
    base = tmp_path_factory.mktemp("action")
    offered = this_repository(base / "flowlint", base / "home")
    steps = [step for step in ACTION["runs"]["steps"] if step.get("id") in ("python", "install")]
    action = {**ACTION, "runs": {"steps": steps}}
    job = new_job(action, base, base, {"github.action_path": str(offered.folder)}).run()
    if job.code != 0 and UNREACHABLE.search(job.said):
        pytest.skip("the action cannot install flowlint: the package index is not reachable")
    assert job.code == 0, job.said
    return {name: value for name, value in job.context.items() if ".install." in name}


def new_job(
    action: dict[str, Any], folder: Path, temp: Path, context: dict[str, str] | None = None
) -> Job:
    known = {"steps.python.outputs.python-path": sys.executable, **(context or {})}
    return Job(action, folder, temp, known, environment(folder))


@pytest.fixture
def job(installed: dict[str, str], tmp_path: Path) -> Job:
    """A job in a repository with one good flow, with flowlint installed already."""
    repository = new_repository(tmp_path / "my project", tmp_path / "home")
    repository.write(flow_py=GOOD)
    (tmp_path / "temp").mkdir()
    context = {**installed, "done.install": "yes"}
    return new_job(ACTION, repository.folder, tmp_path / "temp", context)


def uploaded(job: Job) -> list[dict[str, Any]]:
    """The results in the file that is uploaded."""
    ((_, given),) = [call for call in job.called if call[0].startswith(UPLOAD)]
    runs = json.loads(Path(given["sarif_file"]).read_text("utf-8"))["runs"]
    assert given["category"] == "flowlint"
    results: list[dict[str, Any]] = runs[0]["results"]
    return results


def test_nothing_is_pasted_into_scripts() -> None:
    for step in SCRIPTS:
        assert "${{" not in step["run"]
        assert "eval" not in step["run"]
    named = re.findall(r"inputs\.([\w-]+)", (ROOT / "action.yml").read_text("utf-8"))
    assert set(named) == set(ACTION["inputs"])


def test_a_clean_project_passes(job: Job) -> None:
    assert job.run().code == 0
    assert "No faults found: 1 flow in 1 file." in job.said
    assert uploaded(job) == []
    assert job.outputs()["exit-code"] == "0"


def test_findings_are_uploaded_and_then_fail_the_job(job: Job) -> None:
    (job.folder / "sub").mkdir()
    (job.folder / "sub" / "bad.py").write_text(DANGLING)
    assert job.run().code == 1
    assert "sub/bad.py:15:32: FL105 [dangling-edge] error: " in job.said
    (result,) = uploaded(job)
    place = result["locations"][0]["physicalLocation"]["artifactLocation"]
    assert (result["ruleId"], place["uri"]) == ("FL105", "sub/bad.py")
    assert job.outputs() == {"exit-code": "1", "sarif-file": job.called[-1][1]["sarif_file"]}


@pytest.mark.parametrize(
    ("text", "fail_on", "code"),
    [
        (WARNING, "warning", 1),
        (WARNING, "error", 0),
        (WARNING, "never", 0),
        (DANGLING, "error", 1),
        (DANGLING, "never", 0),
    ],
)
def test_what_fails_the_job(job: Job, text: str, fail_on: str, code: int) -> None:
    (job.folder / "flow.py").write_text(text)
    assert job.run(fail_on=fail_on).code == code
    assert len(uploaded(job)) == 1
    assert job.outputs()["exit-code"] == str(code)


@pytest.mark.parametrize("fail_on", ["warning", "never"])
def test_what_cannot_be_checked_fails_and_is_not_uploaded(job: Job, fail_on: str) -> None:
    assert job.run(paths="flow.py nowhere.py", fail_on=fail_on).code == 2
    assert "nowhere.py: no such file or folder" in job.said
    assert job.outputs() == {"exit-code": "2", "sarif-file": ""}
    assert not [call for call in job.called if call[0].startswith(UPLOAD)]


@pytest.mark.parametrize("fork", [True, False])
def test_annotations_where_nothing_is_uploaded(job: Job, fork: bool) -> None:
    (job.folder / "flow.py").write_text(DANGLING)
    if fork:
        job.context["github.event.pull_request.head.repo.fork"] = "true"
    job.run(**({} if fork else {"upload_sarif": "false"}))
    assert job.code == 1
    assert "::error title=dangling-edge (FL105),file=flow.py,line=15," in job.said
    assert not [call for call in job.called if call[0].startswith(UPLOAD)]


def test_inputs_are_words_and_never_code(job: Job) -> None:
    for name in ("with space.py", "$(touch evil).py", "-odd.py", "other.py"):
        (job.folder / name).write_text(DANGLING)
    job.run(
        paths="'with space.py' \"$(touch evil).py\"\n-odd.py",
        args="--select=dangling-edge\n--ignore 'FL1 ,FL2; touch evil'",
    )
    assert job.code == 2
    assert "unknown rule `FL2; touch evil`" in job.said
    job.code, job.said = 0, ""
    job.run(paths="'with space.py' \"$(touch evil).py\"\n-odd.py", args="--select=dangling-edge")
    assert job.code == 1
    found = {
        one["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] for one in uploaded(job)
    }
    assert found == {"with%20space.py", "%24%28touch%20evil%29.py", "-odd.py"}
    assert not (job.folder / "evil").exists()


@pytest.mark.parametrize(
    ("inputs", "said"),
    [
        ({"fail_on": "sometimes"}, "fail-on has to be warning, error or never"),
        ({"upload_sarif": "yes"}, "upload-sarif has to be true or false"),
        ({"args": "--select 'FL1"}, "args has a quote that is never closed"),
        ({"paths": '"flow.py'}, "paths has a quote that is never closed"),
    ],
)
def test_wrong_inputs_are_one_sentence(job: Job, inputs: dict[str, str], said: str) -> None:
    assert job.run(**inputs).code == 2
    assert job.said == f"::error title=flowlint::{said}\n"


@pytest.mark.parametrize("version", ["0.1; touch evil", "$(touch evil)", "0.1 --pre", "../evil"])
def test_a_version_is_nothing_but_a_version(tmp_path: Path, version: str) -> None:
    job = new_job(ACTION, tmp_path, tmp_path).run(version=version)
    assert job.code == 2
    assert job.said == "::error title=flowlint::version has to be a version like 0.1.0\n"
    assert not (tmp_path / "evil").exists()


def test_a_version_is_taken_from_the_index(installed: dict[str, str], tmp_path: Path) -> None:
    wheels = tmp_path / "wheels"
    python = f"{installed['steps.install.outputs.bin']}/python"
    source = this_repository(tmp_path / "flowlint", tmp_path / "home").folder
    built = [python, "-m", "pip", "wheel", "--quiet", "--no-deps", "-w", wheels, source]
    subprocess.run(built, check=True, capture_output=True)
    (wheel,) = wheels.iterdir()
    (tmp_path / "project").mkdir()
    (tmp_path / "project" / "flow.py").write_text(GOOD)
    job = new_job(ACTION, tmp_path / "project", tmp_path)
    job.env["PIP_FIND_LINKS"] = str(wheels)
    job.run(version=wheel.name.split("-")[1])
    assert job.code == 0, job.said


def recipes() -> dict[str, dict[str, Any]]:
    """The files that docs/ci.md shows, the first of each name."""
    text = (ROOT / "docs" / "ci.md").read_text("utf-8")
    found = re.findall(r'```yaml title="(.*?)"\n(.*?)```', text, re.DOTALL)
    return {name: yaml.safe_load(shown) for name, shown in reversed(found)}


def test_the_docs_use_the_action_as_it_is() -> None:
    shown = recipes()[".github/workflows/flowlint.yml"]["jobs"]["flowlint"]
    assert shown["permissions"]["security-events"] == "write"
    (step,) = [step for step in shown["steps"] if "flowls@" in step["uses"]]
    assert set(step["with"]) <= set(ACTION["inputs"])
    text = (ROOT / "docs" / "ci.md").read_text("utf-8")
    described = re.findall(
        r"^\| `([\w-]+)` \| [^|]* \| (?:`([^|]*)`|[^|]*) \|$", text, re.MULTILINE
    )
    rows = {name: default for name, default in described if name in ACTION["inputs"]}
    assert rows == {name: one["default"] for name, one in ACTION["inputs"].items()}


def test_the_docs_use_the_hooks_as_they_are() -> None:
    offered = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text("utf-8"))
    text = (ROOT / "docs" / "ci.md").read_text("utf-8")
    described = re.findall(r"^\| `(flowlint[\w-]*)` \|", text, re.MULTILINE)
    assert described == [hook["id"] for hook in offered]
    shown = recipes()[".pre-commit-config.yaml"]["repos"][0]["hooks"]
    assert {hook["id"] for hook in shown} <= set(described)


@pytest.mark.parametrize(("text", "code"), [(GOOD, 0), (DANGLING, 1)])
def test_the_recipe_for_gitlab(
    installed: dict[str, str], tmp_path: Path, text: str, code: int
) -> None:
    recipe = recipes()[".gitlab-ci.yml"]["flowlint"]
    repository = new_repository(tmp_path / "project", tmp_path / "home")
    repository.write(flow_py=text)
    path = installed["steps.install.outputs.bin"]
    env = environment(repository.folder)
    done = subprocess.run(
        ["bash", "-eo", "pipefail", "-c", "\n".join(recipe["script"])],
        cwd=repository.folder,
        env={**env, "PATH": f"{path}:{env['PATH']}", "FLOWLINT": "flowls", "GITHUB_ACTIONS": ""},
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert done.returncode == code, done.stdout + done.stderr
    assert ("flow.py:15:32" in done.stdout) == bool(code)
    report = repository.folder / recipe["artifacts"]["reports"]["codequality"]
    found = json.loads(report.read_text("utf-8"))
    assert [one["location"]["path"] for one in found] == ["flow.py"] * code
    assert recipe["artifacts"]["when"] == "always"
