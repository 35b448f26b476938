"""Keys that nodes write and that the state does not have, so that they are lost."""

from __future__ import annotations

from flowlint.graph.code import Read, StateSchema, Write
from flowlint.graph.model import FlowGraph, Node
from flowlint.rules.reads import Reader, readers
from flowlint.source import Span


def lost_writes(graph: FlowGraph, state: StateSchema) -> dict[str, list[tuple[Node, Write]]]:
    """The keys that are written in vain, in the order of the nodes, each place once."""
    found: dict[str, list[tuple[Node, Write]]] = {}
    seen: set[tuple[str, Span]] = set()
    passed_on = _passed_on(graph)
    for node in graph.nodes:
        for write in node.code.writes if node.code is not None else ():
            channel = state.channels.get(write.key)
            if channel is None and state.more is not None:
                continue
            if channel is not None and channel.kind != "managed":
                continue
            to_routers = passed_on.get(node.name, frozenset())
            if to_routers is None or write.key in to_routers:
                continue
            if (write.key, write.span) not in seen:
                seen.add((write.key, write.span))
                found.setdefault(write.key, []).append((node, write))
    return found


def _passed_on(graph: FlowGraph) -> dict[str, frozenset[str] | None]:
    """What routers read of all that their source hands back, by the source; None: anything."""
    found: dict[str, frozenset[str] | None] = {}
    for router in graph.routers:
        if router.passed_on:
            known = found.get(router.source, frozenset())
            keys = frozenset(read.key for read in router.reads)
            found[router.source] = None if router.more_reads or known is None else known | keys
    return found


def readers_of(graph: FlowGraph, key: str, writers: set[str]) -> list[tuple[Reader, Read]]:
    """Where somebody else reads a key, each place once."""
    if graph.hides("targets") or graph.hides("edges"):
        return []
    found: dict[Span, tuple[Reader, Read]] = {}
    for reader in readers(graph):
        if reader.node in writers and not reader.ran:
            continue
        for read in reader.reads:
            if read.key == key:
                found.setdefault(read.span, (reader, read))
    return list(found.values())
