"""Which language a file of code is written in."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Protocol

from flowlint.source import Files, Span
from flowlint.suffixes import DATA_SUFFIXES, SCRIPT_SUFFIXES
from flowlint.values.following import Models
from flowlint.values.model import Built


class Fault(Protocol):
    """One place where a text is none of its language."""

    @property
    def span(self) -> Span:
        """Where it is."""

    @property
    def message(self) -> str:
        """What is wrong, in plain words without a full stop."""


class Evaluation(Protocol):
    """What evaluating one file brought to light."""

    @property
    def built(self) -> Sequence[Built]:
        """What was built, in the order in which it was."""

    @property
    def faults(self) -> Sequence[Fault]:
        """What is wrong with the text."""


@dataclass(frozen=True, slots=True)
class _Nothing:
    built: tuple[Built, ...] = ()
    faults: tuple[Fault, ...] = ()


def evaluate_file(path: str, files: Files, root: str, models: Models) -> Evaluation:
    """Follow all that a file builds.

    A file of TypeScript gives nothing where the packages that parse it are not installed. Raises
    OSError when the file cannot be read.
    """
    if path.endswith(SCRIPT_SUFFIXES):
        if not can_read_typescript():
            return _Nothing()
        from flowlint.languages.typescript.frontend import evaluate_file as evaluate_typescript

        return evaluate_typescript(path, files, root, models)
    from flowlint.languages.python.frontend import evaluate_file as evaluate_python

    return evaluate_python(path, files, root, models)


def load_languages(paths: Iterable[str]) -> None:
    """Import what reading these files needs, and not only once it is needed."""
    code = [path for path in paths if not path.endswith(DATA_SUFFIXES)]
    scripts = sum(path.endswith(SCRIPT_SUFFIXES) for path in code)
    if scripts and can_read_typescript():
        import flowlint.languages.typescript.bodies.reader
        import flowlint.languages.typescript.frontend
        import flowlint.languages.typescript.reading.parsing
    if scripts < len(code):
        import flowlint.languages.python.bodies.reader
        import flowlint.languages.python.frontend  # noqa: F401


@cache
def can_read_typescript() -> bool:
    """Whether the packages that parse TypeScript are installed."""
    from importlib.util import find_spec

    return find_spec("tree_sitter") is not None and find_spec("tree_sitter_typescript") is not None
