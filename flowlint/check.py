"""The one entry point of every face: paths and options in, findings and graphs out."""

from __future__ import annotations

import gc
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from flowlint.progress import Progress
from flowlint.project.discovery import Problem, discover, unreadable
from flowlint.project.files import ProjectFiles
from flowlint.project.root import Roots
from flowlint.project.scan import sift
from flowlint.project.settings.finding import Configuration
from flowlint.project.workers import available_jobs, spread

if TYPE_CHECKING:
    from flowlint.findings.model import Finding
    from flowlint.graph.model import FlowGraph
    from flowlint.pipeline import FlowResult
    from flowlint.project.versions import ProjectVersions
    from flowlint.rules.timing import Times
    from flowlint.source import Span

INTERNAL_ERROR = "FL906"

_COLLECT_EVERY = 12
"""Files between two collections of garbage: trees are large and collecting walks them all."""

_SPREAD_FROM = 4
"""Candidates from which on forking costs less than it saves."""


@dataclass(frozen=True, slots=True)
class Options:
    """How to check. `overlay` holds unsaved buffers by path; `jobs` None: as many as fit.

    `graphs` asks for the graphs themselves, not only for what is wrong with them;
    `force_exclude` leaves out what the settings do even if it is named. `progress` is told how
    the run goes.
    """

    configuration: Configuration = field(default_factory=Configuration)
    jobs: int | None = None
    force_exclude: bool = False
    progress: Progress | None = None
    overlay: Mapping[str, bytes] = field(default_factory=dict)
    graphs: bool = False


@dataclass(frozen=True, slots=True)
class CheckResult:
    """What a run gave: findings and graphs in the order of their places.

    `flows` and `checked` count the flows found and the files looked at. `problems` are paths
    that could not be checked, `remarks` what is odd about the files without being a finding.
    `files` are the files looked at, `settled` those that have flows of their own.
    """

    findings: tuple[Finding, ...] = ()
    graphs: tuple[FlowGraph, ...] = ()
    flows: int = 0
    checked: int = 0
    problems: tuple[Problem, ...] = ()
    remarks: tuple[Problem, ...] = ()
    files: tuple[str, ...] = ()
    settled: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class _FileOutcome:
    flows: tuple[FlowResult, ...] = ()
    faults: tuple[Finding, ...] = ()
    problem: Problem | None = None
    times: Times | None = None


def check(paths: Iterable[str], options: Options | None = None) -> CheckResult:
    """Check every flow in the files under `paths`.

    Never raises for what the files hold: what could not be checked is a problem, what is wrong
    a finding, and a fault of flowlint itself a finding of the rule `internal-error`.
    """
    options = options or Options()
    progress = options.progress or Progress()
    jobs = options.jobs or available_jobs()
    files = ProjectFiles(options.overlay)
    paths = tuple(paths)
    progress.begin("finding files", 0)
    discovery = discover(
        paths,
        options.configuration,
        force_exclude=options.force_exclude,
        unsaved=options.overlay,
    )
    progress.begin("reading", len(discovery.files))
    problems = list(discovery.problems)
    if not discovery.files and not problems and not options.force_exclude:
        problems.append(
            Problem(None, "nothing to check: no Python file, notebook or file of data was found")
        )
    sifted = sift(discovery.files, files.read_into, jobs, on_first=_load_pipeline)
    problems += sifted.problems
    progress.begin("analysing", len(sifted.candidates))
    outcomes: list[_FileOutcome] = []
    if sifted.candidates:
        analysis = _Analysis(files, options.configuration, is_timed=progress.wants_times)
        gc.disable()
        try:
            outcomes = _analyse(sifted.candidates, analysis, jobs, progress)
        finally:
            gc.enable()
    progress.begin("gathering", 0)
    unread = [outcome.problem for outcome in outcomes if outcome.problem]
    flows, findings = _gathered(paths, sifted.candidates, outcomes, files, options.configuration)
    graphs = [flow.graph for flow in flows] if options.graphs else []
    return CheckResult(
        tuple(sorted(findings, key=_place)),
        tuple(sorted(graphs, key=lambda graph: _order(graph.span))),
        len({flow.graph.span for flow in flows}),
        len(discovery.files) - len(sifted.problems) - len(unread),
        (*problems, *unread),
        files=discovery.files,
        settled=frozenset(flow.graph.path for flow in flows if not flow.graph.assumed),
    )


