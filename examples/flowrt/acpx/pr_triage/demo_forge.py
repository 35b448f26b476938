"""Makes a small hosting site in a folder: a repository with one pull request, number 7.

    python demo_forge.py FOLDER [--untidy] [--red] [--conflict]

`--untidy` lets the pull request add a line that a reviewer objects to, `--red` breaks its tests,
`--conflict` lets the base change the same lines. `--land` changes them in a site that is there.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
from pathlib import Path

NUMBER = 7

BEFORE = """\
def average(numbers):
    return sum(numbers) / len(numbers)
"""

FIXED = """\
def average(numbers):
    if not numbers:
        return 0
    return sum(numbers) / len(numbers)
"""

LANDED = """\
def average(numbers):
    return sum(map(float, numbers)) / len(numbers)
"""

TESTS = """\
import unittest

from calc import average


class AverageTest(unittest.TestCase):
    def test_some(self):
        self.assertEqual(average([2, 4]), 3)
"""

MORE_TESTS = (
    TESTS
    + """\

    def test_none(self):
        self.assertEqual(average([]), 0)
"""
)

TITLE = "The average of nothing is nothing"
PULL = {
    "number": NUMBER,
    "title": TITLE,
    "body": "average([]) divides by zero. Reports about days without sales crash.",
}


def make_forge(
    folder: Path, *, untidy: bool = False, red: bool = False, conflict: bool = False
) -> Path:
    """Make the site in a folder that is not there yet."""
    repository, pull = folder / "repository", folder / "pulls" / str(NUMBER)
    repository.mkdir(parents=True)
    pull.mkdir(parents=True)
    (pull / "pull.json").write_text(json.dumps(PULL, indent=2) + "\n", "utf-8")
    _git(repository, "init", "--quiet", "--initial-branch", "main")
    _commit(repository, "Averages", BEFORE, TESTS)
    _git(repository, "checkout", "--quiet", "-b", f"pull/{NUMBER}")
    change = FIXED.replace("return 0", "return None" if red else "return 0")
    _commit(repository, TITLE, change.replace(":\n", ":  \n") if untidy else change, MORE_TESTS)
    _git(repository, "checkout", "--quiet", "main")
    if conflict:
        land(folder)
    return folder


def land(folder: Path) -> None:
    """Change, on the base, the lines that the pull request changes."""
    _commit(folder / "repository", "Averages of texts", LANDED, TESTS)


def _commit(repository: Path, message: str, code: str, tests: str) -> None:
    (repository / "calc.py").write_text(code, "utf-8")
    (repository / "test_calc.py").write_text(tests, "utf-8")
    _git(repository, "add", "--all")
    _git(repository, "commit", "--quiet", "--message", message)


def _git(repository: Path, *arguments: str) -> None:
    people = {
        f"GIT_{who}_{what}": "demo" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")
    }
    settings = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
    subprocess.run(
        ["git", *arguments], cwd=repository, check=True, env={**os.environ, **people, **settings}
    )


def main() -> None:
    options = argparse.ArgumentParser()
    options.add_argument("folder", type=Path)
    for name in ("untidy", "red", "conflict", "land"):
        options.add_argument(f"--{name}", action="store_true")
    given = options.parse_args()
    if given.land:
        land(given.folder)
    else:
        make_forge(given.folder, untidy=given.untidy, red=given.red, conflict=given.conflict)


if __name__ == "__main__":
    main()
