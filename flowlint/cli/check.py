"""`flowlint check`: find faults in flows."""

from __future__ import annotations

import sys
from dataclasses import replace
from typing import cast

import click

from flowlint.check import Options
from flowlint.cli.baseline import Recording, baseline_options, reports_of
from flowlint.cli.caching import Caching, caching_options
from flowlint.cli.fixing import Fixing, aside, checked, fix_options, show_diff, tell_fixed
from flowlint.cli.group import fail, tell
from flowlint.cli.main import FINDINGS, OK
from flowlint.cli.options import jobs_option, paths_argument
from flowlint.cli.progress import TerminalProgress
from flowlint.cli.reporting import Limits, Reporting, limit_options, report_options, show
from flowlint.cli.settings_options import Wanted, run_settings, settings_options
from flowlint.project.files import ProjectFiles
from flowlint.report.formats import FOR_PEOPLE, Format

STDIN = "-"


ADD_IGNORE = "--add-ignore"


class _Check(click.Command):
    """Lets an option do without its value, and never take the path behind it for one."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read the command line."""
        end = args.index("--") if "--" in args else len(args)
        read = [f"{one}=" if one == ADD_IGNORE else one for one in args[:end]]
        return super().parse_args(ctx, [*read, *args[end:]])


@click.command(cls=_Check)
@paths_argument
@report_options
@settings_options
@click.option(
    ADD_IGNORE,
    metavar="[REASON]",
    help="Write a comment at every finding that silences it from now on: --add-ignore[=REASON].",
)
@fix_options
@baseline_options
@limit_options
@caching_options
@jobs_option
@click.option("-v", "--verbose", is_flag=True, help="Tell how long phases and rules took.")
def check(  # noqa: PLR0913, PLR0917 - as many as there are groups of options
    paths: tuple[str, ...],
    add_ignore: str | None,
    jobs: int | None,
    verbose: bool,
    wanted: Wanted,
    reporting: Reporting,
    limits: Limits,
    fixing: Fixing,
    recording: Recording,
    caching: Caching,
) -> int:
    """Find faults in the flows of files and folders (default: this folder).

    Ends with 0 when no error or warning was found (or no more than the options allow), 1 when one
    was, and 2 when the command line or a setting is wrong, a path could not be checked, there was
    nothing to check, or flowlint failed.
    """
    configuration = wanted.configuration()
    paths, overlay = _taken(paths, wanted.stdin_filename)
    if wanted.show_settings or wanted.show_files:
        from flowlint.cli import showing

        if wanted.show_settings:
            return showing.show_settings(paths, configuration)
        return showing.show_files(paths, configuration, force_exclude=wanted.force_exclude)
    if add_ignore is not None:
        from flowlint.cli.adding import check_reason

        check_reason(add_ignore, is_unsaved=bool(overlay))
    settings = run_settings(configuration, wanted.stdin_filename)
    if reporting.output_format is None and reporting.output_file is None:
        reporting = replace(reporting, output_format=cast(Format | None, settings.output_format))
        reporting.check(settings.place_of("output-format"))
    progress = TerminalProgress(verbose=verbose)
    options = Options(
        configuration,
        jobs or settings.jobs,
        force_exclude=wanted.force_exclude,
        progress=progress,
        overlay=overlay,
        graphs=reporting.graphs,
        cache=caching.folder(settings, paths),
    )
    try:
        result, fixed = checked(fixing, paths, options)
    finally:
        progress.end()
    if fixed is not None and fixing.diff:
        return show_diff(fixed, fixing)
    if add_ignore is not None:
        from flowlint.cli.adding import add_ignores

        return add_ignores(result, add_ignore)
    writes = fixed is not None and not overlay
    against = recording.hold(result, paths, reports_of(configuration), fixes=writes)
    result = against.result
    with aside(fixed, overlay):
        show(result, reporting, ProjectFiles({**overlay, **(fixed.after if fixed else {})}))
        tell_fixed(fixing, fixed, result, people=reporting.format in FOR_PEOPLE)
    for remark in result.remarks:
        tell(f"warning: {remark}")
    for problem in result.problems:
        fail(str(problem))
    progress.tell_times()
    code = limits.exit_code(result)
    fails = against.fails or fixing.fails(fixed)
    return FINDINGS if fails and code == OK and not limits.exit_zero else code


def _taken(
    paths: tuple[str, ...], stdin_filename: str | None
) -> tuple[tuple[str, ...], dict[str, bytes]]:
    """The paths to check, and the text that is read from standard input."""
    if STDIN not in paths:
        if stdin_filename is not None:
            raise click.UsageError("--stdin-filename needs `-` as the only path")
        return paths or (".",), {}
    if len(paths) > 1:
        raise click.UsageError("`-` has to be the only path")
    name = stdin_filename or STDIN
    return (name,), {name: sys.stdin.buffer.read()}
