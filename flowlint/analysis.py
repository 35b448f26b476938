"""The analysis of all files that may hold flows, in one process or in several."""

from __future__ import annotations

import gc
import pickle
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from flowlint.findings.codes import INTERNAL_ERROR
from flowlint.findings.model import Finding
from flowlint.pipeline import FlowHead, FlowResult, analyse_file, headed, load, whole
from flowlint.progress import Progress
from flowlint.project.discovery import Problem, unreadable
from flowlint.project.files import ProjectFiles
from flowlint.project.root import Roots
from flowlint.project.settings.files import SettingsError
from flowlint.project.settings.finding import Configuration
from flowlint.project.versions import ProjectVersions
from flowlint.project.workers import spread
from flowlint.rules.options import NONE_STATED, StatedOptions
from flowlint.source import Span

if TYPE_CHECKING:
    from flowlint.cache.answers import Answers
    from flowlint.rules.timing import Times

_COLLECT_EVERY = 12
"""Files between two collections of garbage: trees are large and collecting walks them all."""

_SPREAD_FROM = 4
"""Files from which on forking costs less than it saves."""


@dataclass(frozen=True, slots=True)
class FileOutcome:
    """What one file gave; `problem` is what kept it from being checked."""

    flows: tuple[FlowResult[FlowHead], ...] = ()
    faults: tuple[Finding, ...] = ()
    problem: Problem | None = None
    times: Times | None = None


@dataclass(frozen=True, slots=True)
class Needs:
    """What those who ask want besides findings: whole flows, or the times that rules take."""

    graphs: bool = False
    times: bool = False


class Analysis:
    """The analysis of single files with what all of them share."""

    def __init__(
        self,
        files: ProjectFiles,
        configuration: Configuration,
        needs: Needs,
        answers: Answers | None = None,
    ) -> None:
        self._files = files
        self._configuration = configuration
        self._needs = needs
        self._answers = answers
        self._roots = Roots()
        self._versions: dict[frozenset[tuple[str, str]], ProjectVersions] = {}
        self._done = 0

    def known(self, path: str) -> FileOutcome | None:
        """What an earlier run found in a file, where that still holds."""
        if self._answers is None:
            return None
        root, versions = self._roots.of(path), self._versions_for(path)
        systems = self._configuration.of_file(path).systems
        answer = self._answers.find(path, root, versions, self._options_of, systems)
        return None if answer is None else FileOutcome(answer.flows, answer.faults)

    def run(self, path: str) -> FileOutcome:
        """Analyse one file. Never raises."""
        from flowlint.rules.timing import timed_rules

        self._done += 1
        if self._done % _COLLECT_EVERY == 0:
            gc.collect()
        times: Times | None = {} if self._needs.times else None
        try:
            with timed_rules(times):
                flows, faults = self._analysed(path)
        except OSError as error:
            return FileOutcome(problem=unreadable(path, error))
        except Exception as error:
            reason = f"{type(error).__name__}: {error}"
            return FileOutcome(faults=(own_failure(path, reason),))
        return FileOutcome(flows, faults, times=times)

    def _analysed(self, path: str) -> tuple[tuple[FlowResult[FlowHead], ...], tuple[Finding, ...]]:
        root, versions = self._roots.of(path), self._versions_for(path)
        systems = self._configuration.of_file(path).systems
        if self._answers is not None:
            answer = self._answers.found_out(path, root, versions, self._options_of, systems)
            return answer.flows, answer.faults
        result = analyse_file(path, self._files, root, versions, self._options_of, systems=systems)
        return tuple(map(whole if self._needs.graphs else headed, result.flows)), result.faults

    def _versions_for(self, path: str) -> ProjectVersions:
        """The versions that the project uses, and over them those that its settings state."""
        stated = self._configuration.of_file(path).versions
        key = frozenset(stated.items())
        if key not in self._versions:
            self._versions[key] = ProjectVersions(self._files, stated)
        return self._versions[key]

    def _options_of(self, path: str) -> StatedOptions:
        """What is stated for rules where a flow is written, which may be in any file."""
        try:
            return self._configuration.options_of(path)
        except SettingsError:
            # Whoever gathers the findings asks for the settings of that file too, and says so.
            return NONE_STATED


def analyse_all(
    paths: Sequence[str], analysis: Analysis, jobs: int, progress: Progress
) -> list[FileOutcome]:
    """What each file gives, in the order of `paths`."""
    gc.disable()
    try:
        return _analysed(paths, analysis, jobs, progress)
    finally:
        gc.enable()


def _analysed(
    paths: Sequence[str], analysis: Analysis, jobs: int, progress: Progress
) -> list[FileOutcome]:
    outcomes: dict[str, FileOutcome] = {}
    for path in paths:
        known = analysis.known(path)
        if known is not None:
            outcomes[path] = known
            progress.analysed(None)
    left = [path for path in paths if path not in outcomes]
    if left:
        load(left)
    for path, outcome in _spread(left, analysis, jobs):
        outcomes[path] = outcome
        progress.analysed(outcome.times)
    killed = "the process that checked this file was killed"
    return [
        outcomes.get(path) or FileOutcome(faults=(own_failure(path, killed),)) for path in paths
    ]


def _spread(
    paths: Sequence[str], analysis: Analysis, jobs: int
) -> Iterator[tuple[str, FileOutcome]]:
    if jobs < 2 or len(paths) < _SPREAD_FROM:
        for path in paths:
            yield path, analysis.run(path)
        return

    def work(task: int) -> bytes:
        return pickle.dumps(analysis.run(paths[task]), pickle.HIGHEST_PROTOCOL)

    for task, result in spread(len(paths), work, jobs):
        yield paths[task], pickle.loads(result)


def own_failure(path: str, reason: str) -> Finding:
    """The finding for a file that flowlint failed on."""
    return Finding(
        INTERNAL_ERROR,
        "internal-error",
        "error",
        f"flowlint failed on this file: {reason}",
        Span(path, 1, 1, 1, 1),
        help="please report this with the file; the other files were checked",
    )
