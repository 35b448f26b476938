"""Rules on flows made by hand: what neither system can show, and what must stay silent."""

from __future__ import annotations

from dataclasses import replace

import pytest
from big import big_flow
from handmade import ALL, FIRST, SWITCH, edge, findings, flow, is_, node, span, told
from handmade import tests as under

from flowlint.graph.guards import Truth
from flowlint.graph.model import END, START, Entry, Gap, Violation


def gap(*hides: str, on: str | None = None) -> dict[str, tuple[Gap, ...]]:
    return {"gaps": (Gap(span(4000), "out of sight", frozenset(hides), on),)}  # type: ignore[arg-type]


GAP = "info unresolved-flow 4000"


class TestSystemsWithoutFrontEnd:
    def test_forbidden_cycles(self) -> None:
        graph = flow("a b c", [("a", "b"), ("b", "a"), ("b", "c")], semantics=SWITCH)
        assert "error forbidden-cycle 1001" in told(graph)

    def test_an_edge_to_itself_is_a_cycle(self) -> None:
        semantics = replace(SWITCH, on_forbidden_cycle="silent")
        found = findings(flow("a", [("a", "a")], semantics=semantics))
        cycle = next(one for one in found if one.name == "forbidden-cycle")
        assert "`a → a`, which Switch does not allow: these nodes never run" in cycle.message

    def test_cycles_that_are_allowed(self) -> None:
        assert "error forbidden-cycle 1001" not in told(flow("a b", [("a", "b"), ("b", "a")]))

    def test_fan_out_that_the_builder_refuses(self) -> None:
        edges = [("a", "b"), ("a", "c"), edge("b", END), edge("c", END)]
        found = findings(flow("a b c", edges, semantics=SWITCH))
        assert [one.name for one in found] == ["multiple-outgoing-edges"]
        assert "only one node can follow: Flow(…) raises." in found[0].message

    def test_an_end_that_must_be_stated(self) -> None:
        graph = flow("a b", [("a", "b")], semantics=SWITCH)
        assert told(graph) == ["warning dead-end 2"]
        assert findings(graph)[0].witness == ("a", "b")
        strict = replace(SWITCH, unmatched_route="raises")
        assert told(replace(graph, semantics=strict)) == ["error dead-end 2"]

    def test_edges_that_the_system_never_takes(self) -> None:
        end = "every run ends at `b`"
        edges = [
            edge("a", "b"),
            edge("b", "c", kind="case", never=end),
            edge("b", "a", kind="case", never=end),
            edge("c", "d"),
        ]
        (found,) = findings(flow("a b c d", edges))
        assert (found.name, found.severity, found.span) == ("edge-never-taken", "error", span(1001))
        assert found.message == f"Edges from `b` to `c` and `a` are never taken: {end}."
        assert [related.message for related in found.related] == [
            "the edge to `a` is not taken either",
            "so `c` is never reached",
            "so `d` is never reached",
        ]

    def test_nodes_that_start_at_once(self) -> None:
        semantics = replace(ALL, on_unreachable="starts-at-once")
        found = findings(flow("a b", semantics=semantics))
        assert [one.severity for one in found] == ["warning"]
        assert "it starts at once, beside the entry" in found[0].message

    def test_a_route_that_ends_silently(self) -> None:
        semantics = replace(FIRST, unmatched_route="ends-silently")
        found = findings(flow("a b", [edge("a", "b", is_("kind", "A"))], semantics=semantics))
        assert "the run ends there, unfinished" in found[0].message

    def test_a_route_that_takes_all(self) -> None:
        semantics = replace(FIRST, unmatched_route="takes-all")
        assert told(flow("a b", [edge("a", "b", is_("kind", "A"))], semantics=semantics)) == []

    def test_a_loop_that_is_left_silently(self) -> None:
        semantics = replace(FIRST, unmatched_route="ends-silently", default_step_bound=9)
        graph = flow("a", [edge("a", "a", "again")], semantics=semantics)
        assert told(graph) == []
        assert told(replace(graph, semantics=replace(semantics, unmatched_route="raises"))) == [
            "warning loop-without-exit 1000"
        ]


