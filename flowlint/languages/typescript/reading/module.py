"""Modules as they were parsed: a tree, its text, and what is wrong with it."""

from __future__ import annotations

import itertools
import os
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from flowlint.languages.typescript.reading.text import SourceText
from flowlint.source import Span

if TYPE_CHECKING:
    from tree_sitter import Node, Tree

SUFFIXES = (".ts", ".tsx", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs")
"""Endings of the files that the language reads."""

MAX_SIZE = 1_000_000
"""Bytes of a file above which it is read only where its name says that it holds a flow."""

MAX_LINE = 20_000
"""Bytes of a line above which a file counts as made by a program."""

MAX_SHOWN = 70
"""Characters of an expression that messages show."""

_serials = itertools.count(1).__next__


@dataclass(frozen=True, slots=True)
class SyntaxFault:
    """One place where a text is no TypeScript, in plain words without a full stop."""

    span: Span
    message: str


@dataclass(slots=True, eq=False)
class ParsedModule:
    """A parsed file. `lost` are the stretches, in bytes, that could not be read."""

    text: SourceText
    tree: Tree
    faults: tuple[SyntaxFault, ...] = ()
    lost: tuple[tuple[int, int], ...] = ()
    wrong: tuple[tuple[int, int, str], ...] = ()
    """Where text in what was left out fits nowhere, and what is missing there, if that is it."""
    stood_in: bytes | None = None
    """What was parsed where the text itself does not parse: of the same length."""
    serial: int = field(default_factory=_serials)

    @property
    def path(self) -> str:
        """The file, as it was named."""
        return self.text.path

    @property
    def parsed_bytes(self) -> bytes:
        """What the tree was made of."""
        return self.text.data if self.stood_in is None else self.stood_in

    def text_of(self, node: Node) -> str:
        """The text of a node."""
        return self.text.data[node.start_byte : node.end_byte].decode("utf-8", "replace")

    def shown(self, node: Node) -> str:
        """A node as messages show it: on one line, not too long."""
        end = min(node.end_byte, node.start_byte + MAX_SHOWN * 8)
        whole = " ".join(self.text.slice(node.start_byte, end).split())
        return whole if len(whole) <= MAX_SHOWN else whole[: MAX_SHOWN - 3] + "..."

    def place(self, node: Node) -> Place:
        """The place of a node."""
        return Place(self, node.start_byte, node.end_byte)


class Place:
    """A stretch of a module, in bytes."""

    __slots__ = ("end", "module", "start")

    def __init__(self, module: ParsedModule, start: int, end: int) -> None:
        self.module = module
        self.start = start
        self.end = end

    def span(self) -> Span:
        """The stretch in lines and columns."""
        return self.module.text.span(self.start, self.end)


def is_made_by_program(path: str, data: bytes) -> bool:
    """Whether a file is a bundle or the like, which nobody writes flows in.

    A file whose name says `flow` is read in any case.
    """
    name = os.path.basename(path).lower()
    if len(data) <= MAX_LINE or ("flow" in name and ".min." not in name):
        return False
    if len(data) > MAX_SIZE:
        return True
    return max(map(len, data.split(b"\n"))) > MAX_LINE


def children(node: Node) -> list[Node]:
    """The named parts of a node, comments left out."""
    return [child for child in node.named_children if child.type != "comment"]
