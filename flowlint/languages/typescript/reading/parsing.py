"""Texts in, trees out, with what is remembered of texts that were parsed shortly before."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from flowlint.languages.typescript.reading.module import ParsedModule
from flowlint.languages.typescript.reading.text import SourceText, decoded

if TYPE_CHECKING:
    from tree_sitter import Language, Parser

PLAIN = (".ts", ".mts", ".cts")
"""Endings of files without JSX, in which `<T>x` is a cast."""

MAX_REMEMBERED = 48
"""Files whose trees are kept when nobody needs them just now."""

_remembered: dict[str, tuple[bytes, ParsedModule]] = {}


@cache
def language_of(*, jsx: bool) -> Language:
    """The grammar of a kind of text. Raises ImportError where its packages are not installed."""
    import tree_sitter_typescript
    from tree_sitter import Language

    make = (
        tree_sitter_typescript.language_tsx if jsx else tree_sitter_typescript.language_typescript
    )
    return Language(make())


@cache
def parser_of(*, jsx: bool) -> Parser:
    """The parser of a kind of text. Raises ImportError where its packages are not installed."""
    from tree_sitter import Parser

    return Parser(language_of(jsx=jsx))


def parse_cached(path: str, data: bytes) -> ParsedModule:
    """Parse a file, or remember it from shortly before: whole, or in its unchanged parts."""
    former = _remembered.pop(path, None)
    if former is not None and former[0] == data:
        parsed = former[1]
    else:
        parsed = parse_module(path, data, former[1] if former is not None else None)
        if former is None and len(_remembered) >= MAX_REMEMBERED:
            del _remembered[next(iter(_remembered))]
    _remembered[path] = data, parsed
    return parsed


def parse_module(path: str, data: bytes, former: ParsedModule | None = None) -> ParsedModule:
    """Parse a file. `former` is the same file before some change."""
    from flowlint.languages.typescript.reading.changed import parse_changed
    from flowlint.languages.typescript.reading.faults import with_faults
    from flowlint.languages.typescript.reading.recovery import recovered

    text_bytes, bad = decoded(data)
    text = SourceText(path, text_bytes)
    parser = parser_of(jsx=not path.endswith(PLAIN))
    tree = parse_changed(parser, text_bytes, former)
    if tree is not None:
        return with_faults(ParsedModule(text, tree), bad)
    tree = parser.parse(text_bytes)
    if not tree.root_node.has_error:
        return with_faults(ParsedModule(text, tree), bad)
    return with_faults(recovered(text, tree, parser, former), bad)
