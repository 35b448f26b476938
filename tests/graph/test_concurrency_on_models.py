"""What the rules on concurrency say of flows made by hand."""

from __future__ import annotations

from dataclasses import replace

from graph.handmade import ALL, edge, findings, flow, node, span
from graph.handmade import tests as under

from flowlint.graph.code import Channel, Code, Handover, Route, Router, StateSchema, Write
from flowlint.graph.model import END, FlowGraph

RULES = ("conflicting-writes", "runs-more-than-once", "join-never-completes")


def channels(*keys: str) -> dict[str, Channel]:
    return {key: Channel(key, span(7)) for key in keys}


STATE = StateSchema(channels("x", "y"), span(7))


def writes(*keys: str, certain: bool = True, **more: object) -> Code:
    return Code(writes=tuple(Write(key, span(8), certain) for key in keys), **more)  # type: ignore[arg-type]


def returns_state(*keys: str) -> Code:
    return writes(*keys, returns_state=span(9), returns_state_always=True)


def told(graph: FlowGraph) -> list[str]:
    return [
        f"{found.severity} {found.name} {found.span.line}"
        for found in findings(graph)
        if found.name in RULES
    ]


def fork(*others: tuple[str, object], state: StateSchema = STATE, **first: object) -> FlowGraph:
    """A node `a` after which nodes with these codes run side by side."""
    nodes = [node("a", **first), *(node(name, code=code) for name, code in others)]
    return flow(nodes, [("a", name) for name, _ in others], "a", ALL, state=state)


def test_sixty_nodes_are_one_fault() -> None:
    graph = fork(*((f"b{number}", writes("x", "y")) for number in range(60)))
    (found,) = [found for found in findings(graph) if found.name in RULES]
    assert "and 56 more run in the same superstep and all write `x` and `y`" in found.message


def test_only_where_both_writes_are_sure_it_is_an_error() -> None:
    sure, unsure = writes("x"), writes("x", certain=False)
    assert told(fork(("b", sure), ("c", sure))) == ["error conflicting-writes 1001"]
    assert told(fork(("b", sure), ("c", unsure))) == ["warning conflicting-writes 1001"]
    assert told(fork(("b", sure), ("c", writes("y")))) == []
    assert told(fork(("b", sure), ("c", None))) == []


def test_what_is_handed_through_needs_a_value() -> None:
    given = writes("x")
    both = (("b", returns_state()), ("c", writes("x")))
    assert told(fork(*both, code=given)) == ["error conflicting-writes 1001"]
    assert told(fork(*both, code=writes("x", certain=False))) == ["warning conflicting-writes 1001"]
    assert told(fork(*both)) == []


def test_a_node_returns_only_what_it_was_given() -> None:
    graph = fork(("b", returns_state()), ("c", writes("x")), code=writes("x"))
    narrow = [
        node(one.name, code=one.code, takes=frozenset({"y"}) if one.name == "b" else None)
        for one in graph.nodes
    ]
    edges = [("a", "b"), ("a", "c")]
    assert told(flow(narrow, edges, "a", ALL, state=STATE)) == []


def test_flows_give_back_what_they_take_in_or_write() -> None:
    def inner(inputs: frozenset[str] | None, code: Code | None = None) -> FlowGraph:
        state = StateSchema(channels("x", "y"), span(7), inputs=inputs)
        return flow([node("q", code=code)], [], "q", ALL, state=state)

    def both(first: FlowGraph, second: FlowGraph) -> list[str]:
        nodes = [
            node("a"),
            node("b", kind="subgraph", regions={"subgraph": first}),
            node("c", kind="subgraph", regions={"subgraph": second}),
        ]
        return told(flow(nodes, [("a", "b"), ("a", "c")], "a", ALL, state=STATE))

    # No run begins without a key, and both give all of them back.
    assert both(inner(None), inner(None)) == ["error conflicting-writes 1001"]
    assert both(inner(frozenset({"x"})), inner(None)) == []
    writing = inner(frozenset(), writes("x"))
    assert both(writing, writing) == ["error conflicting-writes 1001"]


def test_two_routers_of_one_node_do_not_exclude_each_other() -> None:
    def router(number: int, *targets: str) -> Router:
        routes = tuple(Route(target, target, span(3)) for target in targets)
        return Router("a", f"r{number}", span(3), f"choice{number}", routes)

    nodes = [node("a"), node("b", code=writes("x")), node("c", code=writes("x")), node("d")]
    edges = [
        edge("a", "b", kind="case", choice="choice1"),
        edge("a", "c", kind="case", choice="choice1"),
        edge("b", "d", group="join"),
        edge("c", "d", group="join"),
    ]
    one = flow(nodes, edges, "a", ALL, state=STATE, routers=(router(1, "b", "c"),))
    assert told(one) == ["error join-never-completes 1002"]
    # The other one may lead to `b` too, though no edge of its own says so.
    two = flow(nodes, edges, "a", ALL, state=STATE, routers=(*one.routers, router(2, "b", END)))
    assert told(two) == []


def test_who_hands_over_to_the_flow_around_takes_no_edges() -> None:
    leaves = Code(handovers=(Handover("z", span(3), to_parent=True),))
    both = (("b", writes("x")), ("c", writes("x")))
    assert told(fork(*both, code=leaves)) == []
    assert told(fork(*both, code=Code())) == ["error conflicting-writes 1001"]


def test_a_sure_hand_over_is_taken_beside_an_edge() -> None:
    hands_over = Code(handovers=(Handover("c", span(3)),), hands_over_always=True)
    nodes = [node("a", code=hands_over), *(node(n, code=writes("x")) for n in "bc")]
    edges = [edge("a", "b"), edge("a", "c", kind="goto", checked=False)]
    assert told(flow(nodes, edges, "a", ALL, state=STATE)) == ["error conflicting-writes 3"]


def test_tests_that_exclude_each_other() -> None:
    nodes = [node("a"), *(node(n, code=writes("x")) for n in "bc")]

    def graph(second: bool) -> FlowGraph:
        edges = [
            edge("a", "b", presence=under(t=True)),
            edge("a", "c", presence=under(t=second)),
        ]
        return flow(nodes, edges, "a", ALL, state=STATE)

    assert told(graph(True)) == ["warning conflicting-writes 1001"]
    assert told(graph(False)) == []


def test_systems_without_supersteps_have_none_of_this() -> None:
    graph = fork(("b", writes("x")), ("c", writes("x")))
    other = replace(graph, semantics=replace(ALL, supersteps=False))
    assert told(graph) != []
    assert told(other) == []
