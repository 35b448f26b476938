"""The project that a file belongs to."""

from __future__ import annotations

import os

_MARKS = (".git", "pyproject.toml", "flowlint.toml", ".flowlint.toml")


class Roots:
    """Finds and remembers the project root of files."""

    __slots__ = ("_known",)

    def __init__(self) -> None:
        self._known: dict[str, str | None] = {}

    def of(self, path: str) -> str:
        """The nearest parent folder with a mark of a project, else the folder of `path`.

        A relative path gives a relative root, so that places in imported files are named in
        the way in which the user names files.
        """
        folder = os.path.dirname(os.path.abspath(path))
        root = self.around(folder) or folder
        return root if os.path.isabs(path) else os.path.relpath(root)

    def around(self, folder: str) -> str | None:
        """The nearest folder with a mark of a project, from `folder` up; None when there is none.

        Paths are absolute.
        """
        return self._search(folder)

    def _search(self, folder: str) -> str | None:
        if folder in self._known:
            return self._known[folder]
        parent = os.path.dirname(folder)
        found: str | None
        if any(os.path.exists(os.path.join(folder, mark)) for mark in _MARKS):
            found = folder
        else:
            found = None if parent == folder else self._search(parent)
        self._known[folder] = found
        return found
