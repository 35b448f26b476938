"""What may be written in a condition in CEL: variables, their fields, functions, values."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

from flowlint.graph.cel_functions import FUNCTIONS
from flowlint.graph.cel_tokens import CelError, tokens_of
from flowlint.graph.guards import Constant
from flowlint.source import Span
from flowls.session.cel.scope import constants, variables
from flowls.session.cel.texts import CelText, cel_text_at
from flowls.session.completing import Offer, Offers
from flowls.session.mentions import Mentions
from flowls.session.sources import Sources

_COMPARED = ("==", "!=")
_WORD = re.compile(r"[A-Za-z_]\w*\Z")
_REST = re.compile(r"\w*")


def cel_offers(mentions: Mentions, sources: Sources, place: Span) -> Offers | None:
    """What may be written at a place in a condition; None where there is none."""
    found = cel_text_at(mentions, sources, place)
    if found is None:
        return None
    cel, at = found
    before = cel.text[:at]
    word = _WORD.search(before)
    start = word.start() if word is not None else at
    rest = _REST.match(cel.text, at)
    end = rest.end() if rest is not None else at
    try:
        tokens = tokens_of(before[:start])
    except CelError as error:
        return _within_text(cel, error.offset, at)
    span = cel.part(start, end)
    last = tokens[-1][1] if tokens else ""
    path = _path([text for _, text, _ in tokens[:-1]]) if last == "." else ()
    if last == ".":
        fields = _of(cel, path) if path else ()
        return Offers(span, (*fields, *_functions(is_method=True)))
    values = _values(cel, [text for _, text, _ in tokens])
    return Offers(span, (*values, *_of(cel, ()), *_functions(is_method=False)))


def _within_text(cel: CelText, opened: int, at: int) -> Offers | None:
    """The texts that something is compared with, where one is begun."""
    quote = cel.text[opened]
    if quote not in "'\"":
        return None
    tokens = [text for _, text, _ in tokens_of(cel.text[:opened])]
    closing = cel.text.find(quote, at)
    end = closing if closing >= 0 else at
    offers = tuple(
        Offer(value, value, _compared_with(tokens), kind="constant")
        for value in _known(cel, tokens)
        if isinstance(value, str) and quote not in value and "\\" not in value
    )
    return Offers(cel.part(opened + 1, end), offers)


def _values(cel: CelText, tokens: list[str]) -> Iterator[Offer]:
    for value in _known(cel, tokens):
        written = json.dumps(value)
        if isinstance(value, str):
            quote = "'" if cel.quote != "'" else '"'
            if quote in value or "\\" in value:
                continue
            written = f"{quote}{value}{quote}"
        yield Offer(written, written, _compared_with(tokens), kind="constant")


def _known(cel: CelText, tokens: list[str]) -> list[Constant]:
    if not tokens or tokens[-1] not in _COMPARED:
        return []
    path = _path(tokens[:-1])
    return constants(cel, path) if path else []


def _compared_with(tokens: list[str]) -> str:
    return f"value of {'.'.join(_path(tokens[:-1]))}"


def _path(tokens: list[str]) -> tuple[str, ...]:
    """The path that some tokens end with."""
    found: list[str] = []
    while tokens and tokens[-1].isidentifier():
        found.insert(0, tokens[-1])
        if len(tokens) < 2 or tokens[-2] != ".":
            return tuple(found)
        tokens = tokens[:-2]
    return ()


def _of(cel: CelText, path: tuple[str, ...]) -> Iterator[Offer]:
    for one in variables(cel, path):
        yield Offer(one.name, one.name, one.about, kind=one.kind)


def _functions(*, is_method: bool) -> Iterator[Offer]:
    for function in FUNCTIONS.values():
        is_here = any(
            (written.split("(")[0].count(".") > 0) is is_method for written in function.signatures
        )
        if is_here:
            ways = " · ".join(function.signatures)
            yield Offer(function.name, function.name, ways, function.about, kind="function")