class TestNamesThatNobodyBears:
    def test_markers_written_as_text(self) -> None:
        found = findings(flow("a", [("a", "END")], semantics=ALL))
        assert [one.help for one in found] == ['use END itself, not the text "END"']
        found = findings(flow("a b", [("start", "b"), edge("a", END)], semantics=ALL))
        assert found[0].help == 'use START itself, not the text "start"'
        plain = findings(flow("a", [("a", "END")]))[0].help
        assert plain == "add a node `END`, or name one of this flow: `a`"

    def test_one_name_leads_nowhere_and_nothing_leads_to_one_node(self) -> None:
        found = findings(flow("a b", [("a", "ghost")]))
        assert [(one.name, one.help) for one in found] == [("dangling-edge", "did you mean `b`?")]

    def test_a_node_named_end_is_meant_where_there_is_one(self) -> None:
        found = findings(flow("a end", [("a", "END")], semantics=ALL))
        assert [(one.name, one.help) for one in found] == [("dangling-edge", "did you mean `end`?")]

    @pytest.mark.parametrize(
        ("wrong", "nodes", "meant"),
        [
            ("reviewr", "reviewer", "reviewer"),
            ("Review_Node", "review-node", "review-node"),
            ("aproval", "approval", "approval"),
            ("apporval", "approval", "approval"),
            ("writer", "rewriter write", "write"),
            ("summarise_all", "summarize_all", "summarize_all"),
            ("step_3", "step_2", None),
            ("agent_b", "agent_c", None),
            ("b", "c", None),
            ("plan", "publish", None),
            ("fetch", "search", None),
        ],
    )
    def test_suggestions(self, wrong: str, nodes: str, meant: str | None) -> None:
        edges = [("a", wrong), *(("a", name) for name in nodes.split())]
        found = next(
            one
            for one in findings(flow(f"a {nodes}", edges, semantics=ALL))
            if one.name == "dangling-edge"
        )
        assert found.help is not None
        assert found.help.startswith(f"did you mean `{meant}`?" if meant else "add a node")

    def test_the_node_that_was_meant_is_not_unreachable_too(self) -> None:
        graph = flow("a reviewer done", [("a", "reviewr"), ("reviewer", "done")])
        assert told(graph) == ["error dangling-edge 1000"]
        assert findings(graph)[0].related[0].span == span(2)

    def test_names_the_builder_does_not_see(self) -> None:
        edges = [edge("a", "b"), edge("a", "zz", kind="goto", checked=False)]
        found = findings(flow("a b", edges, semantics=ALL))
        assert [(one.severity, one.name) for one in found] == [("warning", "dangling-edge")]
        assert found[0].message == (
            "Node `a` hands over to `zz`, which is no node of this flow: "
            "nothing runs there, and the run reports success."
        )

    def test_systems_that_only_fail_in_the_run(self) -> None:
        semantics = replace(FIRST, on_unknown_name="fails")
        assert told(flow("a", [("a", "z")], semantics=semantics)) == ["error dangling-edge 1000"]
        guarded = flow("a b", [edge("a", "z", "sometimes"), ("a", "b")], semantics=semantics)
        assert told(guarded) == ["warning dangling-edge 1000"]

    def test_markers_at_the_wrong_end(self) -> None:
        graph = flow("a b", [("a", "b"), edge("b", START), edge("b", END)], semantics=ALL)
        assert told(graph) == ["error dangling-edge 1001"]
        said = Violation(span(1001), "An edge leads to START")
        assert told(replace(graph, violations=(said,))) == ["error invalid-definition 1001"]

    def test_one_name_one_finding(self) -> None:
        graph = flow("a b", [("a", "b"), ("b", "zz"), ("zz", "a")])
        assert told(graph) == ["error dangling-edge 1001"]
        assert [one.span.line for one in findings(graph)[0].related] == [1002]


