"""A file of Python and what is to change in it in, edits out."""

from __future__ import annotations

from collections.abc import Callable

from flowlint.changes import (
    AddCase,
    Change,
    MakePlain,
    Remove,
    Rename,
    Reorder,
    SetField,
    UseMarker,
)
from flowlint.languages.edits import Made
from flowlint.languages.python.changing import functions, removing, texts
from flowlint.languages.python.changing.code import Code
from flowlint.languages.python.reading import parse_module

Changer = Callable[[Change], Made | None]


def python_changer(path: str, data: bytes) -> Changer:
    """What makes edits of changes to one file of Python."""
    code = Code(parse_module(path, data))

    def edits(change: Change) -> Made | None:
        match change:
            case Rename():
                return texts.rename(change, code)
            case UseMarker():
                return texts.use_marker(change, code)
            case Remove(span):
                return removing.remove(span, code)
            case Reorder():
                return texts.reorder(change, code)
            case SetField():
                return texts.set_field(change, code)
            case AddCase():
                return texts.add_case(change, code)
            case MakePlain():
                return functions.make_plain(change, code)

    return edits
