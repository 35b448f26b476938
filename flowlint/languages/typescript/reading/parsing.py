"""Texts in, trees out, with what is remembered of texts that were parsed shortly before."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from flowlint.languages.typescript.reading.module import ParsedModule
from flowlint.languages.typescript.reading.text import SourceText, decoded

if TYPE_CHECKING:
    from tree_sitter import Language, Parser, Tree

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
    from flowlint.languages.typescript.reading.faults import with_faults
    from flowlint.languages.typescript.reading.recovery import recovered

    text_bytes, bad = decoded(data)
    text = SourceText(path, text_bytes)
    parser = parser_of(jsx=not path.endswith(PLAIN))
    if former is not None and former.exact and not former.faults:
        tree = parser.parse(text_bytes, _edited(former, text_bytes))
        if not tree.root_node.has_error:
            return with_faults(ParsedModule(text, tree), bad)
    tree = parser.parse(text_bytes)
    if not tree.root_node.has_error:
        return with_faults(ParsedModule(text, tree), bad)
    return with_faults(recovered(text, tree, parser), bad)


def _edited(former: ParsedModule, data: bytes) -> Tree:
    """The tree of an earlier text, told where the new one differs."""
    old = former.text.data
    start = _common(old, data)
    limit = min(len(old), len(data)) - start
    behind = _common(old[start:][::-1][:limit], data[start:][::-1][:limit])
    old_end, new_end = len(old) - behind, len(data) - behind
    tree = former.tree.copy()
    tree.edit(
        start,
        old_end,
        new_end,
        _point(old, start),
        _point(old, old_end),
        _point(data, new_end),
    )
    return tree


def _common(left: bytes, right: bytes) -> int:
    """How many bytes two texts have in common at their beginning."""
    low, high = 0, min(len(left), len(right))
    while low < high:
        middle = (low + high + 1) // 2
        if left[:middle] == right[:middle]:
            low = middle
        else:
            high = middle - 1
    return low


def _point(data: bytes, at: int) -> tuple[int, int]:
    row = data.count(b"\n", 0, at)
    return row, at - (data.rfind(b"\n", 0, at) + 1)
