"""The words of a stretch of code: what may be names in it, remembered by its text."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from flowlint.languages.typescript.reading.parsing import PLAIN, language_of

if TYPE_CHECKING:
    from tree_sitter import Node, Query

    from flowlint.languages.typescript.reading.module import ParsedModule

MAX_KNOWN = 8192
"""Stretches of code whose words are kept."""

_WORD = re.compile(rb"[A-Za-z_$\x80-\xff][\w$\x80-\xff]*")

_CALLED = re.compile(rb"([\w$\x80-\xff]+)\s*\(")

_ALIAS = re.compile(rb"=\s*[\w$.]+\s*;?\s*$")
"""A declaration that gives another name to something."""

_known: dict[tuple[bool, bytes], Words] = {}


@dataclass(frozen=True, slots=True)
class Words:
    """The words of a stretch that stand in code: not those of texts and comments.

    `called` are those that stand before an opening bracket. `ends_in_name`: it ends by giving
    another name to something.
    """

    all: frozenset[bytes]
    called: frozenset[bytes]
    ends_in_name: bool


def words_of(module: ParsedModule, node: Node) -> Words:
    """The words of a node."""
    text = module.text.data[node.start_byte : node.end_byte]
    jsx = not module.path.endswith(PLAIN)
    found = _known.get((jsx, text))
    if found is None:
        found = _words(text if node.has_error else _code(text, node, jsx=jsx))
        if len(_known) >= MAX_KNOWN:
            _known.clear()
        _known[jsx, text] = found
    return found


def _words(code: bytes) -> Words:
    return Words(
        frozenset(_WORD.findall(code)),
        frozenset(_CALLED.findall(code)),
        _ALIAS.search(code[-200:]) is not None,
    )


def _code(text: bytes, node: Node, *, jsx: bool) -> bytes:
    """The text of a node without what is no code in it."""
    from tree_sitter import QueryCursor

    parts: list[bytes] = []
    base, at = node.start_byte, 0
    found = QueryCursor(_prose(jsx=jsx)).captures(node).get("prose", [])
    for prose in sorted(found, key=lambda one: one.start_byte):
        start, end = prose.start_byte - base, prose.end_byte - base
        if start >= at:
            parts.append(text[at:start])
            at = end
    parts.append(text[at:])
    return b" ".join(parts)


@cache
def _prose(*, jsx: bool) -> Query:
    from tree_sitter import Query

    texts = "[(string_fragment) (comment)] @prose"
    return Query(language_of(jsx=jsx), texts + (" (jsx_text) @prose" if jsx else ""))
