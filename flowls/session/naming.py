"""Another name for a node, at every place that mentions it, or the reason why not.

What is planned is tried before it is offered: with the edits made, the flows have to be what they
were but for the name, and nothing new may be found in them.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from flowlint.findings.model import Finding
from flowlint.graph.model import END, START, FlowGraph
from flowlint.languages.edits import quoted
from flowlint.project.edits import UneditableError, edited
from flowlint.source import Edit, Span
from flowls.session.mentions import Mention, Mentions, Symbol, mentions_of
from flowls.session.outputs import (
    in_code,
    in_expressions,
    in_texts,
    looks_at_outputs,
    other_flow_with,
    readers,
)
from flowls.session.same_flow import guards_of, shape_of
from flowls.session.session import Session
from flowls.session.sources import Literal, Sources
from flowls.session.trying import tried

_WORD = re.compile(r"[A-Za-z_]\w*")


class RefusedError(Exception):
    """A name that cannot be changed safely; the message is a sentence that says why."""


@dataclass(frozen=True, slots=True)
class Plan:
    """All that bears one name, and the literals that say it.

    `implicit` are the functions whose names nodes take, for want of one of their own.
    """

    name: str
    mentions: Mentions
    symbols: tuple[Symbol, ...]
    literals: tuple[Literal, ...]
    implicit: tuple[Span, ...]

    @property
    def spans(self) -> set[Span]:
        """Where the name is written."""
        return {literal.span for literal in self.literals} | set(self.implicit)


def planned(session: Session, path: str, chosen: Sequence[Mention]) -> Plan:
    """What has to change together with the name that is mentioned at a place.

    Raises RefusedError.
    """
    names = {mention.symbol.name for mention in chosen}
    if len(names) > 1:
        listed = ", ".join(f"`{name}`" for name in sorted(names)[:4])
        raise RefusedError(f"This is the name of several nodes: {listed}.")
    name = names.pop()
    mentions, symbols = _together(session, path, [mention.symbol for mention in chosen])
    sources = Sources(session)
    literals: dict[Span, Literal] = {}
    implicit: dict[Span, None] = {}
    if not any(mentions.nodes(symbol) for symbol in symbols):
        raise RefusedError(f"No node is called `{name}`.")
    for symbol in symbols:
        for mention in mentions.of(symbol):
            literal = sources.naming(mention.span, name)
            if literal is not None:
                literals[mention.span] = literal
            elif mention.role == "node" and _is_function(sources.text(mention.span), name):
                implicit[mention.span] = None
            elif not mention.elsewhere and mention.span not in implicit:
                raise RefusedError(_unchangeable(name, mention, sources))
    _refuse_shared(name, mentions, literals)
    return Plan(name, mentions, tuple(symbols), tuple(literals.values()), tuple(implicit))


def renamed(session: Session, path: str, plan: Plan, new: str) -> tuple[Edit, ...]:
    """The edits that give another name. Raises RefusedError."""
    if new == plan.name:
        return ()
    _refuse_name(plan, new)
    edits = tuple(_edits(plan, new))
    sources = Sources(session)
    if looks_at_outputs(plan.mentions, plan.symbols):
        edits += tuple(_edits_of_outputs(session, plan, edits, new, sources))
    texts = _texts(session, edits)
    for one in _files_with(session, plan, texts):
        _prove(session, one, plan, new, texts, sources, {edit.span for edit in edits})
    return edits


def _texts(session: Session, edits: Sequence[Edit]) -> dict[str, bytes]:
    """The files as they would be."""
    texts: dict[str, bytes] = {}
    for one in dict.fromkeys(edit.span.path for edit in edits):
        try:
            before = session.files.read(one)
            texts[one] = edited(one, before, [edit for edit in edits if edit.span.path == one])
        except OSError as error:
            raise RefusedError(f"{one} cannot be read: {error.strerror or error}.") from None
        except UneditableError as error:
            raise RefusedError(f"{one} {error}.") from None
    return texts


def _edits_of_outputs(
    session: Session, plan: Plan, edits: tuple[Edit, ...], new: str, sources: Sources
) -> Iterable[Edit]:
    """Where the flow looks at the output of the node."""
    name = plan.name
    texts = _texts(session, edits)
    files = _files_with(session, plan, texts)
    modules = readers(session, files)
    asked = in_code(name, modules, sources)
    looked = dict.fromkeys(in_texts(name, modules, sources))
    looked.update(dict.fromkeys(in_expressions(session, name, files, texts, sources)))
    places = [*asked, *looked]
    other = None
    if places:
        paths = {span.path for span in places}
        other = other_flow_with(session, plan.mentions, plan.symbols, paths)
    if other is not None:
        raise RefusedError(
            f"{_at(places[0])} looks at the output of `{name}`, which is also a node of"
            f" `{other.name}`."
        )
    for span in asked:
        literal = sources.naming(span, name)
        written = literal.with_text(new) if literal is not None else None
        if written is None:
            raise RefusedError(f"`{new}` cannot be written as the text at {_at(span)}.")
        yield Edit(*written)
    for span in looked:
        if not _WORD.fullmatch(new):
            raise RefusedError(
                f"The expression at {_at(span)} looks at the output of `{name}`: there, a name"
                " has to be a word of letters, digits and underscores."
            )
        yield Edit(span, new)


def _together(session: Session, path: str, symbols: list[Symbol]) -> tuple[Mentions, list[Symbol]]:
    """The nodes of all flows that are named by the same literals, with their mentions."""
    while True:
        mentions = mentions_of(session, path, symbols)
        spans = {
            mention.span
            for symbol in symbols
            for mention in mentions.of(symbol)
            if not mention.elsewhere
        }
        names = {symbol.name for symbol in symbols}
        more = [
            mention.symbol
            for span in spans
            for mention in mentions.on(span)
            if mention.symbol.name in names and mention.symbol not in symbols
        ]
        if not more:
            return mentions, symbols
        symbols = [*symbols, *dict.fromkeys(more)]


def _refuse_shared(name: str, mentions: Mentions, literals: Iterable[Span]) -> None:
    for span in literals:
        others = {mention.symbol.name for mention in mentions.on(span)} - {name}
        if others:
            listed = ", ".join(f"`{other}`" for other in sorted(others)[:3])
            raise RefusedError(f"The text of `{name}` is also the name of {listed}.")


def _refuse_name(plan: Plan, new: str) -> None:
    if not new.strip():
        raise RefusedError("A node needs a name.")
    if new in (START, END):
        raise RefusedError(f"`{new}` stands for a marker, and is no name of a node.")
    for symbol in plan.symbols:
        other = Symbol(symbol.flow, new)
        if plan.mentions.nodes(other):
            raise RefusedError(f"The flow has a node `{new}` already.")
        if plan.mentions.of(other):
            raise RefusedError(f"The flow mentions a node `{new}` already, which it does not have.")


def _edits(plan: Plan, new: str) -> Iterable[Edit]:
    for literal in plan.literals:
        written = literal.with_text(new)
        if written is None:
            raise RefusedError(
                f"`{new}` cannot be written as the text that stands at {_at(literal.span)}."
            )
        yield Edit(*written)
    for span in plan.implicit:
        text = quoted(new)
        if text is None:
            raise RefusedError(f"`{new}` cannot be written as a text between quotes.")
        yield Edit(span.start(), f"{text}, ")


def _files_with(session: Session, plan: Plan, texts: Iterable[str]) -> list[str]:
    """The files whose flows have something to do with what changes."""
    spans = {symbol.flow for symbol in plan.symbols}
    found = {
        known.path
        for one in (*texts, *(span.path for span in spans))
        for known in session.known.showing_in(one)
    }
    return sorted(found)


def _prove(
    session: Session,
    path: str,
    plan: Plan,
    new: str,
    texts: dict[str, bytes],
    sources: Sources,
    changed: set[Span],
) -> None:
    """Compare what a file gives with what it would give."""
    known = session.known.get(path)
    if known is None:
        return
    before, after = known.result, tried(session, path, texts)
    broken = [fault for fault in before.faults if fault.name == "syntax-error"]
    if broken:
        raise RefusedError(f"Not all of the code can be read: see {_at(broken[0].span)}.")
    flows = {symbol.flow for symbol in plan.symbols}
    concerned = [graph for graph in before.graphs if _holds(graph, flows)]
    names = (plan.name, new)
    shapes = [shape_of(graph, names, flows) for graph in before.graphs]
    added = _added(before.findings, after.findings, names)
    if added is not None:
        raise RefusedError(
            f"With that name, flowlint would say at {_at(added.span)}: {added.message}"
        )
    if shapes != [shape_of(graph, names, None) for graph in after.graphs]:
        raise RefusedError(
            f"The flow would not be the same: the text `{plan.name}` means something else, too."
        )
    guards = [guards_of(graph, names) for graph in before.graphs]
    is_compared = guards != [guards_of(graph, names) for graph in after.graphs]
    is_open = any(graph.gaps for graph in concerned)
    if is_compared or is_open:
        other = _other_text(plan, sources, changed)
        if other is not None and is_compared:
            raise RefusedError(
                f"Guards compare with the same text as the name, and {_at(other)} says it, too."
            )
        if other is not None:
            gap = next(gap for graph in concerned for gap in graph.gaps)
            raise RefusedError(
                f"`{plan.name}` at {_at(other)} may be this node: not all of the flow is known"
                f" ({gap.reason})."
            )


def _holds(graph: FlowGraph, flows: set[Span]) -> bool:
    if graph.span in flows:
        return True
    return any(_holds(region, flows) for n in graph.nodes for region in n.regions.values())


def _added(
    before: Sequence[Finding], after: Sequence[Finding], names: tuple[str, str]
) -> Finding | None:
    left = Counter(finding.name for finding in before)
    for finding in after:
        left[finding.name] -= 1
        if left[finding.name] < 0:
            return finding
    return None


def _other_text(plan: Plan, sources: Sources, changed: set[Span]) -> Span | None:
    """A text in the same files that is the name, too, and no mention of it."""
    mentioned = plan.spans | changed
    for path, cell in dict.fromkeys((span.path, span.cell) for span in sorted(mentioned, key=str)):
        whole = Span(path, 1, 1, 1, 1, cell)
        for number, line in enumerate(sources.lines(whole), start=1):
            for quote in ('"', "'"):
                text = f"{quote}{plan.name}{quote}"
                at = line.find(text)
                while at >= 0:
                    span = Span(path, number, at + 1, number, at + 1 + len(text), cell)
                    if not any(one.contains(span) or span.contains(one) for one in mentioned):
                        return span
                    at = line.find(text, at + 1)
    return None


def _is_function(source: str, name: str) -> bool:
    """Whether a name of a variable is written there that a node can take as its own."""
    return source.rpartition(".")[2] == name and source.replace(".", "").isidentifier()


def _unchangeable(name: str, mention: Mention, sources: Sources) -> str:
    source = sources.text(mention.span)
    where = _at(mention.span)
    if '"' in source or "'" in source or "+" in source:
        return f"`{name}` is put together at {where}, so that its text stands nowhere."
    return f"`{name}` comes from what is written at {where}, which is no plain text."


def _at(span: Span) -> str:
    cell = "" if span.cell is None else f"cell {span.cell + 1}, "
    name = span.path.replace("\\", "/").rpartition("/")[2]
    return f"{name}, {cell}line {span.line}"
