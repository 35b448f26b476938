"""Names of nodes in TypeScript and JavaScript, where keys of objects are names, too."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from flowlint.languages.edits import quoted
from flowlint.source import Span

if TYPE_CHECKING:
    from flowlint.languages.typescript.changing.code import Code
    from flowls.session.sources import Literal

_MOST_LINES = 30
_WORDS_BEFORE = re.compile(r"\b(?:async\s+)?(?:function\b\s*\*?\s*)?\Z")
_SHORT = frozenset({"shorthand_property_identifier", "shorthand_property_identifier_pattern"})
_KEYS = _SHORT | {"property_identifier"}


def code_of(path: str, data: bytes) -> Code | None:
    """The code of a file; None where the packages that read it are not installed."""
    try:
        from flowlint.languages.typescript.changing.code import Code
        from flowlint.languages.typescript.reading.parsing import parse_cached

        return Code(parse_cached(path, data))
    except ImportError:
        return None


def script_literal(span: Span, code: Code) -> Literal | None:
    """The text or key that is written at a span as it is, without escapes."""
    from flowlint.languages.typescript.changing.code import said_by
    from flowls.session.sources import Literal

    node = code.at(span)
    if node is None or span.line != span.end_line:
        return None
    if node.type in _KEYS:
        if node.type in _SHORT:
            return Literal(span, span, form="shorthand")
        is_member = node.parent is None or node.parent.type == "member_expression"
        return Literal(span, span, form="member" if is_member else "key")
    if node.type == "computed_property_name" or said_by(node, code) is None:
        return None
    inner = replace(span, column=span.column + 1, end_column=span.end_column - 1)
    return Literal(span, inner, quote=code.text(node)[0])


def key_for(name: str) -> str | None:
    """A name as a key is written; None where it cannot be."""
    from flowlint.languages.typescript.changing.code import is_identifier

    return name if is_identifier(name) else quoted(name)


def script_head(lines: Sequence[str], span: Span) -> str:
    """The head of the function that begins at a span, on one line, up to its body."""
    first, depth = span.line - 1, 0
    words = _WORDS_BEFORE.search("".join(lines[first : first + 1])[: span.column - 1])
    found = words[0] if words is not None else ""
    for number, line in enumerate(lines[first : first + _MOST_LINES]):
        for character in line[span.column - 1 :] if number == 0 else f" {line.strip()}":
            if character == "{" and depth == 0:
                return found.strip()
            depth += (character in "([{") - (character in ")]}")
            found += character
            if depth == 0 and found.endswith("=>"):
                return found.removesuffix("=>").strip()
    return " ".join(lines[first : first + 1])[span.column - 1 :].strip()
