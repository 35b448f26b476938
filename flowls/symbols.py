"""Names of nodes as symbols: where the editor points, and what stands there."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from lsprotocol import types

from flowlint.source import Span
from flowls.diagnostics import notebook_of
from flowls.server import FlowServer
from flowls.session.cel.telling import node_at
from flowls.session.mentions import Mention, Mentions, mentions_in, mentions_of
from flowls.session.sources import Sources


class _Pointing(Protocol):
    """A request with a position."""

    @property
    def text_document(self) -> types.TextDocumentIdentifier: ...

    @property
    def position(self) -> types.Position: ...


@dataclass(frozen=True, slots=True)
class Pointed:
    """A place in a document, with the index of what is to be seen there.

    To be used by the session.
    """

    server: FlowServer
    place: Span
    mentions: Mentions
    sources: Sources

    @property
    def path(self) -> str:
        """The file."""
        return self.place.path

    def chosen(self) -> list[Mention]:
        """The mentions at the place."""
        place = self.place
        found = self.mentions.at(place.path, place.cell, place.line, place.column)
        if not found:
            named = node_at(self.mentions, self.sources, place)
            found = [named] if named is not None else []
        return found

    def range(self, mention: Mention) -> types.Range:
        """Where the name of a mention is written, without quotes."""
        span = self.sources.name_place(mention.span, mention.symbol.name)
        return self.server.places_of(span).range(span)

    def location(self, mention: Mention) -> types.Location:
        """The same with its document."""
        return types.Location(self.server.uri_of_span(mention.span), self.range(mention))


def place_of(server: FlowServer, uri: str, position: types.Position) -> Span:
    """The empty span at a position. To be run by the session."""
    path, cell = notebook_of(server, uri)
    whole = Span(path, 1, 1, 1, 1, cell)
    line, column = server.places_of(whole).place(position)
    return Span(path, line, column, line, column, cell)


def pointed(server: FlowServer, params: _Pointing) -> Pointed:
    """What a request with a position points at. To be run by the session."""
    place = place_of(server, params.text_document.uri, params.position)
    mentions = mentions_in(server.session, place.path)
    return Pointed(server, place, mentions, Sources(server.session))


def everywhere(at: Pointed, chosen: list[Mention]) -> Pointed:
    """The same with all files that mention what was chosen."""
    wanted = [mention.symbol for mention in chosen]
    found = mentions_of(at.server.session, at.path, wanted)
    return Pointed(at.server, at.place, found, at.sources)
