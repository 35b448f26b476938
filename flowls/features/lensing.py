"""A line above each flow: how large it is, what is wrong with it, and a way to see it.

Editors that can draw flows say so when they begin, with `showGraph`; they get the command.
"""

from __future__ import annotations

from lsprotocol import types

from flowlint.report.graph_json import node_names
from flowlint.report.summary import count
from flowls.diagnostics import location, notebook_of
from flowls.server import FlowServer
from flowls.session.flows import ToldFlow, told_flows

METHOD = types.TEXT_DOCUMENT_CODE_LENS
OPTIONS = types.CodeLensOptions(resolve_provider=False)
SHOW = "flowlint.showGraph"


async def answer(server: FlowServer, params: types.CodeLensParams) -> list[types.CodeLens]:
    """One for each flow that is constructed in the document."""
    if not server.settings.code_lens:
        return []
    return await server.run(_lenses, server, params.text_document.uri)


def _lenses(server: FlowServer, uri: str) -> list[types.CodeLens]:
    path, cell = notebook_of(server, uri)
    told = told_flows(server.session, path)
    return [_lens(server, uri, one) for one in told if cell is None or one.graph.span.cell == cell]


def _lens(server: FlowServer, uri: str, told: ToldFlow) -> types.CodeLens:
    graph = told.graph
    place = location(server, graph.span).range
    parts = [count(len(node_names(graph)), "node")]
    if told.findings:
        parts.append(count(len(told.findings), "finding"))
    if not server.shows_flows:
        return types.CodeLens(place, types.Command(" · ".join(parts), ""))
    title = " · ".join([*parts, "show graph"])
    start, end = place.start, place.end
    listed = {
        "start": {"line": start.line, "character": start.character},
        "end": {"line": end.line, "character": end.character},
    }
    return types.CodeLens(place, types.Command(title, SHOW, arguments=[uri, graph.name, listed]))
