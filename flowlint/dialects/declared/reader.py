"""A flow of a declared system, read as its declaration says."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from flowlint.dialects.declared.declaration import Edges, Entry, Field, Nodes, System
from flowlint.dialects.declared.guards import guard_of
from flowlint.dialects.declared.naming import Mention, Naming, own_name
from flowlint.dialects.declared.pieces import Lost, Piece, Pieces
from flowlint.dialects.declared.types import Types
from flowlint.dialects.reading import (
    Texts,
    alternatives,
    bare_function,
    escape_gaps,
    may_end_run,
    reason_of,
    relative,
    text_of,
    written,
)
from flowlint.graph import model
from flowlint.graph.guards import Guard
from flowlint.graph.model import ALWAYS, START, CallableFacts, FlowGraph, Gap, Presence
from flowlint.source import Span
from flowlint.values.model import Argument, Built, Class, Const, Function, Value

Hidden = frozenset[Literal["nodes", "edges", "entry", "targets", "conditions"]]

_CURE = "write it out where the flow is built, or build it from constants of this project"
_ANYTHING: Hidden = frozenset(("nodes", "edges", "entry"))
_DEFAULT_NAME: Field = ("name", 0)
_DEFAULT_ENDS: tuple[Field, Field, Field] = ((0,), (1,), (2,))


class Reader:
    """Reads one flow; what is not known of it becomes a gap."""

    def __init__(self, system: System, types: Types, built: Built) -> None:
        self._system = system
        self._built = built
        self._gaps: list[Gap] = list(escape_gaps(built))
        self._nodes: list[model.Node] = []
        self._edges: list[model.Edge] = []
        self._entries: list[model.Entry] = []
        self._made_by: list[tuple[Presence, str, Span, Value | None, Piece]] = []
        """What stands for each node, where its name was written, and how it was stated."""
        self._texts = Texts()
        self._whole = Piece(ALWAYS, built.origin.span(), arguments=built.arguments)
        self._of_nodes = [
            (one, Pieces(built, one, made))
            for one, made in zip(system.nodes, types.nodes, strict=True)
        ]
        self._of_edges = [
            (one, Pieces(built, one, made))
            for one, made in zip(system.edges, types.edges, strict=True)
        ]
        by_own_name = all(
            pieces.item in ("callable", "class") and not one.name and one.take != "mapping"
            for one, pieces in self._of_nodes
        )
        self._naming = Naming(system, by_own_name=by_own_name)

    def graph(self) -> FlowGraph | None:
        """The flow; None where it states none of what the declaration names."""
        built = self._built
        finished = any(one.method in self._system.finish for one in built.operations)
        if not finished and not any(pieces.is_stated() for _, pieces in self._of_nodes):
            return None
        for one, pieces in self._of_nodes:
            self._read_nodes(one, pieces)
        for stated, pieces in self._of_edges:
            self._read_edges(stated, pieces)
        self._read_hidden()
        entry_span = self._read_entries()
        if self._gaps and not (self._nodes or self._edges or self._entries):
            return None
        bound = self._whole.part(self._system.limit)
        limit = bound.value if bound is not None else None
        return FlowGraph(
            name=built.name or built.symbol or "flow",
            dialect=self._system.name,
            span=built.origin.span(),
            semantics=self._system.semantics,
            nodes=tuple(self._nodes),
            edges=tuple(self._edges),
            entries=tuple(self._entries),
            symbol=built.symbol,
            entry_span=entry_span,
            step_bound=_whole_number(limit),
            step_bound_span=written(bound) if bound is not None else None,
            bounded=self._is_given(self._system.limit),
            stopped_by=self._stop(),
            built=finished or not self._system.finish,
            assumed=built.assumed is not None,
            gaps=tuple(self._gaps),
            texts=self._texts.found(),
        )

    def _gap(self, span: Span, reason: str, hides: str, node: str | None = None) -> None:
        self._gaps.append(Gap(span, reason, frozenset({hides}), node, _CURE))  # type: ignore[arg-type]

    def _read_hidden(self) -> None:
        for one in self._built.operations:
            if one.method in self._system.hides:
                span, reason = one.origin.span(), f"`{one.method}` may add anything to it"
                self._gaps.append(Gap(span, reason, _ANYTHING, cure=_CURE))

    # --- nodes

    def _read_nodes(self, where: Nodes, pieces: Pieces) -> None:
        for piece in pieces.all():
            if isinstance(piece, Lost):
                self._gap(piece.span, f"a node is not known: {piece.reason}", "nodes")
            else:
                self._read_node(where, piece, pieces.item)

    def _read_node(self, where: Nodes, piece: Piece, item: str) -> None:
        named = piece.key or piece.part(where.name)
        run = piece.part(where.run)
        value = run.value if run is not None else None
        if named is None and not where.name and item in ("callable", "class", "name"):
            is_call = piece.arguments is not None and item == "callable" and piece.value is not None
            own = own_name(piece, item)
            if own is None and is_call:
                named = piece.part(_DEFAULT_NAME)
            elif own is not None:
                place = own[1].origin.span() if item == "name" else piece.span
                self._add_node(where, piece, own[0], place, own[1])
                return
        if named is None:
            if where.name and not piece.may_hold_more and item == "object":
                return
            why = reason_of(piece.value) if piece.value is not None else "not given"
            self._gap(piece.span, f"a node's name is not known: {why}", "nodes")
            return
        stands = piece.value if piece.arguments is None or item == "object" else value
        if piece.key is not None:
            stands = piece.value
        for under, single in alternatives(named.value, piece.presence):
            text = text_of(single)
            if text is None:
                reason = f"a node's name is not known: {reason_of(single)}"
                self._gap(piece.span, reason, "nodes")
                continue
            self._texts.note(single, written(named))
            held = Piece(under, piece.span, piece.value, piece.key, piece.arguments)
            self._add_node(where, held, text, written(named), stands, value)

    def _add_node(
        self,
        where: Nodes,
        piece: Piece,
        name: str,
        place: Span,
        stands: Value | None,
        run: Value | None = None,
    ) -> None:
        kind = piece.part(where.kind)
        runs = run if run is not None else stands
        self._naming.note(stands, name)
        if run is not None and stands is not run:
            self._naming.note(run, name)
        self._made_by.append((piece.presence, name, place, runs, piece))
        self._nodes.append(
            model.Node(
                name,
                piece.span,
                place,
                (text_of(kind.value) if kind is not None else None) or where.of_kind or "step",
                piece.presence,
                _facts(runs),
                ends_itself=may_end_run(runs),
            )
        )

    # --- edges

    def _read_edges(self, where: Edges, pieces: Pieces) -> None:
        if where.returns:
            for presence, name, place, runs, _ in self._made_by:
                self._read_returns(where.returns, presence, name, place, runs)
            return
        if where.of_nodes:
            for _, name, place, _, node in self._made_by:
                self._read_edge(where, node, (name, place))
            return
        for piece in pieces.all():
            if isinstance(piece, Lost):
                self._gap(piece.span, f"an edge is not known: {piece.reason}", "edges")
            else:
                self._read_edge(where, piece)

    def _read_edge(self, where: Edges, piece: Piece, own: tuple[str, Span] | None = None) -> None:
        source_at, target_at, guard_at = _DEFAULT_ENDS
        source = piece.key or piece.part(where.source or source_at)
        target: Argument | None
        if piece.key is not None and not where.target:
            target = Argument(piece.value) if piece.value is not None else None
        else:
            target = piece.part(where.target or target_at)
        if own is not None and target is None and not piece.may_hold_more:
            return
        if target is None or (source is None and own is None):
            # What is no edge by its form is refused by the system itself, or means something else.
            self._gap(piece.span, "an end of an edge is not known", "edges")
            return
        default_guard = () if where.class_ or where.source or own is not None else guard_at
        guard = piece.part(where.guard or default_guard)
        label = piece.part(where.label)
        read = [one for one in (source, target, guard, label) if one is not None]
        condition = guard_of(guard, where)
        if guard is None and not where.guard and own is None and piece.holds_besides(read):
            # What the declaration does not name may well be a condition.
            condition = Guard("a condition", piece.span)
        for first, source_span in self._sources(source, own, piece.presence):
            for second in self._naming.mentioned(target.value, first.presence):
                if first.name is None or second.name is None:
                    lost = first if first.name is None else second
                    reason = f"an end of an edge is not known: {reason_of(lost.value)}"
                    self._gap(piece.span, reason, "edges")
                    continue
                ends = (source_span, _place(target, second))
                self._texts.note(second.value, ends[1])
                self._add_edge(piece, first, second, ends, condition, label)

    def _sources(
        self, source: Argument | None, own: tuple[str, Span] | None, presence: Presence
    ) -> Iterable[tuple[Mention, Span]]:
        if own is not None:
            origin = self._built.origin
            yield Mention(presence, Const(own[0], origin), own[0]), own[1]
        elif source is not None:
            for first in self._naming.mentioned(source.value, presence):
                place = _place(source, first)
                self._texts.note(first.value, place)
                yield first, place

    def _add_edge(
        self,
        piece: Piece,
        first: Mention,
        second: Mention,
        ends: tuple[Span, Span],
        condition: Guard | None,
        label: Argument | None,
    ) -> None:
        source, target = first.name or "", second.name or ""
        presence = second.presence - self._built.presence
        if source == START:
            self._entries.append(model.Entry(target, ends[1], presence=presence, edge=piece.span))
            return
        text = condition.text if condition is not None else None
        kind: model.EdgeKind = "always" if condition is None else "when"
        if label is not None:
            text = text_of(label.value) or text
            kind = "case" if condition is None else kind
        self._edges.append(
            model.Edge(
                source,
                target,
                piece.span,
                *ends,
                kind,
                text,
                condition,
                presence=presence,
                order=len(self._edges),
                choice=source if kind == "case" else None,
            )
        )

    def _read_returns(
        self, method: str, presence: Presence, name: str, place: Span, runs: Value | None
    ) -> None:
        function = _method(runs, method)
        told = function.reader.returns() if function is not None else None
        if function is None or told is None:
            what = f"`{method}` of `{name}`" if method != "__call__" else f"`{name}`"
            self._gap(place, f"{what} declares no result that can be seen", "targets", name)
            return
        for one in self._naming.declared(told):
            if one.name is None:
                reason = f"what follows `{name}` is not known: {reason_of(one.value)}"
                self._gap(one.value.origin.span(), reason, "targets", name)
                continue
            span = function.origin.span()
            # Types keep the place of their definition, not that where they are named.
            target_span = one.value.origin.span() if isinstance(one.value, Const) else span
            self._edges.append(
                model.Edge(
                    name,
                    one.name,
                    span,
                    place,
                    target_span,
                    "goto",
                    presence=presence,
                    order=len(self._edges),
                )
            )

    # --- entry, limits

    def _read_entries(self) -> Span | None:
        place: Span | None = None
        for one in self._system.entry:
            for argument, presence in self._entry_arguments(one):
                place = place or written(argument)
                self._add_entries(argument, presence)
        if self._entries:
            return place
        if any(one.argument for one in self._system.entry) and self._built.arguments.spread:
            self._gap(self._whole.span, "the entry may be among arguments not known", "entry")
        default = next((o.default for o in self._system.entry if o.default != "none"), "none")
        if default == "first" and self._nodes:
            first = self._nodes[0]
            self._entries.append(model.Entry(first.name, first.name_span, presence=first.presence))
        elif default == "any" or not (self._system.entry or self._system.starts):
            self._entries += [
                model.Entry(node.name, node.name_span, "goto", presence=node.presence)
                for node in self._nodes
            ]
        return place

    def _entry_arguments(self, entry: Entry) -> Iterable[tuple[Argument, Presence]]:
        if entry.argument:
            given = self._whole.part(entry.argument)
            if given is not None:
                yield given, ALWAYS
        for operation in self._built.operations:
            if entry.method and operation.method == entry.method:
                call = Piece(ALWAYS, operation.origin.span(), arguments=operation.arguments)
                given = call.part(entry.name) if entry.name else None
                if not entry.name:
                    given = next(iter(operation.arguments.items), None)
                if given is None or given.spread:
                    self._gap(call.span, "the entry is not known", "entry")
                else:
                    yield given, relative(operation, self._built)

    def _add_entries(self, argument: Argument, presence: Presence) -> None:
        for one in self._naming.mentioned(argument.value, presence):
            if one.name is None:
                reason = f"the entry is not known: {reason_of(one.value)}"
                self._gap(written(argument), reason, "entry")
                continue
            place = _place(argument, one)
            self._texts.note(one.value, place)
            under = one.presence - self._built.presence
            self._entries.append(model.Entry(one.name, place, presence=under))

    def _is_given(self, field: Field) -> bool:
        """Whether an argument is given that is not plainly None."""
        if not field:
            return False
        given = self._whole.part(field)
        if given is None:
            return self._built.arguments.spread
        return not (isinstance(given.value, Const) and given.value.value is None)

    def _stop(self) -> str | None:
        field = self._system.stop
        if not self._is_given(field):
            return None
        return next((one for one in field if isinstance(one, str)), "an argument")


def _whole_number(value: Value | None) -> int | None:
    if isinstance(value, Const) and isinstance(value.value, int):
        return None if isinstance(value.value, bool) else value.value
    return None


def _place(argument: Argument, mention: Mention) -> Span:
    """Where a name is written: in the argument, or in the list that it is."""
    if mention.value is argument.value or isinstance(argument.value, Const):
        return written(argument)
    return mention.value.origin.span()


def _method(value: Value | None, name: str) -> Function | None:
    if isinstance(value, Class):
        return value.reader.method(name)
    function = bare_function(value) if value is not None else None
    return function if name == "__call__" else None


def _facts(value: Value | None) -> CallableFacts | None:
    function = bare_function(value) if value is not None else None
    if function is None:
        return None
    return CallableFacts(function.name, function.origin.span(), function.is_async)
