"""Reads the edges that a builder was given: plain ones, joins and conditional ones."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from flowlint.dialects.langgraph import checks, targets
from flowlint.dialects.langgraph.bodies import Mention
from flowlint.dialects.langgraph.callables import Declared, typed_targets
from flowlint.dialects.langgraph.called import call_violations
from flowlint.dialects.langgraph.editions import Edition
from flowlint.dialects.langgraph.members import case_key, name_of
from flowlint.dialects.langgraph.returned import routes_of
from flowlint.dialects.langgraph.routers import unread_declaration
from flowlint.dialects.reading import (
    Texts,
    alternatives,
    may_end_run,
    reason_of,
    text_of,
    written,
)
from flowlint.graph.code import Route, Router
from flowlint.graph.model import (
    END,
    START,
    Edge,
    EdgeKind,
    Entry,
    Gap,
    Node,
    Presence,
    Violation,
)
from flowlint.source import Span
from flowlint.values.model import (
    Argument,
    Choice,
    Const,
    Mapped,
    Operation,
    Sequence,
    Value,
)

CURE_NAMES = "write the names as constants, or build the graph from constants of this project"

Hidden = Literal["nodes", "edges", "entry", "targets", "all"]
EVERYTHING: frozenset[Literal["nodes", "edges", "entry", "targets"]] = frozenset(
    {"nodes", "edges", "entry"}
)


_Target = tuple[Presence, str | None, Value, Span]
"""The condition of a target, what the author wrote for its case, its name and the place."""


@dataclass(frozen=True, slots=True)
class Told:
    """An edge as the builder was told of it, or as it is seen in code (not `checked`)."""

    source: str
    target: str
    kind: EdgeKind
    operation: Operation
    presence: Presence
    spans: tuple[Span, Span]
    label: str | None = None
    group: str | None = None
    choice: str | None = None
    checked: bool = True


class EdgeReader:
    """Collects what a builder was told of edges; whoever reads nodes builds on it."""

    def __init__(self, edition: Edition) -> None:
        self.edition = edition
        self.nodes: list[Node] = []
        self.declared: set[str] = set()
        """The names of the nodes so far."""
        self.edges: list[Edge] = []
        self.entries: list[Entry] = []
        self.gaps: list[Gap] = []
        self.violations: list[Violation] = []
        self.branch_names: dict[tuple[str, str], tuple[Operation, Span]] = {}
        self.groups = 0
        self.early: list[list[tuple[str, Span]]] = []
        """For each join the names that it mentioned before they were declared."""
        self.ending: set[str] = set()
        """Nodes with a router that may end the run."""
        self.routers: list[Router] = []
        self.paths: list[tuple[Value, Span]] = []
        """What each router is, and where it was added."""
        self.seen: list[Told] = []
        """Hand-overs that are only seen in code, for when all nodes are known."""
        self.names: list[tuple[Mention, str]] = []
        """The names in code that LangGraph hands over by, each with the node whose code it is."""
        self.texts = Texts()

    def gap(
        self,
        span: Span,
        reason: str,
        hides: Hidden,
        node: str | None = None,
        cure: str = CURE_NAMES,
    ) -> None:
        """Note something that is not known."""
        hidden = EVERYTHING if hides == "all" else frozenset({hides})
        self.gaps.append(Gap(span, reason, hidden, node, cure))

    def edge(self, told: Told) -> None:
        """Add one edge, or an entry where it leaves START."""
        where = told.operation.origin.span()
        spans = told.spans
        if told.source == START:
            self.entries.append(
                Entry(
                    told.target, spans[1], told.kind, told.label, told.presence, where, told.choice
                )
            )
            return
        self.edges.append(
            Edge(
                told.source,
                told.target,
                where,
                spans[0],
                spans[1],
                told.kind,
                told.label,
                group=told.group,
                presence=told.presence,
                order=len(self.edges),
                checked=told.checked,
                choice=told.choice,
            )
        )

    def add_edge(
        self,
        operation: Operation,
        start: Argument | None,
        end: Argument | None,
        presence: Presence,
    ) -> None:
        """What `add_edge` and its short forms do."""
        if start is None or end is None:
            return
        for under, target in alternatives(end.value, presence):
            target_text = text_of(target)
            for both, source in alternatives(start.value, under):
                if isinstance(source, Sequence):
                    self._join(operation, source, target_text, both, (start, end))
                    continue
                source_text = text_of(source)
                if source_text is None or target_text is None:
                    unknown = source if source_text is None else target
                    reason = f"an end of an edge is not known: {reason_of(unknown)}"
                    hides: Hidden = "edges" if source_text != START else "entry"
                    self.gap(operation.origin.span(), reason, hides)
                    continue
                problem = checks.edge_violation(source_text, target_text, start, end)
                if problem is not None:
                    self.violations.append(problem)
                    continue
                spans = (written(start), written(end))
                self.texts.note(source, spans[0])
                self.texts.note(target, spans[1])
                self.edge(Told(source_text, target_text, "always", operation, both, spans))

    def _join(
        self,
        operation: Operation,
        sources: Sequence,
        target: str | None,
        presence: Presence,
        arguments: tuple[Argument, Argument],
    ) -> None:
        """An edge from several nodes waits for all of them."""
        names = [text_of(item.value) for item in sources.items]
        if target is None or sources.rest is not None or None in names:
            reason = "an end of an edge from several nodes is not known"
            self.gap(operation.origin.span(), reason, "edges")
            return
        if target == START:
            self.violations.append(checks.edge_into_start("several nodes", written(arguments[1])))
            return
        if target == END and not self.edition.joins_end:
            self.violations.append(checks.join_into_end(written(arguments[1])))
            return
        self.groups += 1
        group = f"join{self.groups}"
        ends: list[tuple[str, Span]] = []
        for item, name in zip(sources.items, names, strict=True):
            assert name is not None
            span = (item.place or item.value.origin).span()
            ends.append((name, span))
            problem = checks.join_violation(name, span)
            if problem is not None:
                self.violations.append(problem)
                continue
            under = presence | item.presence
            spans = (span, written(arguments[1]))
            self.texts.note(item.value, span)
            self.edge(Told(name, target, "always", operation, under, spans, group=group))
        if not presence and not any(item.presence for item in sources.items):
            ends.append((target, written(arguments[1])))
            self.early.append([(name, span) for name, span in ends if name not in self.declared])

    def add_branch(
        self, operation: Operation, source: Argument | None, at: int, presence: Presence
    ) -> None:
        """What conditional edges do."""
        path = operation.arguments.find("path", at)
        path_map = operation.arguments.find("path_map", at + 1)
        if source is None or path is None:
            return
        then = operation.arguments.find("then", at + 2)
        if then is not None and not targets.is_none(then.value):
            self.gap(written(then), "what runs `then`, after the targets, is not followed", "edges")
        for under, single in alternatives(source.value, presence):
            name = text_of(single)
            if name is None:
                reason = f"the source of conditional edges is not known: {reason_of(single)}"
                self.gap(operation.origin.span(), reason, "edges")
                continue
            self.texts.note(single, written(source))
            for both, router in alternatives(path.value, under):
                self._check_branch_name(name, router, path, both, operation)
                self._branch(operation, (name, source), (router, path), path_map, both)

    def _check_branch_name(
        self,
        source: str,
        router: Value,
        path: Argument,
        presence: Presence,
        operation: Operation,
    ) -> None:
        label = checks.branch_name(router, self.edition)
        if label is None or presence:
            return
        # One place may be come to several times, in a loop.
        earlier, place = self.branch_names.setdefault((source, label), (operation, written(path)))
        if earlier is not operation:
            told = checks.branch_twice(source, label, written(path), place, self.edition)
            self.violations.append(told)

    def _see(self, told: Told) -> None:
        """Note a hand-over that is only seen in code."""
        self.seen.append(replace(told, checked=False))

    def _stated_targets(
        self, source: str, path_map: Argument | None, presence: Presence
    ) -> tuple[list[_Target] | None, str | None, dict[str, tuple[str, Span]] | None]:
        """What a path map says: the targets, why there may be others, and the cases it has."""
        found: list[_Target] | None = None
        unsure: str | None = None
        cases: dict[str, tuple[str, Span]] | None = None
        if path_map is None:
            return None, None, None
        for under, mapping in alternatives(path_map.value, presence):
            mapped = list(targets.mapped_targets(mapping, path_map, under))
            if mapped:
                found = (found or []) + mapped
            unsure = unsure or _unknown_map(mapping, targets.shown(source))
            cases = targets.cases(mapping, self.edition)
        return found, unsure, None if isinstance(path_map.value, Choice) else cases

    def _branch(
        self,
        operation: Operation,
        source: tuple[str, Argument],
        router: tuple[Value, Argument],
        path_map: Argument | None,
        presence: Presence,
    ) -> None:
        name, where = source
        if may_end_run(router[0]):
            self.ending.add(name)
        what = f"The router of `{targets.shown(name)}`"
        if self.edition.checks_calls:
            self.violations += call_violations(what, router[0], written(router[1]), name)
        choice = f"choice{len(self.routers) + 1}"
        found, unsure, cases = self._stated_targets(name, path_map, presence)
        by_map = found is not None or unsure is not None
        declared = targets.router_targets(router[0], self.edition)
        if found is None and unsure is None:
            unsure = declared.unsure
            span = written(router[1])
            if declared.targets is not None:
                found = [(presence, None, target, span) for target in declared.targets]
        if path_map is None or isinstance(path_map.value, Sequence):
            for named in declared.targets or ():
                self.texts.note(named, written(router[1]))
        routes = routes_of(router[0], written(router[1]), self.edition)
        is_by_name = found is None and unsure is None
        self.names += [
            (mention, name) for mention in routes.names if is_by_name or mention.how == "send"
        ]
        self.paths.append((router[0], operation.origin.span()))
        self.routers.append(
            Router(
                name,
                routes.name,
                written(router[1]),
                choice,
                tuple(_with_cure(route, path_map) for route in routes.routes),
                unsure or routes.more,
                {key: target for key, (target, _) in cases.items()} if cases else None,
                {key: span for key, (_, span) in cases.items()} if cases else None,
                _keys(declared),
                routes.several,
                presence,
                routes.definition,
                (by_map and cases is None) or declared.unsure is not None or _refused(declared),
                routes.reads,
                routes.more_reads,
                may_stop=routes.may_stop,
            )
        )
        is_hinted = is_by_name and not self.edition.reads_types
        typed = typed_targets(router[0]) if is_hinted else None
        closed = found is None and unsure is None and (routes.more is None or typed is not None)
        if (found is None or unsure is not None) and not closed:
            shown = targets.shown(name)
            reads_types = self.edition.reads_types
            reason = unsure or (unread_declaration(router[0]) if reads_types else None)
            reason = reason or f"the router of `{shown}` does not declare its targets"
            hides: Hidden = "targets" if name != START else "entry"
            self.gap(written(router[1]), reason, hides, name, self.edition.cure_router)
        for under, label, target, span in found or ():
            text = text_of(target)
            if text is None:
                self.gap(span, f"a target of `{targets.shown(name)}` is not known", "targets", name)
                continue
            spans = (written(where), span)
            self.texts.note(target, span)
            self.edge(
                Told(name, text, "case", operation, under, spans, label or text, None, choice)
            )
        for hint in (typed or ()) if routes.more is not None else ():
            spans, text = (written(where), written(router[1])), str(hint.value)
            self._see(Told(*(name, text, "case", operation, presence, spans, text), choice=choice))
        for mention in routes.names if is_by_name else ():
            if mention.how == "route" and not mention.name.is_text:
                spans = (written(where), mention.span)
                text = mention.name.text
                told = Told(*(name, text, "case", operation, presence, spans, text), choice=choice)
                self._see(told)
        for route in routes.routes:
            if route.value is not None and (route.sends or found is None):
                kind: EdgeKind = "send" if route.sends else "case"
                spans = (written(where), route.span)
                label = None if route.sends else route.value
                told = Told(*(name, route.value, kind, operation, presence, spans, label))
                self._see(replace(told, choice=choice))


def _keys(declared: Declared) -> tuple[str, ...] | None:
    if declared.targets is None:
        return None
    return tuple(case_key(target) for target in declared.targets if text_of(target) is not None)


def _refused(declared: Declared) -> bool:
    """Whether a target that is declared is no text, which is refused."""
    names = (name_of(target) for target in declared.targets or ())
    return any(name is not None and not name.is_text for name in names)


def _with_cure(route: Route, path_map: Argument | None) -> Route:
    """A value that some key of a path map holds but is not equal to, with what to do about it."""
    mapping = path_map.value if path_map is not None else None
    if route.cure is not None or route.sends or not isinstance(mapping, Mapped):
        return route
    keys = [entry.key for entry in mapping.entries if isinstance(entry.key, Const)]
    for name in (name_of(key) for key in keys if case_key(key) != route.value):
        if name is not None and name.text == route.value and not name.is_text:
            return replace(
                route, cure=f"return `{name.member}`, or derive `{name.enum}` from StrEnum"
            )
    return route


def _unknown_map(mapping: Value, source: str) -> str | None:
    """Why a path map is not fully known, None when it is (or is none at all)."""
    if isinstance(mapping, Mapped | Sequence) and mapping.rest is not None:
        return f"the path map of `{source}` is not fully known: {mapping.rest.reason}"
    if targets.is_none(mapping) or targets.is_map(mapping):
        return None
    return f"the path map of `{source}` is not known: {reason_of(mapping)}"
