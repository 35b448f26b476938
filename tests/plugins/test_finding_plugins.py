"""Which plugins are found, at what cost, and what they change."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

from plugin_help import (
    BAD_FLOW,
    GOOD_DIALECT,
    GOOD_FLOW,
    install,
    install_dialect,
    install_rule,
    rule,
)
from support import PROGRAM, Run, RunFlowlint

LAZY = (
    "importlib.metadata",
    "flowlint.plugins.model",
    "flowlint.plugins.importing",
    "flowlint.plugins.fingerprint",
    "flowlint.rules.plugins",
    "flowlint.dialects.plugins",
    "flowlint.dialects.registry",
)
"""What a run without plugins over files without flows has no need of."""

LOADED = """
import sys
from flowlint.cli.main import main
assert main(["check", "plain.py", "--select", "FL105"]) == 0
print([name for name in sys.argv[1:] if name in sys.modules])
"""


def names(run: Run) -> set[str]:
    assert run.err == ""
    return {finding["name"] for finding in json.loads(run.out)}


def test_those_without_plugins_load_nothing_for_them(tmp_path: Path) -> None:
    (tmp_path / "plain.py").write_text("x = 1\n")
    done = subprocess.run(
        [sys.executable, "-c", LOADED, *LAZY],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.splitlines()[-1] == "[]"


def test_what_lies_in_the_folder_that_is_checked_is_never_run(
    tmp_path: Path, site: Path, plugged: RunFlowlint
) -> None:
    trap = "from pathlib import Path\nPath('sprung').touch()\n" + rule()
    install_rule(tmp_path, trap)
    (tmp_path / "flow.py").write_text(GOOD_FLOW)
    for path in (os.pathsep, str(tmp_path), "."):
        env = {**os.environ, "PYTHONPATH": path}
        for command in ([str(PROGRAM)], [sys.executable, "-m", "flowlint"]):
            subprocess.run([*command, "rule"], cwd=tmp_path, env=env, check=True)
            assert not (tmp_path / "sprung").exists()
    install_rule(site, trap)
    plugged("rule")
    assert (tmp_path / "sprung").exists()


def test_what_is_installed_twice_counts_as_python_would_import_it(
    tmp_path: Path, site: Path, flowlint: RunFlowlint
) -> None:
    newer, older = site / "newer", site / "older"
    install_rule(newer, rule("newer", "TST002"))
    points = "[flowlint.rules]\nmine = some_rule\n"
    install(older, points, version="0.9", some_rule=rule("older", "TST001"))
    for first, second, told in ((newer, older, "newer"), (older, newer, "older")):
        run = flowlint("rule", env={"PYTHONPATH": f"{first}:{second}"})
        assert (run.code, run.err) == (0, "")
        assert run.out.splitlines()[-1].split()[1] == told


def test_other_entry_points_and_broken_metadata_are_passed_by(
    plugged: RunFlowlint, flowlint: RunFlowlint, site: Path
) -> None:
    points = (
        "[console_scripts]\nmine = other:main\n\n[flowlint.rulesets]\nx = y\n"
        "[flowlint.rules]\n# no = such\n\nmine=some_rule [extra]\n[pytest11]\nz = flowlint.rules\n"
    )
    install(site, points, some_rule=rule())
    (site / "bare-2.dist-info").mkdir()
    (site / "file-3.dist-info").write_text("")
    odd = site / "odd-4.dist-info"
    odd.mkdir()
    (odd / "entry_points.txt").write_bytes(b"\xff[flowlint.rules]\n\xfe")
    run = plugged("rule")
    assert (run.code, run.err) == (0, "")
    assert run.out == flowlint("rule").out + "TST001  here  (Some-Plugin 1.0)\n"


def test_plugins_do_not_decide_what_runs(site: Path, tmp_path: Path) -> None:
    install_rule(site, rule(severity="error"))
    code = "from flowrt import Flow, Node\nFlow(nodes=[Node('a', print)], edges=[], entry='a')\n"
    subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, env={"PYTHONPATH": str(site)}, check=True
    )


def test_answers_are_kept_for_the_same_plugins_only(
    plugged: RunFlowlint, flowlint: RunFlowlint, site: Path, tmp_path: Path
) -> None:
    (tmp_path / "flowlint.toml").write_text("")
    (tmp_path / "flow.py").write_text(BAD_FLOW)
    check = ("check", "--format", "json", ".")
    assert names(flowlint(*check)) == {"dangling-edge"}
    install_rule(site, rule())
    assert names(plugged(*check)) == {"dangling-edge", "here"}
    assert names(plugged(*check)) == {"dangling-edge", "here"}
    assert names(flowlint(*check)) == {"dangling-edge"}
    (site / "some_rule.py").write_text(rule("there"))
    assert names(plugged(*check)) == {"dangling-edge", "there"}
    text = rule("thither").replace("from flowlint", "import lacking\nfrom flowlint", 1)
    (site / "some_rule.py").write_text(text)
    assert plugged(*check).code == 2
    (site / "lacking.py").write_text("")
    assert names(plugged(*check)) == {"dangling-edge", "thither"}


VERSIONED = """return FlowGraph(
            f"flow {around.version_of('mine')}",
            "mine",
            built.origin.span(),
            SEMANTICS,
        )"""


def test_dialects_ask_for_versions(plugged: RunFlowlint, site: Path, tmp_path: Path) -> None:
    text = GOOD_DIALECT.replace("return None", VERSIONED).replace(
        "types =", "distributions = ('mine',)\n    types ="
    )
    install_dialect(site, text.replace("import SEMANTICS", "import SEMANTICS, FlowGraph"))
    (tmp_path / "flow.py").write_text("from mine import Flow\n\nx = Flow()\n")
    (tmp_path / "requirements.txt").write_text("mine==1.4\n")

    def asked() -> str:
        (graph,) = json.loads(plugged("graph", "flow.py").out)["graphs"]
        return str(graph["name"])

    assert asked() == "flow (1, 4)"
    (tmp_path / "flowlint.toml").write_text('versions = {mine = "2.0.1"}\n')
    assert asked() == "flow (2, 0, 1)"
    (tmp_path / "flowlint.toml").write_text('versions = {yours = "2.0.1"}\n')
    run = plugged("graph", "flow.py")
    assert "unknown distribution `yours`" in run.err
    assert "mine" in run.err
