"""What was found in the files that may hold flows."""

from __future__ import annotations

import contextlib
import os
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from flowlint.cache.encoding import (
    can_encode,
    decoded_finding,
    decoded_flow,
    encoded_finding,
    encoded_flow,
)
from flowlint.cache.observing import (
    Observations,
    ObservedFiles,
    ObservedVersions,
    Verifier,
    observed_options,
)
from flowlint.cache.place import DAY
from flowlint.cache.records import read_record, write_record
from flowlint.findings.codes import INTERNAL_ERROR
from flowlint.findings.model import Finding, digest_of
from flowlint.pipeline import (
    FlowHead,
    FlowResult,
    OptionsOf,
    Versions,
    analyse_file,
    headed,
)
from flowlint.source import Files

if TYPE_CHECKING:
    from flowlint.dialects.declared.declaration import System


@dataclass(frozen=True, slots=True)
class Answer:
    """What one file gave: its flows, and what is wrong with the file itself."""

    flows: tuple[FlowResult[FlowHead], ...] = ()
    faults: tuple[Finding, ...] = ()


class Answers:
    """Finds what is known of files, and keeps what is found out; forked processes may share it."""

    def __init__(self, folder: str, files: Files) -> None:
        self._folder = folder
        self._files = files
        self._verifier = Verifier(files)
        self._here = os.getcwd()
        self._now = time.time()

    def find(
        self,
        path: str,
        root: str,
        versions: Versions,
        options_of: OptionsOf,
        systems: tuple[System, ...] = (),
    ) -> Answer | None:
        """What is known of a file and still holds; None when it has to be analysed."""
        place = self._place(path, systems)
        record = read_record(place)
        if record is None:
            return None
        try:
            answer = self._decoded(record, path, root, versions, options_of)
        except (TypeError, ValueError, LookupError, AttributeError):
            return None
        if answer is not None:
            self._touch(place)
        return answer

    def found_out(
        self,
        path: str,
        root: str,
        versions: Versions,
        options_of: OptionsOf,
        systems: tuple[System, ...] = (),
    ) -> Answer:
        """Analyse a file and keep what is found. Raises OSError when it cannot be read."""
        seen = Observations()
        files = ObservedFiles(self._files, seen)
        observed = ObservedVersions(versions, seen)
        options = observed_options(options_of, seen)
        result = analyse_file(path, files, root, observed, options, systems=systems)
        answer = Answer(tuple(map(headed, result.flows)), result.faults)
        if seen.is_steady and _is_sound(answer):
            with contextlib.suppress(OSError):
                write_record(self._place(path, systems), _encoded(answer, root, seen))
        return answer

    def _decoded(
        self, record: Any, path: str, root: str, versions: Versions, options_of: OptionsOf
    ) -> Answer | None:
        base, reads, are_files, are_folders, stated, options, flows, faults = record
        if base != root:
            return None
        known = {name: None if one is None else tuple(one) for name, one in stated.items()}
        seen = Observations(reads, are_files, are_folders, known, options)
        if not self._verifier.holds(seen, path, root, versions, options_of):
            return None
        return Answer(tuple(map(decoded_flow, flows)), tuple(map(decoded_finding, faults)))

    def _place(self, path: str, systems: tuple[System, ...]) -> str:
        """An answer holds for what the settings of its file declare, and for nothing else."""
        declared = f"\0{systems!r}" if systems else ""
        named = os.fsencode(f"{self._here}\0{path}{declared}")
        return os.path.join(self._folder, f"{digest_of(named)}.json")

    def _touch(self, place: str) -> None:
        """Mark as used, which counts by days."""
        with contextlib.suppress(OSError):
            if self._now - os.stat(place).st_mtime > DAY:
                os.utime(place)


def _is_sound(answer: Answer) -> bool:
    """Whether an answer can be kept: flowlint did not fail, and no fix would be lost."""
    found = [*answer.faults, *(finding for flow in answer.flows for finding in flow.findings)]
    return can_encode(found) and all(finding.code != INTERNAL_ERROR for finding in found)


def _encoded(answer: Answer, root: str, seen: Observations) -> list[object]:
    flows = [encoded_flow(flow) for flow in answer.flows]
    faults = [encoded_finding(fault) for fault in answer.faults]
    return [
        root,
        seen.reads,
        seen.are_files,
        seen.are_folders,
        seen.versions,
        seen.options,
        flows,
        faults,
    ]
