"""`flowlint check --watch`: check again whenever something changes that the findings rest on."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from time import sleep
from typing import NoReturn

import click

from flowlint.cli.group import fail, tell
from flowlint.cli.options import on_terminal
from flowlint.project.settings.files import SettingsError
from flowlint.project.settings.stated import shown_path
from flowlint.project.watched import Watched

Run = Callable[[], Mapping[str, bytes]]
"""Checks once and tells what it found; gives what it wrote to which files."""

Look = Callable[[], Watched]
"""Gives what the run rests on, as it is now. Raises SettingsError."""

_QUIET_MS = 50
"""Changes belong together until nothing happens for so long."""

_TOGETHER_MS = 400
"""Changes are told after so long even if there is no end of them."""

_SETTLED_MS = 1000
"""After so long it is looked for what happened before the system began to tell of changes."""

_CLEAR = "\x1b[2J\x1b[H"
_AGAIN = "Watching for changes; Ctrl-C ends this."


def check_watching(paths: Sequence[str], others: Mapping[str, bool]) -> None:
    """Raise UsageError for what cannot be watched, and where other options want something else.

    `others` tells which of these options are given.
    """
    for name, is_given in others.items():
        if is_given:
            raise click.UsageError(f"--watch and {name} do not go together")
    for path in paths:
        if not os.path.exists(path):
            raise click.UsageError(f"--watch needs paths that are there, and {path} is not")
    try:
        import watchfiles  # noqa: F401
    except ImportError:
        raise click.UsageError(
            "--watch needs the package watchfiles: install it with `pip install 'flowls[watch]'`"
        ) from None


def follow(run: Run, look: Look, rewritten: Collection[str]) -> NoReturn:
    """Run, and again at every change, until somebody interrupts it.

    `rewritten` are files that each run writes to whatever it finds.
    """
    seen = look()
    _clear()
    seen = _told(run, seen, rewritten)
    while True:
        for happened in _happenings(seen.folders):
            if happened and not any(map(seen.may_concern, happened)):
                continue
            now = _look_again(look, seen)
            changes = seen.changes(now)
            if changes:
                _clear()
                tell(f"{_names(changes)} changed.")
                now = _told_whatever_happens(run, now, rewritten)
            are_others = now.folders != seen.folders
            seen = now
            if are_others:
                break


def _look_again(look: Look, seen: Watched) -> Watched:
    try:
        return look()
    except SettingsError:
        # The run will tell it; until it is mended nobody knows what the settings leave out.
        return seen.again()


def _told(run: Run, seen: Watched, rewritten: Collection[str]) -> Watched:
    fixed = run()
    now = seen.renewed(rewritten).fixed(fixed)
    sys.stdout.flush()
    tell(_AGAIN)
    return now


def _told_whatever_happens(run: Run, seen: Watched, rewritten: Collection[str]) -> Watched:
    """The same, where what is wrong with settings is waited for to be mended."""
    try:
        return _told(run, seen, rewritten)
    except SettingsError as error:
        fail(str(error))
    except click.UsageError as error:
        fail(error.format_message())
    tell(_AGAIN)
    return seen


def _happenings(folders: Collection[str]) -> Iterator[Collection[str]]:
    """The paths to which something happens, first none once the system tells of all."""
    from watchfiles import watch

    is_settled = False
    try:
        for batch in watch(
            *sorted(folders),
            watch_filter=None,
            debounce=_TOGETHER_MS,
            step=_QUIET_MS,
            rust_timeout=_SETTLED_MS,
            yield_on_timeout=True,
            recursive=False,
            ignore_permission_denied=True,
        ):
            if not is_settled:
                is_settled = True
                yield ()
            elif batch:
                yield {path for _, path in batch}
    except FileNotFoundError:
        # A folder went before it could be watched.
        sleep(_QUIET_MS / 1000)
        yield ()
    except OSError as error:
        raise click.ClickException(
            f"the system tells of no changes ({error.strerror or error}): "
            "set WATCHFILES_FORCE_POLLING=1 to look for them again and again instead"
        ) from None


def _names(paths: Sequence[str]) -> str:
    first, *others = map(shown_path, paths)
    if not others:
        return first
    return f"{first} and {others[0] if len(others) == 1 else f'{len(others)} more files'}"


def _clear() -> None:
    if on_terminal():
        sys.stdout.write(_CLEAR)
        sys.stdout.flush()
