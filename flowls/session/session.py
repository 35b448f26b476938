"""Everything that is open in an editor, with the findings and flows in it."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from flowlint.dialects.declared.declaration import System
from flowlint.findings.model import Finding
from flowlint.gathering.gather import Asked, gather
from flowlint.graph.model import FlowGraph
from flowlint.project.discovery import discover
from flowlint.project.root import Roots
from flowlint.project.scan import Rows, may_hold_flow, sift
from flowlint.project.settings.files import FILES, SettingsError
from flowlint.project.settings.finding import Configuration
from flowlint.project.version_files import LOCKS, SETTINGS
from flowlint.project.versions import ProjectVersions
from flowlint.project.walking import is_left_out
from flowlint.rules.options import StatedOptions
from flowlint.suffixes import SUFFIXES
from flowls.session.analysed import Analysed, Known, faults_in
from flowls.session.files import OpenFiles


class StoppedError(Exception):
    """Nobody wants the answer any more."""


def never() -> bool:
    """What is done for its own sake is never stopped."""
    return False


@dataclass(slots=True)
class Told:
    """What is to be told of a file, for as long as it holds."""

    findings: tuple[Finding, ...]
    number: int


@dataclass(slots=True)
class Session:
    """What is open, over the files of some folders.

    `folders` are the roots of the workspace, absolute. `is_indexed` tells whether all files of the
    workspace have been looked at, so that flows of one file that others build are known.
    Not safe for several threads at once: all of it is to be used from one.
    """

    folders: list[str] = field(default_factory=list)
    files: OpenFiles = field(default_factory=OpenFiles)
    known: Known = field(default_factory=Known)
    lines: dict[str, Sequence[str]] = field(default_factory=dict)
    """The lines of the texts that are open."""
    is_indexed: bool = False
    is_others_turn: bool = False
    """Whether what was told of files that nobody asked about is not what is known now."""
    problem: str | None = None
    """What is wrong with the settings, so that those by default are used."""
    is_stopped: Callable[[], bool] = never
    """Whether nobody waits any more for what is being done; asked before each file."""
    _configuration: Configuration = field(default_factory=Configuration)
    _versions: dict[frozenset[tuple[str, str]], ProjectVersions] = field(default_factory=dict)
    _roots: Roots = field(default_factory=Roots)
    _told: dict[str, Told] = field(default_factory=dict)
    _last: dict[str, Told] = field(default_factory=dict)
    _left_out: dict[str, bool] = field(default_factory=dict)
    _number: int = 0
    _is_sifted: bool = False

    def open(self, path: str, data: bytes) -> set[str]:
        """A text is open, or has changed. Gives the other files that may be told anew."""
        was_there = self.files.is_file(path)
        before = self._before(path)
        self.files.open[path] = data
        if data == before:
            return set()
        return self.changed([path]) if was_there else self.appeared([path])

    def close(self, path: str) -> set[str]:
        """A text is closed: what is on the disk counts again."""
        before = self.files.open.pop(path, None)
        if before is None or before == self._before(path):
            return set()
        return self.changed([path]) if self.files.is_file(path) else self.appeared([path])

    def _before(self, path: str) -> bytes | None:
        try:
            return self.files.read(path)
        except OSError:
            return None

    def changed(self, paths: Iterable[str]) -> set[str]:
        """Files have other contents. Gives those that may be told anew."""
        stale: set[str] = set()
        for path in paths:
            stale |= self.known.resting_on(path) | {path}
            if _is_of_settings(path):
                # They state versions, mark the roots of projects, and say what is left out.
                self.reload()
                stale |= {known.path for known in self.known}
            if _is_of_versions(path):
                self._versions.clear()
                stale |= self.known.asking_for_versions()
        return self._forget(stale)

    def appeared(self, paths: Iterable[str]) -> set[str]:
        """Files have come or gone, perhaps with the folders that they are in."""
        stale: set[str] = set()
        for path in paths:
            stale |= self.changed([path])
            folder = os.path.dirname(path)
            while folder and not any(folder == root for root in self.folders):
                stale |= self._forget(self.known.resting_on(folder))
                parent = os.path.dirname(folder)
                if parent == folder:
                    break
                folder = parent
        return stale

    def reload(self) -> None:
        """Read the settings anew."""
        self._configuration = Configuration()
        self._roots = Roots()
        self._told.clear()
        self._versions.clear()
        self._left_out.clear()
        self.problem = None

    def findings(self, path: str) -> Told:
        """What is to be told of a file. Raises StoppedError."""
        told = self._told.get(path)
        if told is not None:
            return told
        found = self._findings(path)
        last = self._last.get(path)
        if last is None or last.findings != found:
            self._number += 1
            last = self._last[path] = Told(found, self._number)
        self._told[path] = last
        return last

    def graphs(self, path: str) -> tuple[FlowGraph, ...]:
        """The flows that are constructed in a file. Raises StoppedError."""
        if self.holds_flows(path):
            self._analysed(path)
        for other in self.known.owed_to(path):
            self._analysed_again(other)
        merged: dict[object, FlowGraph] = {}
        for known in self.known.showing_in(path):
            for graph in known.graphs:
                site = merged.get(graph.span)
                if graph.span.path == path and (
                    site is None or (site.assumed and not graph.assumed)
                ):
                    merged[graph.span] = graph
        return tuple(sorted(merged.values(), key=lambda graph: graph.span))

    def holds_flows(self, path: str) -> bool:
        """Whether a file may hold flows, and is not left out by the settings."""
        if not path.endswith(SUFFIXES):
            return False
        try:
            if not may_hold_flow(self.files.read(path), path, more=self._needles(path)):
                return False
        except OSError:
            return False
        if path not in self._left_out:
            self._left_out[path] = is_left_out(self.configuration(path), path)
        return not self._left_out[path]

    def index(self) -> list[str]:
        """The files of the workspace that may hold flows."""
        self._is_sifted = True
        configuration = self.configuration()
        try:
            found = discover(self.folders, configuration, unsaved=self.files.open)
        except SettingsError:
            configuration = Configuration(isolated=True)
            found = discover(self.folders, configuration)
        read, more = _Reads(self.files).into, configuration.needles()
        return list(sift(found.files, read, 1, more=more).candidates)

    def has_more_to_index(self, stating: Iterable[str]) -> bool:
        """Whether files that state settings declare systems, since the workspace was sifted."""
        return self._is_sifted and any(map(self.systems_of, stating))

    def systems_of(self, path: str) -> tuple[System, ...]:
        """The systems that the settings for a file declare."""
        return self.configuration(path).of_file(path).systems

    def _needles(self, path: str) -> Rows:
        systems = self.systems_of(path)
        if not systems:
            return ()
        from flowlint.dialects.declared.types import needles_of

        return needles_of(systems)

    def look_again(self) -> bool:
        """Find out anew about one file whose answer rests on what has changed. False: none."""
        outdated = self.known.outdated()
        if outdated:
            self._analysed_again(outdated[0])
        return bool(outdated)

    def look_at(self, path: str) -> bool:
        """Find out about a file of the workspace, if that is not known. False: it is as before."""
        if self.known.get(path) is not None:
            return False
        try:
            self._analysed(path)
        except OSError:
            return False
        return True

    def indexed(self) -> None:
        """All files of the workspace have been looked at."""
        self.is_indexed = True
        self._told.clear()

    def move(self, folders: list[str]) -> None:
        """The workspace has other folders."""
        self.folders = folders
        self.is_indexed = False
        self.reload()

    def places_told(self) -> list[str]:
        """The files that something may be told of."""
        paths = set(self.files.open) | {path for one in self.known for path in one.touched()}
        return sorted(paths)

    @staticmethod
    def is_of_settings(path: str) -> bool:
        """Whether a file states settings."""
        return _is_of_settings(path)

    def configuration(self, path: str | None = None) -> Configuration:
        """The settings; those by default where a file of settings is wrong, which is a problem."""
        try:
            self._configuration.of_folder(os.path.dirname(path) if path else self._first())
        except SettingsError as error:
            self.problem = str(error)
            return Configuration(isolated=True)
        return self._configuration

    def root_of(self, path: str) -> str:
        """The folder of the project that a file belongs to."""
        return self._roots.of(path)

    def options_of(self, path: str) -> StatedOptions:
        """What is stated for rules by the settings that hold for a file."""
        return self.configuration(path).options_of(path)

    def _first(self) -> str:
        return self.folders[0] if self.folders else os.getcwd()

    def _findings(self, path: str) -> tuple[Finding, ...]:
        try:
            is_candidate = self.holds_flows(path)
            if is_candidate:
                self._analysed(path)
        except OSError:
            return ()
        for other in self.known.owed_to(path):
            self._analysed_again(other)
        known = self.known.showing_in(path)
        candidates = (path,) if is_candidate else ()
        asked = Asked(self.folders if self.is_indexed else (path,), candidates, (path,))
        flows = (flow for one in known for flow in one.flows)
        configuration = self.configuration(path)
        gathered = gather(flows, faults_in(known, path), asked, self.files, configuration)
        found = [finding for finding in gathered.findings if finding.span.path == path]
        return tuple(sorted(found, key=lambda one: (one.span, one.code, one.message)))

    def _analysed_again(self, path: str) -> None:
        try:
            if self.holds_flows(path):
                self._analysed(path)
                return
        except OSError:
            pass
        self.known.forget(path)

    def _analysed(self, path: str) -> Analysed:
        known = self.known.get(path)
        if known is not None:
            return known
        if self.is_stopped():
            raise StoppedError
        stated = self.configuration(path).of_file(path).versions
        key = frozenset(stated.items())
        if key not in self._versions:
            self._versions[key] = ProjectVersions(self.files, stated)
        root, versions = self.root_of(path), self._versions[key]
        known = self.known.analyse(
            path, self.files, root, versions, self.options_of, self.systems_of(path)
        )
        for other in known.touched():
            if self._told.pop(other, None) is not None and other != path:
                self.is_others_turn = True
        return known

    def _forget(self, paths: Iterable[str]) -> set[str]:
        stale: set[str] = set(paths)
        for path in list(stale):
            known = self.known.get(path)
            if known is not None:
                stale |= known.touched()
                self.known.outdate(path)
        for path in stale:
            self._told.pop(path, None)
        return stale


class _Reads:
    """Reads open texts and files alike into a buffer."""

    def __init__(self, files: OpenFiles) -> None:
        self._files = files

    def into(self, buffer: bytearray, path: str) -> int:
        data = self._files.read(path)
        buffer[: len(data)] = data
        return len(data)


def _is_of_settings(path: str) -> bool:
    """Whether a file may state settings: those that others extend have any name."""
    name = os.path.basename(path)
    return name in (*FILES, ".gitignore") or name.endswith(".toml")


def _is_of_versions(path: str) -> bool:
    name = os.path.basename(path)
    return name in (*LOCKS, *SETTINGS) or (
        name.startswith("requirements") or name.endswith(("requirements.txt", ".lock"))
    )