class TestTestsUnderWhichPartsAreThere:
    def test_equal_tests_agree(self) -> None:
        nodes = [node("a"), node("b", presence=under(tools=True))]
        edges = [edge("a", "b", presence=under(tools=True))]
        assert told(flow(nodes, edges, semantics=ALL)) == []

    def test_a_node_under_a_test_and_an_edge_without(self) -> None:
        nodes = [node("a"), node("b", presence=under(tools=True))]
        found = findings(flow(nodes, [("a", "b")], semantics=ALL))
        assert [(one.severity, one.name) for one in found] == [("warning", "dangling-edge")]
        assert "no node of this flow when `tools` is false" in found[0].message

    def test_nodes_that_cover_both_outcomes(self) -> None:
        nodes = [
            node("a"),
            node("b", presence=under(tools=True)),
            node("b", presence=under(tools=False)),
        ]
        assert told(flow(nodes, [("a", "b")], semantics=ALL)) == []

    def test_an_edge_under_the_opposite_test_is_always_wrong(self) -> None:
        nodes = [node("a"), node("b", presence=under(tools=True))]
        edges = [
            edge("a", "b", presence=under(tools=False)),
            edge("a", "b", presence=under(tools=True)),
        ]
        assert told(flow(nodes, edges, semantics=ALL)) == ["error dangling-edge 1000"]

    def test_duplicate_nodes_of_different_tests(self) -> None:
        nodes = [node("a", presence=under(x=True)), node("a", presence=under(y=True))]
        entry = [
            Entry("a", span(9), presence=under(x=True)),
            Entry("a", span(9), presence=under(y=True)),
        ]
        assert not any("duplicate" in one for one in told(flow(nodes, entry=entry)))
        nodes[1] = node("a", presence=under(x=True, y=True))
        assert any("duplicate" in one for one in told(flow(nodes, entry=entry)))
        nodes[1] = node("a", presence=under(x=False))
        assert not any("duplicate" in one for one in told(flow(nodes, entry=entry)))

    def test_a_back_edge_under_a_test_is_no_endless_loop(self) -> None:
        edges = [edge("a", "b"), edge("b", "a", presence=under(again=True))]
        assert told(flow("a b", edges, semantics=ALL)) == []

    def test_a_loop_that_is_there_or_not_as_a_whole(self) -> None:
        presence = under(loop=True)
        nodes = [node("a"), node("b", presence=presence), node("c", presence=presence)]
        edges = [
            edge("a", "b", presence=presence),
            edge("b", "c", presence=presence),
            edge("c", "b", presence=presence),
        ]
        assert told(flow(nodes, edges, semantics=ALL)) == ["error loop-without-exit 1002"]

    def test_a_way_out_under_a_test_is_one(self) -> None:
        edges = [edge("a", "b"), edge("b", "a", "again"), edge("b", END, presence=under(x=True))]
        semantics = replace(FIRST, default_step_bound=9)
        assert told(flow("a b", edges, semantics=semantics)) == []

    def test_an_earlier_edge_under_a_test_shadows_nothing(self) -> None:
        edges = [
            edge("a", "b", presence=under(quick=True)),
            edge("a", "c", is_("kind", "A")),
            edge("a", "b"),
        ]
        assert told(flow("a b c", edges)) == []
        edges[1] = edge("a", "c", is_("kind", "A"), presence=under(quick=True))
        assert told(flow("a b c", edges)) == ["error shadowed-edge 1001"]

    def test_entries_for_every_outcome(self) -> None:
        entries = [
            Entry("a", span(9), presence=under(x=True)),
            Entry("b", span(9), presence=under(x=False)),
        ]
        assert told(flow("a b", entry=entries)) == []
        assert "warning missing-entry 3000" in told(flow("a b", entry=entries[:1]))


