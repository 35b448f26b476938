"""Trees of texts that differ little from one that was parsed before."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flowlint.languages.typescript.reading.module import ParsedModule

if TYPE_CHECKING:
    from tree_sitter import Parser, Tree


def parse_changed(parser: Parser, data: bytes, former: ParsedModule | None) -> Tree | None:
    """The tree of a text that parses, made from that of a file before some change.

    None where it does not parse: trees with errors in them rest on what was there before.
    """
    if former is None or former.tree.root_node.has_error:
        return None
    tree = parser.parse(data, _edited(former.tree, former.parsed_bytes, data))
    return None if tree.root_node.has_error else tree


def _edited(tree: Tree, old: bytes, new: bytes) -> Tree:
    """The tree of an earlier text, told where the new one differs."""
    start = _common(old, new)
    limit = min(len(old), len(new)) - start
    behind = _common(old[start:][::-1][:limit], new[start:][::-1][:limit])
    old_end, new_end = len(old) - behind, len(new) - behind
    edited = tree.copy()
    edited.edit(
        start,
        old_end,
        new_end,
        _point(old, start),
        _point(old, old_end),
        _point(new, new_end),
    )
    return edited


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
