"""What a rule reports."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from flowlint.changes import Change
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
    """Edits that cure a finding, or the changes that the language of the file makes edits of.

    `digests` tell the contents of the files that the edits were made for.
    """

    title: str
    safety: FixSafety
    edits: tuple[Edit, ...] = ()
    changes: tuple[Change, ...] = ()
    digests: tuple[tuple[str, str], ...] = ()


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


def digest_of(data: bytes) -> str:
    """What tells the contents of a file from others."""
    import hashlib

    return hashlib.blake2b(data, digest_size=16).hexdigest()
