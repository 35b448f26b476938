"""What only some releases and editions refuse: nodes called like keys, nodes that no edge names."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from flowlint.dialects.langgraph.editions import PYTHON
from flowlint.dialects.langgraph.releases import Release
from flowlint.dialects.reading import written
from flowlint.graph.model import FlowGraph, Node, Violation
from flowlint.values.model import Built, Operation, Sequence

SCHEMAS = (("state_schema", 0), ("input_schema", None), ("output_schema", None))
"""What a builder is given keys by, with the position of that argument."""


def refused(graph: FlowGraph, built: Built, release: Release) -> Iterator[Violation]:
    """What the release does not take of a flow, whatever its runs would do."""
    if not release.keys_may_name_nodes:
        yield from _names_of_keys(graph.nodes, built, release)
    if release.rejects_unused_nodes and not _is_open(graph):
        has_handlers = any(o.arguments.get("error_handler") for o in built.operations)
        if release.edition is PYTHON or not has_handlers:
            yield from _unused_nodes(graph, built, release)


def _names_of_keys(nodes: Iterable[Node], built: Built, release: Release) -> Iterator[Violation]:
    """Nodes that are called like a key which the builder has from the beginning."""
    stated = (built.arguments.find(name, at) for name, at in SCHEMAS)
    given = [argument for argument in stated if argument is not None]
    several = [release.edition.keys_of(one.value, written(one)) for one in given]
    channels = {key: channel for keys in several for key, channel in keys.channels.items()}
    until = " before LangGraph 0.5.0" if release.edition is PYTHON else ""
    for node in nodes:
        channel = channels.get(node.name)
        if channel is not None:
            yield Violation(
                node.name_span,
                f"`{node.name}` is a key of the state, after which no node may be called{until}: "
                "add_node() raises",
                "give the node another name",
                node.name,
                related=((f"the key `{node.name}` is declared here", channel.span),),
                severity="warning" if node.presence else None,
            )


def _is_open(graph: FlowGraph) -> bool:
    """Whether there may be edges that are not seen, or it may never be compiled."""
    if graph.hides("nodes") or graph.hides("edges") or graph.hides("entry"):
        return True
    if any(router.open_cases for router in graph.routers):
        return True
    # Where nobody compiles it here, those who do may well add edges before.
    return not graph.built


def _unused_nodes(graph: FlowGraph, built: Built, release: Release) -> Iterator[Violation]:
    """Nodes that no edge leads to, for all that the builder sees."""
    # A router that does not tell its targets may lead to every node but its own.
    anywhere = {
        router.source
        for router in graph.routers
        if router.cases is None and router.declared is None and not router.open_cases
    }
    is_old = release.edition is PYTHON
    # Of JavaScript the builder sees nothing of what nodes do, but for what it is told.
    stated = built.operations if not is_old else ()
    hidden = (gap for gap in graph.gaps if "targets" in gap.hides and gap.node not in anywhere)
    if (is_old and any(hidden)) or any(map(_has_unknown_targets, stated)):
        return
    led_to = {edge.target for edge in graph.edges if edge.checked}
    led_to |= {entry.name for entry in graph.entries}
    # Where nothing leads in, that is told; an edge to the first of them is what is missing.
    unled = [node for node in graph.nodes if node.name not in led_to]
    for node in unled if graph.entries else unled[1:]:
        if anywhere - {node.name} or node.presence:
            continue
        refuses = "which LangGraph refuses before 0.2.54" if is_old else "which LangGraph refuses"
        handing = [
            edge
            for edge in graph.edges
            if edge.target == node.name and edge.source != node.name and not edge.checked
        ]
        cure = f"add an edge to `{node.name}`, or remove the node"
        if handing and not is_old:
            ends = f'ends: ["{node.name}"]'
            cure = f"pass `{{ {ends} }}` to addNode() where `{handing[0].source}` is added"
        yield Violation(
            node.name_span,
            f"No edge leads to `{node.name}`, {refuses}: compile() raises",
            cure,
            node.name,
            "unreachable-node",
            tuple((f"the code of `{e.source}` hands over to it", e.target_span) for e in handing),
        )


def _has_unknown_targets(operation: Operation) -> bool:
    stated = operation.arguments.get("destinations")
    if stated is None:
        return False
    return not isinstance(stated, Sequence) or stated.rest is not None
