"""flowlint itself failed on this file.

## What it does

Reports that a part of flowlint raised an error it did not expect. Other files and other rules are
checked all the same.

## Why is this bad

The file was not checked as it should have been, so silence about it means nothing.

## Example

There is no code that should lead to this.

## Use instead

Please report what the message says together with the file, or the smallest part of it that still
shows the error.
"""

from __future__ import annotations

from flowlint.findings.model import Finding
from flowlint.rules.registry import RuleInfo
from flowlint.source import Span

RULE = RuleInfo(
    name="internal-error",
    code="FL906",
    category="meta",
    severity="error",
    since="0.1.0",
    related=("syntax-error",),
)


def internal_error(span: Span, message: str, origin: str | None = None) -> Finding:
    """The finding for a fault of flowlint itself, or of the plugin that `origin` names."""
    who = f"{origin}: please report it to its authors" if origin else "flowlint: please report it"
    return Finding(
        RULE.code,
        RULE.name,
        RULE.severity,
        message,
        span,
        help=f"this is a fault of {who} with the code that shows it",
    )
