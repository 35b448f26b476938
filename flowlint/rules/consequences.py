"""What becomes of a faulty flow in its system."""

from __future__ import annotations

from flowlint.graph.model import FlowGraph


def rejects(graph: FlowGraph) -> str:
    """What the system's builder does with a flow it refuses."""
    builder = graph.semantics.built_by
    return f"{builder} raises" if graph.built else f"{builder} rejects it"


def is_rejection_proven(graph: FlowGraph) -> bool:
    """Whether a flow that breaks the builder's demands is certain to meet the builder as it is."""
    return graph.built or not (graph.gaps or graph.unused)
