"""A file of TypeScript or JavaScript and what is to change in it in, edits out."""

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
from flowlint.languages.typescript.changing import adding, functions, removing, texts
from flowlint.languages.typescript.changing.code import Code
from flowlint.languages.typescript.reading.parsing import parse_cached

Changer = Callable[[Change], Made | None]


def typescript_changer(path: str, data: bytes) -> Changer:
    """What makes edits of changes to one file of TypeScript or JavaScript."""
    code = Code(parse_cached(path, data))

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
                return adding.set_field(change, code)
            case AddCase():
                return adding.add_case(change, code)
            case MakePlain():
                return functions.make_plain(change, code)

    return edits
