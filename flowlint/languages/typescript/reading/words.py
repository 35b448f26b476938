"""The words of a stretch of code: what may be names in it, remembered by its text."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from flowlint.languages.typescript.reading.parsing import PLAIN
from flowlint.languages.typescript.reading.queries import captured

if TYPE_CHECKING:
    from tree_sitter import Node

    from flowlint.languages.typescript.reading.module import ParsedModule

MAX_KNOWN = 8192
"""Stretches of code whose words are kept."""

_WORD = re.compile(rb"[A-Za-z_$\x80-\xff][\w$\x80-\xff]*")

_CALLED = re.compile(rb"([\w$\x80-\xff]+)\s*\(")

_ALIAS = re.compile(rb"=\s*[\w$.]+\s*;?\s*$")
"""A declaration that gives another name to something."""

_CHARACTER = re.compile(rb"[^\r\n\x80-\xbf][\x80-\xbf]*")

_ENDS = re.compile(rb"[ \t]+(?=\r?\n|\r)")

_PROSE = "[(string_fragment) (comment)] @prose"
_PROSE_AND_MARKUP = f"{_PROSE} (jsx_text) @prose"

_known: dict[tuple[bool, bytes], Words] = {}


@dataclass(frozen=True, slots=True)
class Words:
    """The words of a stretch that stand in code: not those of texts and comments.

    `called` are those that stand before an opening bracket. `ends_in_name`: it ends by giving
    another name to something. `digest` is the same for stretches that differ in comments only, and
    in what follows the last sign of a line.
    """

    all: frozenset[bytes]
    called: frozenset[bytes]
    ends_in_name: bool
    digest: int


def words_of(module: ParsedModule, node: Node) -> Words:
    """The words of a node."""
    text = module.text.data[node.start_byte : node.end_byte]
    jsx = not module.path.endswith(PLAIN)
    found = _known.get((jsx, text))
    if found is None:
        prose = [] if node.has_error else _prose_in(module, node, jsx=jsx)
        code, texts = _parted(text, node.start_byte, prose)
        found = Words(
            frozenset(_WORD.findall(code)),
            frozenset(_CALLED.findall(code)),
            _ALIAS.search(code[-200:]) is not None,
            hash((_ENDS.sub(b"", code), texts)),
        )
        if len(_known) >= MAX_KNOWN:
            _known.clear()
        _known[jsx, text] = found
    return found


def _prose_in(module: ParsedModule, node: Node, *, jsx: bool) -> list[Node]:
    """The texts and comments of a node."""
    found = captured(module, node, _PROSE_AND_MARKUP if jsx else _PROSE).get("prose", [])
    return sorted(found, key=lambda one: one.start_byte)


def _parted(text: bytes, base: int, prose: list[Node]) -> tuple[bytes, tuple[bytes, ...]]:
    """The code of a node, with blanks for comments and a mark for each text; then these texts."""
    code: list[bytes] = []
    texts: list[bytes] = []
    at = 0
    for one in prose:
        start, end = one.start_byte - base, one.end_byte - base
        if start < at:
            continue
        code.append(text[at:start])
        if one.type == "comment":
            code.append(_CHARACTER.sub(b" ", text[start:end]))
        else:
            code.append(b"\0")
            texts.append(text[start:end])
        at = end
    code.append(text[at:])
    return b"".join(code), tuple(texts)
