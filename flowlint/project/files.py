"""Texts on the disk, with unsaved buffers lying over them."""

from __future__ import annotations

import os
from collections.abc import Mapping

_FIRST_READ = 1 << 16
_NEXT_READ = 1 << 20


class ProjectFiles:
    """The disk, under an overlay of unsaved buffers by path."""

    __slots__ = ("_overlay",)

    def __init__(self, overlay: Mapping[str, bytes] | None = None) -> None:
        self._overlay = {_key(path): text for path, text in (overlay or {}).items()}

    def read(self, path: str) -> bytes:
        """The bytes of a file. Raises OSError when it cannot be read."""
        if self._overlay:
            buffer = self._overlay.get(_key(path))
            if buffer is not None:
                return buffer
        return read_bytes(path)

    def read_into(self, buffer: bytearray, path: str) -> int:
        """Read a file to the front of `buffer`, which grows if it must, and give its length.

        Much cheaper than `read` for one who looks at many files and keeps none. Raises OSError.
        """
        if self._overlay or not hasattr(os, "readv"):
            data = self.read(path)
            buffer[: len(data)] = data
            return len(data)
        descriptor = os.open(path, os.O_RDONLY)
        try:
            length = os.readv(descriptor, [buffer])
            if length < len(buffer):
                return length
            while part := os.read(descriptor, _NEXT_READ):
                buffer[length:] = part
                length += len(part)
            return length
        finally:
            os.close(descriptor)

    def is_file(self, path: str) -> bool:
        """Whether `path` is a file that can be asked for."""
        is_open = bool(self._overlay) and _key(path) in self._overlay
        return is_open or os.path.isfile(path)

    def is_dir(self, path: str) -> bool:
        """Whether `path` is a folder."""
        return os.path.isdir(path)


def read_bytes(path: str) -> bytes:
    """The bytes of a file on the disk, in as few calls as can be. Raises OSError."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        data = os.read(descriptor, _FIRST_READ)
        if len(data) < _FIRST_READ:
            return data
        parts = [data]
        left = os.fstat(descriptor).st_size - len(data)
        while part := os.read(descriptor, max(left, _NEXT_READ)):
            parts.append(part)
        return b"".join(parts)
    finally:
        os.close(descriptor)


def _key(path: str) -> str:
    return os.path.abspath(path)
