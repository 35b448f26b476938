"""What a report is made of, whatever its format."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, field

from flowlint.findings.model import Finding
from flowlint.graph.model import FlowGraph
from flowlint.report.style import Style
from flowlint.source import Files


@dataclass(frozen=True, slots=True)
class Report:
    """The findings of one run with what formats need to show them.

    `problems` are paths that could not be checked, each with the reason (no path: none is to
    blame), `remarks` what is odd about the files. `root` is the folder that the services which
    read reports name files from. `graphs` are there only for formats that ask for them.
    """

    findings: Sequence[Finding]
    files: Files
    flows: int = 0
    checked: int = 0
    problems: Sequence[tuple[str | None, str]] = ()
    remarks: Sequence[tuple[str | None, str]] = ()
    graphs: Sequence[FlowGraph] = ()
    style: Style = field(default_factory=Style)
    root: str = os.curdir
