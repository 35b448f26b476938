"""`flowlint check`: find faults in flows."""

from __future__ import annotations

import click

from flowlint.check import Options
from flowlint.check import check as run_check
from flowlint.cli.group import fail, tell
from flowlint.cli.main import FAILURE
from flowlint.cli.options import jobs_option, paths_argument
from flowlint.cli.reporting import Limits, Reporting, limit_options, report_options, show
from flowlint.project.selection import Selection, UnknownRuleError


@click.command()
@paths_argument
@report_options
@click.option(
    "--select",
    multiple=True,
    metavar="RULES",
    help="Report these rules only: names, codes, categories or beginnings of codes, by commas.",
)
@click.option("--ignore", multiple=True, metavar="RULES", help="Do not report these rules.")
@limit_options
@jobs_option
def check(
    paths: tuple[str, ...],
    select: tuple[str, ...],
    ignore: tuple[str, ...],
    jobs: int | None,
    reporting: Reporting,
    limits: Limits,
) -> int:
    """Find faults in the flows of files and folders (default: this folder).

    Ends with 0 when no error or warning was found (or no more than the options allow), 1 when one
    was, and 2 when the command line is wrong, a path could not be checked, there was nothing to
    check, or flowlint failed.
    """
    try:
        selection = Selection.of(select, ignore)
    except UnknownRuleError as error:
        fail(str(error))
        return FAILURE
    result = run_check(paths or (".",), Options(selection, jobs, graphs=reporting.graphs))
    show(result, reporting)
    for remark in result.remarks:
        tell(f"warning: {remark}")
    for problem in result.problems:
        fail(str(problem))
    return limits.exit_code(result)
