"""Functions that are declared in a body: they may write names that are bound after them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from flowlint.languages.bodies.given import joined
from flowlint.languages.bodies.names import Names
from flowlint.languages.typescript.bodies.frame import Frame
from flowlint.values.bodies import Opaque

if TYPE_CHECKING:
    from tree_sitter import Node

_WRITTEN = re.compile(
    r"(?<![\w$.])([A-Za-z_$][\w$]*)(?:\.[\w$]+|\[[^\]]*\])*"
    r"(?:\s*(?:[-+*/%&|^?<>]{0,3}=(?![=>])|\+\+|--)"
    r"|\.(?:add|clear|delete|fill|pop|push|reverse|set|shift|sort|splice|unshift)\()"
    r"|(?:\+\+|--)([A-Za-z_$][\w$]*)"
)
_DECLARED = re.compile(r"\b(?:const|let|var)\s+([A-Za-z_$][\w$]*)")


def note_declared(frame: Frame, node: Node) -> None:
    """Note the names around a declared function that its text writes or changes."""
    text = frame.text(node)
    written = {name for found in _WRITTEN.finditer(text) for name in found.groups() if name}
    frame.shared |= written.difference(_DECLARED.findall(text))


def reopen(frame: Frame, names: Names) -> None:
    """What such a function may have written is not known."""
    for name in frame.shared:
        givens = names.get(name)
        if givens is not None and not any(isinstance(given, Opaque) for given in givens):
            names[name] = joined(givens, frame.opaque("what a function writes", frame.node))
