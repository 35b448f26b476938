"""What LangGraph's own builder rejects beyond the shape of the graph."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Iterator
from collections.abc import Sequence as Several

from flowlint.dialects.langgraph.editions import Edition
from flowlint.dialects.langgraph.javascript import model as javascript
from flowlint.dialects.langgraph.model import (
    HANDLER_NODE,
    KNOWN_ROUTERS,
    RESERVED_CHARACTERS,
    STATE_GRAPH,
)
from flowlint.dialects.langgraph.releases import Release
from flowlint.dialects.reading import bare_function, text_of, written
from flowlint.graph.model import END, START, Node, Violation
from flowlint.source import Span
from flowlint.values.model import (
    Argument,
    Built,
    Call,
    Const,
    External,
    Function,
    Instance,
    Operation,
    Partial,
    Sequence,
    Value,
)


def node_without_action(name: str, operation: Operation) -> Violation:
    """`add_node("x")` without anything to run."""
    return Violation(
        operation.origin.span(),
        f"Node `{name}` is added without a function to run: add_node() raises",
        "pass the function as the second argument",
        name,
        refuses_node=True,
    )


def name_violation(name: str, span: Span) -> Violation | None:
    """Names that no node may have."""
    if name in (START, END):
        marker = "START" if name == START else "END"
        return Violation(
            span,
            f"`{name}` is the name of the marker {marker}: add_node() raises",
            "give the node another name",
            name,
            refuses_node=True,
        )
    for character in RESERVED_CHARACTERS:
        if character in name:
            return Violation(
                span,
                f"The node name `{name}` contains `{character}`, which LangGraph reserves: "
                "add_node() raises",
                f"leave `{character}` out of the name",
                name,
                refuses_node=True,
            )
    return None


def edge_violation(source: str, target: str, start: Argument, end: Argument) -> Violation | None:
    """Edges that leave the end or lead to the start."""
    if source == END:
        return Violation(
            written(start),
            f"An edge leaves END towards `{target}`: add_edge() raises",
            "END is where a run stops; start the edge at a node",
        )
    return edge_into_start(f"`{source}`", written(end)) if target == START else None


def edge_into_start(sources: str, span: Span) -> Violation:
    """An edge that leads to START."""
    return Violation(
        span,
        f"An edge from {sources} leads to START: add_edge() raises",
        "START is where a run begins; lead the edge to a node",
    )


def join_violation(name: str, span: Span) -> Violation | None:
    """The markers cannot be sources of a join."""
    if name == START:
        return Violation(
            span,
            "START is among the sources of an edge from several nodes: add_edge() raises",
            "give START an edge of its own",
        )
    if name == END:
        return Violation(
            span,
            "END is among the sources of an edge from several nodes: add_edge() raises",
            "leave END out",
        )
    return None


def join_into_end(span: Span) -> Violation:
    """An edge from several nodes to END, where it may not lead there."""
    return Violation(
        span,
        "An edge from several nodes leads to END: add_edge() raises",
        "give each of them an edge to END of its own",
    )


def added_late(
    joins: Iterable[Several[tuple[str, Span]]], nodes: Iterable[Node]
) -> Iterator[Violation]:
    """Joins that mention nodes before they are added.

    `joins` hold for each the names that were not declared when it was made, `nodes` are all.
    """
    added = {node.name: node for node in nodes if not node.presence}
    for mentions in joins:
        late = {name: span for name, span in reversed(mentions) if name in added}
        if not late:
            continue
        names = [name for name in dict.fromkeys(name for name, _ in mentions) if name in late]
        shown = [f"`{name}`" for name in names]
        verb = "are" if shown[1:] else "is"
        listed = " and ".join([", ".join(shown[:-1]), shown[-1]] if shown[1:] else shown)
        yield Violation(
            late[names[0]],
            f"{listed} {verb} added only after this edge from several nodes: add_edge() raises",
            "add the edge after all of its nodes",
            names[0],
            related=tuple((f"`{name}` is added here", added[name].name_span) for name in names),
        )


def empty_sequence(span: Span) -> Violation:
    """`add_sequence([])`."""
    return Violation(
        span,
        "add_sequence() is given no nodes and raises",
        "list at least one node",
        rule="empty-flow",
    )


def sequence_without_length(span: Span) -> Violation:
    """`add_sequence(step for step in steps)`."""
    return Violation(
        span,
        "add_sequence() is given a generator, which has no length, and raises",
        "pass a list of the nodes",
    )


def branch_name(router: Value, edition: Edition) -> str | None:
    """The name under which LangGraph keeps a branch, None when it cannot be told."""
    if not edition.names_functions:
        is_function = isinstance(router, Function)
        is_function |= isinstance(router, External) and router.qualified in KNOWN_ROUTERS
        return "condition" if is_function else None
    if isinstance(router, Function):
        if router.decorators:
            return None
        return "condition" if router.kind == "lambda" else router.name
    if isinstance(router, Partial | Instance):
        return "condition"
    return None


def branch_twice(source: str, name: str, span: Span, earlier: Span, edition: Edition) -> Violation:
    """Two branches of one name on one source."""
    what = f"the router `{name}` twice"
    if name == "condition":
        what = "two routers"
        what += " without a name of their own" if edition.names_functions else ""
    first = (("first added here", earlier),) if earlier != span else ()
    return Violation(
        span,
        f"`{source}` has {what} as conditional edges, which take the same name: "
        "add_conditional_edges() raises",
        "use one router, or functions with different names"
        if edition.names_functions
        else "use one router, which may return several names in an array",
        source,
        related=first,
    )


def node_violations(
    name: str, action: Value, operation: Operation, release: Release
) -> Iterator[Violation]:
    """What LangGraph does not accept of a node: a flow that is not compiled, wrong limits."""
    if isinstance(action, Built) and action.cls is None and action.model.products:
        yield Violation(
            operation.origin.span(),
            f"`{name}` is given a flow that is not compiled: add_node() raises",
            "pass what its compile() returns",
            name,
        )
        return
    timeout = operation.arguments.find("timeout") if release.has_timeouts else None
    if timeout is None or (isinstance(timeout.value, Const) and timeout.value.value is None):
        return
    problem = _nonpositive(timeout.value)
    if problem is not None:
        yield Violation(
            written(timeout),
            f"The timeout of `{name}` is {problem}, which is not above 0: add_node() raises",
            "give a number of seconds above 0, or leave it out",
            name,
            "bad-limit",
        )
        return
    function = bare_function(action)
    if function is not None and not function.is_async and not function.decorators:
        yield Violation(
            written(timeout),
            f"`{name}` has a timeout but `{function.name}` is not async: compile() raises, "
            "since only async nodes can be stopped",
            f"write `async def {function.name}`, or leave the timeout out",
            name,
            "bad-limit",
            (("the function is defined here", function.origin.span()),),
        )


def _nonpositive(value: Value) -> str | None:
    if isinstance(value, Const) and isinstance(value.value, int | float):
        return str(value.value) if value.value <= 0 else None
    if isinstance(value, Call) and value.target.rsplit(".", 1)[-1] == "TimeoutPolicy":
        for field in ("run_timeout", "idle_timeout"):
            limit = value.arguments.get(field)
            found = _nonpositive(limit) if limit is not None else None
            if found is not None:
                return found
    return None


def default_violations(operation: Operation, built: Built) -> Iterator[Violation]:
    """A default error handler takes a node name of its own."""
    if operation.arguments.get("error_handler") is None:
        return
    for other in built.operations:
        first = other.arguments.find("node", 0)
        if other.method == "add_node" and first is not None:
            if text_of(first.value) == HANDLER_NODE:
                yield Violation(
                    written(first),
                    f"`{HANDLER_NODE}` is the name LangGraph gives to the default error handler: "
                    "compile() raises",
                    "give the node another name",
                    HANDLER_NODE,
                    "duplicate-node",
                    (("the default error handler is set here", operation.origin.span()),),
                )


def interrupted(built: Built) -> frozenset[str] | None:
    """The nodes before or after which some compile() is told to interrupt, None: any node."""
    named: set[str] = set()
    for operation in built.operations:
        if operation.method != "compile":
            continue
        for field in ("interrupt_before", "interrupt_after"):
            given = operation.arguments.get(field)
            if given is None:
                continue
            if not isinstance(given, Sequence) or given.rest is not None:
                return None
            for item in given.items:
                name = text_of(item.value)
                if name is None:
                    return None
                named.add(name)
    return frozenset(named)


def interrupting(operation: Operation) -> Iterator[Value]:
    """The names of the nodes before or after which a compile() is told to interrupt."""
    for field in ("interrupt_before", "interrupt_after"):
        given = operation.arguments.get(field)
        if isinstance(given, Sequence):
            yield from (item.value for item in given.items)


def compile_violations(
    operation: Operation, nodes: Iterable[Node], release: Release
) -> Iterator[Violation]:
    """What compile() itself does not accept."""
    saver = operation.arguments.find("checkpointer", 0) if release.checks_checkpointers else None
    if saver is not None and isinstance(saver.value, Instance) and not saver.value.cls.bases:
        yield Violation(
            written(saver),
            f"`{saver.value.cls.name}` is no checkpointer of LangGraph: compile() raises",
            "derive it from `BaseCheckpointSaver`, or pass one of LangGraph's savers",
        )
    declared = {node.name for node in nodes}
    for field in ("interrupt_before", "interrupt_after"):
        given = operation.arguments.get(field)
        if not isinstance(given, Sequence) or given.rest is not None:
            continue
        for item in given.items:
            name = text_of(item.value)
            if name is None or item.presence or name == "*" or name.startswith("__error_handler__"):
                continue
            if name not in declared:
                near = difflib.get_close_matches(name, declared, 1)
                yield Violation(
                    (item.place or item.value.origin).span(),
                    f"`{field}` names `{name}`, which is no node of this flow: compile() raises",
                    f"did you mean `{near[0]}`?" if near else "name a node of this flow",
                    rule="dangling-edge",
                )


def schema_violations(built: Built) -> Iterator[Violation]:
    """Reducers that do not take two arguments."""
    is_state_graph = built.model in (STATE_GRAPH, javascript.STATE_GRAPH)
    if is_state_graph and not built.arguments.spread and built.cls is None:
        if not any(built.arguments.get(name, 0) for name in ("state_schema", "schema")):
            yield Violation(
                built.origin.span(),
                "StateGraph() is given no schema of the state and raises TypeError",
                "pass the class of the state",
            )
    for name in ("state_schema", "input_schema", "output_schema", "input", "output"):
        position = 0 if name == "state_schema" else None
        schema = built.arguments.get(name, position)
        if schema is None:
            continue
        for field, reducer, span in reducers(schema):
            count = reducer.reader.positional_parameters()
            if count != 2:
                yield Violation(
                    span,
                    f"The reducer `{reducer.name}` of state key `{field}` takes {count} positional "
                    "arguments instead of 2: StateGraph() raises",
                    "write it as a function of the old and the new value",
                )


def reducers(schema: Value) -> Iterator[tuple[str, Function, Span]]:
    """The state keys of a schema whose last annotation is a function of the project."""
    from flowlint.values.model import Class, Generic

    if not isinstance(schema, Class):
        return
    for field, annotation in schema.reader.annotations().items():
        if not isinstance(annotation, Generic) or not isinstance(annotation.base, External):
            continue
        if annotation.base.qualified.rsplit(".", 1)[-1] != "Annotated" or not annotation.arguments:
            continue
        last = annotation.arguments[-1]
        if isinstance(last, Function) and not last.decorators:
            yield field, last, annotation.origin.span()
