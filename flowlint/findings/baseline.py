"""Findings that a project knows of already: recorded once, and told when there are others.

An entry is a rule, a flow and a node in a file, and how often it is found. Lines are not part of
it, so that code may move. The file is JSON, sorted, so that two branches merge well.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from flowlint.findings.model import Finding

SCHEMA = "flowlint.baseline/1"
NEVER_RECORDED = "FL906"
"""What is wrong with flowlint itself is always told."""


@dataclass(frozen=True, slots=True)
class Key:
    """What makes a finding the same in another version of the code.

    `path` is relative to the folder of the file that records it, with `/` between folders.
    """

    path: str
    rule: str
    flow: str | None = None
    node: str | None = None

    def __str__(self) -> str:
        parts = [self.rule]
        if self.node is not None:
            parts.append(f"at `{self.node}`")
        if self.flow is not None:
            parts.append(f"in `{self.flow}`")
        return f"{self.path}: {' '.join(parts)}"

    def order(self) -> tuple[str, str, str, str]:
        """By what entries are sorted."""
        return (self.path, self.rule, self.flow or "", self.node or "")


Counts = Mapping[Key, int]


class DamagedError(ValueError):
    """A text that is no baseline; the message says why, for a sentence that names the file."""


def read(text: str) -> dict[Key, int]:
    """The entries of a baseline. Raises DamagedError."""
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        where = f" (line {error.lineno})" if isinstance(error, json.JSONDecodeError) else ""
        raise DamagedError(f"is no JSON{where}") from None
    if not isinstance(data, dict) or not isinstance(data.get("schema"), str):
        raise DamagedError(f'is no baseline: it does not say "schema": "{SCHEMA}"')
    if data["schema"] != SCHEMA:
        shown = data["schema"][:40]
        raise DamagedError(f"has the schema `{shown}`, and this flowlint reads `{SCHEMA}`")
    entries = data.get("findings")
    if not isinstance(entries, list):
        raise DamagedError("has no list of `findings`")
    found: Counter[Key] = Counter()
    for number, entry in enumerate(entries, start=1):
        key, count = _entry(entry, number)
        found[key] += count
    return dict(found)


def _entry(entry: object, number: int) -> tuple[Key, int]:
    if not isinstance(entry, dict):
        raise DamagedError(f"has no mapping as finding {number}")
    for name in ("path", "rule"):
        if not isinstance(entry.get(name), str) or not entry[name]:
            raise DamagedError(f"has no text as `{name}` of finding {number}")
    for name in ("flow", "node"):
        if not isinstance(entry.get(name), str | None):
            raise DamagedError(f"has no text as `{name}` of finding {number}")
    count = entry.get("count")
    if not isinstance(count, int) or isinstance(count, bool) or count < 1:
        raise DamagedError(f"has no number above 0 as `count` of finding {number}")
    return Key(entry["path"], entry["rule"], entry.get("flow"), entry.get("node")), count


def written(counts: Counts) -> str:
    """The text of a baseline with these entries, the same for the same entries."""
    entries = [
        {"path": key.path, "rule": key.rule, "flow": key.flow, "node": key.node, "count": count}
        for key, count in sorted(counts.items(), key=lambda entry: entry[0].order())
    ]
    lines = ",\n".join(f"    {json.dumps(entry, ensure_ascii=False)}" for entry in entries)
    listed = f"[\n{lines}\n  ]" if entries else "[]"
    return f'{{\n  "schema": "{SCHEMA}",\n  "findings": {listed}\n}}\n'


def counted(findings: Iterable[Finding], folder: str) -> Counter[Key]:
    """The entries for findings, for a baseline in this folder."""
    return Counter(
        key_of(finding, folder) for finding in findings if finding.code != NEVER_RECORDED
    )


def key_of(finding: Finding, folder: str) -> Key:
    """The entry that a finding belongs to."""
    path = path_in(folder, finding.span.path)
    return Key(path, finding.name, finding.flow, finding.node)


def path_in(folder: str, path: str) -> str:
    """A path as entries of a baseline in this folder name it."""
    return os.path.relpath(os.path.abspath(path), os.path.abspath(folder)).replace(os.sep, "/")


def unknown(findings: Iterable[Finding], recorded: Counts, folder: str) -> list[Finding]:
    """The findings that are not recorded.

    Where there are more of one entry than recorded, all are told: any may be the new one.
    """
    findings = [*findings]
    counts = counted(findings, folder)
    return [
        finding
        for finding in findings
        if finding.code == NEVER_RECORDED
        or counts[key := key_of(finding, folder)] > recorded.get(key, 0)
    ]


def stale(recorded: Counts, counts: Counts, covers: Callable[[Key], bool]) -> dict[Key, int]:
    """The entries that were found less often than recorded, though looked for, with how often."""
    return {
        key: counts.get(key, 0)
        for key, count in recorded.items()
        if counts.get(key, 0) < count and covers(key)
    }


def fixed(recorded: Counts, counts: Counts, mended: Counts) -> dict[Key, int]:
    """The entries that fewer are left of as some were fixed, with how many are left.

    A run that does not look for all there may be still knows this much.
    """
    return {
        key: max(counts.get(key, 0), count - mended[key])
        for key, count in recorded.items()
        if key in mended and counts.get(key, 0) < count
    }


def pruned(recorded: Counts, gone: Counts) -> dict[Key, int]:
    """The entries without what is gone."""
    left = {key: gone.get(key, count) for key, count in recorded.items()}
    return {key: count for key, count in left.items() if count}


def updated(recorded: Counts, counts: Counts, covers: Callable[[Key], bool]) -> dict[Key, int]:
    """What was found now, and the entries that were not looked for."""
    kept = {key: count for key, count in recorded.items() if not covers(key)}
    return {**kept, **counts}
