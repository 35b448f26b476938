"""How `flowlint check` applies fixes."""

from __future__ import annotations

import sys
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager, redirect_stdout
from dataclasses import dataclass, replace
from functools import wraps
from typing import TYPE_CHECKING

import click

from flowlint.check import CheckResult, Options, check
from flowlint.cli.group import tell
from flowlint.cli.main import FAILURE, FINDINGS, OK
from flowlint.project.discovery import Problem

if TYPE_CHECKING:
    from flowlint.findings.model import Finding, FixSafety
    from flowlint.fixing import Fixed


@dataclass(frozen=True, slots=True)
class Fixing:
    """Which fixes the user wants, and whether only to see what they do."""

    fix: bool = False
    unsafe: bool = False
    diff: bool = False
    fails_on_fix: bool = False

    def safeties(self) -> frozenset[FixSafety]:
        """The kinds of fixes that are applied."""
        return frozenset({"safe", "unsafe"} if self.unsafe else {"safe"})

    def apply(self, paths: tuple[str, ...], options: Options) -> Fixed:
        """Check and fix, and write what changed, but for texts from standard input."""
        from flowlint.fixing import fix

        fixed = fix(paths, options, self.safeties())
        for path, reason in fixed.refused.items():
            tell(f"warning: {path}: {reason}")
        return fixed if self.diff else _written(fixed, options)

    def closing(self, fixed: Fixed) -> str | None:
        """What was fixed, in a sentence."""
        from flowlint.report.summary import count

        if not fixed.applied:
            return None
        verb = "Would fix" if self.diff else "Fixed"
        findings = count(len(fixed.applied), "finding")
        return f"{verb} {findings} in {count(len(fixed.after), 'file')}."

    def fails(self, fixed: Fixed | None) -> bool:
        """Whether the run fails because something was fixed."""
        return self.fails_on_fix and fixed is not None and bool(fixed.after)


def fix_options(command: Callable[..., int]) -> Callable[..., int]:
    """The options that a Fixing is made of, which the command takes as `fixing`."""

    @wraps(command)
    def fixing_command(
        *, fix: bool, unsafe_fixes: bool, diff: bool, exit_non_zero_on_fix: bool, **others: object
    ) -> int:
        fixing = Fixing(fix or diff, unsafe_fixes, diff, exit_non_zero_on_fix)
        return command(fixing=fixing, **others)

    for option in (
        click.option(
            "--exit-non-zero-on-fix", is_flag=True, help="End with 1 also if all was fixed."
        ),
        click.option(
            "--diff", is_flag=True, help="Show what --fix would change, and change nothing."
        ),
        click.option(
            "--unsafe-fixes",
            is_flag=True,
            help="Let --fix and --diff also apply fixes that may not be what was meant.",
        ),
        click.option("--fix", is_flag=True, help="Apply the fixes that are safe."),
    ):
        fixing_command = option(fixing_command)
    return fixing_command


def show_diff(fixed: Fixed, fixing: Fixing) -> int:
    """Write the patch; end as a run does that has something to change."""
    from flowlint.report.file_diffs import patch

    out = sys.stdout.buffer
    for path in sorted(fixed.after):
        for line in patch(path, fixed.before[path], fixed.after[path]):
            out.write(line)
    out.flush()
    said = fixing.closing(fixed)
    tell(said or "Nothing to fix.")
    for problem in fixed.result.problems:
        tell(f"error: {problem}")
    if fixed.result.problems:
        return FAILURE
    return FINDINGS if fixed.after else OK


def _written(fixed: Fixed, options: Options) -> Fixed:
    from flowlint.project.replacing import replace_file

    failed: dict[str, Problem] = {}
    for path in sorted(fixed.after):
        if path in options.overlay:
            continue
        try:
            replace_file(path, fixed.after[path], fixed.before[path])
        except OSError as error:
            failed[path] = Problem(path, f"cannot be written: {error.strerror or error}")
    if failed:
        problems = (*fixed.result.problems, *failed.values())
        fixed.result = replace(fixed.result, problems=problems)
        fixed.after = {path: data for path, data in fixed.after.items() if path not in failed}
        fixed.applied = [one for one in fixed.applied if not _touches(one, failed)]
    return fixed


def _touches(finding: Finding, paths: Collection[str]) -> bool:
    return finding.fix is not None and any(e.span.path in paths for e in finding.fix.edits)


def checked(
    fixing: Fixing, paths: tuple[str, ...], options: Options
) -> tuple[CheckResult, Fixed | None]:
    """What a check gives, after the fixes that are wanted."""
    if not fixing.fix:
        return check(paths, options), None
    fixed = fixing.apply(paths, options)
    return fixed.result, fixed


@contextmanager
def aside(fixed: Fixed | None, overlay: Mapping[str, bytes]) -> Iterator[None]:
    """Where a text from standard input is fixed, it is the output, and the report goes aside."""
    if fixed is None or not overlay:
        yield
        return
    for path, text in overlay.items():
        sys.stdout.buffer.write(fixed.after.get(path, text))
    sys.stdout.buffer.flush()
    with redirect_stdout(sys.stderr):
        yield


def tell_fixed(fixing: Fixing, fixed: Fixed | None, result: CheckResult, *, people: bool) -> None:
    """Tell what was fixed, and people what can be."""
    said = fixing.closing(fixed) if fixed is not None else None
    if said is not None:
        (print if people else tell)(said)
    if people and result.findings:
        from flowlint.report.summary import fixable

        hint = fixable(result.findings, unsafe=fixing.unsafe, fixes=fixing.fix)
        if hint is not None:
            print(hint)
