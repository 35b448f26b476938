"""What goes wrong when a flow is run by itself: pauses that nobody remembers, a parent it lacks.

Only flows count that are seen to be run. Others may be part of another flow, or be run by a
server, which gives them both.
"""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Sequence as Several

from flowlint.dialects.langgraph.editions import Edition
from flowlint.dialects.langgraph.model import RUNS
from flowlint.dialects.langgraph.threads import unnamed_runs
from flowlint.dialects.reading import text_of
from flowlint.graph.model import Node, Violation
from flowlint.source import Span
from flowlint.values.model import Built, Const, Operation, Sequence


def run_alone(built: Built, nodes: Several[Node], edition: Edition) -> Iterator[Violation]:
    """What goes wrong because a flow is run by itself."""
    for operation in built.operations:
        run = _run_of(operation)
        if run is None:
            continue
        yield from _pauses(nodes, operation, run)
        yield from _to_parent(nodes, run, edition)
        yield from unnamed_runs(operation)
        return


def _run_of(operation: Operation) -> Span | None:
    """Where what compile() gave is run."""
    if operation.method != "compile" or operation.arguments.spread:
        return None
    places = (origin.span() for name, origin in operation.uses if name in RUNS)
    return next(places, None)


def _pauses(nodes: Several[Node], compiled: Operation, run: Span) -> Iterator[Violation]:
    """Nodes that stop the run, where nothing keeps it."""
    saver = compiled.arguments.get("checkpointer", 0)
    is_none = saver is None or (isinstance(saver, Const) and saver.value is None)
    if not is_none or any(name == "checkpointer" for name, _ in compiled.uses):
        return
    asked = _asked_to_pause(compiled)
    pausing = _pausing(nodes)
    if asked is None and pausing is None:
        return
    places = [("it is run here", run)]
    what = f"it is given `{asked}`"
    if pausing is not None:
        what = f"`{pausing[0]}` interrupts the run"
        places.append(("the run stops here", pausing[1]))
    yield Violation(
        compiled.origin.span(),
        f"compile() is given no checkpointer, but {what}: it stops there, and nobody can go on "
        "with it",
        "pass a checkpointer, such as `InMemorySaver()`, and run it with a `thread_id`",
        None if pausing is None else pausing[0],
        "pause-without-store",
        tuple(places),
    )


def _asked_to_pause(compiled: Operation) -> str | None:
    for field in ("interrupt_before", "interrupt_after"):
        given = compiled.arguments.get(field)
        named = isinstance(given, Sequence) and any(not item.presence for item in given.items)
        if named or (given is not None and text_of(given) == "*"):
            return field
    return None


def _pausing(nodes: Several[Node]) -> tuple[str, Span] | None:
    """A node whose code stops the run, itself or within a flow that it is, and where."""
    for node in nodes:
        inner = node.regions.get("subgraph")
        within = _pausing(inner.nodes) if inner is not None else None
        where = node.pauses or (within[1] if within is not None else None)
        if where is not None and not node.presence:
            return node.name, where
    return None


def _to_parent(nodes: Several[Node], run: Span, edition: Edition) -> Iterator[Violation]:
    """Hand-overs to nodes of a flow around, where there is none."""
    lost = f"the run fails with {edition.parent_error}"
    if edition.parent_error is None:
        lost = "nothing comes of it, and the run reports success"
    for node in nodes:
        for handover in node.code.handovers if node.code is not None else ():
            if handover.to_parent:
                yield Violation(
                    handover.span,
                    f"`{node.name}` hands over to `{handover.target}` of the flow around, but the "
                    f"flow is run by itself: {lost}",
                    "leave `graph=Command.PARENT` out, or run the flow as a node of another one",
                    node.name,
                    "dangling-edge",
                    (("it is run here", run),),
                    severity="warning",
                )
