"""What a finding is known by from one run to the next, wherever its lines have moved to."""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Callable, Iterable

from flowlint.findings.model import Finding

_QUOTED = re.compile(r"(`[^`]*`)")
_NUMBER = re.compile(r"\d+")


def fingerprints(
    findings: Iterable[Finding], path_of: Callable[[str], str] = lambda path: path
) -> list[str]:
    """One fingerprint for each finding, no two of them alike.

    They are made of the rule, the file, the flow, the node and the message without the numbers in
    it (but with those in names). Findings that have all of these in common are numbered in order.
    """
    seen: Counter[str] = Counter()
    prints: list[str] = []
    for finding in findings:
        parts = (
            finding.name,
            path_of(finding.span.path),
            finding.flow or "",
            finding.node or "",
            _without_numbers(finding.message),
        )
        key = "\0".join(parts)
        prints.append(_digest(f"{key}\0{seen[key]}"))
        seen[key] += 1
    return prints


def _digest(key: str) -> str:
    data = key.encode("utf-8", "surrogatepass")
    return hashlib.sha256(data).hexdigest()[:32]


def _without_numbers(message: str) -> str:
    parts = _QUOTED.split(message)
    return "".join(part if part.startswith("`") else _NUMBER.sub("#", part) for part in parts)
