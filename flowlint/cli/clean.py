"""`flowlint clean`: remove what runs have kept."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence

import click

from flowlint.cache.place import is_cache, remove
from flowlint.cli.caching import DEFAULT_NAME, Caching, default_folder
from flowlint.cli.group import fail
from flowlint.cli.main import FAILURE, OK
from flowlint.cli.options import paths_argument
from flowlint.cli.settings_options import run_settings
from flowlint.project.excluded import EXCLUDED
from flowlint.project.settings.finding import Configuration
from flowlint.project.settings.stated import shown_path


@click.command()
@paths_argument
@click.option(
    "--cache-dir",
    metavar="DIR",
    envvar="FLOWLINT_CACHE_DIR",
    help="Where the cache is, if it is not in the project.",
)
def clean(paths: tuple[str, ...], cache_dir: str | None) -> int:
    """Remove the caches of the projects that PATHs belong to and contain (default: this folder).

    Nothing is removed that flowlint did not put there. Ends with 0, or with 2 where something
    could not be removed.
    """
    stated = Caching(cache_dir=cache_dir).stated(run_settings(Configuration()))
    code = OK
    found = dict.fromkeys(_caches(paths or (".",), stated))
    for folder in found:
        try:
            remove(folder)
        except OSError as error:
            fail(f"{shown_path(folder)}: cannot be removed: {error.strerror or error}")
            code = FAILURE
        else:
            click.echo(f"Removed {shown_path(folder)}")
    if not found:
        click.echo("There is no cache here.")
    return code


def _caches(paths: Sequence[str], stated: str | None) -> Iterator[str]:
    if stated is not None and is_cache(stated):
        yield stated
    for path in paths:
        if not os.path.exists(path):
            raise click.UsageError(f"{path}: no such file or folder")
        around = default_folder(path)
        if around is not None and is_cache(around):
            yield around
        for folder, names, _ in os.walk(path):
            own = os.path.abspath(os.path.join(folder, DEFAULT_NAME))
            if DEFAULT_NAME in names and is_cache(own):
                yield own
            names[:] = [name for name in names if name not in EXCLUDED]
