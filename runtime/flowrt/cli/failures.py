"""A failure told in a few lines: what, in which node, and where in the user's own code."""

from __future__ import annotations

import sysconfig
import traceback
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import flowrt
from flowrt.cli.words import clean, without_node
from flowrt.errors import FlowError

_OURS = str(Path(flowrt.__file__).parent)
_LIBRARIES = tuple(
    {sysconfig.get_path(name) for name in ("stdlib", "platstdlib", "purelib", "platlib")}
)


def told(error: BaseException) -> str:
    """The type and message of an error; the message alone where the flow's engine wrote it."""
    text = clean(error)
    if isinstance(error, FlowError) and text:
        return text
    name = type(error).__name__
    return f"{name}: {text}" if text else name


def place_of(error: BaseException) -> traceback.FrameSummary | None:
    """The last place in the user's own code that the error went through."""
    frames = traceback.extract_tb(error.__traceback__)
    return next((frame for frame in reversed(frames) if _is_users(frame.filename)), None)


@dataclass(frozen=True, slots=True)
class Failed:
    """The node whose failure is told, and how messages call it."""

    node: str
    told: str


def lines_of(error: BaseException, where: Failed | None) -> Iterator[str]:
    """The lines to show for an error. `where` names the node, if it is known."""
    notes = [clean(note) for note in getattr(error, "__notes__", ())]
    if where is not None:
        yield f"{where.told}: {without_node(told(error), clean(where.node))}"
        notes = [note for note in notes if not note.startswith("in node `")]
    else:
        yield told(error)
    for note in notes:
        yield f"  {note}"
    place = place_of(error)
    if place is not None:
        code = f": {place.line}" if place.line else ""
        yield f"  at {told_place(place)}{code}"


def told_place(place: traceback.FrameSummary) -> str:
    """File, line and function."""
    return f"{_shown(place.filename)}:{place.lineno} in {place.name}"


def whole(error: BaseException) -> str:
    """The traceback as Python prints it."""
    return "".join(traceback.format_exception(error)).rstrip("\n")


def _is_users(path: str) -> bool:
    return not path.startswith((_OURS, "<frozen", *_LIBRARIES))


def _shown(path: str) -> str:
    try:
        return str(Path(path).relative_to(Path.cwd()))
    except ValueError:
        return path
