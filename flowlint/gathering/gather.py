"""From all that the rules found to what is told, by settings and suppressions."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, cast

from flowlint.findings.codes import INTERNAL_ERROR
from flowlint.findings.model import Finding, Related, Severity
from flowlint.findings.suppressions import Suppressions
from flowlint.gathering.comments import Comments
from flowlint.gathering.documents import unrecognised_documents
from flowlint.pipeline import FlowHead, FlowResult, merge
from flowlint.project.root import Roots
from flowlint.project.selection import codes_of
from flowlint.project.settings.finding import Configuration
from flowlint.project.settings.model import Settings
from flowlint.source import Files, Span
from flowlint.suffixes import DATA_SUFFIXES

if TYPE_CHECKING:
    from flowlint.findings.comments import Suppression

_BROKEN = (INTERNAL_ERROR, "FL901")


@dataclass(frozen=True, slots=True)
class Gathered:
    """The flows that are looked at, each once, and the findings that somebody wants to see."""

    flows: tuple[FlowResult[FlowHead], ...]
    findings: frozenset[Finding]


@dataclass(frozen=True, slots=True)
class Asked:
    """What a run was asked: the paths as named, the files that may hold flows, and all of them."""

    paths: Sequence[str]
    candidates: Collection[str]
    files: Collection[str] = ()


def gather(
    flows: Iterable[FlowResult[FlowHead]],
    faults: Iterable[Finding],
    asked: Asked,
    files: Files,
    configuration: Configuration,
) -> Gathered:
    """What is told of the flows and faults of all files. Raises SettingsError."""
    view = _View(configuration)
    kept = tuple(flow for flow in merge(flows) if not view.leaves_alone(flow))
    found: dict[Finding, list[Span]] = {fault: [] for fault in faults}
    for fault in unrecognised_documents(kept, asked.files, files, configuration):
        found.setdefault(fault, [])
    for flow in kept:
        for finding in flow.findings:
            found.setdefault(finding, []).append(flow.graph.span)
    suppressions = Suppressions(files, named_codes, _keys)
    told: set[Finding] = set()
    for finding, sites in found.items():
        graded = view.graded(finding)
        if graded is not None:
            is_ours = finding.code == INTERNAL_ERROR
            if is_ours or not suppressions.silences(finding, sites):
                told.add(graded)
    broken = {finding.span.path for finding in found if finding.code in _BROKEN}
    settled = _Settled(asked, kept, broken)
    comments = Comments(suppressions, view.reports, settled.is_settled)
    about = [one for path in sorted(asked.candidates) for one in comments.findings(path, told)]
    for finding in about:
        graded = view.graded(finding)
        if graded is not None and not suppressions.silences(finding):
            told.add(graded)
    return Gathered(kept, frozenset(_joined(told)))


def _joined(findings: Iterable[Finding]) -> Iterator[Finding]:
    """Each cause once: what differs in the places that belong to it only has them all."""
    causes: dict[Finding, list[Finding]] = {}
    for finding in findings:
        cause = replace(finding, related=()) if finding.related else finding
        causes.setdefault(cause, []).append(finding)
    for cause, found in causes.items():
        if len(found) == 1:
            yield found[0]
            continue
        related = {place for finding in found for place in finding.related}
        yield replace(cause, related=tuple(sorted(related, key=_reading_order)))


def _reading_order(related: Related) -> tuple[str, int, int, int, str]:
    span = related.span
    return (
        span.path,
        -1 if span.cell is None else span.cell,
        span.line,
        span.column,
        related.message,
    )


def named_codes(word: str) -> frozenset[str]:
    """The codes that a word in a comment stands for; a comment cannot silence all there are."""
    return frozenset() if word == "all" else codes_of(word)


def _keys(path: str, data: bytes) -> Iterator[Suppression]:
    if path.endswith(DATA_SUFFIXES) and b"flowlint" in data:
        from flowlint.gathering.keys import suppressions_of

        yield from suppressions_of(path, data)


class _View:
    """What the settings say of findings."""

    def __init__(self, configuration: Configuration) -> None:
        self._configuration = configuration
        self._settings: dict[str, Settings] = {}
        self._ignored: dict[str, frozenset[str]] = {}

    def _of(self, path: str) -> Settings:
        """The settings that hold for a file, which many findings may be in."""
        found = self._settings.get(path)
        if found is None:
            found = self._settings[path] = self._configuration.of_file(path)
        return found

    def leaves_alone(self, flow: FlowResult[FlowHead]) -> bool:
        """Whether a flow is of a system that nobody wants to be looked at."""
        return flow.graph.dialect in self._of(flow.graph.span.path).left_alone

    def reports(self, path: str, code: str) -> bool:
        """Whether findings of a rule in a file are reported."""
        settings = self._of(path)
        if path not in self._ignored:
            self._ignored[path] = settings.ignored_in(path)
        return settings.allows(code) and code not in self._ignored[path]

    def graded(self, finding: Finding) -> Finding | None:
        """The finding as grave as the settings make it; None when nobody wants to see it."""
        if finding.code == INTERNAL_ERROR:
            return finding
        if not self.reports(finding.span.path, finding.code):
            return None
        severity = self._of(finding.span.path).severities.get(finding.code)
        return replace(finding, severity=cast(Severity, severity)) if severity else finding


class _Settled:
    """Of which files this run sees all that can be found in them."""

    def __init__(
        self, asked: Asked, flows: Sequence[FlowResult[FlowHead]], broken: set[str]
    ) -> None:
        self._folders = [os.path.abspath(path) for path in asked.paths if os.path.isdir(path)]
        self._broken = broken
        self._roots = Roots()
        self._own: dict[str, bool] = {}
        for flow in flows:
            path = flow.graph.span.path
            self._own[path] = self._own.get(path, True) and not flow.graph.assumed

    def is_settled(self, path: str) -> bool:
        """Whether what is not found in a file is not there.

        Flows of other files may lead to findings in it, unless it has flows of its own or the
        whole project was looked at.
        """
        if path in self._broken:
            return False
        if self._own.get(path, False):
            return True
        root = os.path.join(os.path.abspath(self._roots.of(path)), "")
        return any(root.startswith(os.path.join(folder, "")) for folder in self._folders)
