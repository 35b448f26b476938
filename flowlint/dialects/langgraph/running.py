"""What goes wrong when a flow is run by itself: pauses that nobody remembers, a parent it lacks.

Only flows count that are seen to be run. Others may be part of another flow, or be run by a
server, which gives them both.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from flowlint.dialects.reading import bare_function, text_of
from flowlint.graph.model import Node, Violation
from flowlint.source import Span
from flowlint.values.model import Built, Const, External, Operation, Sequence, Value

INTERRUPT = frozenset({"langgraph.types.interrupt", "langgraph.graph.interrupt"})
RUNS = frozenset({"invoke", "ainvoke", "stream", "astream", "astream_events", "batch", "abatch"})


def run_alone(built: Built, nodes: Iterable[Node]) -> Iterator[Violation]:
    """What goes wrong because a flow is run by itself."""
    for operation in built.operations:
        run = _run_of(operation)
        if run is None:
            continue
        yield from _pauses(built, operation, run)
        yield from _to_parent(nodes, run)
        return


def _run_of(operation: Operation) -> Span | None:
    """Where what compile() gave is run."""
    if operation.method != "compile" or operation.arguments.spread:
        return None
    places = (origin.span() for name, origin in operation.uses if name in RUNS)
    return next(places, None)


def _pauses(built: Built, compiled: Operation, run: Span) -> Iterator[Violation]:
    """Nodes that stop the run, where nothing keeps it."""
    saver = compiled.arguments.get("checkpointer", 0)
    is_none = saver is None or (isinstance(saver, Const) and saver.value is None)
    if not is_none or any(name == "checkpointer" for name, _ in compiled.uses):
        return
    asked = _asked_to_pause(compiled)
    pausing = _pausing_node(built)
    if asked is None and pausing is None:
        return
    what = f"`{pausing}` calls interrupt()" if pausing is not None else f"it is given `{asked}`"
    yield Violation(
        compiled.origin.span(),
        f"compile() is given no checkpointer, but {what}: the run stops there, and nobody can go "
        "on with it",
        "pass a checkpointer, such as `InMemorySaver()`, and run it with a `thread_id`",
        pausing,
        "pause-without-store",
        (("it is run here", run),),
    )


def _asked_to_pause(compiled: Operation) -> str | None:
    for field in ("interrupt_before", "interrupt_after"):
        given = compiled.arguments.get(field)
        named = isinstance(given, Sequence) and any(not item.presence for item in given.items)
        if named or (given is not None and text_of(given) == "*"):
            return field
    return None


def _pausing_node(built: Built) -> str | None:
    """A node whose own code calls `interrupt()`."""
    for operation in built.operations:
        if operation.method != "add_node" or operation.presence - built.presence:
            continue
        first, second = (operation.arguments.get(*at) for at in (("node", 0), ("action", 1)))
        for value in (second, first):
            name = _if_interrupts(value)
            if name is not None:
                return text_of(first) if first is not None and text_of(first) else name
    return None


def _if_interrupts(value: Value | None) -> str | None:
    function = bare_function(value) if value is not None else None
    if function is None:
        return None
    found = any(
        isinstance(mentioned, External) and mentioned.qualified in INTERRUPT
        for mentioned in function.reader.mentions()
    )
    return function.name if found else None


def _to_parent(nodes: Iterable[Node], run: Span) -> Iterator[Violation]:
    """Hand-overs to nodes of a flow around, where there is none."""
    for node in nodes:
        for handover in node.code.handovers if node.code is not None else ():
            if handover.to_parent:
                yield Violation(
                    handover.span,
                    f"`{node.name}` hands over to `{handover.target}` of the flow around, but the "
                    "flow is run by itself: the run fails with ParentCommand",
                    "leave `graph=Command.PARENT` out, or run the flow as a node of another one",
                    node.name,
                    "dangling-edge",
                    (("it is run here", run),),
                    severity="warning",
                )
