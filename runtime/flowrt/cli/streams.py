"""The streams of the process: all three are there, and stdout is for results alone."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout
from typing import TextIO


def open_streams() -> None:
    """Open streams that the process was started without, so that no file gets their numbers.

    What is written there goes nowhere. Texts that an encoding has not are spelled out.
    """
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        if getattr(sys, name) is None:
            _open(number, name)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def _open(number: int, name: str) -> None:
    nothing = os.open(os.devnull, os.O_RDWR)
    if nothing != number and not _is_open(number):
        os.dup2(nothing, number)
        os.close(nothing)
        nothing = number
    mode = "w" if number else "r"
    setattr(sys, name, open(nothing, mode, encoding="utf-8", closefd=False))  # noqa: SIM115


def _is_open(number: int) -> bool:
    try:
        os.fstat(number)
    except OSError:
        return False
    return True


@contextmanager
def results_alone() -> Iterator[TextIO]:
    """The real stdout; whatever else the process or one that it starts prints goes to stderr."""
    real = sys.stdout
    try:
        number, other = real.fileno(), sys.stderr.fileno()
    except (OSError, ValueError):
        # There is no file behind it, as in tests.
        with redirect_stdout(sys.stderr):
            yield real
        return
    real.flush()
    kept = os.dup(number)
    try:
        os.dup2(other, number)
        with (
            open(kept, "w", encoding=real.encoding, errors=real.errors, closefd=False) as results,
            redirect_stdout(sys.stderr),
        ):
            yield results
    finally:
        _flush(real)
        os.dup2(kept, number)
        os.close(kept)


def _flush(stream: TextIO) -> None:
    """What others wrote through the real stdout goes where it went meanwhile."""
    try:
        stream.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
