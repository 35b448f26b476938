"""Files as the editor sees them: what is open lies over the disk."""

from __future__ import annotations

import os

from flowlint.project.files import read_bytes


class OpenFiles:
    """The disk under the texts that are open. Paths are absolute."""

    def __init__(self) -> None:
        self.open: dict[str, bytes] = {}

    def read(self, path: str) -> bytes:
        """The bytes of a file. Raises OSError when it cannot be read."""
        data = self.open.get(path)
        if data is None:
            data = self.open.get(os.path.abspath(path)) if not os.path.isabs(path) else None
        return read_bytes(path) if data is None else data

    def is_file(self, path: str) -> bool:
        """Whether `path` is a file that can be asked for."""
        return path in self.open or os.path.isfile(path)

    def is_dir(self, path: str) -> bool:
        """Whether `path` is a folder."""
        return os.path.isdir(path)
