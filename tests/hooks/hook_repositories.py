"""Real git repositories: this one as pre-commit is given it, and one that uses its hooks."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sysconfig
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
PRE_COMMIT = Path(sysconfig.get_path("scripts")) / "pre-commit"
UNREACHABLE = re.compile(
    r"Failed to establish a new connection|Name or service not known|Max retries exceeded"
    r"|Temporary failure in name resolution|ProxyError|timed out|Connection (refused|reset)",
)
"""What is said where there is no network or no package index."""

_IDENTITY = {
    f"GIT_{who}_{what}": value
    for who in ("AUTHOR", "COMMITTER")
    for what, value in {"NAME": "Tester", "EMAIL": "tester@example.org"}.items()
}
PLAIN = {**_IDENTITY, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
"""Git as it is where nobody has set anything."""


@dataclass(frozen=True)
class Done:
    """A command that has ended, with all that it said."""

    code: int
    said: str


@dataclass(frozen=True)
class Repository:
    """A git repository, and the folder where pre-commit keeps what it installs."""

    folder: Path
    home: Path

    def run(self, *command: str | Path) -> Done:
        """Run a command in the repository."""
        env = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
        done = subprocess.run(
            command,
            cwd=self.folder,
            env={
                **env,
                **PLAIN,
                "PRE_COMMIT_HOME": str(self.home),
                "PIP_RETRIES": "1",
                "PYTHONPATH": "",
                # The hook that git runs finds pre-commit as it does where it was installed.
                "PATH": os.pathsep.join([str(PRE_COMMIT.parent), env["PATH"]]),
            },
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            timeout=600,
            check=False,
        )
        return Done(done.returncode, done.stdout)

    def git(self, *arguments: str) -> str:
        """Run git, which has to succeed."""
        done = self.run("git", *arguments)
        assert done.code == 0, done.said
        return done.said.strip()

    def write(self, **files: str) -> None:
        """Write files and put them where a commit takes them from; `__` is a slash."""
        for name, text in files.items():
            path = self.folder / name.replace("__", "/").replace("_py", ".py")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        self.git("add", "--all")

    def commit(self) -> Done:
        """Commit what is added, as somebody does who knows nothing of hooks."""
        return self.run("git", "commit", "--message", "work")

    def commits(self) -> int:
        """How many commits there are."""
        done = self.run("git", "rev-list", "--count", "HEAD")
        return int(done.said) if done.code == 0 else 0


def new_repository(folder: Path, home: Path) -> Repository:
    """An empty repository."""
    folder.mkdir(parents=True)
    made = Repository(folder, home)
    made.git("init", "--quiet", "--initial-branch", "main")
    return made


def this_repository(folder: Path, home: Path) -> Repository:
    """This repository with all that is in its working tree, as one commit."""
    made = new_repository(folder, home)
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        check=True,
    )
    # What the hooks are installed from; tests and examples are not.
    parts = ("flowlint", "flowls", "runtime")
    for name in filter(None, os.fsdecode(listed.stdout).split("\0")):
        if ("/" not in name or name.startswith(parts)) and (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, folder / name)
    made.git("add", "--all")
    made.git("commit", "--quiet", "--message", "all")
    return made
