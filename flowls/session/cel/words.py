"""The words of a condition in CEL, and what each is: a variable, a field, a function."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from flowlint.graph.cel_functions import FUNCTIONS
from flowlint.graph.cel_tokens import CelError, Token, tokens_of

Kind = Literal[
    "variable", "property", "function", "keyword", "string", "number", "operator", "enumMember"
]
_KINDS: dict[str, Kind] = {
    "int": "number",
    "float": "number",
    "string": "string",
    "raw": "string",
    "bytes": "string",
}
_WORDS = frozenset({"true", "false", "null", "in"})
_BY_NODE = frozenset({"outputs", "results"})


@dataclass(frozen=True, slots=True)
class Word:
    """A stretch of a condition. `path` is what it names, with all that stands before it."""

    start: int
    end: int
    kind: Kind
    path: tuple[str, ...] = ()


def words_of(text: str) -> list[Word]:
    """The words from left to right, as far as the text is CEL."""
    return list(_words(readable(text)))


def readable(text: str) -> list[Token]:
    """The tokens up to where the text is no CEL."""
    try:
        return tokens_of(text)
    except CelError as error:
        try:
            return tokens_of(text[: error.offset])
        except CelError:
            return []


def node_named(word: Word) -> str | None:
    """The node that a word names, as in `outputs.name`."""
    return word.path[-1] if word.kind == "enumMember" else None


def _words(tokens: list[Token]) -> Iterator[Word]:
    path: tuple[str, ...] = ()
    for number, (kind, text, start) in enumerate(tokens):
        end = start + len(text)
        before = tokens[number - 1][1] if number else ""
        behind = tokens[number + 1][1] if number + 1 < len(tokens) else ""
        if kind == "sign":
            if text not in ("(", ")", "[", "]", "{", "}", ",", ".", ":"):
                yield Word(start, end, "operator")
            if text != ".":
                path = ()
            continue
        if kind != "name":
            yield Word(start, end, _KINDS[kind])
            path = ()
            continue
        if before != "." and text in _WORDS:
            yield Word(start, end, "keyword")
            path = ()
        elif behind == "(" and (text in FUNCTIONS or before != "."):
            yield Word(start, end, "function", (text,))
            path = ()
        elif before == ".":
            path = (*path, text) if path else ()
            is_node = len(path) == 2 and path[0] in _BY_NODE
            yield Word(start, end, "enumMember" if is_node else "property", path)
        else:
            path = (text,)
            yield Word(start, end, "variable", path)
