"""The version of a distribution that a project uses, from its lock or what it asks for."""

from __future__ import annotations

import fnmatch
import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from flowlint.dialects.surroundings import Version
from flowlint.project import package_files
from flowlint.project.version_files import (
    LOCKS,
    MAX_SETTINGS,
    SETTINGS,
    listed,
    locked,
    mentions,
    normal,
    required,
)
from flowlint.project.version_ranges import Range, ranges_of, version_of
from flowlint.source import Files

MAX_SIZE = 64 << 20
"""Bytes of a file that is read at all."""

MAX_AROUND = 12
"""Folders in which the file of a workspace is looked for."""

REPOSITORY = ".git"
LISTS = ("requirements*.txt", "requirements*.lock")


@dataclass(slots=True)
class _Stated:
    """What the files of one folder say: versions, and ranges of them."""

    versions: list[Version] = field(default_factory=list)
    ranges: list[Range] = field(default_factory=list)


class ProjectVersions:
    """Finds and remembers which versions of distributions the folders of a project use.

    The nearest folder that says something counts. What is locked, there or above, is taken where
    what is asked for allows it, else the newest that is asked for. `stated` gives versions that
    somebody told, which no file can change: it is the place for a setting.
    """

    def __init__(self, files: Files, stated: Mapping[str, str] | None = None) -> None:
        self._files = files
        self._stated = {normal(name): version_of(text) for name, text in (stated or {}).items()}
        self._found: dict[tuple[str, str, str], Version | None] = {}
        self._read: dict[tuple[str, str, bool], _Stated] = {}

    def of(self, name: str, path: str, root: str) -> Version | None:
        """The version that the module at `path` uses; None: it cannot be told, or any will do.

        `root` is the folder of the project. Never raises.
        """
        name = normal(name)
        if name in self._stated:
            return self._stated[name]
        folder, root = os.path.dirname(os.path.abspath(path)), os.path.abspath(root)
        key = (name, folder, root)
        if key not in self._found:
            self._found[key] = self._search(name, folder, root)
        return self._found[key]

    def _search(self, name: str, folder: str, root: str) -> Version | None:
        asked: list[Range] = []
        for place, is_within in self._folders(folder, root):
            # Above the project there may be the lock of what it is a part of, and much else.
            if not is_within and not asked:
                break
            stated = self._of_folder(place, name, is_within)
            asked = asked or stated.ranges
            fitting = [
                version
                for version in stated.versions
                if not asked or any(one.allows(version) for one in asked)
            ]
            if fitting:
                return max(fitting)
        newest = [one.newest for one in asked]
        known = [version for version in newest if version is not None]
        return max(known) if known and len(known) == len(newest) else None

    def _folders(self, folder: str, root: str) -> Iterator[tuple[str, bool]]:
        """The folders from `folder` up to the root, and beyond it up to that of the repository."""
        places = [folder]
        while os.path.dirname(places[-1]) != places[-1]:
            places.append(os.path.dirname(places[-1]))
        inside = places.index(root) + 1 if root in places else 1
        top = next(
            (i + 1 for i, place in enumerate(places) if os.path.exists(f"{place}/{REPOSITORY}")), 0
        )
        for number, place in enumerate(places[: max(inside, top)]):
            yield place, number < inside

    def _of_folder(self, folder: str, name: str, is_within: bool) -> _Stated:
        key = (folder, name, is_within)
        if key not in self._read:
            self._read[key] = self._read_folder(folder, name, is_within)
        return self._read[key]

    def _read_folder(self, folder: str, name: str, is_within: bool) -> _Stated:
        stated = _Stated()
        for file in LOCKS:
            found = locked(file, self._bytes(os.path.join(folder, file)), name)
            stated.versions += [version for text in found if (version := version_of(text))]
        if not is_within:
            return stated
        for file in SETTINGS:
            _add(stated, required(file, self._bytes(os.path.join(folder, file)), name))
        _add(stated, self._catalogued(folder, name))
        for file in sorted(self._lists(folder)):
            self._add_list(stated, os.path.join(folder, file), name, set())
        return stated

    def _catalogued(self, folder: str, name: str) -> list[str]:
        """What the catalogs of the workspace say that the manifest of a folder looks up."""
        data = self._bytes(os.path.join(folder, package_files.MANIFEST))
        wanted = package_files.catalogs_named(data, name) if b"catalog:" in data else []
        for place in self._around(folder) if wanted else ():
            for file in package_files.CATALOGS:
                stated = self._bytes(os.path.join(place, file))
                if len(stated) > MAX_SETTINGS or not mentions(stated, name):
                    continue
                found = package_files.catalogued(file, stated, wanted[0], name)
                if found:
                    return found
        return []

    def _around(self, folder: str) -> Iterator[str]:
        """A folder and those around it, as far as that of the repository."""
        for _ in range(MAX_AROUND):
            yield folder
            if os.path.exists(f"{folder}/{REPOSITORY}") or os.path.dirname(folder) == folder:
                return
            folder = os.path.dirname(folder)

    def _lists(self, folder: str) -> Iterable[str]:
        try:
            files = os.listdir(folder)
        except OSError:
            return []
        return {file for pattern in LISTS for file in fnmatch.filter(files, pattern)}

    def _add_list(self, stated: _Stated, path: str, name: str, seen: set[str]) -> None:
        path = os.path.normpath(path)
        if path in seen:
            return
        seen.add(path)
        data = self._bytes(path)
        if not (mentions(data, name) or b"-r" in data or b"-c" in data):
            return
        found, included = listed(data.decode("utf-8", "replace"), name)
        _add(stated, found)
        for other in included:
            self._add_list(stated, os.path.join(os.path.dirname(path), other), name, seen)

    def _bytes(self, path: str) -> bytes:
        """The bytes of a file, none where it is missing, too large or cannot be read."""
        try:
            if not self._files.is_file(path):
                return b""
            is_huge = os.path.isfile(path) and os.path.getsize(path) > MAX_SIZE
            return b"" if is_huge else self._files.read(path)
        except (OSError, ValueError):
            return b""


def _add(stated: _Stated, requirements: Iterable[str]) -> None:
    for requirement in requirements:
        for one in ranges_of(requirement):
            if one.exact is not None:
                stated.versions.append(one.exact)
            else:
                stated.ranges.append(one)
