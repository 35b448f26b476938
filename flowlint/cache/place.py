"""Where the cache lies, and how it is made and removed.

.flowlint_cache/
    CACHEDIR.TAG    tells backups that they need none of this
    .gitignore      keeps all of it out of repositories
    <version>/      what one flowlint found out: another one trusts none of it
        answers/    a file for each file that may hold flows
        plain/      a file for each run over folders
"""

from __future__ import annotations

import contextlib
import os
import shutil
import sys
import time
from collections.abc import Iterator

from flowlint.findings.model import digest_of
from flowlint.plugins.installed import distributions
from flowlint.project.files import read_bytes

TAG = "CACHEDIR.TAG"
PARTS = ("answers", "plain")

_SIGNATURE = "Signature: 8a477f597d28d172789f06886806bc55"
_MARKS = {
    TAG: f"{_SIGNATURE}\n# This folder is flowlint's cache: see https://bford.info/cachedir/\n",
    ".gitignore": "*\n",
}
_READERS = ("libcst", "pyyaml", "tree-sitter", "tree-sitter-typescript")
_VERSION_PREFIX = "v-"
_SWEPT = "swept"

DAY = 24 * 3600
_KEPT = 30 * DAY
"""Seconds after which what nobody used is dropped."""


def prepared(folder: str, plugins: str = "") -> str:
    """The part of a cache that is of this flowlint, made if it is not there. Raises OSError.

    `plugins` tells which plugins this flowlint has.
    """
    own = os.path.join(folder, f"{_VERSION_PREFIX}{_fingerprint(plugins)}")
    if not os.path.isdir(own):
        os.makedirs(folder, exist_ok=True)
        for name, text in _MARKS.items():
            with (
                contextlib.suppress(FileExistsError),
                open(_in(folder, name), "x", encoding="utf-8") as file,
            ):
                file.write(text)
    for part in PARTS:
        os.makedirs(os.path.join(own, part), exist_ok=True)
    return own


def is_cache(folder: str) -> bool:
    """Whether a folder is a cache that flowlint made."""
    return _holds(_in(folder, TAG), _MARKS[TAG])


def remove(folder: str) -> None:
    """Remove a cache with all that flowlint put there, and nothing else. Raises OSError.

    A link that leads to it was put there by somebody else, and stays.
    """
    for name in os.listdir(folder):
        if name.startswith(_VERSION_PREFIX):
            shutil.rmtree(os.path.join(folder, name))
    for name, text in _MARKS.items():
        if _holds(_in(folder, name), text):
            os.unlink(_in(folder, name))
    if not os.listdir(folder) and not os.path.islink(folder):
        os.rmdir(folder)


def sweep(own: str) -> None:
    """Drop what nobody used for a month, once a day. What cannot be dropped stays."""
    marker = os.path.join(own, _SWEPT)
    now = time.time()
    if now - _used(marker) < DAY:
        return
    with contextlib.suppress(OSError):
        open(marker, "w").close()
        os.utime(marker)
        for path in _files(own):
            if now - _used(path) > _KEPT:
                os.unlink(path)
        cache = os.path.dirname(own)
        for name in os.listdir(cache):
            other = os.path.join(cache, name)
            if name.startswith(_VERSION_PREFIX) and now - _used(other, _SWEPT) > _KEPT:
                shutil.rmtree(other, ignore_errors=True)


def _files(own: str) -> Iterator[str]:
    for part in PARTS:
        folder = os.path.join(own, part)
        yield from (os.path.join(folder, name) for name in os.listdir(folder))


def _used(*path: str) -> float:
    """When a file was last written or marked as used; seconds since the epoch, 0 for never."""
    try:
        return os.stat(os.path.join(*path)).st_mtime
    except OSError:
        return 0.0


def _in(folder: str, name: str) -> str:
    return os.path.join(folder, name)


def _holds(path: str, text: str) -> bool:
    try:
        return read_bytes(path) == text.encode()
    except OSError:
        return False


def _fingerprint(plugins: str) -> str:
    """What tells this flowlint from one that may find other things."""
    parts = (sys.version, sys.platform, plugins, _program(), *_readers())
    return digest_of("\0".join(parts).encode())


def _readers() -> list[str]:
    """The releases of the libraries that read files for us."""
    found = (os.path.basename(metadata) for name, metadata in distributions() if name in _READERS)
    return sorted(found)


def _program() -> str:
    """Which flowlint this is: what its installer recorded, or the state of its own files."""
    package = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    around = os.path.dirname(package)
    for name in os.listdir(around):
        if name.startswith("flowls-") and name.endswith(".dist-info"):
            with (
                contextlib.suppress(OSError),
                open(os.path.join(around, name, "RECORD"), "rb") as f,
            ):
                return digest_of(f.read())
    states: list[str] = []
    for folder, _, names in os.walk(package):
        for name in names:
            if name.endswith((".py", ".json")):
                state = os.stat(os.path.join(folder, name))
                states.append(f"{folder}/{name} {state.st_mtime_ns} {state.st_size}")
    return "\n".join(sorted(states))