def _gathered(
    paths: Sequence[str],
    candidates: Sequence[str],
    outcomes: Sequence[_FileOutcome],
    files: ProjectFiles,
    configuration: Configuration,
) -> tuple[Sequence[FlowResult], Iterable[Finding]]:
    """The flows of all files, each once, and the findings that somebody wants to see."""
    if not outcomes:
        return (), ()
    from flowlint.gathering.gather import Asked, gather

    gathered = gather(
        (flow for outcome in outcomes for flow in outcome.flows),
        (fault for outcome in outcomes for fault in outcome.faults),
        Asked(paths, candidates),
        files,
        configuration,
    )
    return gathered.flows, gathered.findings


def _place(finding: Finding) -> tuple[tuple[str, int, int, int], str, str]:
    return (_order(finding.span), finding.code, finding.message)


def _order(span: Span) -> tuple[str, int, int, int]:
    return (span.path, -1 if span.cell is None else span.cell, span.line, span.column)


def _load_pipeline() -> None:
    """Import what analysing needs, so that forked processes need not each do it."""
    import flowlint.gathering.gather
    import flowlint.pipeline

    flowlint.pipeline.load()


class _Analysis:
    """The analysis of single files with what all of them share."""

    def __init__(
        self, files: ProjectFiles, configuration: Configuration, *, is_timed: bool = False
    ) -> None:
        self._files = files
        self._configuration = configuration
        self._is_timed = is_timed
        self._roots = Roots()
        self._versions: dict[frozenset[tuple[str, str]], ProjectVersions] = {}
        self._done = 0

    def run(self, path: str) -> _FileOutcome:
        """Analyse one file. Never raises."""
        from flowlint.pipeline import analyse_file
        from flowlint.rules.timing import timed_rules

        self._done += 1
        if self._done % _COLLECT_EVERY == 0:
            gc.collect()
        versions = self._versions_for(path)
        times: Times | None = {} if self._is_timed else None
        try:
            with timed_rules(times):
                result = analyse_file(path, self._files, self._roots.of(path), versions)
        except OSError as error:
            return _FileOutcome(problem=unreadable(path, error))
        except Exception as error:
            reason = f"{type(error).__name__}: {error}"
            return _FileOutcome(faults=(_internal_error(path, reason),))
        return _FileOutcome(result.flows, result.faults, times=times)

    def _versions_for(self, path: str) -> ProjectVersions:
        """The versions that the project uses, and over them those that its settings state."""
        from flowlint.project.versions import ProjectVersions

        stated = self._configuration.of_file(path).versions
        key = frozenset(stated.items())
        if key not in self._versions:
            self._versions[key] = ProjectVersions(self._files, stated)
        return self._versions[key]


def _analyse(
    paths: Sequence[str], analysis: _Analysis, jobs: int, progress: Progress
) -> list[_FileOutcome]:
    outcomes: dict[int, _FileOutcome] = {}
    if jobs < 2 or len(paths) < _SPREAD_FROM:
        for task, path in enumerate(paths):
            outcomes[task] = analysis.run(path)
            progress.analysed(outcomes[task].times)
        return list(outcomes.values())
    import pickle

    def work(task: int) -> bytes:
        return pickle.dumps(analysis.run(paths[task]), pickle.HIGHEST_PROTOCOL)

    for task, result in spread(len(paths), work, jobs):
        outcomes[task] = pickle.loads(result)
        progress.analysed(outcomes[task].times)
    for task, path in enumerate(paths):
        if task not in outcomes:
            reason = "the process that checked this file was killed"
            outcomes[task] = _FileOutcome(faults=(_internal_error(path, reason),))
    return list(outcomes.values())


def _internal_error(path: str, reason: str) -> Finding:
    from flowlint.findings.model import Finding
    from flowlint.source import Span

    return Finding(
        INTERNAL_ERROR,
        "internal-error",
        "error",
        f"flowlint failed on this file: {reason}",
        Span(path, 1, 1, 1, 1),
        help="please report this with the file; the other files were checked",
    )
