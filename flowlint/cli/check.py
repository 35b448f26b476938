"""`flowlint check`: find faults in flows."""

from __future__ import annotations

import sys
from typing import Literal

import click

from flowlint.check import INTERNAL_ERROR, CheckResult, Options
from flowlint.check import check as run_check
from flowlint.cli.group import fail, tell
from flowlint.cli.main import FAILURE, FINDINGS, OK
from flowlint.cli.options import color_option, jobs_option, paths_argument, wants_colour
from flowlint.project.selection import Selection, UnknownRuleError

Format = Literal["full", "concise", "json"]


@click.command()
@paths_argument
@click.option(
    "--output-format",
    "--format",
    "output_format",
    type=click.Choice(["full", "concise", "json"]),
    default="full",
    show_default=True,
    help="How to show the findings.",
)
@click.option(
    "--select",
    multiple=True,
    metavar="RULES",
    help="Report these rules only: names, codes, categories or beginnings of codes, by commas.",
)
@click.option("--ignore", multiple=True, metavar="RULES", help="Do not report these rules.")
@jobs_option
@color_option
def check(
    paths: tuple[str, ...],
    output_format: Format,
    select: tuple[str, ...],
    ignore: tuple[str, ...],
    jobs: int | None,
    color: str,
) -> int:
    """Find faults in the flows of files and folders (default: this folder).

    Ends with 0 when no error or warning was found, 1 when one was, and 2 when the command line
    is wrong, a path could not be checked, there was nothing to check, or flowlint failed.
    """
    try:
        selection = Selection.of(select, ignore)
    except UnknownRuleError as error:
        fail(str(error))
        return FAILURE
    result = run_check(paths or (".",), Options(selection, jobs))
    _report(result, output_format, wants_colour(color))
    for remark in result.remarks:
        tell(f"warning: {remark}")
    for problem in result.problems:
        fail(str(problem))
    return _exit_code(result)


def _exit_code(result: CheckResult) -> int:
    if result.problems or any(finding.code == INTERNAL_ERROR for finding in result.findings):
        return FAILURE
    return FINDINGS if any(finding.severity != "info" for finding in result.findings) else OK


def _report(result: CheckResult, output_format: Format, colour: bool) -> None:
    if output_format == "json":
        from flowlint.report import findings_json

        print(findings_json.render(result.findings))
        return
    from flowlint.report.summary import summary

    if result.findings:
        _print_findings(result, output_format, colour)
    if result.checked:
        print(summary(result.findings, result.flows, result.checked))


def _print_findings(result: CheckResult, output_format: Format, colour: bool) -> None:
    from flowlint.report import concise, full
    from flowlint.report.style import Style

    style = Style(colour)
    if output_format == "concise":
        lines = concise.render(result.findings, style)
    else:
        from flowlint.project.files import ProjectFiles

        lines = full.render(result.findings, ProjectFiles(), style)
    sys.stdout.writelines(f"{line}\n" for line in lines)
