"""Which files a run looks at."""

from __future__ import annotations

import errno
import os
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass

from flowlint.project.excluded import EXCLUDED
from flowlint.project.settings.finding import Configuration
from flowlint.project.walking import REPOSITORY, View, is_left_out, view_of
from flowlint.suffixes import DECLARATION_SUFFIXES, SUFFIXES

__all__ = ["EXCLUDED", "SUFFIXES", "Discovery", "Problem", "discover", "unreadable", "walk"]

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


def discover(
    paths: Iterable[str],
    configuration: Configuration | None = None,
    *,
    force_exclude: bool = False,
    unsaved: Collection[str] = (),
) -> Discovery:
    """The files under `paths`, each once.

    A named file is taken whatever its name, unless `force_exclude` tells to leave out what the
    settings do. A folder gives what is read as code or data, at any depth, except declarations
    of types and what excluded folders and virtual environments hold. Links met on the way are
    not followed: what they lead to is checked where it lives, so a loop of links cannot trap the
    walk and nothing outside of the named folders is taken by surprise. `unsaved` are files that
    need not be on the disk. Raises SettingsError.
    """
    configuration = configuration or Configuration()
    files: list[str] = []
    problems: list[Problem] = []
    roots = list(paths)
    for root in roots:
        if force_exclude and is_left_out(configuration, root):
            continue
        if root in unsaved or os.path.isfile(root):
            # What is wrong with settings is told before anything is checked.
            configuration.of_file(root)
            files.append(root)
        elif os.path.isdir(root):
            files.extend(_walk(root, configuration, problems))
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


def _walk(root: str, configuration: Configuration, problems: list[Problem]) -> Iterator[str]:
    for folder, view, files, others in walk(root, configuration, problems):
        wanted = view.files(files, _plain_files(folder, others) if view.include else ())
        yield from (folder + file for file in wanted)


def walk(
    root: str, configuration: Configuration, problems: list[Problem]
) -> Iterator[tuple[str, View, list[str], list[str]]]:
    """The folders under `root` that are walked into, each with how it is seen and what it holds.

    A folder is given by what the paths in it begin with. The first names are those that end in
    SUFFIXES, the others of all else that is no folder. Raises SettingsError.
    """
    prefix = "" if root in ("", ".", "./") else os.path.join(root, "")
    pending: list[tuple[str, str, View | None]] = [(prefix, "", None)]
    while pending:
        folder, name, outer = pending.pop()
        try:
            listed = _list(folder, is_first=outer is None)
        except OSError as error:
            where = folder.rstrip(os.sep) or folder or "."
            problems.append(Problem(where, f"cannot be listed: {error.strerror or error}"))
            continue
        if listed is None:
            continue
        files, folders, others = listed
        if outer is None:
            view = view_of(configuration, os.path.abspath(root or "."))
        else:
            is_repository = REPOSITORY in folders or REPOSITORY in others
            view = outer.entered(name, others, is_repository=is_repository)
        yield folder, view, files, others
        pending += [(f"{folder}{inner}{os.sep}", inner, view) for inner in view.folders(folders)]


def _list(folder: str, *, is_first: bool) -> tuple[list[str], list[str], list[str]] | None:
    """The files that end in SUFFIXES, the folders and the rest; None for an environment."""
    files: list[str] = []
    folders: list[str] = []
    others: list[str] = []
    with os.scandir(folder or ".") as entries:
        for entry in entries:
            name = entry.name
            if name.endswith(SUFFIXES) and entry.is_file(follow_symlinks=False):
                (others if name.endswith(DECLARATION_SUFFIXES) else files).append(name)
            elif name == _ENVIRONMENT_MARK and not is_first:
                return None
            elif entry.is_dir(follow_symlinks=False):
                folders.append(name)
            else:
                others.append(name)
    return files, folders, others


def _plain_files(folder: str, names: Iterable[str]) -> list[str]:
    """Those that are files themselves, not links to some."""
    paths = [(name, folder + name) for name in names]
    return [name for name, path in paths if os.path.isfile(path) and not os.path.islink(path)]
