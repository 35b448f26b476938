"""`flowlint check`: find faults in flows."""

from __future__ import annotations

import sys

import click

from flowlint.cli.baseline import Recording, baseline_options
from flowlint.cli.caching import Caching, caching_options
from flowlint.cli.fixing import Fixing, fix_options
from flowlint.cli.options import jobs_option, paths_argument
from flowlint.cli.reporting import Limits, Reporting, limit_options, report_options
from flowlint.cli.running import Asked, run_check
from flowlint.cli.settings_options import Wanted, settings_options

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
@click.option(
    "-w", "--watch", is_flag=True, help="Check again whenever something changes, until Ctrl-C."
)
def check(  # noqa: PLR0913, PLR0917 - as many as there are groups of options
    paths: tuple[str, ...],
    add_ignore: str | None,
    jobs: int | None,
    verbose: bool,
    watch: bool,
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
    if watch:
        _check_watching(paths, add_ignore, wanted, fixing, recording)
    configuration = wanted.configuration()
    paths, overlay = _taken(paths, wanted.stdin_filename)
    if wanted.show_settings or wanted.show_files:
        from flowlint.cli import showing

        if wanted.show_settings:
            over = showing.stated_by_options(click.get_current_context())
            return showing.show_settings(paths, configuration, over)
        return showing.show_files(paths, configuration, force_exclude=wanted.force_exclude)
    if add_ignore is not None:
        from flowlint.cli.adding import check_reason

        check_reason(add_ignore, is_unsaved=bool(overlay))
    asked = Asked(
        paths,
        overlay,
        wanted,
        reporting,
        limits,
        fixing,
        recording,
        caching,
        jobs,
        add_ignore,
        verbose,
    )
    if not watch:
        return run_check(asked).code
    from flowlint.cli.watch import follow
    from flowlint.project.watched import watched

    read = [file for file in (wanted.file(), recording.file) if file is not None]
    rewritten = [file for file in (reporting.output_file, recording.file) if file is not None]
    return follow(
        lambda: run_check(asked).written,
        lambda: watched(paths, wanted.configuration(), read),
        rewritten,
    )


def _check_watching(
    paths: tuple[str, ...],
    add_ignore: str | None,
    wanted: Wanted,
    fixing: Fixing,
    recording: Recording,
) -> None:
    """Raise UsageError for what goes with one check only."""
    from flowlint.cli.watch import check_watching

    once = {
        f"`{STDIN}`": STDIN in paths,
        "--diff": fixing.diff,
        ADD_IGNORE: add_ignore is not None,
        "--update-baseline": recording.update,
        "--prune-baseline": recording.prune,
        "--show-settings": wanted.show_settings,
        "--show-files": wanted.show_files,
    }
    check_watching(paths, once)


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
