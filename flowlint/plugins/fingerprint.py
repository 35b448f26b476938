"""What changes whenever plugins may give other answers: for those who keep answers."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import TYPE_CHECKING

from flowlint.plugins.installed import all_installed

if TYPE_CHECKING:
    from flowlint.plugins.model import Plugin

_RECORD = "RECORD"


def plugins_fingerprint() -> str:
    """A line for each plugin: its name, its distribution with the version, a digest of its code."""
    return "\n".join(
        f"{plugin.group} {plugin.name} {plugin.origin} {_digest(plugin)}"
        for plugin in all_installed()
    )


def _digest(plugin: Plugin) -> str:
    """Of installed code what its installer recorded, of code that is worked on the files' state."""
    import hashlib

    top = plugin.module.partition(":")[0].partition(".")[0]
    places = sorted(_places(top))
    own = os.path.dirname(plugin.metadata)
    record = os.path.join(plugin.metadata, _RECORD)
    digest = hashlib.blake2b(repr(plugin.module).encode(), digest_size=16)
    if os.path.isfile(record) and places and all(os.path.dirname(p) == own for p in places):
        with open(record, "rb") as file:
            digest.update(file.read())
    else:
        for state in sorted(state for place in places for state in _states(place)):
            digest.update(repr(state).encode())
    return digest.hexdigest()


def _places(top: str) -> set[str]:
    """The files and folders that hold a package or module."""
    from importlib.util import find_spec

    try:
        spec = find_spec(top)
    except (ImportError, ValueError, AttributeError):
        return set()
    if spec is None:
        return set()
    if spec.submodule_search_locations is not None:
        return set(spec.submodule_search_locations)
    return {spec.origin} if spec.origin is not None else set()


def _states(place: str) -> Iterator[tuple[str, int, int]]:
    if os.path.isfile(place):
        yield _state(place, os.path.basename(place))
    for folder, _, files in os.walk(place):
        if os.path.basename(folder) != "__pycache__":
            for name in files:
                path = os.path.join(folder, name)
                yield _state(path, os.path.relpath(path, place))


def _state(path: str, name: str) -> tuple[str, int, int]:
    try:
        found = os.stat(path)
    except OSError:
        return name, -1, -1
    return name, found.st_size, found.st_mtime_ns
