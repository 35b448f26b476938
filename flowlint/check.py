"""The one entry point of every face: paths and options in, findings and graphs out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from flowlint.progress import Progress
from flowlint.project.discovery import Problem, discover
from flowlint.project.files import ProjectFiles
from flowlint.project.plugins import load_plugins
from flowlint.project.scan import Rows, Sifted, sift
from flowlint.project.settings.finding import Configuration
from flowlint.project.workers import available_jobs
from flowlint.suffixes import SCRIPT_SUFFIXES

if TYPE_CHECKING:
    from flowlint.analysis import FileOutcome
    from flowlint.cache.cache import Cache
    from flowlint.findings.model import Finding
    from flowlint.graph.model import FlowGraph
    from flowlint.pipeline import FlowHead, FlowResult
    from flowlint.source import Span


@dataclass(frozen=True, slots=True)
class Options:
    """How to check. `overlay` holds unsaved buffers by path; `jobs` None: as many as fit.

    `graphs` asks for the graphs themselves, not only for what is wrong with them;
    `force_exclude` leaves out what the settings do even if it is named. `progress` is told how
    the run goes. `cache` is the folder in which answers are kept from run to run, None: nowhere;
    it is of no use to those who want graphs or have an overlay.
    """

    configuration: Configuration = field(default_factory=Configuration)
    jobs: int | None = None
    force_exclude: bool = False
    progress: Progress | None = None
    overlay: Mapping[str, bytes] = field(default_factory=dict)
    graphs: bool = False
    cache: str | None = None


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
    problems = [*discovery.problems, *(Problem(None, reason) for reason in load_plugins())]
    if not discovery.files and not discovery.problems and not options.force_exclude:
        problems.append(
            Problem(None, "nothing to check: no file of code or data and no notebook was found")
        )
    remarks: list[Problem] = []
    more = options.configuration.needles()
    cache = _opened(options, paths, files, remarks, more)
    sifted = _sifted(discovery.files, files, jobs, cache, more)
    problems += sifted.problems
    remarks += _unreadable_scripts(sifted.candidates)
    progress.begin("analysing", len(sifted.candidates))
    outcomes: list[FileOutcome] = []
    if sifted.candidates:
        from flowlint.analysis import Analysis, Needs, analyse_all

        needs = Needs(graphs=options.graphs, times=progress.wants_times)
        answers = cache.answers if cache is not None else None
        analysis = Analysis(files, options.configuration, needs, answers)
        outcomes = analyse_all(sifted.candidates, analysis, jobs, progress)
    progress.begin("gathering", 0)
    unread = [outcome.problem for outcome in outcomes if outcome.problem]
    asked = (paths, sifted.candidates, discovery.files)
    flows, findings = _gathered(asked, outcomes, files, options.configuration)
    graphs = [flow.graph.whole for flow in flows if flow.graph.whole is not None]
    return CheckResult(
        tuple(sorted(findings, key=_place)),
        tuple(sorted(graphs, key=lambda graph: _order(graph.span))),
        len({flow.graph.span for flow in flows}),
        len(discovery.files) - len(sifted.problems) - len(unread),
        (*problems, *unread),
        tuple(remarks),
        files=discovery.files,
        settled=frozenset(flow.graph.span.path for flow in flows if not flow.graph.assumed),
    )


def _sifted(
    paths: Sequence[str], files: ProjectFiles, jobs: int, cache: Cache | None, more: Rows
) -> Sifted:
    """The files that may hold flows; those that are known to hold none are not read again."""
    if cache is None:
        return sift(paths, files.read_into, jobs, _load_pipeline, more)
    on_first = _load_pipeline if cache.is_new else _load_nothing
    sifted = sift(cache.plain.unknown(paths), files.read_into, jobs, on_first, more)
    cache.plain.remember(paths, {*sifted.candidates, *sifted.unread})
    return sifted


def _gathered(
    asked: tuple[Sequence[str], Sequence[str], Sequence[str]],
    outcomes: Sequence[FileOutcome],
    files: ProjectFiles,
    configuration: Configuration,
) -> tuple[Sequence[FlowResult[FlowHead]], Iterable[Finding]]:
    """The flows of all files, each once, and the findings that somebody wants to see.

    `asked` are the paths as named, the files that may hold flows, and all files.
    """
    if not outcomes and not configuration.has_documents():
        return (), ()
    from flowlint.gathering.gather import Asked, gather

    gathered = gather(
        (flow for outcome in outcomes for flow in outcome.flows),
        (fault for outcome in outcomes for fault in outcome.faults),
        Asked(*asked),
        files,
        configuration,
    )
    return gathered.flows, gathered.findings


def _place(finding: Finding) -> tuple[object, ...]:
    """By what findings are sorted: all there is to them, as some differ in what belongs to them."""
    related = [(_order(one.span), one.message) for one in finding.related]
    rest = (finding.flow, finding.node, finding.help, finding.witness, finding.fix)
    return (_order(finding.span), finding.code, finding.message, related, repr(rest))


def _order(span: Span) -> tuple[str, int, int, int]:
    return (span.path, -1 if span.cell is None else span.cell, span.line, span.column)


def _load_pipeline(paths: Sequence[str]) -> None:
    """Import what analysing these files needs, so that forked processes need not each do it."""
    from flowlint.pipeline import load

    load(paths)


def _load_nothing(_: Sequence[str]) -> None:
    """Most is known already."""


def _unreadable_scripts(candidates: Sequence[str]) -> list[Problem]:
    """What is to be said of files of TypeScript where nothing is installed that reads them."""
    scripts = sum(path.endswith(SCRIPT_SUFFIXES) for path in candidates)
    if not scripts:
        return []
    from flowlint.languages.frontends import can_read_typescript

    if can_read_typescript():
        return []
    files = "1 file" if scripts == 1 else f"{scripts} files"
    said = f"{files} of TypeScript or JavaScript cannot be read: install `flowls[typescript]`"
    return [Problem(None, said)]


def _opened(
    options: Options,
    paths: Sequence[str],
    files: ProjectFiles,
    remarks: list[Problem],
    more: Rows,
) -> Cache | None:
    """The cache, where one is wanted and of use; it is remarked upon where there can be none."""
    if options.cache is None or options.graphs or options.overlay:
        return None
    from flowlint.cache.cache import opened

    try:
        return opened(options.cache, paths, files, more)
    except OSError as error:
        reason = f"cannot be used as a cache: {error.strerror or error}"
        remarks.append(Problem(options.cache, reason))
        return None
