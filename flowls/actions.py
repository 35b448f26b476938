"""What can be done at a place of a document, as the editor takes it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from lsprotocol import types
from pygls.exceptions import JsonRpcContentModified

from flowlint.source import Span
from flowls.diagnostics import diagnostic, notebook_of
from flowls.server import FlowServer
from flowls.session.curing import all_fixes, fixes, silencers
from flowls.session.offers import Offer
from flowls.session.refactoring.offering import refactorings
from flowls.symbols import place_of
from flowls.workspace_edits import made_edit

KINDS = ("quickfix", "refactor.extract", "refactor.rewrite", "source.fixAll.flowlint")


def offered(server: FlowServer, params: types.CodeActionParams) -> list[types.CodeAction]:
    """All that can be done, with its edits only where the editor cannot ask for them later.

    To be run by the session.
    """
    uri, wanted = params.text_document.uri, params.context.only
    is_lazy = "edit" in _resolved_later(server)
    actions: list[types.CodeAction] = []
    for offer in _offers(server, uri, params.range, wanted):
        action = types.CodeAction(
            offer.title,
            kind=offer.kind,
            is_preferred=offer.is_preferred or None,
            diagnostics=[diagnostic(server, offer.finding)] if offer.finding else None,
        )
        if is_lazy:
            action.data = {
                "uri": uri,
                "version": server.versions.get(uri),
                "range": _listed(params.range),
                "key": offer.key,
            }
        elif not _make(server, action, offer):
            continue
        actions.append(action)
    return actions


def resolved(server: FlowServer, action: types.CodeAction) -> types.CodeAction:
    """The action with its edits. Raises when its text is no longer that which it was offered for.

    To be run by the session.
    """
    data = action.data if isinstance(action.data, dict) else {}
    uri = str(data.get("uri"))
    line, character, end_line, end_character = data.get("range", (0, 0, 0, 0))
    place = types.Range(types.Position(line, character), types.Position(end_line, end_character))
    if data.get("version") == server.versions.get(uri):
        kinds = [action.kind] if action.kind is not None else None
        for offer in _offers(server, uri, place, kinds):
            if offer.key == data.get("key") and _make(server, action, offer):
                return action
    raise JsonRpcContentModified()


def _make(server: FlowServer, action: types.CodeAction, offer: Offer) -> bool:
    made = offer.make()
    if made is None or not made.edits:
        return False
    action.edit = made_edit(server, made)
    return True


def _offers(
    server: FlowServer, uri: str, place: types.Range, wanted: Sequence[str] | None
) -> Iterator[Offer]:
    path, cell = notebook_of(server, uri)
    told = server.session.findings(path).findings
    here = [one for one in told if one.span.cell == cell and _touches(server, one.span, place)]
    ways: tuple[tuple[Sequence[str], Iterable[Offer]], ...] = (
        (("quickfix",), fixes(here)),
        (("quickfix", "refactor.rewrite", "refactor.extract"), _changes(server, uri, place)),
        (("quickfix",), silencers(server.session, here)),
        (("source.fixAll.flowlint",), all_fixes(server.session, path, told)),
    )
    for kinds, offers in ways:
        if any(_is_wanted(kind, wanted) for kind in kinds):
            yield from (offer for offer in offers if _is_wanted(offer.kind, wanted))


def _changes(server: FlowServer, uri: str, place: types.Range) -> Iterator[Offer]:
    start, end = (place_of(server, uri, one) for one in (place.start, place.end))
    yield from refactorings(server.session, start.to(end))


def _is_wanted(kind: str, wanted: Sequence[str] | None) -> bool:
    if not wanted:
        return True
    return any(one in ("", kind) or kind.startswith(f"{one}.") for one in wanted)


def _touches(server: FlowServer, span: Span, place: types.Range) -> bool:
    own = server.places_of(span).range(span)
    return own.start <= place.end and place.start <= own.end


def _resolved_later(server: FlowServer) -> Sequence[str]:
    text_document = server.client_capabilities.text_document
    action = text_document.code_action if text_document else None
    support = action.resolve_support if action and action.data_support else None
    return support.properties if support else ()


def _listed(place: types.Range) -> list[int]:
    start, end = place.start, place.end
    return [start.line, start.character, end.line, end.character]
