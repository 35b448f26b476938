"""Paths as the services that read reports want them: from the root of the repository."""

from __future__ import annotations

import os
from collections.abc import Mapping

_CHECKOUTS = ("GITHUB_WORKSPACE", "CI_PROJECT_DIR")


def repository_root(environment: Mapping[str, str], folder: str) -> str:
    """The checkout that `folder` lies in; `folder` itself where there is none."""
    here = os.path.realpath(folder)
    for name in _CHECKOUTS:
        stated = environment.get(name)
        if stated and _within(here, os.path.realpath(stated)):
            return os.path.realpath(stated)
    above = here
    while not os.path.exists(os.path.join(above, ".git")):
        parent = os.path.dirname(above)
        if parent == above:
            return here
        above = parent
    return above


def below(path: str, root: str) -> str | None:
    """The path from `root` on, with `/` between its parts; None for a path outside of it."""
    root = os.path.realpath(root)
    whole = os.path.abspath(path)
    if not _within(whole, root):
        folder, name = os.path.split(whole)
        whole = os.path.join(os.path.realpath(folder), name)
        if not _within(whole, root):
            return None
    return os.path.relpath(whole, root).replace(os.sep, "/")


def from_root(path: str, root: str) -> str:
    """The path from `root` on, or as it is when it lies outside."""
    return below(path, root) or path.replace(os.sep, "/")


def uri_of(path: str) -> str:
    """A path between slashes as a part of a URI."""
    from urllib.parse import quote

    return quote(os.fsencode(path), safe="/")


def file_uri(path: str, *, folder: bool = False) -> str:
    """The `file:` URI of a path; that of a folder ends with a slash."""
    whole = os.path.abspath(path).replace(os.sep, "/")
    start = "" if whole.startswith("/") else "/"
    end = "/" if folder and not whole.endswith("/") else ""
    return f"file://{start}{uri_of(whole)}{end}"


def _within(path: str, folder: str) -> bool:
    return path == folder or path.startswith(os.path.join(folder, ""))
