"""What is known of the node or edge that the editor points at."""

from __future__ import annotations

from lsprotocol import types

from flowls.server import FlowServer
from flowls.session.cel.telling import described
from flowls.session.definitions.offering import describe_word
from flowls.session.describing import describe_edges, describe_name
from flowls.symbols import pointed

METHOD = types.TEXT_DOCUMENT_HOVER


async def answer(server: FlowServer, params: types.HoverParams) -> types.Hover | None:
    """Markdown, or the same as plain text for editors that do not show that."""
    return await server.run(_hover, server, params)


def _hover(server: FlowServer, params: types.HoverParams) -> types.Hover | None:
    at = pointed(server, params)
    chosen = at.chosen()
    if chosen:
        symbols = dict.fromkeys(mention.symbol for mention in chosen)
        texts = [describe_name(server.session, symbol, at.sources) for symbol in symbols]
        text = "\n\n---\n\n".join(text for text in texts if text)
        return types.Hover(_content(server, text), at.range(chosen[0])) if text else None
    found = (
        described(at.mentions, at.sources, at.place)
        or describe_word(at.sources, at.place)
        or describe_edges(server.session, at.mentions, at.place)
    )
    if found is None:
        return None
    text, span = found
    return types.Hover(_content(server, text), server.places_of(span).range(span))


def _content(server: FlowServer, text: str) -> types.MarkupContent:
    hover = server.client_capabilities.text_document
    wanted = hover.hover.content_format if hover is not None and hover.hover is not None else None
    if types.MarkupKind.Markdown in (wanted or ()):
        return types.MarkupContent(types.MarkupKind.Markdown, text)
    plain = (
        text.replace("```python\n", "")
        .replace("```typescript\n", "")
        .replace("```cel\n", "")
        .replace("\n```", "")
    )
    plain = plain.replace("**", "").replace("`", "")
    return types.MarkupContent(types.MarkupKind.PlainText, plain)
