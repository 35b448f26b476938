"""Which plugins are installed.

`importlib.metadata` tells the same; importing it takes longer than all the rest of a start. Nor is
anything else imported here: most of those who ask have no plugins.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from flowlint.plugins.model import Plugin

RULES, DIALECTS = "flowlint.rules", "flowlint.dialects"
"""The groups of entry points that are looked for."""

_MARK = b"[flowlint."
_METADATA = (".dist-info", ".egg-info")


def installed(group: str) -> tuple[Plugin, ...]:
    """The plugins of a group, in the same order wherever they are installed."""
    return tuple(plugin for plugin in all_installed() if plugin.group == group)


@cache
def all_installed() -> tuple[Plugin, ...]:
    """All plugins there are."""
    stated = list(_stated())
    if not stated:
        return ()
    from flowlint.plugins.model import plugins_of

    return tuple(sorted(plugin for one in stated for plugin in plugins_of(*one)))


def read(path: str) -> bytes:
    """The bytes of a file; none when it cannot be read."""
    try:
        descriptor = os.open(path, os.O_RDONLY)
    except OSError:
        return b""
    try:
        parts: list[bytes] = []
        while part := os.read(descriptor, 1 << 16):
            parts.append(part)
        return b"".join(parts)
    finally:
        os.close(descriptor)


def _stated() -> Iterator[tuple[str, str]]:
    """The metadata of distributions that name us, with the entry points that they state."""
    for _, metadata in distributions():
        data = read(f"{metadata}{os.sep}entry_points.txt")
        if _MARK in data:
            yield metadata, data.decode("utf-8", "replace")


@cache
def distributions() -> tuple[tuple[str, str], ...]:
    """The distributions that are installed, by normal name, with the folders of their metadata.

    Each is there once: as the one that Python would import.
    """
    found: list[tuple[str, str]] = []
    seen: set[str] = set()
    for folder in _folders():
        here: set[str] = set()
        for name in _listed(folder):
            if name.endswith(_METADATA):
                stem = name.partition("-")[0].removesuffix(".egg")
                stem = stem.lower().replace("_", "-").replace(".", "-")
                here.add(stem)
                if stem not in seen:
                    found.append((stem, f"{folder}{os.sep}{name}"))
        seen |= here
    return tuple(found)


def _folders() -> Iterator[str]:
    """Where packages are installed: never the working folder, whose code is looked at, not run."""
    try:
        here = os.getcwd()
    except OSError:
        here = ""
    return (entry for entry in sys.path if entry not in ("", ".", here))


def _listed(folder: str) -> list[str]:
    try:
        return os.listdir(folder)
    except OSError:
        return []
