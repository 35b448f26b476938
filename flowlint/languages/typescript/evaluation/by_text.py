"""What the text of a function tells by itself, remembered by that text: a keystroke changes one."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any, TypeVar

from flowlint.languages.typescript.evaluation.scopes import FunctionDefinition

T = TypeVar("T")

_MAX_KNOWN = 4096

_known: dict[tuple[str, str, str, str], Any] = {}


def by_text(
    definition: FunctionDefinition, what: str, find: Callable[[FunctionDefinition], T]
) -> T:
    """What `find` tells of a function: nothing but its own text may matter to it."""
    node, module = definition.node, definition.module
    if node.has_error:
        return find(definition)
    key = (what, os.path.splitext(module.path)[1], node.type, module.text_of(node))
    if key not in _known:
        if len(_known) >= _MAX_KNOWN:
            _known.clear()
        _known[key] = find(definition)
    found: T = _known[key]
    return found
