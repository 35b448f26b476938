"""What is known of single files, for as long as it holds."""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from flowlint.cache.observing import Observations, ObservedFiles, ObservedVersions
from flowlint.dialects.declared.declaration import System
from flowlint.findings.model import Finding
from flowlint.graph.model import FlowGraph
from flowlint.pipeline import (
    FileResult,
    FlowHead,
    FlowResult,
    OptionsOf,
    Versions,
    analyse_file,
    whole,
)
from flowlint.rechecking import CheckedFlows
from flowlint.source import Files


@dataclass(frozen=True, slots=True)
class Analysed:
    """One file with what it gave and all that this rests on."""

    path: str
    result: FileResult
    seen: Observations
    _touched: list[frozenset[str]] = field(default_factory=list, repr=False, compare=False)

    @property
    def flows(self) -> tuple[FlowResult[FlowHead], ...]:
        """The flows as those want them who gather what is to be told."""
        return tuple(map(whole, self.result.flows))

    @property
    def graphs(self) -> tuple[FlowGraph, ...]:
        """The flows that the file builds or is met to build, each once."""
        return self.result.graphs

    def touched(self) -> frozenset[str]:
        """The files in which something of it is to be seen, or may be with other findings."""
        if not self._touched:
            self._touched.append(self._touches())
        return self._touched[0]

    def _touches(self) -> frozenset[str]:
        found = {path for flow in self.result.flows for path in _files_of(flow.graph)}
        found.update(f.span.path for flow in self.result.flows for f in flow.findings)
        found.update(fault.span.path for fault in self.result.faults)
        return frozenset(found | {self.path})


class Known:
    """What was found in files, who rests on which file, and what can be seen in which."""

    def __init__(self) -> None:
        self._by_path: dict[str, Analysed] = {}
        self._resting: dict[str, set[str]] = defaultdict(set)
        self._showing: dict[str, set[str]] = defaultdict(set)
        self._outdated: dict[str, frozenset[str]] = {}
        self._flows = CheckedFlows()

    def get(self, path: str) -> Analysed | None:
        """What is known of a file."""
        return self._by_path.get(path)

    def __iter__(self) -> Iterator[Analysed]:
        return iter(list(self._by_path.values()))

    def analyse(
        self,
        path: str,
        files: Files,
        root: str,
        versions: Versions,
        options_of: OptionsOf,
        systems: tuple[System, ...] = (),
    ) -> Analysed:
        """Find out about a file. Raises OSError when it cannot be read."""
        seen = Observations()
        observed = ObservedVersions(versions, seen)
        watched, check = ObservedFiles(files, seen), self._flows.check
        result = analyse_file(path, watched, root, observed, options_of, check, systems)
        self.forget(path)
        known = self._by_path[path] = Analysed(path, result, seen)
        for other in _rests_on(seen):
            self._resting[other].add(path)
        for other in known.touched():
            self._showing[other].add(path)
        return known

    def outdate(self, path: str) -> None:
        """Forget what was found in a file, but not in which files something of it was seen."""
        known = self._by_path.get(path)
        if known is not None:
            touched = known.touched()
            self.forget(path)
            self._outdated[path] = touched

    def outdated(self) -> list[str]:
        """All files that are to be looked at again."""
        return sorted(self._outdated)

    def owed_to(self, path: str) -> list[str]:
        """Files that were seen in this one, and are to be looked at again."""
        return sorted(one for one, touched in self._outdated.items() if path in touched)

    def forget(self, path: str) -> None:
        """Forget what was found in a file."""
        self._outdated.pop(path, None)
        known = self._by_path.pop(path, None)
        if known is None:
            return
        for other in _rests_on(known.seen):
            self._resting[other].discard(path)
        for other in known.touched():
            self._showing[other].discard(path)

    def resting_on(self, path: str) -> set[str]:
        """The files whose answers change when this one does, as far as is known."""
        return set(self._resting.get(path, ()))

    def asking_for_versions(self) -> set[str]:
        """The files whose answers rest on which versions the project uses."""
        return {known.path for known in self if known.seen.versions}

    def showing_in(self, path: str) -> list[Analysed]:
        """All that has a say in what is told of a file: what is seen in it, and of its flows."""
        paths = set(self._showing.get(path, ()))
        sites = {site for one in paths for site in self._sites(one)}
        for site in sites:
            paths |= self._showing.get(site, set())
        return [self._by_path[one] for one in sorted(paths)]

    def _sites(self, path: str) -> Iterable[str]:
        return {flow.graph.span.path for flow in self._by_path[path].result.flows}


def _files_of(graph: FlowGraph) -> Iterator[str]:
    yield graph.span.path
    yield from (node.span.path for node in graph.nodes)
    yield from (node.runs.span.path for node in graph.nodes if node.runs and node.runs.span)
    for edge in graph.edges:
        yield from (edge.span.path, edge.source_span.path, edge.target_span.path)
    yield from (entry.span.path for entry in graph.entries)
    yield from (text.span.path for text in graph.texts)
    for node in graph.nodes:
        if node.code is not None:
            yield from (handover.span.path for handover in node.code.handovers)
        for region in node.regions.values():
            yield from _files_of(region)
    yield from (route.span.path for router in graph.routers for route in router.routes)


def faults_in(known: Iterable[Analysed], path: str) -> list[Finding]:
    """What is wrong with a file itself."""
    return [fault for one in known for fault in one.result.faults if fault.span.path == path]


def _rests_on(seen: Observations) -> set[str]:
    asked = (*seen.reads, *seen.are_files, *seen.are_folders)
    return {os.path.abspath(path) for path in asked}
