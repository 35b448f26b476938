"""What the words of conditions in CEL are: in words, in colours, and as names of nodes."""

from __future__ import annotations

from collections.abc import Iterator

from flowlint.graph.cel_functions import FUNCTIONS
from flowlint.source import Span
from flowls.session.cel.scope import about
from flowls.session.cel.texts import CelText, cel_text_at, cel_texts
from flowls.session.cel.words import Kind, Word, node_named, words_of
from flowls.session.mentions import Mention, Mentions, Symbol
from flowls.session.sources import Sources


def described(mentions: Mentions, sources: Sources, place: Span) -> tuple[str, Span] | None:
    """What the variable or function at a place in a condition is, and where it stands."""
    found = _word_at(mentions, sources, place)
    if found is None:
        return None
    cel, word = found
    text = _text(cel, word)
    return (text, cel.part(word.start, word.end)) if text is not None else None


def coloured_words(mentions: Mentions, sources: Sources, path: str) -> Iterator[tuple[Span, Kind]]:
    """All words of all conditions of a file."""
    for cel in cel_texts(mentions, sources, path):
        for word in words_of(cel.text):
            yield cel.part(word.start, word.end), word.kind


def node_at(mentions: Mentions, sources: Sources, place: Span) -> Mention | None:
    """The mention of a node that a condition looks at, as in `outputs.name`."""
    found = _word_at(mentions, sources, place)
    name = node_named(found[1]) if found is not None else None
    if found is None or name is None:
        return None
    cel, word = found
    symbol = Symbol(cel.graph.span, name)
    if not mentions.nodes(symbol):
        return None
    return Mention(symbol, cel.part(word.start, word.end), "code")


def _word_at(mentions: Mentions, sources: Sources, place: Span) -> tuple[CelText, Word] | None:
    found = cel_text_at(mentions, sources, place)
    if found is None:
        return None
    cel, at = found
    word = next((one for one in words_of(cel.text) if one.start <= at <= one.end), None)
    return (cel, word) if word is not None else None


def _text(cel: CelText, word: Word) -> str | None:
    if word.kind == "function":
        function = FUNCTIONS.get(word.path[0])
        if function is None:
            return None
        ways = "\n".join(function.signatures)
        return f"```cel\n{ways}\n```\n\n{function.about}"
    if not word.path:
        return None
    known = about(cel, word.path)
    return f"`{'.'.join(word.path)}`: {known}" if known else None
