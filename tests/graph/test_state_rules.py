"""Rules on the state of flows made by hand."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import pytest
from handmade import ALL, edge, findings, flow, node, span, told

from flowlint.graph.code import Channel, Code, Handover, OddReturn, Read, StateSchema, Write
from flowlint.graph.model import END, FlowGraph, Gap, Node

STATEFUL = replace(ALL, drops_unknown_keys=True, odd_update_error="UpdateError")


def state(**kinds: str) -> StateSchema:
    """A state whose keys are of these kinds; `adds` is a reducer that adds."""
    channels = {
        key: Channel(key, span(500), "reducer" if kind == "adds" else kind, kind == "adds")  # type: ignore[arg-type]
        for key, kind in kinds.items()
    }
    return StateSchema(channels, span(499), "State")


def writing(name: str, *keys: str) -> Node:
    return node(name, code=Code(writes=tuple(Write(key, span(700)) for key in keys)))


def reading(name: str, *keys: str) -> Node:
    return node(name, code=Code(reads=tuple(Read(key, span(800)) for key in keys)))


def run(nodes: list[Node], schema: StateSchema, **more: object) -> FlowGraph:
    """The nodes one after the other."""
    names = [one.name for one in nodes]
    pairs = pairwise(names)
    edges = [*(edge(*pair) for pair in pairs), edge(names[-1], END)]
    graph = flow(nodes, edges, names[0], semantics=STATEFUL, state=schema)
    return replace(graph, **more)  # type: ignore[arg-type]


class TestUnknownKeys:
    def test_a_key_that_is_lost(self) -> None:
        graph = run([writing("a", "texts")], state(text="last"))
        assert told(graph) == ["warning unknown-state-key 700"]
        assert findings(graph)[0].help == "did you mean `text`?"

    def test_what_the_system_gives_is_never_meant(self) -> None:
        graph = run([writing("a", "step")], state(steps="managed"))
        assert findings(graph)[0].help == "declare `step` in `State`, or leave it out of the update"

    def test_systems_that_keep_such_keys(self) -> None:
        graph = run([writing("a", "texts")], state(text="last"))
        kept = replace(STATEFUL, drops_unknown_keys=False)
        assert told(replace(graph, semantics=kept)) == []

    @pytest.mark.parametrize("more", [{"more": "a base is out of sight"}, {"whole": True}])
    def test_states_that_may_have_the_key(self, more: dict[str, object]) -> None:
        schema = replace(state(text="last"), **more)  # type: ignore[arg-type]
        assert told(run([writing("a", "texts")], schema)) == []

    def test_what_the_system_gives_is_lost_in_any_state(self) -> None:
        schema = replace(state(steps="managed"), more="a base is out of sight")
        assert told(run([writing("a", "steps")], schema)) == ["warning unknown-state-key 700"]

    def test_another_node_reads_it(self) -> None:
        graph = run([writing("a", "texts"), reading("b", "texts")], state(text="last"))
        assert told(graph) == ["error unknown-state-key 700"]

    def test_only_the_writer_reads_it(self) -> None:
        both = Code(
            writes=(Write("texts", span(700)),),
            reads=(Read("texts", span(800)),),
        )
        graph = run([node("a", code=both)], state(text="last"))
        assert told(graph) == ["warning unknown-state-key 700"]

    def test_a_reader_that_is_sent_a_state_of_its_own(self) -> None:
        graph = run([writing("a", "texts"), reading("b", "texts")], state(text="last"))
        sent = tuple(replace(e, kind="send") if e.target == "b" else e for e in graph.edges)
        assert told(replace(graph, edges=sent)) == ["warning unknown-state-key 700"]

    def test_a_reader_that_may_be_sent_to_out_of_sight(self) -> None:
        gap = Gap(span(4000), "out of sight", frozenset({"targets"}), "a")
        nodes = [writing("a", "texts"), reading("b", "texts")]
        graph = run(nodes, state(text="last"), gaps=(gap,))
        assert "warning unknown-state-key 700" in told(graph)


class TestOddReturns:
    ODD = Code(odd=(OddReturn("a str", span(700)), OddReturn("a list", span(701))))

    def test_one_finding_for_a_node(self) -> None:
        graph = run([node("a", code=self.ODD)], state(text="last"))
        assert told(graph) == ["error node-returns-no-state 700"]
        assert "it raises UpdateError" in findings(graph)[0].message

    def test_systems_that_take_anything(self) -> None:
        graph = run([node("a", code=self.ODD)], state(text="last"))
        assert told(replace(graph, semantics=replace(STATEFUL, odd_update_error=None))) == []

    def test_states_that_may_be_a_single_value(self) -> None:
        single = state(__root__="last")
        for schema in (replace(single, whole=True), replace(single, more="out of sight")):
            assert told(run([node("a", code=self.ODD)], schema)) == []
        unsure = replace(state(text="last", title="last"), more="out of sight")
        assert told(run([node("a", code=self.ODD)], unsure)) == ["error node-returns-no-state 700"]


class TestStatesHandedBack:
    WHOLE = Code(returns_state=span(700))

    def test_keys_that_add(self) -> None:
        graph = run([node("a", code=self.WHOLE)], state(text="last", log="adds", other="reducer"))
        assert told(graph) == ["warning state-returned-whole 700"]
        assert "what `log` held" in findings(graph)[0].message

    @pytest.mark.parametrize(
        "more",
        [
            {"code": replace(WHOLE, writes=(Write("log", span(1)),))},
            {"code": replace(WHOLE, more_writes=True)},
            {"takes": frozenset({"text"})},
        ],
    )
    def test_keys_of_its_own(self, more: dict[str, object]) -> None:
        one = replace(node("a", code=self.WHOLE), **more)  # type: ignore[arg-type]
        assert told(run([one], state(text="last", log="adds"))) == []

    def test_nodes_that_are_sent_a_state_of_their_own(self) -> None:
        graph = run([node("a"), node("b", code=self.WHOLE)], state(log="adds"))
        sent = tuple(replace(e, kind="send") if e.target == "b" else e for e in graph.edges)
        assert told(replace(graph, edges=sent)) == []

    @pytest.mark.parametrize(
        ("inner", "expected"),
        [
            (state(log="adds"), ["warning state-returned-whole 2"]),
            (state(log="last"), []),
            (replace(state(log="adds"), inputs=frozenset()), []),
            (replace(state(log="adds"), outputs=frozenset()), []),
            (replace(state(log="adds"), more="out of sight"), []),
        ],
    )
    def test_flows_as_nodes(self, inner: StateSchema, expected: list[str]) -> None:
        region = run([writing("c", "log")], inner)
        nodes = [writing("a", "log"), node("b", regions={"subgraph": region})]
        graph = run(nodes, state(log="adds"))
        assert [one for one in told(graph) if "state" in one] == expected

    def test_a_flow_that_hands_over_to_the_flow_around(self) -> None:
        leaves = Code(handovers=(Handover("d", span(1), to_parent=True),))
        region = run([node("c", code=leaves)], state(log="adds"))
        nodes = [writing("a", "log"), node("b", regions={"subgraph": region}), node("d")]
        assert told(run(nodes, state(log="adds"))) == []

    def test_a_flow_as_node_in_a_loop_feeds_itself(self) -> None:
        region = run([writing("c", "log")], state(log="adds"))
        nodes = [node("a", regions={"subgraph": region}), node("b")]
        edges = [edge("a", "b"), edge("b", "a", kind="case"), edge("b", END, kind="case")]
        graph = flow(nodes, edges, semantics=STATEFUL, state=state(log="adds"))
        assert [one for one in told(graph) if "state" in one] == ["warning state-returned-whole 1"]
        without = flow(nodes, [edge("a", "b")], semantics=STATEFUL, state=state(log="adds"))
        assert [one for one in told(without) if "state" in one] == ["info state-returned-whole 1"]


class TestMissingKeys:
    NEEDING = replace(STATEFUL, missing_key_error="LackError")

    @staticmethod
    def needing(name: str, *keys: str, **more: object) -> Node:
        return replace(reading(name, *keys), may_take=frozenset({"text"}), **more)  # type: ignore[arg-type]

    def test_a_key_that_is_never_there(self) -> None:
        graph = run([self.needing("a", "texts")], state(text="last"), semantics=self.NEEDING)
        assert told(graph) == ["error unknown-state-key 800"]
        assert "LackError is raised" in findings(graph)[0].message

    def test_systems_of_which_it_is_not_known_what_is_raised(self) -> None:
        graph = run([self.needing("a", "texts")], state(text="last"))
        assert findings(graph)[0].message.endswith("`State`: it is never there.")

    def test_several_readers_are_one_cause(self) -> None:
        other = replace(
            self.needing("b"), code=Code(reads=(Read("texts", span(801), False, "get"),))
        )
        graph = run([other, self.needing("a", "texts")], state(text="last"))
        assert told(graph) == ["error unknown-state-key 800"]
        assert [related.span.line for related in findings(graph)[0].related] == [801]

    @pytest.mark.parametrize("how", ["dot", "asked"])
    def test_what_is_no_key_or_no_read(self, how: str) -> None:
        code = Code(reads=(Read("texts", span(800), False, how),))  # type: ignore[arg-type]
        graph = run([replace(self.needing("a"), code=code)], state(text="last"))
        assert told(graph) == []

    def test_a_node_that_may_be_given_anything(self) -> None:
        graph = run([replace(self.needing("a", "texts"), may_take=None)], state(text="last"))
        assert told(graph) == []

    @pytest.mark.parametrize("kind", ["send", "goto"])
    def test_a_node_that_may_be_sent_another_state(self, kind: str) -> None:
        sender = node("a", code=Code(more_handovers=True))
        graph = run([sender, self.needing("b", "texts")], state(text="last"))
        edges = tuple(replace(e, kind=kind) if e.target == "b" else e for e in graph.edges)  # type: ignore[arg-type]
        assert "error unknown-state-key 800" not in told(replace(graph, edges=edges))