class TestGapsSilence:
    def test_hidden_nodes(self) -> None:
        graph = flow("a", [("a", "zz")], **gap("nodes"))
        assert told(graph) == [GAP]
        assert told(flow("", [], "zz", **gap("nodes"))) == [GAP]

    def test_hidden_edges(self) -> None:
        graph = flow("a b c", [("b", "c"), ("c", "b")], semantics=ALL, **gap("edges"))
        assert told(graph) == [GAP]
        guarded = flow("a b", [edge("a", "b", is_("kind", "A"))], **gap("edges"))
        assert told(guarded) == [GAP]

    def test_hidden_entries(self) -> None:
        assert told(flow("a b", [("a", "a")], None, **gap("entry"))) == [GAP]

    def test_hidden_targets_of_a_node_that_runs(self) -> None:
        graph = flow("a b", [], semantics=ALL, **gap("targets", on="a"))
        assert told(graph) == [GAP]

    def test_hidden_targets_of_a_node_that_never_runs(self) -> None:
        graph = flow("a b", [edge("a", END)], semantics=ALL, **gap("targets", on="b"))
        assert told(graph) == ["warning unreachable-node 2", GAP]

    def test_what_is_there_is_still_wrong(self) -> None:
        edges = [("a", "zz"), edge("a", "b", Truth(False))]
        assert told(flow("a b", edges, **gap("edges")))[0] == "error dangling-edge 1000"

    def test_a_flow_that_nobody_builds(self) -> None:
        whole = flow("a", [("a", "zz")], built=False)
        assert told(whole) == ["error dangling-edge 1000"]
        assert "Flow(…) rejects it" in findings(whole)[0].message
        assert told(flow("a", [("a", "zz")], built=False, **gap("edges"))) == [GAP]
        assert told(flow("", [], None, built=False)) == []

    def test_one_finding_for_all_gaps(self) -> None:
        gaps = (
            Gap(span(4001), "second", frozenset({"edges"})),
            Gap(span(4000), "first", frozenset({"nodes"}), cure="do this"),
            Gap(replace(span(1), path="other.py"), "elsewhere", frozenset({"entry"})),
        )
        (found,) = findings(flow("a", gaps=gaps))
        assert found.span.line == 4000
        assert (
            found.message == "Cannot tell all nodes, all edges and the entry in flow `flow`: first."
        )
        assert found.help == "do this"
        assert [one.message for one in found.related] == ["second", "elsewhere"]


class TestLoops:
    def test_what_may_stop_a_loop(self) -> None:
        edges = [("a", "b"), ("b", "a")]
        assert told(flow("a b", edges, semantics=ALL)) == ["error loop-without-exit 1001"]
        for stopper in (node("b", may_pause=True), node("b", routes_itself="maybe")):
            assert told(flow([node("a"), stopper], edges, semantics=ALL)) == []

    def test_a_kill_switch_may_be_meant_to_stop_it(self) -> None:
        graph = flow("a", [("a", "a")], stopped_by="kill_switch")
        assert told(graph) == ["warning loop-without-exit 1000"]
        assert "only `kill_switch` ever ends the run" in findings(graph)[0].message

    @pytest.mark.parametrize(
        ("more", "effect"),
        [
            ({"step_bound": 7}, "the run goes round until max_steps stops it with an error"),
            ({"bounded": True}, "the run goes round until max_steps stops it with an error"),
            ({}, "the run never ends."),
        ],
    )
    def test_what_becomes_of_it(self, more: dict[str, object], effect: str) -> None:
        assert effect in findings(flow("a", [("a", "a")], **more))[0].message

    @pytest.mark.parametrize(
        ("more", "effect"),
        [
            ({"bounded": True}, "until something raises or max_steps stops it with an error."),
            ({"stopped_by": "kill_switch"}, "only `kill_switch` or an error ever ends the run."),
            ({}, "the run never ends unless something raises."),
        ],
    )
    def test_code_that_may_end_the_run(self, more: dict[str, object], effect: str) -> None:
        edges = [edge("a", "b"), edge("b", "a"), edge("c", "a")]
        for last in (node("b", ends_itself=True), node("b")):
            graph = flow([node("a"), last, node("c", ends_itself=True)], edges, entry="c", **more)
            (found,) = findings(graph)
            is_proven = not last.ends_itself and not graph.stopped_by
            assert found.severity == ("error" if is_proven else "warning")
            assert last.ends_itself == found.message.endswith(effect)
        unseen = flow("a", [edge("a", "a", "again"), edge("a", "a")], **more)
        assert "warning loop-without-exit" in told(unseen)[0]

    def test_sends_and_hand_overs_need_not_happen(self) -> None:
        for kind in ("send", "goto"):
            edges = [edge("a", "b"), edge("b", "a", kind=kind)]
            assert told(flow("a b", edges, semantics=ALL)) == []

    def test_the_witness_leads_into_the_loop(self) -> None:
        edges = [("a", "b"), ("b", "c"), ("c", "d"), ("d", "b")]
        (found,) = findings(flow("a b c d", edges, semantics=ALL))
        assert found.witness == ("a", "b", "c", "d", "b")

    def test_a_loop_that_no_run_comes_to(self) -> None:
        names = [one.name for one in findings(flow("a b", [("b", "b")], semantics=ALL))]
        assert names == ["unreachable-node"]

    def test_a_stated_limit(self) -> None:
        edges = [edge("a", "a", "again"), edge("a", "b")]
        assert told(flow("a b", edges)) == ["warning unbounded-loop 1000"]
        assert told(flow("a b", edges, bounded=True)) == []
        assert told(flow("a b", edges, step_bound=3)) == []


