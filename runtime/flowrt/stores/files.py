"""Files that only their owner reads, and that are there whole or not at all."""

from __future__ import annotations

import os
import re
from contextlib import suppress
from itertools import count

from flowrt.errors import FlowError

BINARY = getattr(os, "O_BINARY", 0)
"""Windows would write other line ends without."""

_counter = count()
_RUN_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,199}")
_ARTIFACT = re.compile(r"sha256-[0-9a-f]{64}(?:\.[A-Za-z0-9]{1,16}){0,3}")
_SUFFIX = re.compile(r"(?:\.[A-Za-z0-9]{1,16}){0,3}")


def is_run_id(name: str) -> bool:
    """Whether a name can be a run's: nothing that leads out of a folder is one."""
    return _RUN_ID.fullmatch(name) is not None


def check_run_id(name: str) -> None:
    """Raise FlowError for a name that cannot be a run's."""
    if not is_run_id(name):
        raise FlowError(
            f"{name!r} cannot be the id of a run: use letters, digits, `.`, `_` and `-`, a letter "
            "or digit first, 200 characters at most"
        )


def is_artifact(name: str) -> bool:
    """Whether a name can be an artifact's."""
    return _ARTIFACT.fullmatch(name) is not None


def check_suffix(suffix: str) -> str:
    """The ending of an artifact's name. Raises FlowError when it is none."""
    if _SUFFIX.fullmatch(suffix) is None:
        raise FlowError(f"an artifact cannot be called *{suffix!r}: give an ending like `.json`")
    return suffix


def private_folder(path: str) -> None:
    """Make a folder for the owner alone; what leads to it is made as is usual."""
    os.makedirs(path, mode=0o700, exist_ok=True)


def write_all(fd: int, content: bytes) -> None:
    """Write everything, however many calls it takes. Raises OSError."""
    view = memoryview(content)
    while view:
        view = view[os.write(fd, view) :]


def write_whole(path: str, content: bytes, *, sync: bool = False) -> None:
    """Put a file in place in one step; a reader sees the old content or the new one.

    `sync` waits until the content is on the disk. Raises OSError.
    """
    folder, name = os.path.split(path)
    temporary = os.path.join(folder, f".{name}.{os.getpid()}.{next(_counter)}.tmp")
    fd = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | BINARY, 0o600)
    try:
        try:
            write_all(fd, content)
            if sync:
                os.fsync(fd)
        finally:
            os.close(fd)
        os.replace(temporary, path)
    except BaseException:
        with suppress(OSError):
            os.unlink(temporary)
        raise
    if sync:
        sync_folder(folder)


def sweep(folder: str) -> None:
    """Remove what writers that were killed left behind. Nobody may be writing there."""
    with suppress(OSError):
        for name in os.listdir(folder):
            if name.startswith(".") and name.endswith(".tmp"):
                os.unlink(os.path.join(folder, name))


def sync_folder(path: str) -> None:
    """Wait until the names in a folder are on the disk."""
    if os.name == "nt":
        return
    fd = os.open(path, os.O_RDONLY)
    try:
        os.fsync(fd)
    finally:
        os.close(fd)


def read_file(path: str) -> bytes | None:
    """The content of a file, None when there is none. Raises OSError for anything else."""
    try:
        with open(path, "rb") as file:
            return file.read()
    except (FileNotFoundError, NotADirectoryError):
        return None
