"""What the answers of a run rest on that may change while somebody looks at them."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase

from flowlint.project.discovery import walk
from flowlint.project.files import read_bytes
from flowlint.project.root import Roots
from flowlint.project.settings.files import FILES
from flowlint.project.settings.finding import Configuration
from flowlint.project.version_files import LOCKS, SETTINGS
from flowlint.project.versions import LISTS
from flowlint.project.walking import GITIGNORE, REPOSITORY, View
from flowlint.suffixes import SUFFIXES

_NAMES = frozenset({*FILES, GITIGNORE, *LOCKS, *SETTINGS})
"""Files that say which others are checked, and how."""

Stamp = tuple[int, int, int]
"""When a file was changed, its size and which file it is."""


@dataclass(frozen=True, slots=True)
class Watched:
    """The folders in which something may change, and the state of the files that matter there.

    `named` are the files that matter whatever they are called; `takes_all` tells that others may
    matter too, as settings say which are taken.
    """

    folders: frozenset[str]
    stamps: Mapping[str, Stamp]
    named: frozenset[str] = frozenset()
    takes_all: bool = False

    def may_concern(self, path: str) -> bool:
        """Whether it is worth a look that something happened to a path."""
        name = os.path.basename(path)
        return (
            self.takes_all
            or name.endswith(SUFFIXES)
            or _is_known(name)
            or path in self.named
            or path in self.folders
            or os.path.isdir(path)
        )

    def changes(self, later: Watched) -> list[str]:
        """The files that came, went or changed until later."""
        paths = self.stamps.keys() | later.stamps.keys()
        return sorted(path for path in paths if self.stamps.get(path) != later.stamps.get(path))

    def renewed(self, paths: Iterable[str]) -> Watched:
        """The same with the state that these files are in by now."""
        wanted = set(map(os.path.abspath, paths))
        kept = {path: stamp for path, stamp in self.stamps.items() if path not in wanted}
        return replace(self, stamps={**kept, **_stamps(wanted)})

    def fixed(self, texts: Mapping[str, bytes]) -> Watched:
        """The same with the state of files that hold these texts, as far as they still do."""
        stamps = dict(self.stamps)
        for path, text in texts.items():
            own = _stamps([os.path.abspath(path)])
            if own and _holds(path, text):
                stamps.update(own)
        return replace(self, stamps=stamps)

    def again(self) -> Watched:
        """The same with the state that all is in by now, as far as it is known what matters."""
        settings = {os.path.join(folder, name) for folder in self.folders for name in _NAMES}
        return self.renewed({*self.stamps, *self.named, *settings})


def watched(paths: Sequence[str], configuration: Configuration, more: Iterable[str]) -> Watched:
    """What a run over `paths` rests on: the projects that they belong to, and the files `more`.

    What the settings or git leave out does not count, unless it is named. Raises SettingsError.
    """
    found = _Found(configuration)
    roots = Roots()
    for path in map(os.path.abspath, paths):
        is_folder = os.path.isdir(path)
        configuration.of_file(path)
        folder = path if is_folder else os.path.dirname(path)
        project = roots.around(folder)
        if project is not None:
            found.enter(project)
        if is_folder:
            found.enter(path)
        else:
            found.look_into(folder)
        for outer in _above(project or folder):
            found.look_for_settings(outer)
    named = {os.path.abspath(path) for path in (*more, *paths) if not os.path.isdir(path)}
    named |= configuration.files()
    found.folders |= {
        os.path.dirname(one) for path in named for one in (path, os.path.realpath(path))
    }
    folders = frozenset(filter(os.path.isdir, found.folders))
    return Watched(folders, _stamps(found.files | named), frozenset(named), found.takes_all)


class _Found:
    """Folders and files that matter, as they are come upon."""

    def __init__(self, configuration: Configuration) -> None:
        self._configuration = configuration
        self.folders: set[str] = set()
        self.files: set[str] = set()
        self.takes_all = False
        self._walked: set[str] = set()

    def enter(self, root: str) -> None:
        """Take what a walk from here would, and the modules that it may import."""
        if root in self._walked:
            return
        for prefix, view, known, others in walk(root, self._configuration, []):
            self._walked.add(prefix.rstrip(os.sep) or os.sep)
            self.files.update(prefix + name for name in _that_matter(view, known, others))
            self.takes_all = self.takes_all or view.include is not None
        self.folders |= self._walked

    def look_into(self, folder: str) -> None:
        """Take the modules of one folder and what states settings there."""
        if folder in self._walked:
            return
        self.look_for_settings(folder)
        if os.path.isdir(folder):
            modules = (name for name in os.listdir(folder) if name.endswith(SUFFIXES))
            self.files.update(os.path.join(folder, name) for name in modules)

    def look_for_settings(self, folder: str) -> None:
        """Take what states settings or versions in one folder, now or later."""
        self.folders.add(folder)
        self.files.update(os.path.join(folder, name) for name in _NAMES)


def _that_matter(view: View, known: Sequence[str], others: Sequence[str]) -> Iterator[str]:
    yield from view.kept(known)
    if view.include is not None:
        yield from view.files((), others)
    yield from filter(_is_known, others)


def _is_known(name: str) -> bool:
    return name in _NAMES or any(fnmatchcase(name, pattern) for pattern in LISTS)


def _above(root: str) -> Sequence[str]:
    """The folders around a project that settings and locks may come from."""
    places = [root]
    while not os.path.exists(os.path.join(places[-1], REPOSITORY)):
        outer = os.path.dirname(places[-1])
        if outer == places[-1]:
            here = os.getcwd()
            return places[1 : places.index(here) + 1] if here in places else ()
        places.append(outer)
    return places[1:]


def _holds(path: str, text: bytes) -> bool:
    try:
        return read_bytes(path) == text
    except OSError:
        return False


def _stamps(paths: Iterable[str]) -> dict[str, Stamp]:
    stamps: dict[str, Stamp] = {}
    for path in paths:
        try:
            found = os.stat(path)
        except OSError:
            continue
        stamps[path] = (found.st_mtime_ns, found.st_size, found.st_ino)
    return stamps
