"""Flows that call themselves."""

from __future__ import annotations

from flowlint.dialects.objectstack.parts import EdgePart, NodePart, Scope

_MOST = 16
"""How deep flows may call each other."""


def check_calls(scope: Scope, start: NodePart | None) -> None:
    """Note a node that calls its own flow on every run, so that no run comes to an end."""
    name = scope.flow.text("name")
    if start is None or start.presence or name is None:
        return
    nodes = scope.by_id()
    certain, pending = {start.id}, [start.id]
    for source in pending:
        node = nodes.get(source)
        if node is None or node.kind == "end" or node.facts.labels or node.kind == "decision":
            continue
        for edge in scope.leaving(source):
            if _is_always_taken(edge) and edge.target not in certain:
                certain.add(edge.target)
                pending.append(edge.target)
    for node in scope.nodes:
        called = node.config.fields.get("flowName")
        if node.kind != "subflow" or node.id not in certain or called is None or node.presence:
            continue
        if node.config.text("flowName") == name:
            scope.notes.add(
                called.span,
                f"`{node.id}` calls its own flow `{name}` on every run: the run fails after "
                f"{_MOST} calls, unless it is about a record and the call is passed over",
                "let a decision lead to the call",
                rule="loop-without-exit",
                node=node.id,
                severity="warning",
            )


def _is_always_taken(edge: EdgePart) -> bool:
    is_plain = edge.condition is None and not edge.is_default and not edge.label
    return is_plain and edge.is_sure and not edge.presence
