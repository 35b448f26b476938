"""The cache of one run."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass

from flowlint.cache.answers import Answers
from flowlint.cache.place import prepared, sweep
from flowlint.cache.plain import PlainFiles
from flowlint.project.plugins import plugins_state
from flowlint.source import Files


@dataclass(frozen=True, slots=True)
class Cache:
    """What is remembered of files without flows, and of files with some.

    `is_new` tells that nothing is remembered yet.
    """

    plain: PlainFiles
    answers: Answers
    is_new: bool


def opened(
    folder: str, paths: Sequence[str], files: Files, more: Sequence[tuple[bytes, ...]] = ()
) -> Cache:
    """The cache in a folder for a run over some paths. Raises OSError where there can be none.

    `more` is what files are sifted for besides what all are.
    """
    own = prepared(folder, plugins_state())
    is_new = not os.listdir(os.path.join(own, "answers"))
    sweep(own)
    plain = PlainFiles(os.path.join(own, "plain"), paths, more)
    return Cache(plain, Answers(os.path.join(own, "answers"), files), is_new)
