"""Flows of which was recorded what ObjectStack 17.1 does with them, and what we tell of them.

`ran` is what a run does: the nodes that run, or how it fails; None for flows that are refused.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from flow_mutants import Flow, edges, node

A = node("a", "assignment", config={"x": 1})
B = node("b", "assignment", config={"x": 2})
C = node("c", "assignment", config={"x": 3})
D = node("d", "assignment", config={"x": 4})
S = node("s", "start")
Z = node("z", "end")
CHOOSE = node("choose", "decision")


@dataclass(frozen=True)
class Recorded:
    """A flow, what the system did with it (None: it refused it), and what we tell of it."""

    flow: Flow
    ran: str | None
    told: tuple[str, ...] = ()


def flow(*nodes: Flow, ways: str = "", **more: Any) -> Flow:
    """A flow of nodes between a start and an end. `ways` are edges, else the nodes are a chain.

    Further arguments are fields of edges where `ways` names them, else of the flow.
    """
    names = [one["id"] for one in (S, *nodes, Z)]
    chain = [f"{first}>{then}" for first, then in pairwise(names)]
    named = {way.partition("#")[2] for way in ways.split()}
    return {
        "name": "f",
        "label": "F",
        "type": "autolaunched",
        "nodes": [S, *nodes, Z],
        "edges": edges(*(ways.split() or chain), **{k: v for k, v in more.items() if k in named}),
        **{key: value for key, value in more.items() if key not in named},
    }


def without(part: Flow, *names: str) -> Flow:
    return {key: value for key, value in part.items() if key not in names}


def renamed(part: Flow, **names: str) -> Flow:
    return {names.get(key, key): value for key, value in part.items()}


def config(kind: str, **held: Any) -> Flow:
    """A flow of one node of a kind with this config."""
    return flow(node("n", kind, config=held))


def region(*nodes: Flow, ways: str = "") -> Flow:
    return {"nodes": list(nodes), "edges": edges(*ways.split())}


def loop(*nodes: Flow, ways: str = "") -> Flow:
    return config("loop", collection="{x}", body=region(*nodes, ways=ways))


def edge(**fields: Any) -> Flow:
    """A flow of one edge with these fields."""
    made = flow()
    made["edges"][0].update(fields)
    return made


def guarded(first: Flow, second: Flow, **more: Any) -> Flow:
    """A decision with two edges."""
    ways = "s>choose choose>a#first choose>b#second a>z b>z"
    return flow(node("choose", "decision", **more), A, B, ways=ways, first=first, second=second)


def decision(*labels: str, first: Flow, second: Flow) -> Flow:
    """A decision with conditions of its own."""
    conditions = [{"label": label, "expression": f"x > {n}"} for n, label in enumerate(labels)]
    return guarded(first, second, config={"conditions": conditions})


def gets(given: Flow, **fields: Any) -> Flow:
    return {**given, **fields}


INVALID = "error invalid-definition"
EXPRESSION = "error invalid-expression"
UNKNOWN = "error unknown-field"
GONE = "warning removed-api"
ROUND = "error forbidden-cycle"
REGION = "error malformed-region"
LIMIT = "error bad-limit"

DEFINITIONS: dict[str, Recorded] = {
    "name caps": Recorded(flow(name="F"), None, (INVALID,)),
    "name with dash": Recorded(flow(name="a-b"), None, (INVALID,)),
    "label missing": Recorded(without(flow(), "label"), None, (INVALID,)),
    "type bad": Recorded(flow(type="zz"), None, (INVALID,)),
    "status bad": Recorded(flow(status="zz"), None, (INVALID,)),
    "version float": Recorded(flow(version=1.5), None, (INVALID,)),
    "unknown flow key": Recorded(flow(foo=1), None, (UNKNOWN,)),
    "steps alias": Recorded(renamed(flow(), nodes="steps"), None, (UNKNOWN,)),
    "active tombstone": Recorded(flow(active=True), "", (GONE,)),
    "template tombstone": Recorded(flow(template=True), "", (GONE,)),
    "node no label": Recorded(flow(without(A, "label")), None, (INVALID,)),
    "node empty type": Recorded(flow(gets(A, type="")), None, (INVALID,)),
    "node unknown key": Recorded(flow(gets(A, foo=1)), None, (UNKNOWN,)),
    "node unknown type (soft)": Recorded(
        flow(gets(A, type="nonesuch")), "No executor registered", ("info unknown-node-kind",)
    ),
    "edge no id": Recorded(gets(flow(), edges=[without(edges("s>z")[0], "id")]), None, (INVALID,)),
    "edge from/to aliases": Recorded(
        gets(flow(), edges=[renamed(edges("s>z")[0], source="from", target="to")]),
        None,
        (UNKNOWN, UNKNOWN),
    ),
    "edge when alias": Recorded(edge(when="x"), None, (UNKNOWN,)),
    "edge bad type": Recorded(edge(type="zz"), None, (INVALID,)),
    "edge cond object wrong dialect": Recorded(
        edge(condition={"dialect": "js", "source": "x"}), None, (INVALID,)
    ),
    "edge cond braces": Recorded(edge(condition="{record.x} > 1"), None, (EXPRESSION,)),
    "edge cond syntax": Recorded(edge(condition="x >"), None, (EXPRESSION,)),
    "edge cond JS ===": Recorded(edge(condition="x === 1"), None, (EXPRESSION,)),
    "retry without maxRetries": Recorded(flow(errorHandling={"strategy": "retry"}), None, (LIMIT,)),
    "retry 11": Recorded(
        flow(errorHandling={"strategy": "retry", "maxRetries": 11}), None, (INVALID,)
    ),
    "fallbackNodeId": Recorded(
        flow(errorHandling={"strategy": "fail", "fallbackNodeId": "z"}), "", (GONE,)
    ),
    "cycle": Recorded(flow(A, B, ways="s>a a>b b>a b>z"), None, (ROUND,)),
    "cycle w/ back": Recorded(
        flow(A, B, ways="s>a a>b b>a#back b>z", back={"type": "back", "condition": "x > 1"}), "a,b"
    ),
    "cycle via fault": Recorded(
        flow(A, B, ways="s>a a>b b>a#fault b>z", fault={"type": "fault"}), None, (ROUND,)
    ),
    "self edge": Recorded(flow(A, ways="s>a a>a a>z"), None, (ROUND,)),
    "dangling edge target (ok)": Recorded(
        flow(A, ways="s>a a>q a>z"), "a", ("error dangling-edge",)
    ),
    "dup node id (ok)": Recorded(flow(A, A, ways="s>a a>z"), "a", ("error duplicate-node",)),
    "dup edge id (ok)": Recorded(
        gets(flow(A), edges=[gets(one, id="e") for one in edges("s>a", "a>z")]),
        "a",
        ("warning invalid-definition",),
    ),
    "no start (ok)": Recorded(
        gets(flow(A, ways="a>z"), nodes=[A, Z]), "FLOW_NO_START_NODE", ("error missing-entry",)
    ),
    "two starts (ok)": Recorded(
        flow(node("t", "start"), A, ways="s>a t>a a>z"), "a", ("warning unreachable-node",)
    ),
    "loop body empty nodes": Recorded(loop(), None, ("error empty-flow",)),
    "loop body not object": Recorded(config("loop", collection="{x}", body="q"), None, (REGION,)),
    "loop body two entries": Recorded(loop(A, B), None, (REGION,)),
    "loop body two exits": Recorded(loop(A, B, C, ways="a>b a>c"), None, (REGION,)),
    "loop body cycle": Recorded(loop(A, B, C, D, ways="a>b b>c c>b c>d"), None, (ROUND,)),
    "loop body dup id": Recorded(loop(A, A), None, ("error duplicate-node",)),
    "loop body edge outside": Recorded(loop(A, ways="a>z"), None, ("error dangling-edge",)),
    "loop maxIterations 0": Recorded(
        config("loop", collection="{x}", maxIterations=0, body=region(A)), "fails", (LIMIT,)
    ),
    "loop no collection": Recorded(config("loop", body=region(A)), "fails", (INVALID,)),
    "loop unknown key": Recorded(
        config("loop", collection="{x}", over=1, body=region(A)), None, (UNKNOWN,)
    ),
    "parallel 1 branch": Recorded(config("parallel", branches=[region(A)]), None, (REGION,)),
    "parallel no branches": Recorded(config("parallel"), "fails", (INVALID,)),
    "try_catch no try": Recorded(config("try_catch", catch=region(A)), "fails", (INVALID,)),
    "try_catch empty catch": Recorded(
        config("try_catch", **{"try": region(A), "catch": region()}), None, ("error empty-flow",)
    ),
    "try_catch retry 11": Recorded(
        config("try_catch", **{"try": region(A), "retry": {"maxRetries": 11}}), "fails", (LIMIT,)
    ),
    "get_record unknown key": Recorded(
        config("get_record", objectName="o", where={}), None, (UNKNOWN,)
    ),
    "get_record no objectName": Recorded(config("get_record", filter={}), "fails", (INVALID,)),
    "notify nothing": Recorded(config("notify"), "fails", (INVALID,)),
    "notify unknown key": Recorded(
        config("notify", recipients="x", title="t", html="h"), None, (UNKNOWN,)
    ),
    "notify body alias (ok)": Recorded(
        config("notify", recipients="x", title="t", body="b"), "n", (GONE,)
    ),
    "http no url": Recorded(config("http"), "fails", (INVALID,)),
    "http_request alias (ok)": Recorded(config("http_request", url="u"), "n", (GONE,)),
    "script actionType": Recorded(
        config("script", actionType="email"), "fails", ("error removed-api",)
    ),
    "script no function": Recorded(config("script"), "fails", (INVALID,)),
    "decision bad expr": Recorded(
        guarded(
            {"label": "x"},
            {"isDefault": True},
            config={"conditions": [{"label": "x", "expression": "{a} > 1"}]},
        ),
        None,
        (EXPRESSION,),
    ),
    "screen visibleWhen braces": Recorded(
        config("screen", fields=[{"name": "a", "visibleWhen": "{a} > 1"}]), None, (EXPRESSION,)
    ),
    "start cond braces": Recorded(
        gets(flow(), nodes=[gets(S, config={"condition": "{a} > 1"}), Z]), None, (EXPRESSION,)
    ),
    "wait onTimeout": Recorded(
        flow(node("w", "wait", waitEventConfig={"eventType": "timer", "onTimeout": "fail"})),
        "paused",
        (GONE,),
    ),
    "wait bad eventType": Recorded(
        flow(node("w", "wait", waitEventConfig={"eventType": "zz"})), None, (INVALID,)
    ),
    "wait loose config lift (ok)": Recorded(
        config("wait", eventType="timer", timerDuration="PT1H"), "paused"
    ),
    "boundary missing attached": Recorded(
        flow(node("w", "boundary_event", boundaryConfig={"eventType": "error"})),
        None,
        (INVALID, "error unknown-node-kind"),
    ),
    "outputSchema tombstone": Recorded(flow(gets(A, outputSchema={})), "a", (GONE,)),
    "nested dup id across scopes (ok)": Recorded(
        flow(A, node("l", "loop", config={"collection": "{x}", "body": region(A)})), "a,a"
    ),
}
"""By the names under which the verdicts on definitions were recorded."""

RUNS: dict[str, Recorded] = {
    "diamond": Recorded(
        flow(A, B, C, D, ways="s>a a>b a>c b>d c>d d>z"),
        "a,b,c,d,d",
        ("warning runs-more-than-once",),
    ),
    "dangling target": Recorded(flow(A, ways="s>a a>q a>z"), "a", ("error dangling-edge",)),
    "dangling source": Recorded(flow(A, ways="s>a q>a a>z"), "a", ("error dangling-edge",)),
    "dup ids": Recorded(flow(A, A, ways="s>a a>z"), "a", ("error duplicate-node",)),
    "empty": Recorded(
        gets(flow(), nodes=[], edges=[]), "FLOW_NO_START_NODE", ("error empty-flow",)
    ),
    "unreachable": Recorded(flow(A, B, ways="s>a b>z a>z"), "a", ("warning unreachable-node",)),
    "all true conditions": Recorded(
        guarded({"condition": "x > 1"}, {"condition": "x >= 1"}),
        "a,b",
        ("warning overlapping-guards", "warning unroutable-gate"),
    ),
    "none true + default": Recorded(guarded({"condition": "x > 1"}, {"isDefault": True}), "b"),
    "none true no default": Recorded(
        guarded({"condition": "x > 1"}, {"condition": "x < 1"}), "", ("warning unroutable-gate",)
    ),
    "decision conditions label": Recorded(
        decision("yes", first={"label": "yes"}, second={"isDefault": True}), "a"
    ),
    "decision label unmatched": Recorded(
        decision("other", first={"label": "yes"}, second={"isDefault": True}),
        "a,b",
        ("error unhandled-route",),
    ),
    "label case sensitivity runtime": Recorded(
        decision("yes", first={"label": "Yes"}, second={"isDefault": True}),
        "a,b",
        ("error unhandled-route",),
    ),
    "fault edge": Recorded(
        flow(A, B, ways="s>a a>z a>b#fault b>z", fault={"type": "fault"}), "a,b"
    ),
    "two fault edges + condition false": Recorded(
        flow(
            A,
            B,
            C,
            ways="s>a a>z a>b#first a>c#second b>z c>z",
            first={"type": "fault", "condition": "x > 1"},
            second={"type": "fault"},
        ),
        "a,b",
        ("error edge-never-taken", "warning ineffective-field"),
    ),
    "fail no fault": Recorded(flow(A), "Node 'a' failed"),
    "strategy continue": Recorded(
        flow(A, errorHandling={"strategy": "continue"}),
        "Node 'a' failed",
        ("warning ineffective-field",),
    ),
    "strategy retry 2": Recorded(
        flow(A, B, errorHandling={"strategy": "retry", "maxRetries": 2}), "a,b,a,b,a,b"
    ),
    "parallel_gateway": Recorded(
        flow(node("p", "parallel_gateway")), "No executor", ("error unknown-node-kind",)
    ),
    "back unconditional": Recorded(
        flow(A, B, ways="s>a a>b b>a#back b>z", back={"type": "back"}),
        "a runaway loop",
        ("warning loop-without-exit",),
    ),
    "conditional type w/o condition": Recorded(
        flow(A, ways="s>a#only a>z", only={"type": "conditional"}),
        "a",
        ("warning ineffective-field",),
    ),
    "timeoutMs": Recorded(
        flow(gets(A, timeoutMs=5), B, ways="s>a a>z a>b#fault b>z", fault={"type": "fault"}), "a,b"
    ),
    "loop body ok": Recorded(loop(A), "a,a,a"),
    "loop body back edge": Recorded(
        config(
            "loop",
            collection="{x}",
            body=gets(region(A, B), edges=edges("a>b", "b>a#back", back={"type": "back"})),
        ),
        None,
        (ROUND,),
    ),
    "legacy loop": Recorded(
        flow(node("l", "loop", config={"collection": "{x}"}), A),
        "a",
        ("warning loop-never-repeats",),
    ),
    "try_catch": Recorded(config("try_catch", **{"try": region(A), "catch": region(C)}), "a,a,c"),
    "loop body fault edge makes 2 exits?": Recorded(
        config(
            "loop",
            collection="{x}",
            body=gets(region(A, B), edges=edges("a>b#fault", fault={"type": "fault"})),
        ),
        "a,b",
    ),
    "wait pauses": Recorded(
        flow(node("w", "wait", waitEventConfig={"eventType": "signal"})), "paused"
    ),
    "pause in loop body": Recorded(
        loop(node("w", "wait", waitEventConfig={"eventType": "signal"})),
        "durable pause inside a structured region is not supported",
        ("error pause-in-region",),
    ),
    "subflow self-recursion": Recorded(
        config("subflow", flowName="f"), "subflow 'f' failed", ("warning loop-without-exit",)
    ),
    "subflow missing": Recorded(config("subflow", flowName="zzz"), "Flow 'zzz' not found"),
    "end has out edge": Recorded(flow(A, ways="s>z z>a"), "", ("error edge-never-taken",)),
    "decision without conditions": Recorded(
        guarded({"label": "yes"}, {"label": "no"}), "a,b", ("warning conflicting-routing",)
    ),
    "decision with an edge that is always taken": Recorded(
        guarded({"condition": "x > 1"}, {"label": "no"}), "a,b", ("warning conflicting-routing",)
    ),
    "two starts": Recorded(
        flow(node("t", "start"), A, ways="s>a t>a a>z"), "a", ("warning unreachable-node",)
    ),
    "fault then join": Recorded(
        flow(A, B, ways="s>a a>z a>b#fault b>z", fault={"type": "fault"}), "a,b,z"
    ),
    "loop over max": Recorded(
        config("loop", collection="{x}", maxIterations=2, body=region(A)),
        "collection length 3 exceeds maxIterations 2",
    ),
    "parallel fanout with a wait": Recorded(
        flow(
            A,
            node("w", "wait", waitEventConfig={"eventType": "signal"}),
            B,
            ways="s>a s>w s>b a>z w>z b>z",
        ),
        "paused",
    ),
    "unknown type": Recorded(
        flow(node("n", "nonesuch")), "No executor", ("info unknown-node-kind",)
    ),
    "start cond false": Recorded(
        gets(
            flow(A),
            nodes=[node("s", "start", config={"condition": "false"}), A, Z],
        ),
        "condition_not_met",
        ("error guard-never-true",),
    ),
    "unbound var condition": Recorded(
        flow(A, ways="s>a#only a>z", only={"condition": "foo.bar > 1"}), "Unknown variable: foo"
    ),
}
"""By the names under which runs were recorded."""
