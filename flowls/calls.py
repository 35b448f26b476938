"""Nodes as items of a call hierarchy: what calls a node is what leads to it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import astuple
from typing import Any

from lsprotocol import types

from flowlint.source import Span
from flowls.server import FlowServer
from flowls.session.mentions import Mentions, mentions_in, mentions_of
from flowls.session.neighbours import Stop, graph_of, node_of
from flowls.session.outline import part_of_node
from flowls.session.sources import Sources


def item_of(server: FlowServer, mentions: Mentions, stop: Stop) -> types.CallHierarchyItem | None:
    """A node, or a flow for its start; None for a name that no node bears."""
    graph = graph_of(mentions, stop.flow)
    if graph is None:
        return None
    if stop.name is None:
        name, kind = graph.name, types.SymbolKind.Module
        detail, span, name_span = graph.semantics.system, graph.span, graph.span
    else:
        node = node_of(mentions, stop)
        if node is None:
            return None
        part = part_of_node(node, Sources(server.session))
        name, kind = part.name, types.SymbolKind.Function
        detail, span, name_span = f"{part.detail} of {graph.name}", part.span, part.name_span
    places = server.places_of(span)
    return types.CallHierarchyItem(
        name=name,
        kind=kind,
        uri=server.uri_of_span(span),
        range=places.range(span),
        selection_range=places.range(name_span),
        detail=detail,
        data={"flow": list(astuple(stop.flow)), "name": stop.name},
    )


def stop_of(server: FlowServer, item: types.CallHierarchyItem) -> tuple[Mentions, Stop] | None:
    """What an item stands for, with all that mentions it; None where it is gone."""
    data: Any = item.data
    try:
        stop = Stop(Span(*_given(data, "flow")), _given(data, "name"))
    except (KeyError, TypeError, AttributeError):
        return None
    if stop.name is None:
        mentions = mentions_in(server.session, stop.flow.path)
    else:
        mentions = mentions_of(server.session, stop.flow.path, [stop.symbol])
    return (mentions, stop) if stop.flow in mentions.graphs else None


def ranges_in(server: FlowServer, uri: str, spans: Sequence[Span]) -> list[types.Range]:
    """The places of those spans that lie in a document."""
    return [server.places_of(span).range(span) for span in spans if server.uri_of_span(span) == uri]


def _given(data: Any, name: str) -> Any:
    return data[name] if isinstance(data, dict) else getattr(data, name)
