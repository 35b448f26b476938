"""Which files a run looks at."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from flowlint.dialects.needles import DATA_SUFFIXES

SUFFIXES = (".py", ".ipynb", *DATA_SUFFIXES)
"""Endings of the files that are taken when a folder is walked."""

EXCLUDED = frozenset(
    {
        ".bzr",
        ".direnv",
        ".eggs",
        ".git",
        ".hg",
        ".hypothesis",
        ".import_linter_cache",
        ".ipynb_checkpoints",
        ".mypy_cache",
        ".nox",
        ".pants.d",
        ".pyenv",
        ".pytest_cache",
        ".pytype",
        ".ruff_cache",
        ".svn",
        ".tox",
        ".venv",
        "__pycache__",
        "__pypackages__",
        "_build",
        "buck-out",
        "build",
        "dist",
        "node_modules",
        "site-packages",
        "venv",
    }
)
"""Folders of these names are not walked into; they are when they are named themselves."""

_ENVIRONMENT_MARK = "pyvenv.cfg"


@dataclass(frozen=True, slots=True)
class Problem:
    """Something that kept a path from being checked. `path` is None when no path is to blame."""

    path: str | None
    message: str

    def __str__(self) -> str:
        return self.message if self.path is None else f"{self.path}: {self.message}"


@dataclass(frozen=True, slots=True)
class Discovery:
    """The files to look at, as the user would name them, and the paths that gave none."""

    files: tuple[str, ...]
    problems: tuple[Problem, ...]


def unreadable(path: str, error: OSError) -> Problem:
    """What to say of a file that could not be read."""
    return Problem(path, f"cannot be read: {error.strerror or error}")


def discover(paths: Iterable[str]) -> Discovery:
    """The files under `paths`, each once.

    A named file is taken whatever its name. A folder gives its Python files, notebooks and
    files of data, at any depth, except in excluded folders and virtual environments. Links met
    on the way are not followed: what they lead to is checked where it lives, so a loop of links
    cannot trap the walk and nothing outside of the named folders is taken by surprise.
    """
    files: list[str] = []
    problems: list[Problem] = []
    roots = list(paths)
    for root in roots:
        if os.path.isdir(root):
            files.extend(_walk(root, problems))
        elif os.path.isfile(root):
            files.append(root)
        elif os.path.exists(root):
            problems.append(Problem(root, "is neither a file nor a folder"))
        elif os.path.islink(root):
            problems.append(Problem(root, _fault_of_link(root)))
        else:
            problems.append(Problem(root, "no such file or folder"))
    if len(roots) > 1:
        files = list({os.path.abspath(file): file for file in reversed(files)}.values())
        files.reverse()
    return Discovery(tuple(files), tuple(problems))


def _fault_of_link(path: str) -> str:
    try:
        os.stat(path)
    except OSError as error:
        if error.errno == errno.ELOOP:
            return "is one of several links that lead to each other in a loop"
    return "is a link to nowhere"


def _walk(root: str, problems: list[Problem]) -> Iterator[str]:
    prefix = "" if root in ("", ".", "./") else os.path.join(root, "")
    pending = [prefix]
    while pending:
        folder = pending.pop()
        files: list[str] = []
        folders: list[str] = []
        try:
            with os.scandir(folder or ".") as entries:
                for entry in entries:
                    name = entry.name
                    if name.endswith(SUFFIXES) and entry.is_file(follow_symlinks=False):
                        files.append(folder + name)
                    elif name == _ENVIRONMENT_MARK and folder != prefix:
                        break
                    elif name not in EXCLUDED and entry.is_dir(follow_symlinks=False):
                        folders.append(f"{folder}{name}{os.sep}")
                else:
                    yield from files
                    pending.extend(folders)
        except OSError as error:
            where = folder.rstrip(os.sep) or folder or "."
            problems.append(Problem(where, f"cannot be listed: {error.strerror or error}"))
