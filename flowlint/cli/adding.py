"""Comments written at findings, so that only new ones are told from then on."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from flowlint.check import CheckResult
from flowlint.cli.group import fail
from flowlint.cli.main import FAILURE, OK
from flowlint.findings.codes import INTERNAL_ERROR
from flowlint.project.files import ProjectFiles
from flowlint.report.summary import count

if TYPE_CHECKING:
    from flowlint.findings.model import Finding
    from flowlint.source import Edit

_ABOUT_COMMENTS = ("FL903", "FL904", "FL905")


def check_reason(reason: str, *, is_unsaved: bool) -> None:
    """Raise UsageError for a reason that cannot stand in a comment, and where none is kept."""
    if is_unsaved:
        raise click.UsageError("--add-ignore writes to files, not to standard input")
    if "#" in reason or not reason.isprintable():
        raise click.UsageError("the reason of --add-ignore has to be one line without `#`")


def add_ignores(result: CheckResult, reason: str) -> int:
    """Write a comment at each finding; what cannot be silenced there is told."""
    from flowlint.findings.adding import comments_for

    for problem in result.problems:
        fail(str(problem))
    wanted = [one for one in result.findings if one.code not in (*_ABOUT_COMMENTS, INTERNAL_ERROR)]
    files = ProjectFiles()
    added = comments_for(wanted, files, reason.strip())
    refused = _write(added.edits, files)
    for path, fault in refused.items():
        fail(f"{path}: {fault}")
    for finding in added.left:
        fail(_no_place(finding))
    written = [edit for edit in added.edits if edit.span.path not in refused]
    paths = {edit.span.path for edit in written}
    click.echo(f"Wrote {count(len(written), 'comment')} in {count(len(paths), 'file')}.")
    return FAILURE if result.problems or added.left or refused else OK


def _no_place(finding: Finding) -> str:
    if finding.span.path.endswith(".json"):
        cure = (
            f'in a flow of flowrt add `"flowlint": {{"ignore": ["{finding.name}"]}}`, for others '
            "state `per-file-ignores` in the settings, or keep a baseline"
        )
    else:
        cure = "write `ignore-next-line` or `ignore-file` yourself"
    return f"{finding.span}: no comment can be added here for {finding.name}: {cure}"


def _write(edits: Sequence[Edit], files: ProjectFiles) -> dict[str, str]:
    """Make the edits; gives why files were left as they are."""
    from flowlint.project.edits import UneditableError, edited
    from flowlint.project.replacing import replace_file

    by_path: dict[str, list[Edit]] = {}
    for edit in edits:
        by_path.setdefault(edit.span.path, []).append(edit)
    refused: dict[str, str] = {}
    for path, own in by_path.items():
        try:
            before = files.read(path)
            replace_file(path, edited(path, before, own), before)
        except UneditableError as error:
            refused[path] = str(error)
        except OSError as error:
            refused[path] = f"cannot be written: {error.strerror or error}"
    return refused
