"""One file's way through the house: text, values, graphs, findings."""

from __future__ import annotations

from dataclasses import dataclass

from flowlint.findings.model import Finding
from flowlint.graph.model import FlowGraph
from flowlint.source import Files


@dataclass(frozen=True, slots=True)
class FileResult:
    """What one file gave. Findings are unsuppressed and unselected: all there are."""

    path: str
    graphs: tuple[FlowGraph, ...] = ()
    findings: tuple[Finding, ...] = ()


def analyse_file(path: str, files: Files, root: str) -> FileResult:
    """Find the flows of one file and check them with every rule.

    `path` is how the user names the file and how spans will name it; `root` is the folder that
    imports are resolved within. Never raises for what a file holds: a file that cannot be read
    or parsed, and a fault of flowlint itself, are findings.
    """
    return FileResult(path)
