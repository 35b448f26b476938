"""What is taken of a folder: by its settings, and by what git ignores."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from flowlint.project.excluded import EXCLUDED
from flowlint.project.files import read_bytes
from flowlint.project.settings.files import FILES
from flowlint.project.settings.finding import Configuration
from flowlint.project.settings.model import Settings, inner_path

if TYPE_CHECKING:
    from flowlint.project.patterns import Patterns
    from flowlint.project.settings.resolving import Located

GITIGNORE = ".gitignore"
REPOSITORY = ".git"


@dataclass(frozen=True, slots=True)
class _Level:
    """Patterns, and the path from where they are stated to the folder that is looked at."""

    patterns: Patterns
    inner: str

    def inside(self, name: str) -> _Level:
        return _Level(self.patterns, f"{self.inner}{name}/")


@dataclass(frozen=True, slots=True)
class View:
    """A folder with all that decides about what lies in it. Levels are ordered outermost first."""

    configuration: Configuration
    settings: Settings
    folder: str
    include: tuple[_Level, ...] | None
    exclude: tuple[_Level, ...] | None
    ignored: tuple[_Level, ...]

    def entered(self, name: str, files: Collection[str], *, is_repository: bool) -> View:
        """The view of a folder in this one, which holds these files."""
        folder = os.path.join(self.folder, name)
        settings = self.configuration.entering(self.settings, folder, files)
        ignored: tuple[_Level, ...] = ()
        if self.ignored and not is_repository:
            ignored = tuple(level.inside(name) for level in self.ignored)
        if settings is not self.settings:
            return _view(self.configuration, settings, folder, ignored, GITIGNORE in files)
        return View(
            self.configuration,
            settings,
            folder,
            _inside(self.include, name),
            _inside(self.exclude, name),
            _with_own(ignored, folder, settings, GITIGNORE in files),
        )

    def files(self, known: Sequence[str], others: Sequence[str]) -> Iterator[str]:
        """The names of the files to take: of `known`, which end in SUFFIXES, and of `others`."""
        names = known
        if self.include is not None:
            names = [name for name in (*known, *others) if _is_any(self.include, name)]
        return self.kept(names)

    def kept(self, names: Sequence[str]) -> Iterator[str]:
        """The names of the files that are not left out, whether or not they are asked for."""
        if self.exclude is None and not self.ignored:
            return iter(names)
        return (name for name in names if not self.leaves_out(name, is_folder=False))

    def folders(self, names: Sequence[str]) -> Iterator[str]:
        """The names of the folders to go into."""
        if self.exclude is None and not self.ignored:
            return (name for name in names if name not in EXCLUDED)
        return (name for name in names if not self.leaves_out(name, is_folder=True))

    def leaves_out(self, name: str, *, is_folder: bool) -> bool:
        """Whether a file or folder in this one is not taken."""
        if is_folder and name in EXCLUDED and self.settings.leaves_out_usual:
            return True
        if self.exclude is not None and _is_any(self.exclude, name, is_folder=is_folder):
            return True
        for level in reversed(self.ignored):
            decided = level.patterns.decide(level.inner, name, is_folder=is_folder)
            if decided is not None:
                return decided
        return False


def view_of(configuration: Configuration, folder: str) -> View:
    """The view of a folder from which a walk begins; its path is absolute."""
    settings = configuration.of_folder(folder)
    ignored: tuple[_Level, ...] = ()
    if settings.respects_gitignore:
        ignored = tuple(_around(folder))
    return _view(
        configuration, settings, folder, ignored, os.path.isfile(os.path.join(folder, GITIGNORE))
    )


def is_left_out(configuration: Configuration, path: str) -> bool:
    """Whether a walk through the project around would pass this path over."""
    path = os.path.abspath(path)
    top = _top(path)
    view = view_of(configuration, top)
    *folders, name = inner_path(path, top).split("/")
    for folder in folders:
        if view.leaves_out(folder, is_folder=True):
            return True
        inner = os.path.join(view.folder, folder)
        names = os.listdir(inner) if os.path.isdir(inner) else []
        view = view.entered(folder, names, is_repository=REPOSITORY in names)
    return view.leaves_out(name, is_folder=os.path.isdir(path))


def _top(path: str) -> str:
    """The outermost folder around a path that a project can begin with."""
    here = os.getcwd()
    found = os.path.dirname(path)
    folder = found
    while True:
        if folder == here or any(
            os.path.exists(os.path.join(folder, mark)) for mark in (REPOSITORY, *FILES)
        ):
            found = folder
        parent = os.path.dirname(folder)
        if parent == folder:
            return found
        folder = parent


def _view(
    configuration: Configuration,
    settings: Settings,
    folder: str,
    ignored: tuple[_Level, ...],
    has_gitignore: bool,
) -> View:
    return View(
        configuration,
        settings,
        folder,
        _levels(settings.include, folder),
        _levels(settings.exclude, folder),
        _with_own(ignored, folder, settings, has_gitignore),
    )


def _levels(located: tuple[Located, ...] | None, folder: str) -> tuple[_Level, ...] | None:
    if located is None:
        return None
    return tuple(_Level(one.patterns, _inner(folder, one.base)) for one in located)


def _inner(folder: str, base: str) -> str:
    return "" if folder == base else f"{inner_path(folder, base)}/"


def _inside(levels: tuple[_Level, ...] | None, name: str) -> tuple[_Level, ...] | None:
    return None if levels is None else tuple(level.inside(name) for level in levels)


def _is_any(levels: tuple[_Level, ...], name: str, *, is_folder: bool = False) -> bool:
    return any(level.patterns.decide(level.inner, name, is_folder=is_folder) for level in levels)


def _with_own(
    ignored: tuple[_Level, ...], folder: str, settings: Settings, has_gitignore: bool
) -> tuple[_Level, ...]:
    if not settings.respects_gitignore:
        return ()
    if not has_gitignore:
        return ignored
    own = _read(os.path.join(folder, GITIGNORE))
    return (*ignored, _Level(own, "")) if own is not None and own else ignored


def _around(folder: str) -> Iterator[_Level]:
    """What the folders around this one in its repository say, outermost first."""
    around: list[str] = []
    place = folder
    while not os.path.exists(os.path.join(place, REPOSITORY)):
        parent = os.path.dirname(place)
        if parent == place:
            return
        place = parent
        around.append(place)
    files = [(place, os.path.join(place, REPOSITORY, "info", "exclude"))]
    files += [(outer, os.path.join(outer, GITIGNORE)) for outer in reversed(around)]
    for base, file in files:
        patterns = _read(file)
        if patterns is not None and patterns:
            yield _Level(patterns, _inner(folder, base))


def _read(path: str) -> Patterns | None:
    try:
        data = read_bytes(path)
    except OSError:
        return None
    from flowlint.project.patterns import Patterns

    return Patterns(os.fsdecode(data).split("\n"))
