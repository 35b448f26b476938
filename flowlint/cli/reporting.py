"""How `flowlint check` shows what it found, and what the shell is told of it."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import wraps
from typing import TYPE_CHECKING

import click

from flowlint.check import CheckResult
from flowlint.cli.main import FAILURE, FINDINGS, OK
from flowlint.cli.options import color_option, wants_colour, wants_links
from flowlint.findings.codes import INTERNAL_ERROR
from flowlint.report.formats import FOR_PEOPLE, FORMATS, WITH_GRAPHS, Format, default_format

if TYPE_CHECKING:
    from flowlint.report.model import Report
    from flowlint.report.style import Style
    from flowlint.source import Files


@dataclass(frozen=True, slots=True)
class Reporting:
    """What the user wants to see, and where."""

    output_format: Format | None = None
    output_file: str | None = None
    statistics: bool = False
    color: str = "auto"

    @property
    def format(self) -> Format:
        """The format, whether or not the user names it."""
        return self.output_format or default_format(os.environ, self.output_file)

    @property
    def graphs(self) -> bool:
        """Whether the report needs the graphs of the flows."""
        return self.format in WITH_GRAPHS and not self.statistics

    def check(self, place: str | None = None) -> None:
        """Raise UsageError where the wishes do not go together. `place` states the format."""
        if not self.statistics:
            return
        from flowlint.report import statistics

        if self.format not in statistics.FORMATS:
            where = f", which {place} states," if place is not None else ""
            raise click.UsageError(
                f"the format `{self.format}`{where} cannot show statistics",
                click.get_current_context(),
            )


@dataclass(frozen=True, slots=True)
class Limits:
    """When findings make a run fail. `max_warnings` None: with the first warning."""

    exit_zero: bool = False
    error_on_warning: bool = False
    max_warnings: int | None = None

    def exit_code(self, result: CheckResult) -> int:
        """What to end with. That something could not be checked is never passed over."""
        if result.problems or any(found.code == INTERNAL_ERROR for found in result.findings):
            return FAILURE
        if self.exit_zero:
            return OK
        errors = sum(found.severity == "error" for found in result.findings)
        warnings = sum(found.severity == "warning" for found in result.findings)
        if self.error_on_warning:
            allowed, warnings = 0, warnings + len(result.remarks)
        else:
            allowed = self.max_warnings or 0
        return FINDINGS if errors or warnings > allowed else OK


def report_options(command: Callable[..., int]) -> Callable[..., int]:
    """The options that a Reporting is made of, which the command takes as `reporting`."""

    @wraps(command)
    def reporting_command(
        *,
        output_format: Format | None,
        output_file: str | None,
        statistics: bool,
        color: str,
        **others: object,
    ) -> int:
        reporting = Reporting(output_format, output_file, statistics, color)
        reporting.check()
        return command(reporting=reporting, **others)

    return _with_options(
        reporting_command,
        click.option(
            "--output-format",
            "--format",
            "output_format",
            type=click.Choice(FORMATS),
            envvar="FLOWLINT_OUTPUT_FORMAT",
            help="How to show the findings.  [default: full; github on GitHub Actions]",
        ),
        click.option(
            "--output-file",
            metavar="FILE",
            help="Write the findings to a file, whose name tells the format if nothing else does "
            "(.sarif, .xml, .json, .jsonl); the closing line stays here.",
        ),
        click.option(
            "--statistics",
            is_flag=True,
            help="Show how often each rule is broken, instead of the findings.",
        ),
        color_option,
    )


def limit_options(command: Callable[..., int]) -> Callable[..., int]:
    """The options that Limits are made of, which the command takes as `limits`."""

    @wraps(command)
    def limited_command(
        *, exit_zero: bool, error_on_warning: bool, max_warnings: int | None, **others: object
    ) -> int:
        return command(limits=Limits(exit_zero, error_on_warning, max_warnings), **others)

    return _with_options(
        limited_command,
        click.option(
            "--exit-zero", is_flag=True, help="End with 0 whatever was found, if all was checked."
        ),
        click.option(
            "--error-on-warning",
            is_flag=True,
            help="End with 1 at any warning, also one about a comment or a setting.",
        ),
        click.option(
            "--max-warnings",
            type=click.IntRange(min=0),
            metavar="N",
            help="End with 0 when there are no errors and at most N warnings.",
        ),
    )


def _with_options(
    command: Callable[..., int], *options: Callable[[Callable[..., int]], Callable[..., int]]
) -> Callable[..., int]:
    """The command with these options, which its help tells in this order."""
    for option in reversed(options):
        command = option(command)
    return command


def show(result: CheckResult, how: Reporting, files: Files) -> None:
    """Write the findings where they are wanted, and the closing line for people.

    `files` give the code to show.
    """
    if how.output_file is None or how.output_file == "-":
        colour = wants_colour(how.color)
        lines = _lines(result, how, files, _style(colour, wants_links()))
        sys.stdout.writelines(f"{line}\n" for line in lines)
        return
    from flowlint.cli.writing import write_whole

    write_whole(how.output_file, _lines(result, how, files, _style(how.color == "always", False)))
    sys.stdout.writelines(f"{line}\n" for line in _closing(result))


def _lines(result: CheckResult, how: Reporting, files: Files, style: Style) -> Iterator[str]:
    if how.statistics:
        from flowlint.report import statistics

        yield from statistics.render(result.findings, how.format, style)
    elif result.findings or result.problems or how.format not in FOR_PEOPLE:
        from flowlint.report.formats import lines_of

        yield from lines_of(how.format, _report(result, files, style))
    if how.format in FOR_PEOPLE:
        yield from _closing(result)


def _closing(result: CheckResult) -> Iterator[str]:
    from flowlint.report.summary import summary

    if result.checked:
        yield summary(result.findings, result.flows, result.checked)


def _report(result: CheckResult, files: Files, style: Style) -> Report:
    from flowlint.report.model import Report
    from flowlint.report.paths import repository_root

    return Report(
        result.findings,
        files,
        result.flows,
        result.checked,
        [(problem.path, problem.message) for problem in result.problems],
        [(remark.path, remark.message) for remark in result.remarks],
        result.graphs,
        style,
        repository_root(os.environ, os.curdir),
    )


def _style(colour: bool, links: bool) -> Style:
    from flowlint.report.style import Style

    return Style(colour, links)
