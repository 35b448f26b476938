"""Files that commands write: wholly or not at all."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable


def write_whole(path: str, lines: Iterable[str]) -> None:
    """Write a text file of these lines, in place of what was there, once all of it is written.

    Folders that lack are made. A pipe or a device is written to as it is. Raises OSError with the
    name that the user gave.
    """
    try:
        mode = _mode_of(path)
        if mode is not None and not stat.S_ISREG(mode):
            _write_on(path, lines)
        else:
            _replace(os.path.realpath(path), mode, lines)
    except OSError as error:
        raise OSError(error.errno, error.strerror or str(error), path) from None


def _write_on(path: str | int, lines: Iterable[str]) -> None:
    with open(path, "w", encoding="utf-8", errors="backslashreplace", newline="\n") as file:
        file.writelines(f"{line}\n" for line in lines)


def _replace(path: str, mode: int | None, lines: Iterable[str]) -> None:
    import tempfile

    folder, name = os.path.split(path)
    os.makedirs(folder, exist_ok=True)
    descriptor, draft = tempfile.mkstemp(prefix=f".{name[:50]}.", dir=folder)
    try:
        _write_on(descriptor, lines)
        os.chmod(draft, _usual_mode() if mode is None else stat.S_IMODE(mode))
        os.replace(draft, path)
    except BaseException:
        os.unlink(draft)
        raise


def _mode_of(path: str) -> int | None:
    try:
        return os.stat(path).st_mode
    except FileNotFoundError:
        return None


def _usual_mode() -> int:
    mask = os.umask(0o077)
    os.umask(mask)
    return 0o666 & ~mask
