"""How rules speak of a name that no node bears."""

from __future__ import annotations

from flowlint.findings.model import Related
from flowlint.graph.model import END, START, FlowGraph
from flowlint.graph.names import letters
from flowlint.rules.absent import Absent, Mention
from flowlint.rules.consequences import rejects
from flowlint.rules.context import RuleContext
from flowlint.rules.presence import text_of
from flowlint.rules.report import places

MAX_NAMED = 6
"""Nodes that a help text lists."""


def subject_of(mention: Mention, name: str) -> str:
    """What names the missing node, and that it is missing."""
    missing = "which is no node of this flow"
    if mention.when is not None:
        missing = f"which is no node of this flow {text_of(mention.when)}"
    edge = mention.edge
    if mention.role == "entry" or edge is None:
        return f"The entry is `{name}`, {missing}"
    if name in (START, END):
        if mention.role == "source":
            return f"Edge to {_shown(edge.target)} starts at the end of the flow"
        return f"Edge from {_shown(edge.source)} leads back to the start of the flow"
    if mention.role == "source":
        return f"Edge to {_shown(edge.target)} starts at `{name}`, {missing}"
    if edge.kind in ("case", "outcome"):
        label = f" for `{edge.label}`" if edge.label not in (None, name) else ""
        return f"Route of {_shown(edge.source)}{label} leads to `{name}`, {missing}"
    if edge.kind == "goto":
        return f"Node {_shown(edge.source)} hands over to `{name}`, {missing}"
    if edge.kind == "send":
        return f"Node {_shown(edge.source)} sends to `{name}`, {missing}"
    return f"Edge from {_shown(edge.source)} leads to `{name}`, {missing}"


def consequence_of(mention: Mention, graph: FlowGraph) -> str:
    """What becomes of it."""
    if mention.consequence == "rejected":
        return rejects(graph)
    if mention.consequence == "fails":
        edge, semantics = mention.edge, graph.semantics
        is_send = edge is not None and edge.kind == "send"
        error = semantics.unknown_send_error if is_send else semantics.unknown_goto_error
        is_known = error is not None and edge is not None and not edge.checked
        return f"the run fails{f' with {error}' if is_known else ''} when it gets there"
    if mention.role == "entry":
        return "nothing runs, and the run reports success"
    return "nothing runs there, and the run reports success"


def cure_for(absent: Absent, mention: Mention, context: RuleContext) -> str | None:
    """What was meant, where that is plain."""
    marker = _marker_for(absent.name, mention, context.graph)
    near = context.suggestions.get(absent.name)
    if near is not None:
        return f"did you mean `{near}`?"
    if marker is not None:
        return f'use {marker} itself, not the text "{absent.name}"'
    if mention.when is not None:
        return f"add the edge under the same test as the node `{absent.name}`"
    return f"add a node `{absent.name}`, or name one of this flow{_named(context)}"


def _named(context: RuleContext) -> str:
    names = [f"`{name}`" for name in context.nodes]
    if not names or len(names) > MAX_NAMED:
        return ""
    return f": {' or '.join([', '.join(names[:-1]), names[-1]] if names[1:] else names)}"


def other_mentions(absent: Absent, told: Mention, context: RuleContext) -> list[Related]:
    """The other places of the same name, and the node that was probably meant."""
    others = [
        (f"`{absent.name}` is named here too", mention.span)
        for mention in absent.mentions
        if mention is not told
    ]
    near = context.suggestions.get(absent.name)
    node = context.nodes.get(near or absent.name)
    if node is not None:
        others.insert(0, (f"`{node.name}` is added here", node.name_span))
    return places(others)


def _marker_for(name: str, mention: Mention, graph: FlowGraph) -> str | None:
    semantics = graph.semantics
    if mention.role == "source":
        return semantics.start_marker if letters(name) == "start" else None
    return semantics.end_marker if letters(name) == "end" else None


def _shown(name: str) -> str:
    if name == END:
        return "the end"
    return "the start" if name == START else f"`{name}`"
