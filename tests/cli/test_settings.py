"""Settings in files and on the command line, as a user meets them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from flow_sources import DANGLING, LANGGRAPH
from support import Run, RunFlowlint

from flowlint.project.rule_names import rule_terms
from flowlint.project.settings.keys import DIALECTS, FORMATS, KEYS
from flowlint.project.settings.schema import FILE, schema, text
from flowlint.report import formats
from flowlint.rules.registry import all_rules

TWO = DANGLING.replace('entry="collect"', 'entry="colect"')
"""An edge and an entry that lead nowhere."""


def write(folder: Path, **files: str) -> None:
    for name, content in files.items():
        path = folder / name.replace("__", "/")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content)


def names(run: Run) -> set[str]:
    """The rules that a JSON run reports."""
    assert "error" not in run.err
    return {finding["name"] for finding in json.loads(run.out)}


def check(flowlint: RunFlowlint, *arguments: str) -> set[str]:
    return names(flowlint("check", "--format", "json", *arguments))


@pytest.mark.parametrize(
    ("name", "section"),
    [
        ("pyproject.toml", "[tool.flowlint]"),
        ("flowlint.toml", ""),
        (".flowlint.toml", ""),
    ],
)
def test_every_file_of_settings_counts(
    flowlint: RunFlowlint, tmp_path: Path, name: str, section: str
) -> None:
    (tmp_path / "bad.py").write_text(TWO)
    assert check(flowlint) == {"dangling-edge", "unknown-entry"}
    (tmp_path / name).write_text(f'{section}\nignore = ["FL105"]\n')
    assert check(flowlint) == {"unknown-entry"}
    assert check(flowlint, "--isolated") == {"dangling-edge", "unknown-entry"}


def test_a_project_without_settings_of_ours_is_passed_by(
    flowlint: RunFlowlint, tmp_path: Path
) -> None:
    (tmp_path / "flowlint.toml").write_text('select = ["FL105"]\n')
    (tmp_path / "inner").mkdir()
    (tmp_path / "inner" / "pyproject.toml").write_text('[project]\nname = "flowlint-user"\n')
    (tmp_path / "inner" / "bad.py").write_text(TWO)
    assert check(flowlint) == {"dangling-edge"}
    assert check(flowlint, "inner/bad.py") == {"dangling-edge"}


def test_the_closest_file_wins_for_each_checked_file(flowlint: RunFlowlint, tmp_path: Path) -> None:
    (tmp_path / "flowlint.toml").write_text('select = ["FL105"]\n')
    for folder in ("one", "two"):
        (tmp_path / folder / "deep").mkdir(parents=True)
        (tmp_path / folder / "deep" / "bad.py").write_text(TWO)
    (tmp_path / "two" / "flowlint.toml").write_text('select = ["FL101"]\n')
    run = flowlint("check", "--format", "concise")
    found = [line.split(":")[0] + line.split("[")[1].split("]")[0] for line in lines(run)]
    assert found == ["one/deep/bad.pydangling-edge", "two/deep/bad.pyunknown-entry"]
    assert flowlint("check", "two/deep/bad.py", "one/deep/bad.py", "--format", "concise") == run


def lines(run: Run) -> list[str]:
    return [line for line in run.out.splitlines() if "FL" in line]


def test_extend_takes_over_what_is_not_stated(flowlint: RunFlowlint, tmp_path: Path) -> None:
    write(tmp_path, bad__x="")
    (tmp_path / "bad.py").write_text(TWO)
    (tmp_path / "shared").mkdir()
    (tmp_path / "shared" / "base.toml").write_text(
        'select = ["FL1"]\nextend-ignore = ["FL101"]\n[severity]\nFL105 = "info"\n'
    )
    (tmp_path / "flowlint.toml").write_text('extend = "shared/base.toml"\n')
    run = flowlint("check", "--format", "concise")
    assert run.code == 0
    assert "FL105 [dangling-edge] info" in run.out
    assert "FL101" not in run.out
    (tmp_path / "flowlint.toml").write_text(
        'extend = "shared/base.toml"\nextend-select = ["unknown-entry"]\n'
        '[severity]\nFL105 = "off"\n'
    )
    assert check(flowlint) == {"unknown-entry"}
    shown = flowlint("check", "--show-settings", "bad.py").out
    assert 'select = ["FL1"]  # shared/base.toml:1' in shown
    assert 'extend-select = ["unknown-entry"]  # flowlint.toml:2' in shown
    assert 'FL105 = "off"  # flowlint.toml:4' in shown


def test_paths_start_at_the_file_that_states_them(flowlint: RunFlowlint, tmp_path: Path) -> None:
    for folder in ("app/flows", "flows"):
        (tmp_path / folder).mkdir(parents=True)
        (tmp_path / folder / "bad.py").write_text(TWO)
    (tmp_path / "app" / "flowlint.toml").write_text(
        '[per-file-ignores]\n"flows/" = ["FL105"]\n'
        '"/bad.py" = ["FL101"]\n"!flows/*.py" = ["FL101"]\n'
    )
    found = {
        (finding["path"], finding["name"])
        for finding in json.loads(flowlint("check", "--format", "json").out)
    }
    assert found == {
        ("app/flows/bad.py", "unknown-entry"),
        ("flows/bad.py", "unknown-entry"),
        ("flows/bad.py", "dangling-edge"),
    }
    (tmp_path / "app" / "flowlint.toml").write_text('extend-exclude = ["/flows"]\n')
    assert flowlint("check", "--show-files").out == "flows/bad.py\n"
    assert flowlint("check", "app", "--show-files").out == ""


def test_the_narrower_selector_wins(flowlint: RunFlowlint, tmp_path: Path) -> None:
    (tmp_path / "bad.py").write_text(TWO)
    (tmp_path / "flowlint.toml").write_text('select = ["FL105"]\nignore = ["structure"]\n')
    assert check(flowlint) == {"dangling-edge"}
    assert check(flowlint, "--extend-select", "FL101") == {"dangling-edge", "unknown-entry"}
    assert check(flowlint, "--select", "structure") == {"dangling-edge", "unknown-entry"}
    assert check(flowlint, "--extend-ignore", "FL105") == set()


def test_severities(flowlint: RunFlowlint, tmp_path: Path) -> None:
    (tmp_path / "bad.py").write_text(TWO)
    (tmp_path / "flowlint.toml").write_text(
        '[severity]\nFL105 = "info"\nFL1 = "warning"\nunknown-entry = "off"\n'
    )
    run = flowlint("check", "--format", "concise")
    assert (run.code, len(lines(run))) == (0, 1)
    assert "FL105 [dangling-edge] info: " in run.out
    run = flowlint("check", "--format", "concise", "-c", "severity.dangling-edge=warning")
    assert run.code == 1
    assert "FL105 [dangling-edge] warning: " in run.out


def test_systems_are_left_alone(flowlint: RunFlowlint, tmp_path: Path) -> None:
    (tmp_path / "bad.py").write_text(DANGLING)
    (tmp_path / "lang.py").write_text(LANGGRAPH.replace('"draft", "review")', '"draft", "revue")'))
    assert "2 flows" in flowlint("check").out
    (tmp_path / "flowlint.toml").write_text("dialects = { hydraflow = false }\n")
    run = flowlint("check", "--format", "concise")
    assert {line.split(":")[0] for line in lines(run)} == {"lang.py"}
    assert "1 flow (" in run.out
    graphs = json.loads(flowlint("graph").out)["graphs"]
    assert [graph["dialect"] for graph in graphs] == ["langgraph"]


def test_a_stated_version_counts_over_what_files_ask_for(
    flowlint: RunFlowlint, tmp_path: Path
) -> None:
    source = LANGGRAPH.replace('("review", review)', '("review", review, destinations=("draft",))')
    (tmp_path / "lang.py").write_text(source)
    (tmp_path / "requirements.txt").write_text("langgraph==0.2.60\n")
    before = flowlint("check", "--format", "concise").out
    assert "0.2.71" in before
    (tmp_path / "flowlint.toml").write_text('[versions]\nlanggraph = "1.0"\n')
    assert "0.2.71" not in flowlint("check", "--format", "concise").out
    (tmp_path / "flowlint.toml").write_text('[versions]\nLangGraph = "0.2.60"\n')
    assert flowlint("check", "--format", "concise").err.endswith("did you mean `langgraph`?\n")


def test_include_and_exclude(flowlint: RunFlowlint, tmp_path: Path) -> None:
    for name in ("a.py", "b.flow", "old/c.py", "build/d.py", "notes.json"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("")

    def files(settings: str, *arguments: str) -> list[str]:
        (tmp_path / "flowlint.toml").write_text(settings)
        return flowlint("check", "--show-files", *arguments).out.splitlines()

    assert files("") == ["a.py", "notes.json", "old/c.py"]
    assert files('include = ["*.flow", "old/*.py"]') == ["b.flow", "old/c.py"]
    assert files('extend-exclude = ["old"]') == ["a.py", "notes.json"]
    assert files('exclude = ["old/"]') == ["a.py", "build/d.py", "notes.json"]
    assert files('extend-exclude = ["*.json", "!old"]') == ["a.py", "old/c.py"]
    assert files("", "-c", "extend-exclude=old") == ["a.py", "notes.json"]
    assert files('extend-exclude = ["old"]', "old/c.py", "build") == ["build/d.py", "old/c.py"]
    forced = files('extend-exclude = ["old"]', "old/c.py", "build", "a.py", "--force-exclude")
    assert forced == ["a.py"]


def test_nothing_is_left_when_all_is_excluded_by_force(
    flowlint: RunFlowlint, tmp_path: Path
) -> None:
    (tmp_path / "bad.py").write_text(DANGLING)
    (tmp_path / "flowlint.toml").write_text('exclude = ["bad.py"]\n')
    assert flowlint("check", "bad.py").code == 1
    assert flowlint("check", "bad.py", "--force-exclude") == Run(0, "", "")


def test_the_format_and_the_processes_are_settings(flowlint: RunFlowlint, tmp_path: Path) -> None:
    (tmp_path / "bad.py").write_text(DANGLING)
    (tmp_path / "flowlint.toml").write_text('output-format = "concise"\njobs = 1\n')
    assert flowlint("check").out.startswith("bad.py:15:")
    assert json.loads(flowlint("check", "--format", "json").out)
    assert json.loads(flowlint("check", "-c", "output-format=json").out)


@pytest.mark.parametrize(
    ("arguments", "place"),
    [((), "flowlint.toml:2"), (("-c", "output-format=junit"), "-c output-format=junit")],
)
def test_statistics_and_a_stated_format_that_has_none_do_not_go_together(
    flowlint: RunFlowlint, tmp_path: Path, arguments: tuple[str, ...], place: str
) -> None:
    (tmp_path / "bad.py").write_text(DANGLING)
    (tmp_path / "flowlint.toml").write_text('ignore = []\noutput-format = "sarif"\n')
    run = flowlint("check", "--statistics", *arguments)
    assert (run.code, run.out, run.err.count("\n")) == (2, "", 1)
    name = "junit" if arguments else "sarif"
    assert f"the format `{name}`, which {place} states, cannot show statistics" in run.err
    assert flowlint("check", "--statistics", "--format", "concise").out.startswith("1  FL105  ")
    assert json.loads(flowlint("check", "--statistics", "-c", "output-format=json").out)


def test_graphs_go_by_settings_of_the_command_line_too(
    flowlint: RunFlowlint, tmp_path: Path
) -> None:
    write(tmp_path, **{"flow.py": DANGLING, "lang.py": LANGGRAPH})
    (tmp_path / "flowlint.toml").write_text('exclude = ["lang.py"]\n')
    (tmp_path / "ci.toml").write_text("[dialects]\nhydraflow = false\n")

    def dialects(*arguments: str) -> list[str]:
        graphs = json.loads(flowlint("graph", *arguments).out)["graphs"]
        return [graph["dialect"] for graph in graphs]

    assert dialects() == ["hydraflow"]
    assert dialects("--isolated") == ["hydraflow", "langgraph"]
    assert dialects("-c", "exclude=['flow.py']") == ["langgraph"]
    assert dialects("--config", "ci.toml") == ["langgraph"]
    flowlint("graph", "flow.py", "--html", "all.html")
    flowlint("graph", "flow.py", "--html", "some.html", "-c", "ignore=FL105")
    assert "FL105" in (tmp_path / "all.html").read_text("utf-8")
    assert "FL105" not in (tmp_path / "some.html").read_text("utf-8")


def test_one_file_of_settings_can_be_named(flowlint: RunFlowlint, tmp_path: Path) -> None:
    (tmp_path / "bad.py").write_text(TWO)
    (tmp_path / "flowlint.toml").write_text("this is never read")
    (tmp_path / "ci.toml").write_text('select = ["FL105"]\n')
    assert check(flowlint, "--config", "ci.toml") == {"dangling-edge"}
    assert check(flowlint, "--config", "ci.toml", "-c", 'select=["FL101"]') == {"unknown-entry"}
    assert check(flowlint, "--isolated", "-c", "ignore=FL105,dead-end") == {"unknown-entry"}


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ("selct = []", "flowlint.toml:1: unknown setting `selct`; did you mean `select`?"),
        ("\nextend_select = []", ":2: unknown setting `extend_select`; did you mean `extend-"),
        ("xyzzy = 1", ":1: unknown setting `xyzzy`; `flowlint check --show-settings` lists all"),
        ('select = [\n  "FL105",\n  "dangling-egde",\n]', ":3: unknown rule `dangling-egde`; did"),
        ('[severity]\ndead-end = "grave"', ":2: the severity of `dead-end` has to be error, warn"),
        (
            '[severity]\n\ndead-ends = "off"',
            ":3: unknown rule `dead-ends`; did you mean `dead-end`",
        ),
        ('[per-file-ignores]\n"a" = ["FL105"]\n"b" = ["FL999"]', ":3: unknown rule `FL999`"),
        ("select = 'FL1'", ":1: `select` has to be a list of rules in quotes"),
        ("jobs = 0", ":1: `jobs` has to be a whole number above 0"),
        ("jobs = true", ":1: `jobs` has to be a whole number above 0"),
        ('respect-gitignore = "no"', ":1: `respect-gitignore` has to be true or false"),
        ("output-format = 'ful'", "; did you mean `full`?"),
        ("dialects.langraph = false", ":1: unknown system `langraph`; did you mean `langgraph`?"),
        ("[versions]\nlanggraph = 1", ':2: the version of `langgraph` has to be written like "1'),
        ("[rules.dead-end]\nmax = 1", ":2: the rule `dead-end` has no option `max`; there is"),
        ("extend = 'nowhere.toml'", ":1: there is no file `nowhere.toml` to extend"),
        ("extend = 'flowlint.toml'", ":1: files extend each other in a loop: end it here"),
        ("select = [", "flowlint.toml: is not TOML: "),
        ("a = 1\nb = = 2", "flowlint.toml:2: is not TOML: "),
        ("severity = 3", ":1: `severity` has to be a table"),
    ],
)
def test_wrong_settings_are_one_sentence_with_their_place(
    flowlint: RunFlowlint, tmp_path: Path, settings: str, said: str
) -> None:
    (tmp_path / "flowlint.toml").write_text(settings)
    (tmp_path / "plain.py").write_text("x = 1\n")
    for arguments in (["check"], ["check", "plain.py"], ["check", "--show-settings", "plain.py"]):
        run = flowlint(*arguments)
        assert (run.code, run.out, run.err.count("\n")) == (2, "", 1)
        assert run.err.startswith("error: flowlint.toml")
        assert said in run.err


def test_wrong_settings_of_one_folder_end_the_run(flowlint: RunFlowlint, tmp_path: Path) -> None:
    (tmp_path / "a" / "b").mkdir(parents=True)
    (tmp_path / "a" / "b" / "pyproject.toml").write_text("[tool.flowlint]\nselct = []\n")
    (tmp_path / "bad.py").write_text(DANGLING)
    run = flowlint("check")
    assert (run.code, run.out) == (2, "")
    assert run.err.startswith("error: a/b/pyproject.toml:2: unknown setting `selct`")


def test_versions_need_no_quotes_on_the_command_line(flowlint: RunFlowlint) -> None:
    for given in ("versions.langgraph=0.6", 'versions.langgraph="0.6"'):
        run = flowlint("check", "--show-settings", "-c", given)
        assert f'langgraph = "0.6"  # -c {given}' in run.out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["-c", "selct=FL1"], "-c selct=FL1: unknown setting `selct`; did you mean `select`?"),
        (["-c", "select=FL1,nosuch"], "unknown rule `nosuch`"),
        (["-c", "extend=ok.toml"], "only files extend others: name one with --config FILE"),
        (["-c", "jobs=many"], "`jobs` has to be a whole number above 0"),
        (["--config", "nowhere.toml"], "nowhere.toml: cannot be read"),
        (["--config", "pyproject.toml"], "pyproject.toml: has no table [tool.flowlint]: add it"),
        (["--isolated", "--config", "ok.toml"], "--isolated and a file of settings do not go"),
        (["--config", "ok.toml", "--config", "ok.toml"], "--config can name one file only"),
    ],
)
def test_wrong_settings_of_the_command_line(
    flowlint: RunFlowlint, tmp_path: Path, arguments: list[str], said: str
) -> None:
    (tmp_path / "ok.toml").write_text("")
    (tmp_path / "pyproject.toml").write_text('[project]\nname = "x"\n')
    for command in ("check", "graph"):
        run = flowlint(command, *arguments)
        assert (run.code, run.out, run.err.count("\n")) == (2, "", 1)
        assert said in run.err


def test_what_is_shown_can_be_read_again(flowlint: RunFlowlint, tmp_path: Path) -> None:
    (tmp_path / "flowlint.toml").write_text(
        'ignore = ["FL105"]\n[severity]\nFL1 = "info"\n[per-file-ignores]\n"a b/*" = ["FL2"]\n'
    )
    shown = flowlint("check", "--show-settings", "x.py").out
    (tmp_path / "again.toml").write_text(shown)
    again = flowlint("check", "--show-settings", "x.py", "--config", "again.toml")
    assert again.code == 0
    without = [line.partition("  #")[0] for line in again.out.splitlines()]
    stated = [line.partition("  #")[0] for line in shown.splitlines()]
    assert without == stated


def test_the_command_line_is_named_as_the_source(flowlint: RunFlowlint, tmp_path: Path) -> None:
    shown = flowlint("check", "--show-settings", "x.py", "--select", "FL1", "-c", "jobs=3").out
    assert 'select = ["FL1"]  # --select' in shown
    assert "jobs = 3  # -c jobs=3" in shown


def test_what_counts_before_settings_is_shown(flowlint: RunFlowlint, tmp_path: Path) -> None:
    (tmp_path / "flowlint.toml").write_text('output-format = "concise"\njobs = 3\n')

    def shown(*arguments: str, **env: str) -> list[str]:
        return flowlint("check", "--show-settings", *arguments, env=env).out.splitlines()

    assert 'output-format = "concise"  # flowlint.toml:1' in shown(GITHUB_ACTIONS="true")
    assert 'output-format = "json"  # FLOWLINT_OUTPUT_FORMAT' in shown(
        FLOWLINT_OUTPUT_FORMAT="json"
    )
    lines = shown("--output-format", "full", "-j", "2", FLOWLINT_OUTPUT_FORMAT="json")
    assert 'output-format = "full"  # --output-format' in lines
    assert "jobs = 2  # --jobs" in lines
    assert 'cache-dir = "kept"  # FLOWLINT_CACHE_DIR' in shown(FLOWLINT_CACHE_DIR="kept")
    (tmp_path / "flowlint.toml").write_text('output-format = "auto"\n')
    assert 'output-format = "github"  # GITHUB_ACTIONS' in shown(GITHUB_ACTIONS="true")
    assert 'output-format = "auto"  # flowlint.toml:1' in shown()


def test_the_settings_of_the_readme_are_settings(flowlint: RunFlowlint, tmp_path: Path) -> None:
    readme = (Path(__file__).parents[2] / "README.md").read_text("utf-8")
    _, _, rest = readme.partition("```toml\n")
    (tmp_path / "flowlint.toml").write_text(rest.partition("```")[0])
    run = flowlint("check", "--show-settings", "x.py")
    assert (run.code, run.err) == (0, "")
    assert 'langgraph = "0.6"  # flowlint.toml:' in run.out


def test_the_shipped_schema_is_in_step() -> None:
    assert FILE.read_text("utf-8") == text()


def test_the_schema_knows_what_the_program_does() -> None:
    jsonschema_rs = pytest.importorskip("jsonschema_rs")
    validator = jsonschema_rs.validator_for(schema())
    good = {
        "select": ["FL1", "dangling-edge", "structure", "all"],
        "severity": {"FL105": "off"},
        "per-file-ignores": {"tests/": ["FL2"]},
        "versions": {"langgraph": "0.6"},
        "dialects": {"langgraph": False},
        "output-format": "sarif",
        "rules": {
            "dead-end": {"ends": ["publish"], "hints": False},
            "fl802": {"most-steps": 7},
            "RLY001": {"anything": 1},
        },
    }
    assert validator.is_valid(good)
    for rule, options in {
        "dead-end": {"ends": "publish"},
        "FL107": {"hints": 0},
        "bad-limit": {"most-steps": 0},
        "unbounded-loop": {"ends": []},
        "dangling-edge": {},
        "FL3": {},
    }.items():
        assert not validator.is_valid({"rules": {rule: options}}), rule
    for name, wrong in {
        "selct": [],
        "select": ["nosuch"],
        "severity": {"FL105": "grave"},
        "jobs": 0,
        "dialects": {"x": True},
    }.items():
        assert not validator.is_valid({name: wrong}), name


def test_lists_that_are_kept_twice_are_in_step() -> None:
    from flowlint.dialects.registry import all_dialects

    assert set(DIALECTS) == {entry.name for entry in all_dialects() if entry.origin is None}
    assert list(FORMATS) == ["auto", *formats.FORMATS]
    assert rule_terms() == tuple(
        (rule.info.name, rule.info.code.lower(), rule.info.category) for rule in all_rules()
    )
    assert len({key.name for key in KEYS}) == len(KEYS)
