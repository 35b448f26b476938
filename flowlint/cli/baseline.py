"""How `flowlint check` goes by a baseline."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import wraps
from typing import TYPE_CHECKING

import click

from flowlint.check import CheckResult
from flowlint.cli.group import tell
from flowlint.project.discovery import Problem

if TYPE_CHECKING:
    from flowlint.findings.baseline import Counts, Key
    from flowlint.findings.model import Finding
    from flowlint.project.settings.finding import Configuration

_SYNTAX_ERROR = "FL901"
_SHOWN = 20

Reports = Callable[[str, str], bool]
"""Whether findings of a rule in a file are reported."""


@dataclass(frozen=True, slots=True)
class Against:
    """A result held against a baseline. `fails`: some of what is recorded is not there."""

    result: CheckResult
    fails: bool = False


@dataclass(frozen=True, slots=True)
class Recording:
    """The baseline that the user goes by, and what is to become of it."""

    file: str | None = None
    update: bool = False
    prune: bool = False
    allow_stale: bool = False

    def hold(
        self,
        result: CheckResult,
        paths: Sequence[str],
        reports: Reports,
        fixed: Sequence[Finding] | None = None,
    ) -> Against:
        """What is left of a result that is not recorded.

        `fixed` is what the run fixed and has written, None: it writes no fixes. It is taken from
        the baseline as well.
        """
        if self.file is None:
            return Against(result)
        from flowlint.findings import baseline

        try:
            recorded = self._recorded()
        except (OSError, UnicodeError, baseline.DamagedError) as error:
            reason = _reason(error)
            return Against(replace(result, problems=(*result.problems, Problem(self.file, reason))))
        folder = os.path.dirname(self.file)
        covers = _covering(result, paths, reports, folder)
        counts = baseline.counted(result.findings, folder)
        if self.update:
            if result.problems:
                tell(f"warning: {self.file} is left as it is, as not all could be checked")
                return Against(result)
            self._write(recorded, baseline.updated(recorded, counts, covers), counts.total())
            return Against(replace(result, findings=()))
        left = baseline.unknown(result.findings, recorded, folder)
        gone = baseline.stale(recorded, counts, covers)
        self._tell_known(len(result.findings) - len(left))
        told = Against(replace(result, findings=tuple(left)))
        if fixed:
            gone = {**baseline.fixed(recorded, counts, baseline.counted(fixed, folder)), **gone}
        if gone and (self.prune or fixed is not None):
            self._write(recorded, baseline.pruned(recorded, gone))
            return told
        return replace(told, fails=self._tell(recorded, gone))

    def _recorded(self) -> dict[Key, int]:
        from flowlint.findings.baseline import read

        assert self.file is not None
        try:
            with open(self.file, encoding="utf-8") as file:
                return read(file.read())
        except FileNotFoundError:
            if self.update:
                return {}
            raise

    def _write(self, before: Counts, after: Counts, found: int | None = None) -> None:
        from flowlint.cli.writing import write_whole
        from flowlint.findings.baseline import written
        from flowlint.report.summary import count

        assert self.file is not None
        if before != after or not os.path.exists(self.file):
            write_whole(self.file, written(after).splitlines())
        if found is not None:
            tell(f"Recorded {count(found, 'finding')} in {self.file}.")
        elif before != after:
            fewer = sum(before.values()) - sum(after.values())
            tell(f"Took {count(fewer, 'finding')} out of {self.file}: no longer there.")

    def _tell_known(self, known: int) -> None:
        if known:
            verb = "finding is" if known == 1 else "findings are"
            tell(f"{known} more {verb} recorded in {self.file}.")

    def _tell(self, recorded: Counts, gone: Counts) -> bool:
        """Name what is recorded and not there; whether the run fails because of it."""
        if not gone:
            return False
        word = "warning" if self.allow_stale else "error"
        for key in sorted(gone, key=lambda key: key.order())[:_SHOWN]:
            times = "" if recorded[key] == 1 else f" ({gone[key]} of {recorded[key]} left)"
            tell(f"{word}: {self.file} records what is no longer there: {key}{times}")
        if len(gone) > _SHOWN:
            tell(f"{word}: and {len(gone) - _SHOWN} more like it")
        if not self.allow_stale:
            tell("Run the same with --prune-baseline to take this out of the baseline.")
        return not self.allow_stale


def reports_of(configuration: Configuration) -> Reports:
    """Whether findings of a rule in a file are reported by these settings."""

    def reports(path: str, rule: str) -> bool:
        from flowlint.project.selection import codes_of

        settings = configuration.of_file(path)
        ignored = settings.ignored_in(path)
        codes = codes_of(rule)
        return not codes or any(settings.allows(code) and code not in ignored for code in codes)

    return reports


def _reason(error: Exception) -> str:
    if isinstance(error, FileNotFoundError):
        return "no such baseline; --update-baseline writes one"
    if isinstance(error, OSError):
        return f"cannot be read: {error.strerror or error}"
    if isinstance(error, UnicodeError):
        return "is no baseline: it is not written in UTF-8"
    return f"{error}; --update-baseline writes it anew once it is removed"


def _covering(
    result: CheckResult, paths: Sequence[str], reports: Reports, folder: str
) -> Callable[[Key], bool]:
    """Which entries a run would have found.

    What is not found in a file is not there if the file has flows of its own, or the folder that
    it is in was looked at; flows of other files may lead to findings in any other.
    """
    broken = {os.path.abspath(f.span.path) for f in result.findings if f.code == _SYNTAX_ERROR}
    broken |= {os.path.abspath(problem.path) for problem in result.problems if problem.path}
    own = {os.path.abspath(path) for path in result.settled}
    looked_at = {os.path.abspath(path) for path in result.files}
    roots = [os.path.join(os.path.abspath(path), "") for path in paths if os.path.isdir(path)]

    def covers(key: Key) -> bool:
        path = os.path.normpath(os.path.join(os.path.abspath(folder), key.path))
        if path in broken or not reports(path, key.rule):
            return False
        is_below = any(path.startswith(root) for root in roots)
        if path in looked_at:
            return is_below or path in own
        return is_below and not os.path.exists(path)

    return covers


def baseline_options(command: Callable[..., int]) -> Callable[..., int]:
    """The options that a Recording is made of, which the command takes as `recording`."""

    @wraps(command)
    def recording_command(
        *,
        baseline: str | None,
        update_baseline: bool,
        prune_baseline: bool,
        allow_stale_baseline: bool,
        **others: object,
    ) -> int:
        given = {
            "--update-baseline": update_baseline,
            "--prune-baseline": prune_baseline,
            "--allow-stale-baseline": allow_stale_baseline,
        }
        for name, is_given in given.items():
            if is_given and baseline is None:
                raise click.UsageError(f"{name} needs --baseline FILE")
        recording = Recording(baseline, update_baseline, prune_baseline, allow_stale_baseline)
        return command(recording=recording, **others)

    for option in (
        click.option(
            "--allow-stale-baseline",
            is_flag=True,
            help="Do not fail when what the baseline records is no longer there.",
        ),
        click.option(
            "--prune-baseline",
            is_flag=True,
            help="Take out of the baseline what is no longer there; --fix does so too.",
        ),
        click.option(
            "--update-baseline", is_flag=True, help="Record in the baseline all that is found now."
        ),
        click.option(
            "--baseline",
            metavar="FILE",
            help="Only tell what this file does not record, and fail when it records more.",
        ),
    ):
        recording_command = option(recording_command)
    return recording_command