class TestOneCauseOneFinding:
    def test_unknown_entry(self) -> None:
        graph = flow("a b", [("zz", "b"), ("a", "b")], "zz")
        assert told(graph) == ["error unknown-entry 2000"]
        assert findings(graph)[0].related[0].span.line == 1000

    def test_empty_flow(self) -> None:
        (found,) = findings(flow("", [("a", "b"), ("b", "c")]))
        assert found.name == "empty-flow"
        assert len(found.related) == 2

    def test_a_refused_node_is_told_where_it_is_refused(self) -> None:
        refused = Violation(span(9), "no", node="b", refuses_node=True)
        edges = [("a", "b"), ("b", "c"), ("c", "d")]
        graph = flow("a c", edges, violations=(refused,))
        assert told(graph) == ["error dangling-edge 1002", "error invalid-definition 9"]
        alone = flow("", [("b", "b")], entry="b", violations=(refused,))
        assert told(alone) == ["error invalid-definition 9"]
        other = Violation(span(9), "no", node="b")
        assert "error dangling-edge 1000" in told(flow("a", [("a", "b")], violations=(other,)))

    def test_two_parts_that_are_cut_off(self) -> None:
        graph = flow("a b c d e", [("b", "c"), ("d", "c"), ("c", "e")])
        assert told(graph) == ["error unreachable-node 2", "error unreachable-node 4"]
        assert [one.span.line for one in findings(graph)[0].related] == [3, 5]
        assert findings(graph)[1].related == ()

    def test_violations_are_told_by_their_rules(self) -> None:
        said = tuple(
            Violation(span(7), "It is wrong", rule=rule)
            for rule in ("duplicate-node", "invalid-definition", "no-such-rule")
        )
        assert told(flow("a", violations=said)) == [
            "error duplicate-node 7",
            "error invalid-definition 7",
            "error invalid-definition 7",
        ]
        assert findings(flow("a", violations=said))[0].message == "It is wrong."

    def test_what_is_refused_at_once_needs_no_entry(self) -> None:
        said = (Violation(span(7), "It is wrong"),)
        graph = flow("a", [], None, semantics=ALL, violations=said)
        assert told(graph) == ["error missing-entry 3000", "error invalid-definition 7"]
        assert told(replace(graph, built=False)) == ["error invalid-definition 7"]

    def test_duplicates_out_of_sight_are_none(self) -> None:
        edges = [edge("a", "b", "a condition"), edge("a", "b", "a condition"), edge("a", "b")]
        assert told(flow("a b", edges)) == []

    def test_routers_may_share_targets(self) -> None:
        edges = [edge("a", "b", kind="case", label="x"), edge("a", "b", kind="case", label="x")]
        assert told(flow("a b", edges, semantics=ALL)) == []


def test_a_big_flow_has_few_kinds_of_faults() -> None:
    names = {found.name for found in findings(big_flow(20_000))}
    assert names >= {"dangling-edge", "unreachable-node", "duplicate-node", "shadowed-edge"}
    assert "internal-error" not in names
