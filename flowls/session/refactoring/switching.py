"""Edges that compare one value of the state with texts become a switch.

Only where both do the same: there is no edge for all other values, so that any value without an
edge ends the run with an error, before as after; and no text is one that a number, a truth value
or nothing would be written as.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator, Sequence

from flowlint.changes import Remove
from flowlint.findings.model import Fix
from flowlint.graph.guards import Compare, Guard
from flowlint.graph.model import Edge, FlowGraph
from flowlint.languages.changing import Changers
from flowlint.source import Edit, Files
from flowls.session.offers import Made, Offer
from flowls.session.refactoring.place import At
from flowls.session.refactoring.writing import Writing

_VARIABLE = re.compile(r"state\['([A-Za-z_]\w*)'\]")
_PLAIN_KINDS = ("step", "gate", "loop")
"""The kinds of nodes whose output is the state that they hand on."""


def switches(at: At, graph: FlowGraph, files: Files) -> Iterator[Offer]:
    """A switch in the place of the edges that leave a node."""
    if graph.dialect != "flowrt" or graph.semantics.routing != "first" or graph.hides("edges"):
        return
    kinds = {node.name: node.kind for node in graph.nodes}
    for name in dict.fromkeys(edge.source for edge in graph.edges):
        edges = [edge for edge in graph.edges if edge.source == name and edge.after == "ok"]
        if kinds.get(name) not in _PLAIN_KINDS or not any(at.touches(one.span) for one in edges):
            continue
        made = _switch(at.writing, edges, files)
        if made is not None:
            title = f"Convert the edges that leave `{name}` to a switch"
            yield Offer(title, "refactor.rewrite", lambda made=made: made)  # type: ignore[misc]


def _switch(writing: Writing, edges: Sequence[Edge], files: Files) -> Made | None:
    cases = [_case(edge.guard) for edge in edges]
    keys = {case[0] for case in cases if case is not None}
    calls = [writing.element(edge.span) for edge in edges]
    if len(edges) < 2 or None in cases or len(keys) != 1 or len(set(cases)) < len(cases):
        return None
    if not all(edge.certain for edge in edges):
        return None
    first, shown = calls[0], []
    for call, case in zip(calls, cases, strict=True):
        if call is None or case is None or not _is_plain(call):
            return None
        shown.append(f"{json.dumps(case[1], ensure_ascii=False)}: {writing.text(call.args[1])}")
    if first is None or not isinstance(first.func, ast.Name):
        return None
    imported = _imported(writing, first.func.id)
    if imported is None:
        return None
    (key,) = keys
    text = f'Switch({writing.text(first.args[0])}, "$.{key}", {{{", ".join(shown)}}})'
    edits = [Edit(edges[0].span, text), *imported]
    changes = tuple(Remove(edge.span) for edge in edges[1:])
    resolved = Changers(files).resolve(Fix("", "safe", tuple(edits), changes))
    return Made(resolved.edits) if resolved is not None and resolved.safety == "safe" else None


def _case(guard: Guard | None) -> tuple[str, str] | None:
    """The key of the state and the text that a guard compares it with."""
    formula = guard.formula if guard is not None else None
    if not isinstance(formula, Compare) or formula.operator != "==":
        return None
    found, text = _VARIABLE.fullmatch(formula.term.variable), formula.constant
    if found is None or not isinstance(text, str) or formula.term.default is not None:
        return None
    return None if _is_ambiguous(text) else (found[1], text)


def _is_ambiguous(text: str) -> bool:
    """Whether something else than this text would be written like it."""
    if text in ("true", "false", "null"):
        return True
    try:
        float(text)
    except ValueError:
        return False
    return True


def _is_plain(call: ast.Call) -> bool:
    """Whether an edge says nothing but its ends and its condition."""
    if any(isinstance(one, ast.Starred) for one in call.args):
        return False
    words = [word.arg for word in call.keywords]
    return (len(call.args), words) in ((2, ["when"]), (3, []))


def _imported(writing: Writing, edge: str) -> list[Edit] | None:
    """The edit that imports what switches are made of beside edges; None: it cannot be."""
    for one in writing.tree.body:
        if isinstance(one, ast.ImportFrom):
            names = {alias.asname or alias.name: alias for alias in one.names}
            if edge in names and names[edge].name == "Edge":
                if "Switch" in names and names["Switch"].name == "Switch":
                    return []
                if "Switch" in set(writing.names()):
                    return None
                span = writing.span(one.names[-1])
                return [Edit(span, f"{_shown(one.names[-1])}, Switch")]
    return None


def _shown(alias: ast.alias) -> str:
    return alias.name if alias.asname is None else f"{alias.name} as {alias.asname}"
