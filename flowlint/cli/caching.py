"""Options that say where answers are kept from run to run."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import wraps
from typing import Any

import click

from flowlint.project.root import Roots
from flowlint.project.settings.model import Settings

DEFAULT_NAME = ".flowlint_cache"


@dataclass(frozen=True, slots=True)
class Caching:
    """What the command line and the environment say of the cache."""

    no_cache: bool = False
    cache_dir: str | None = None

    def folder(self, settings: Settings, paths: Sequence[str]) -> str | None:
        """The folder of the cache; None where there is to be none.

        Where nobody names one it is in the project that the first path belongs to; what is no
        project is not littered.
        """
        if self.no_cache:
            return None
        return self.stated(settings) or default_folder(paths[0])

    def stated(self, settings: Settings) -> str | None:
        """The folder that somebody named."""
        named = self.cache_dir or settings.cache_dir
        return os.path.abspath(named) if named else None


def default_folder(path: str) -> str | None:
    """The folder of the cache of the project around a path; None where there is no project."""
    here = os.path.abspath(path)
    project = Roots().around(here if os.path.isdir(here) else os.path.dirname(here))
    return None if project is None else os.path.join(project, DEFAULT_NAME)


def caching_options(command: Callable[..., int]) -> Callable[..., int]:
    """Options of which the command gets a Caching as `caching`."""

    @wraps(command)
    def caching_command(no_cache: bool, cache_dir: str | None, **options: Any) -> int:
        return command(caching=Caching(no_cache, cache_dir), **options)

    decorated: Callable[..., int] = caching_command
    for option in reversed(_OPTIONS):
        decorated = option(decorated)
    return decorated


_OPTIONS = (
    click.option(
        "-n",
        "--no-cache",
        is_flag=True,
        envvar="FLOWLINT_NO_CACHE",
        help="Find everything out anew, and keep nothing for the next run.",
    ),
    click.option(
        "--cache-dir",
        metavar="DIR",
        envvar="FLOWLINT_CACHE_DIR",
        help="Where to keep what was found out.  [default: .flowlint_cache in the project]",
    ),
)
