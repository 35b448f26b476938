"""Locks between processes that die with the process that holds them.

A file of a run is locked as a whole. Where many runs share one file, each locks one byte of a
side file: one open file then does for any number of runs.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from threading import Lock
from time import monotonic, sleep

_PATIENCE = 1.0
"""Seconds in which a lock is asked for again while others only look whether it is taken."""

if sys.platform == "win32":
    import msvcrt

    def _lock(fd: int, byte: int) -> None:
        os.lseek(fd, byte, os.SEEK_SET)
        msvcrt.locking(fd, msvcrt.LK_NBLCK, 1)

    def _lock_whole(fd: int) -> None:
        # Far beyond the end: there a lock keeps nobody from reading.
        _lock(fd, 0x7FFFFFFE)

    def _unlock(fd: int, byte: int) -> None:
        os.lseek(fd, byte, os.SEEK_SET)
        msvcrt.locking(fd, msvcrt.LK_UNLCK, 1)

    def _try_whole(fd: int) -> None:
        _lock_whole(fd)
        _unlock(fd, 0x7FFFFFFE)

    def _try(fd: int, byte: int) -> None:
        _lock(fd, byte)
        _unlock(fd, byte)
else:
    import fcntl

    def _lock(fd: int, byte: int) -> None:
        fcntl.lockf(fd, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, byte)

    def _lock_whole(fd: int) -> None:
        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)

    def _unlock(fd: int, byte: int) -> None:
        fcntl.lockf(fd, fcntl.LOCK_UN, 1, byte)

    def _try_whole(fd: int) -> None:
        # Shared, so that those who only look never see each other.
        fcntl.flock(fd, fcntl.LOCK_SH | fcntl.LOCK_NB)
        fcntl.flock(fd, fcntl.LOCK_UN)

    def _try(fd: int, byte: int) -> None:
        fcntl.lockf(fd, fcntl.LOCK_SH | fcntl.LOCK_NB, 1, byte)
        _unlock(fd, byte)


_whole: set[int] = set()


def lock_file(fd: int) -> bool:
    """Lock an open file as a whole until `unlock_file`; False when somebody else has it."""
    if not _taken(lambda: _lock_whole(fd), lambda: _try_whole(fd)):
        return False
    _whole.add(fd)
    return True


def _taken(lock: Callable[[], None], look: Callable[[], None]) -> bool:
    """Take a lock that nobody has. Who only looks has it for a moment, but shares it."""
    end = monotonic() + _PATIENCE
    while True:
        try:
            lock()
            return True
        except (BlockingIOError, PermissionError):
            if _is_refused(look) or monotonic() > end:
                return False
        sleep(0.0005)


def _is_refused(look: Callable[[], None]) -> bool:
    try:
        look()
    except (BlockingIOError, PermissionError):
        return True
    return False


def is_locked(fd: int) -> bool:
    """Whether somebody has locked the file as a whole; `fd` is an opening of its own."""
    return _is_refused(lambda: _try_whole(fd))


def unlock_file(fd: int) -> None:
    """Close the file, which gives the lock back."""
    _whole.discard(fd)
    os.close(fd)


class _Shared:
    """The one open file through which this process locks bytes of a side file.

    The system knows byte locks by process and file: closing *any* descriptor of the file would
    give all of them back, and two openings in one process would not see each other.
    """

    def __init__(self, fd: int) -> None:
        self.fd = fd
        self.held: dict[int, ByteLock] = {}


_shared: dict[tuple[int, int], _Shared] = {}
_guard = Lock()


class ByteLock:
    """A held lock on one byte of a side file."""

    def __init__(self, key: tuple[int, int], byte: int) -> None:
        self._key = key
        self._byte = byte

    @property
    def held(self) -> bool:
        """Whether this process still has the lock; what a fork made has it not."""
        shared = _shared.get(self._key)
        return shared is not None and shared.held.get(self._byte) is self

    def release(self) -> None:
        """Give the lock back; a second time does nothing."""
        with _guard:
            if not self.held:
                return
            shared = _shared[self._key]
            _unlock(shared.fd, self._byte)
            del shared.held[self._byte]
            if not shared.held:
                os.close(shared.fd)
                del _shared[self._key]


def lock_byte(path: str, byte: int) -> ByteLock | None:
    """Lock one byte of a file, which is made when missing; None when somebody else has it."""
    with _guard:
        try:
            known = os.stat(path)
            key = (known.st_dev, known.st_ino)
        except FileNotFoundError:
            key = (-1, -1)
        shared = _shared.get(key)
        if shared is None:
            fd = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
            made = os.fstat(fd)
            key = (made.st_dev, made.st_ino)
            shared = _shared[key] = _Shared(fd)
        if byte in shared.held:
            return None
        fd = shared.fd
        if not _taken(lambda: _lock(fd, byte), lambda: _try(fd, byte)):
            if not shared.held:
                os.close(fd)
                del _shared[key]
            return None
        lock = shared.held[byte] = ByteLock(key, byte)
        return lock


def byte_is_locked(path: str, byte: int) -> bool:
    """Whether somebody has locked a byte of a file, which may be missing and is not written to."""
    with _guard:
        try:
            known = os.stat(path)
        except FileNotFoundError:
            return False
        shared = _shared.get((known.st_dev, known.st_ino))
        if shared is not None and byte in shared.held:
            return True
        # Another descriptor must not be closed while this process holds bytes through the first.
        fd = os.open(path, os.O_RDONLY) if shared is None else shared.fd
        try:
            return _is_refused(lambda: _try(fd, byte))
        finally:
            if shared is None:
                os.close(fd)


def _forget_in_child() -> None:
    """A forked child holds nothing, and must not keep its parent's files locked."""
    global _guard  # noqa: PLW0603
    _guard = Lock()
    if _whole:
        # The numbers stay taken, so that a stale log cannot write into somebody else's file.
        nothing = os.open(os.devnull, os.O_RDONLY)
        for fd in _whole:
            os.dup2(nothing, fd, inheritable=False)
        os.close(nothing)
        _whole.clear()
    for shared in _shared.values():
        os.close(shared.fd)
    _shared.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget_in_child)
