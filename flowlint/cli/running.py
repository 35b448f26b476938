"""One check from its settings to its exit code, as the command line wants it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import cast

from flowlint.check import Options
from flowlint.cli.baseline import Recording, reports_of
from flowlint.cli.caching import Caching
from flowlint.cli.fixing import Fixing, aside, checked, show_diff, tell_fixed
from flowlint.cli.group import fail, tell
from flowlint.cli.main import FINDINGS, OK
from flowlint.cli.progress import TerminalProgress
from flowlint.cli.reporting import Limits, Reporting, show
from flowlint.cli.settings_options import Wanted, run_settings
from flowlint.project.files import ProjectFiles
from flowlint.report.formats import FOR_PEOPLE, Format


@dataclass(frozen=True, slots=True)
class Asked:
    """What the command line says about one check. `overlay` holds what standard input gave."""

    paths: tuple[str, ...]
    overlay: Mapping[str, bytes]
    wanted: Wanted
    reporting: Reporting
    limits: Limits
    fixing: Fixing
    recording: Recording
    caching: Caching
    jobs: int | None
    add_ignore: str | None
    verbose: bool


@dataclass(frozen=True, slots=True)
class Ended:
    """The exit code of a check, and what it wrote to the files that it fixed."""

    code: int
    written: Mapping[str, bytes] = field(default_factory=dict)


def run_check(asked: Asked) -> Ended:
    """Check once, with the settings as they are now, and tell what was found."""
    paths, overlay, fixing = asked.paths, asked.overlay, asked.fixing
    configuration = asked.wanted.configuration()
    settings = run_settings(configuration, asked.wanted.stdin_filename)
    reporting = asked.reporting
    if reporting.output_format is None and reporting.output_file is None:
        reporting = replace(reporting, output_format=cast(Format | None, settings.output_format))
        reporting.check(settings.place_of("output-format"))
    progress = TerminalProgress(verbose=asked.verbose)
    options = Options(
        configuration,
        asked.jobs or settings.jobs,
        force_exclude=asked.wanted.force_exclude,
        progress=progress,
        overlay=overlay,
        graphs=reporting.graphs,
        cache=asked.caching.folder(settings, paths),
    )
    try:
        result, fixed = checked(fixing, paths, options)
    finally:
        progress.end()
    if fixed is not None and fixing.diff:
        return Ended(show_diff(fixed, fixing))
    if asked.add_ignore is not None:
        from flowlint.cli.adding import add_ignores

        return Ended(add_ignores(result, asked.add_ignore))
    mended = fixed.applied if fixed is not None and not overlay else None
    against = asked.recording.hold(result, paths, reports_of(configuration), mended)
    result = against.result
    with aside(fixed, overlay):
        show(result, reporting, ProjectFiles({**overlay, **(fixed.after if fixed else {})}))
        tell_fixed(fixing, fixed, result, people=reporting.format in FOR_PEOPLE)
    for remark in result.remarks:
        tell(f"warning: {remark}")
    for problem in result.problems:
        fail(str(problem))
    progress.tell_times()
    code = asked.limits.exit_code(result)
    fails = against.fails or fixing.fails(fixed)
    failed = fails and code == OK and not asked.limits.exit_zero
    return Ended(FINDINGS if failed else code, fixed.after if fixed is not None else {})
