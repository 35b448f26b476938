"""The flows in a document, with their nodes and regions."""

from __future__ import annotations

from lsprotocol import types

from flowls.diagnostics import location, notebook_of
from flowls.server import FlowServer
from flowls.session.outline import Part, outline

METHOD = types.TEXT_DOCUMENT_DOCUMENT_SYMBOL

KINDS = {
    "flow": types.SymbolKind.Module,
    "node": types.SymbolKind.Function,
    "region": types.SymbolKind.Namespace,
}

Found = list[types.DocumentSymbol] | list[types.SymbolInformation]


async def answer(server: FlowServer, params: types.DocumentSymbolParams) -> Found:
    """A tree, or a list for editors that show no trees."""
    return await server.run(_symbols, server, params.text_document.uri)


def _symbols(server: FlowServer, uri: str) -> Found:
    path, cell = notebook_of(server, uri)
    parts = outline(server.session, path, cell)
    has_trees = ("document_symbol", "hierarchical_document_symbol_support")
    if server.is_supported("text_document", *has_trees):
        return [_tree(server, part) for part in parts]
    return [one for part in parts for one in _list(server, part, None)]


def _tree(server: FlowServer, part: Part) -> types.DocumentSymbol:
    places = server.places_of(part.span)
    return types.DocumentSymbol(
        name=part.name,
        detail=part.detail,
        kind=KINDS[part.kind],
        range=places.range(part.span),
        selection_range=places.range(part.name_span),
        children=[_tree(server, inner) for inner in part.parts],
    )


def _list(server: FlowServer, part: Part, container: str | None) -> list[types.SymbolInformation]:
    own = types.SymbolInformation(
        location=location(server, part.name_span),
        name=part.name,
        kind=KINDS[part.kind],
        container_name=container,
    )
    return [own, *(one for inner in part.parts for one in _list(server, inner, part.name))]
