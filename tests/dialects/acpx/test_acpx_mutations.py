"""Changed definitions: what acpx refuses is an error, what it accepts is none without a reason."""

from __future__ import annotations

from pathlib import Path

import pytest
from acpx_mutations import mutated
from acpx_real import verdicts

from flowlint.pipeline import analyse_file
from flowlint.project.files import ProjectFiles

COUNT = 300

ACCEPTED_AND_WRONG = {
    "edge-never-taken": "a checkpoint ends the run, so that no edge out of it is taken",
    "invalid-expression": "a path that acpx cannot follow fails the run",
    "unknown-variable": "a field that no result has fails the run",
    "unroutable-gate": "a switch without cases fails the run",
    "unhandled-route": "a value without a case fails the run",
    "bad-limit": "a time that no timer can wait counts as one millisecond",
    "duplicate-node": "of two nodes of one name only the second is kept",
    "duplicate-edge": "of two cases of one name only the second is ever taken",
    "loop-without-exit": "the run never ends",
}
"""Errors that acpx does not see before the run, with what it does then."""


def errors_of(source: str) -> list[tuple[str, str]]:
    Path("a.flow.ts").write_text(source)
    result = analyse_file("a.flow.ts", ProjectFiles(), ".")
    return [(one.name, one.message) for one in result.findings if one.severity == "error"]


def test_verdicts_agree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    changed = list(mutated(COUNT))
    told = verdicts([source for _, source in changed], tmp_path)
    unlike = []
    for (change, source), message in zip(changed, told, strict=True):
        errors = errors_of(source)
        if message is None:
            explained = all(name in ACCEPTED_AND_WRONG for name, _ in errors)
        else:
            explained = bool(errors)
        if not explained:
            unlike.append((change, message, errors, source))
    assert unlike == []
    # Both kinds have to be there, or the comparison says nothing.
    refused = sum(message is not None for message in told)
    assert COUNT // 4 < refused < COUNT


def test_changed_definitions_never_fail(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for change, source in mutated(60, seed=11):
        names = [name for name, _ in errors_of(source)]
        assert "internal-error" not in names, change
