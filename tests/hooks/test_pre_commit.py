"""The hooks of this repository, run by the real pre-commit at real commits."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest
import yaml
from flow_sources import DANGLING, GOOD
from hook_repositories import (
    PRE_COMMIT,
    ROOT,
    UNREACHABLE,
    Repository,
    new_repository,
    this_repository,
)

pytestmark = [
    pytest.mark.skipif(not PRE_COMMIT.is_file(), reason="pre-commit is not installed"),
    pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed"),
    pytest.mark.skipif(not (ROOT / ".git").exists(), reason="this is no git repository"),
]


UNSHAPED = """import { compute, defineFlow } from "acpx/flows";

export default defineFlow({
  name: "one",
  startAt: "b",
  nodes: { a: compute({ run: () => 1 }) },
  edges: [],
});
"""
"""A flow of acpx that begins where no node is."""


@pytest.fixture(scope="module")
def hooks(tmp_path_factory: pytest.TempPathFactory) -> Repository:
    """The repository that offers the hooks, with the hooks installed for whoever uses it."""
    base = tmp_path_factory.mktemp("hooks")
    offered = this_repository(base / "flowlint", base / "home")
    user = new_repository(base / "first", offered.home)
    user.write(**{".pre-commit-config.yaml": configuration(offered, "flowlint")})
    installed = user.run(PRE_COMMIT, "install-hooks")
    if installed.code != 0 and UNREACHABLE.search(installed.said):
        pytest.skip("pre-commit cannot install the hooks: the package index is not reachable")
    assert installed.code == 0, installed.said
    return offered


def configuration(offered: Repository, hook: str) -> str:
    rev = offered.git("rev-parse", "HEAD")
    repo = {"repo": str(offered.folder), "rev": rev, "hooks": [{"id": hook}]}
    return yaml.safe_dump({"repos": [repo]})


def using(offered: Repository, folder: Path, hook: str) -> Repository:
    """A repository at whose commits a hook is run."""
    user = new_repository(folder / "user", offered.home)
    user.write(**{".pre-commit-config.yaml": configuration(offered, hook)})
    assert user.run(PRE_COMMIT, "install").code == 0
    return user


def test_the_manifest_is_one(hooks: Repository) -> None:
    done = hooks.run(PRE_COMMIT, "validate-manifest", ".pre-commit-hooks.yaml")
    assert (done.code, done.said) == (0, "")


def test_the_hooks_can_be_tried(hooks: Repository, tmp_path: Path) -> None:
    user = new_repository(tmp_path / "user", hooks.home)
    user.write(flow_py=DANGLING)
    done = user.run(PRE_COMMIT, "try-repo", hooks.folder, "--all-files")
    assert done.code == 1
    ended = re.findall(r"^(flowlint(?: \(.*\))?)\.+(\w+)$", done.said, re.MULTILINE)
    assert ended == [
        ("flowlint", "Failed"),
        ("flowlint (fix)", "Failed"),
        ("flowlint (project)", "Passed"),
        ("flowlint (project, fix)", "Passed"),
    ]
    assert "error[dangling-edge] FL105:" in done.said
    assert "files were modified by this hook" in done.said
    assert (user.folder / "flow.py").read_text() == GOOD


def test_a_bad_flow_blocks_the_commit_until_it_is_mended(hooks: Repository, tmp_path: Path) -> None:
    user = using(hooks, tmp_path, "flowlint")
    user.write(flow_py=DANGLING)
    done = user.commit()
    assert (done.code, user.commits()) == (1, 0)
    assert "flow.py:15:32" in done.said
    user.write(flow_py=GOOD)
    assert (user.commit().code, user.commits()) == (0, 1)
    assert user.git("status", "--porcelain") == ""


def test_files_that_pre_commit_knows_no_type_of_are_checked(
    hooks: Repository, tmp_path: Path
) -> None:
    user = using(hooks, tmp_path, "flowlint")
    user.write(**{"one.flow.mts": UNSHAPED, "two.flow.cts": UNSHAPED, "three.mts": UNSHAPED})
    done = user.commit()
    assert (done.code, user.commits()) == (1, 0)
    assert re.findall(r"^ --> (\S+?):5", done.said, re.MULTILINE) == [
        "one.flow.mts",
        "three.mts",
        "two.flow.cts",
    ]


def test_files_that_are_left_out_are_not_checked(hooks: Repository, tmp_path: Path) -> None:
    user = using(hooks, tmp_path, "flowlint")
    user.write(
        old__flow_py=DANGLING, **{"flowlint.toml": "extend-exclude = ['old']\n", "notes.txt": "-"}
    )
    assert (user.commit().code, user.commits()) == (0, 1)
    user.write(old__flow_py=f"{DANGLING}\n", new_py=DANGLING)
    done = user.commit()
    assert (done.code, user.commits()) == (1, 1)
    assert "new.py:15:32" in done.said
    assert "old/flow.py" not in done.said


def test_only_what_is_committed_is_checked(hooks: Repository, tmp_path: Path) -> None:
    user = using(hooks, tmp_path, "flowlint")
    user.write(flow_py=DANGLING)
    user.git("commit", "--quiet", "--no-verify", "--message", "not looked at")
    user.write(more_py=GOOD)
    assert (user.commit().code, user.commits()) == (0, 2)


@pytest.mark.parametrize("hook", ["flowlint-fix", "flowlint-project-fix"])
def test_a_fix_changes_the_file_and_blocks_until_it_is_added(
    hooks: Repository, tmp_path: Path, hook: str
) -> None:
    user = using(hooks, tmp_path, hook)
    user.write(flow_py=DANGLING)
    done = user.commit()
    assert (done.code, user.commits()) == (1, 0)
    assert "files were modified by this hook" in done.said
    assert (user.folder / "flow.py").read_text() == GOOD
    user.git("add", "flow.py")
    assert (user.commit().code, user.commits()) == (0, 1)


def test_the_project_is_checked_whatever_is_committed(hooks: Repository, tmp_path: Path) -> None:
    user = using(hooks, tmp_path, "flowlint-project")
    user.write(
        **{".gitignore": "gen/\n"},
        names_py='TARGET = "publish"\n',
        flow_py="from names import TARGET\n" + GOOD.replace('", "publish")]', '", TARGET)]'),
        gen__flow_py=DANGLING,
    )
    assert (user.commit().code, user.commits()) == (0, 1)
    user.write(**{"notes.txt": "nothing to see"})
    assert (user.commit().code, user.commits()) == (0, 2)
    user.write(names_py='TARGET = "nobody"\n')
    done = user.commit()
    assert (done.code, user.commits()) == (1, 2)
    assert "flow.py:16:" in done.said
    assert "gen/flow.py" not in done.said
    user.git("commit", "--quiet", "--no-verify", "--message", "not looked at")
    (user.folder / "notes.txt").unlink()
    user.git("add", "--all")
    assert (user.commit().code, user.commits()) == (1, 3)
