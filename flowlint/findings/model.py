"""What a rule reports."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from flowlint.source import Edit, Span

Severity = Literal["error", "warning", "info"]
FixSafety = Literal["safe", "unsafe", "display-only"]


@dataclass(frozen=True, slots=True)
class Related:
    """Another place that belongs to a finding, with what is to be seen there."""

    message: str
    span: Span


@dataclass(frozen=True, slots=True)
class Fix:
    """Edits that cure a finding."""

    title: str
    safety: FixSafety
    edits: tuple[Edit, ...]


@dataclass(frozen=True, slots=True)
class Finding:
    """One fault at one place.

    `message` stands alone, `help` says what to do, `witness` is the run that shows the fault:
    the names of the nodes in the order in which they run.
    """

    code: str
    name: str
    severity: Severity
    message: str
    span: Span
    help: str | None = None
    flow: str | None = None
    node: str | None = None
    related: tuple[Related, ...] = ()
    witness: tuple[str, ...] = ()
    fix: Fix | None = None
