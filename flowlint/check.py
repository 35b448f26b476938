"""The one entry point of every face: paths and options in, findings and graphs out."""

from __future__ import annotations

import gc
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from flowlint.project.discovery import Problem, discover, unreadable
from flowlint.project.files import ProjectFiles
from flowlint.project.root import Roots
from flowlint.project.scan import sift
from flowlint.project.selection import Selection, codes_of, suggest
from flowlint.project.workers import available_jobs, spread

if TYPE_CHECKING:
    from flowlint.findings.model import Finding
    from flowlint.graph.model import FlowGraph
    from flowlint.pipeline import FlowResult
    from flowlint.project.versions import ProjectVersions
    from flowlint.source import Span

INTERNAL_ERROR = "FL906"

_COLLECT_EVERY = 12
"""Files between two collections of garbage: trees are large and collecting walks them all."""

_SPREAD_FROM = 4
"""Candidates from which on forking costs less than it saves."""


@dataclass(frozen=True, slots=True)
class Options:
    """How to check. `overlay` holds unsaved buffers by path; `jobs` None: as many as fit.

    `graphs` asks for the graphs themselves, not only for what is wrong with them.
    """

    selection: Selection = field(default_factory=Selection)
    jobs: int | None = None
    overlay: Mapping[str, bytes] = field(default_factory=dict)
    graphs: bool = False


@dataclass(frozen=True, slots=True)
class CheckResult:
    """What a run gave: findings and graphs in the order of their places.

    `flows` and `checked` count the flows found and the files looked at. `problems` are paths
    that could not be checked, `remarks` what is odd about the files without being a finding.
    """

    findings: tuple[Finding, ...] = ()
    graphs: tuple[FlowGraph, ...] = ()
    flows: int = 0
    checked: int = 0
    problems: tuple[Problem, ...] = ()
    remarks: tuple[Problem, ...] = ()


@dataclass(frozen=True, slots=True)
class _FileOutcome:
    flows: tuple[FlowResult, ...] = ()
    faults: tuple[Finding, ...] = ()
    problem: Problem | None = None


def check(paths: Iterable[str], options: Options | None = None) -> CheckResult:
    """Check every flow in the files under `paths`.

    Never raises for what the files hold: what could not be checked is a problem, what is wrong
    a finding, and a fault of flowlint itself a finding of the rule `internal-error`.
    """
    options = options or Options()
    jobs = options.jobs or available_jobs()
    files = ProjectFiles(options.overlay)
    discovery = discover(paths)
    problems = list(discovery.problems)
    if not discovery.files and not problems:
        problems.append(
            Problem(None, "nothing to check: no Python file, notebook or file of data was found")
        )
    sifted = sift(discovery.files, files.read, jobs, on_first=_load_pipeline)
    problems += sifted.problems
    outcomes: list[_FileOutcome] = []
    if sifted.candidates:
        gc.disable()
        try:
            outcomes = _analyse(sifted.candidates, _Analysis(files), jobs)
        finally:
            gc.enable()
    unread = [outcome.problem for outcome in outcomes if outcome.problem]
    flows, findings, remarks = _gathered(sifted.candidates, outcomes, files, options.selection)
    graphs = [flow.graph for flow in flows] if options.graphs else []
    return CheckResult(
        tuple(sorted(findings, key=_place)),
        tuple(sorted(graphs, key=lambda graph: _order(graph.span))),
        len({flow.graph.span for flow in flows}),
        len(discovery.files) - len(sifted.problems) - len(unread),
        (*problems, *unread),
        remarks,
    )


def _gathered(
    paths: Iterable[str],
    outcomes: Sequence[_FileOutcome],
    files: ProjectFiles,
    selection: Selection,
) -> tuple[Sequence[FlowResult], set[Finding], tuple[Problem, ...]]:
    """The flows of all files, each once, the findings that somebody wants to see, and remarks."""
    if not outcomes:
        return (), set(), ()
    from flowlint.findings.suppressions import Suppressions
    from flowlint.pipeline import merge

    flows = merge(flow for outcome in outcomes for flow in outcome.flows)
    found = [fault for outcome in outcomes for fault in outcome.faults]
    found += [finding for flow in flows for finding in flow.findings]
    wanted = (finding for finding in found if selection.allows(finding.code))
    suppressions = Suppressions(files, _named_codes)
    kept = set(suppressions.keep(wanted))
    remarks = [
        Problem(_line_of(comment.span), f"unknown rule `{word}` in a comment{suggest(word)}")
        for path in sorted(paths)
        for comment, word in suppressions.unknown(path)
    ]
    return flows, kept, tuple(remarks)


def _named_codes(word: str) -> frozenset[str]:
    """The codes that a word in a comment stands for; a comment cannot silence all there are."""
    return frozenset() if word == "all" else codes_of(word)


def _line_of(span: Span) -> str:
    cell = "" if span.cell is None else f"cell {span.cell}:"
    return f"{span.path}:{cell}{span.line}"


def _place(finding: Finding) -> tuple[tuple[str, int, int, int], str, str]:
    return (_order(finding.span), finding.code, finding.message)


def _order(span: Span) -> tuple[str, int, int, int]:
    return (span.path, -1 if span.cell is None else span.cell, span.line, span.column)


def _load_pipeline() -> None:
    """Import what analysing needs, so that forked processes need not each do it."""
    import flowlint.findings.suppressions
    import flowlint.pipeline  # noqa: F401


class _Analysis:
    """The analysis of single files with what all of them share."""

    def __init__(self, files: ProjectFiles) -> None:
        self._files = files
        self._roots = Roots()
        self._versions: ProjectVersions | None = None
        self._done = 0

    def run(self, path: str) -> _FileOutcome:
        """Analyse one file. Never raises."""
        from flowlint.pipeline import analyse_file
        from flowlint.project.versions import ProjectVersions

        self._versions = self._versions or ProjectVersions(self._files)
        self._done += 1
        if self._done % _COLLECT_EVERY == 0:
            gc.collect()
        try:
            result = analyse_file(path, self._files, self._roots.of(path), self._versions)
        except OSError as error:
            return _FileOutcome(problem=unreadable(path, error))
        except Exception as error:
            reason = f"{type(error).__name__}: {error}"
            return _FileOutcome(faults=(_internal_error(path, reason),))
        return _FileOutcome(result.flows, result.faults)


def _analyse(paths: Sequence[str], analysis: _Analysis, jobs: int) -> list[_FileOutcome]:
    if jobs < 2 or len(paths) < _SPREAD_FROM:
        return [analysis.run(path) for path in paths]
    import pickle

    def work(task: int) -> bytes:
        return pickle.dumps(analysis.run(paths[task]), pickle.HIGHEST_PROTOCOL)

    outcomes: dict[int, _FileOutcome] = {}
    for task, result in spread(len(paths), work, jobs):
        outcomes[task] = pickle.loads(result)
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
