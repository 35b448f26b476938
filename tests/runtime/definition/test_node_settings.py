"""What is found in configs, actions and limits before anything runs, by both checkers alike."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from flowrt import FlowValidationError
from flowrt.definition.load import from_yaml
from flowrt_program import run_flowrt

from flowlint.pipeline import analyse_file
from flowlint.project.files import ProjectFiles

HEAD = "flowrt: 1\nname: x\nentry: a\n"
Told = list[tuple[str, str, str | None, str]]
INNER = "{entry: b, nodes: [{name: b, kind: gate}]}"


def sorted_of(findings: Any) -> Told:
    return sorted((f.code, f.severity, f.message, f.help or "") for f in findings)


def static(folder: Path, text: str, name: str = "flow.yaml") -> Told:
    (folder / name).write_text(text, encoding="utf-8")
    return sorted_of(analyse_file(str(folder / name), ProjectFiles(), str(folder)).findings)


def built(text: str) -> Told:
    try:
        return sorted_of(from_yaml(text).findings)
    except FlowValidationError as error:
        return sorted_of(error.findings)


def both(folder: Path, text: str) -> Told:
    """What both checkers say, which is the same."""
    seen = static(folder, text)
    assert seen == built(text)
    return seen


CASES = [
    ("kind: shell, config: {comand: ls}", "FL702", "has a field `comand`"),
    ("kind: shell, config: {command: ls, args: x}", "FL701", "`args` of the config of node `a`"),
    ("kind: shell, config: {command: ls, args: [1]}", "FL701", "Field `args[0]` of the config"),
    ("kind: shell, config: {command: ls, inherit: al}", "FL701", "is `al`, which flowrt does not"),
    ("kind: wait, config: {duration: banana}", "FL701", "`banana` is no duration"),
    ("kind: wait, config: {seconds: 1e999}", "FL802", "is endless, which is out of its range"),
    ("kind: wait, config: {until: tomorrow}", "FL701", "`tomorrow` is no point in time"),
    ("kind: wait, config: {seconds: 1, signal: x, pause_above: 3}", "FL210", "`pause_above` does"),
    ("kind: ask", "FL701", "has no field `question`"),
    (
        'kind: ask, config: {question: q, key: ""}',
        "FL701",
        "`key` of the config of node `a` is emp",
    ),
    ('kind: checkpoint, config: {key: ""}', "FL701", "`key` of the config of node `a` is empty"),
    ('kind: wait, config: {signal: ""}', "FL701", "`signal` of the config of node `a` is empty"),
    ('kind: end, config: {into: ""}', "FL701", "`into` of the config of node `a` is empty"),
    (
        f'kind: repeat, config: {{over: [1], item: ""}}, body: {INNER}',
        "FL701",
        "`item` of the config of node `a` is empty",
    ),
    (
        f'kind: attempt, config: {{error: ""}}, try: {INNER}, catch: {INNER}',
        "FL701",
        "`error` of the config of node `a` is empty",
    ),
    ("kind: ask, config: {question: q, attempts: 0}", "FL802", "is 0, which is out of its range"),
    ("kind: ask, config: {question: q, timeout: soon}", "FL701", "a number of seconds or a text"),
    ("kind: ask, config: {question: q, multiple: true}", "FL701", "`multiple` is for `options`"),
    (
        "kind: ask, config: {question: q, options: [a, b], fallback: 17, timeout: 3}",
        "FL701",
        "`fallback` is `17`, which is no answer",
    ),
    ("kind: ask, config: {question: q, fallback: a}", "FL210", "`fallback` does nothing"),
    (
        "kind: ask, config: {question: q, options: [a], answer: {type: string}}",
        "FL701",
        "give one of `options` and `answer`",
    ),
    ("kind: ask, config: {question: q, answer: {type: strin}}", "FL701", "which is no type"),
    ("kind: ask, config: {question: '{outputs.nope}'}", "FL602", "no node is called `nope`"),
    ("kind: decision, config: {mode: ballot, question: q, voters: []}", "FL701", "needs `voters`"),
    (
        "kind: decision, config: {mode: coordinator, question: q, coordinator: c, "
        "escalate: {below: 0.5, fallback: maybe, timeout: 1m}}",
        "FL701",
        "`fallback` is `maybe`, which is no answer",
    ),
    ("kind: gate, before: [{type: lgo, message: x}]", "FL701", "`lgo`, which nobody registered"),
    ("kind: gate, before: [{type: log}]", "FL701", "The `log` of node `a` has no field `message`"),
    ("kind: gate, after: [{type: log, message: '{reslt}'}]", "FL602", "looks at `reslt`"),
    (
        "kind: gate, after: [{type: validate, schema: {type: integr}}]",
        "FL701",
        "is `integr`, which is no type",
    ),
    (
        "kind: gate, after: [{type: webhook, url: 'ftp://x'}]",
        "FL701",
        "`ftp://x` is no address",
    ),
    (
        "kind: gate, after: [{type: set-context, key: k, value: {a: ['{nope}']}}]",
        "FL602",
        "looks at `nope`",
    ),
    ("kind: compute, config: {expression: 'state.x +'}", "FL601", "is no CEL expression"),
    ("kind: compute, config: {expression: 'now()'}", "FL602", "calls `now`"),
    ("kind: compute, config: {expression: outputs.nope}", "FL602", "no node is called `nope`"),
    ("kind: compute, config: {expression: results.a.bogus}", "FL602", "`results.a.bogus`"),
    (f"kind: repeat, config: {{over: 'state.['}}, body: {INNER}", "FL601", "field `over`"),
    (f"kind: repeat, config: {{while: 'state.x <'}}, body: {INNER}", "FL601", "field `while`"),
    (f"kind: repeat, body: {INNER}", "FL701", "give one of `over` and `while`"),
    (f"kind: repeat, config: {{over: x, collect: '1 +'}}, body: {INNER}", "FL601", "`collect`"),
    (
        f"kind: attempt, config: {{retry: {{atempts: 3}}}}, try: {INNER}",
        "FL702",
        "`retry` in the config of node `a` has a field `atempts`",
    ),
    ("kind: subflow, config: {flow: f, input: {x: '1 +'}}", "FL601", "field `input.x`"),
    ("kind: action, config: {action: log, with: {mesage: x}}", "FL702", "a field `mesage`"),
    ("kind: action, config: {action: lgo}", "FL701", "which nobody registered"),
    ("kind: action", "FL705", "has nothing to run"),
    ("kind: shell", "FL705", "has nothing to run"),
    ("kind: compute", "FL705", "has nothing to run"),
    ("kind: agent", "FL701", "Agent `a` has no prompt, and the flow begins there"),
    ("kind: shell, config: {command: echo, args: ['{state.x}']}", "FL210", "passed on as it is"),
    (
        "kind: shell, config: {command: 'echo {state.x}', shell: true, templates: true}",
        "FL701",
        "the shell would run what `{state.x}` holds",
    ),
    ("kind: gate, join: all", "FL210", "Join of node `a` does nothing"),
    ("kind: shell, config: {command: '  '}", "FL705", "has nothing to run"),
    ("kind: ask, config: {question: q, options: []}", "FL701", "`options` is empty"),
    ("kind: ask, config: {question: q, options: [a, ' ']}", "FL701", "an option is empty"),
    ("kind: ask, config: {question: ''}", "FL701", "`question` is empty"),
    ("kind: ask, config: {question: ' '}", "FL701", "`question` is empty"),
    (
        "kind: decision, config: {mode: coordinator, coordinator: c, question: ''}",
        "FL701",
        "`question` is empty",
    ),
    (
        "kind: decision, config: {mode: coordinator, coordinator: c, question: q, options: []}",
        "FL701",
        "`options` is empty",
    ),
    (
        "kind: decision, config: {mode: coordinator, coordinator: c, question: q, "
        "escalate: {below: 0.5, question: ' '}}",
        "FL701",
        "`escalate.question` is empty",
    ),
    ("kind: agent, config: {prompt: ' '}", "FL701", "the prompt is empty"),
    ("kind: agent, config: {prompt: hi, agent: ' '}", "FL701", "the command of the agent is empty"),
]


@pytest.mark.parametrize(("node", "code", "words"), CASES)
def test_what_is_wrong_with_a_node(node: str, code: str, words: str, tmp_path: Path) -> None:
    found = both(tmp_path, f"{HEAD}nodes: [{{name: a, {node}}}]\n")
    assert code in [single[0] for single in found], found
    assert any(words in single[2] for single in found), found


RIGHT = [
    "kind: shell, config: {command: echo, args: ['{state.x}'], templates: true, parse: fenced}",
    "kind: shell, config: {command: 'echo \"$1\"', args: ['{state.x}'], shell: true, "
    "templates: true}",
    "kind: shell, config: {command: awk, args: ['{print}']}",
    "kind: wait, config: {until: 2026-07-26T09:00:00+00:00}",
    "kind: wait, config: {signal: paid, duration: P2D, on_timeout: continue}",
    "kind: ask, config: {question: q, options: ['Yes', 'No'], fallback: no, timeout: 1m}",
    "kind: ask, config: {question: q, answer: {type: [string, 'null']}}",
    f"kind: repeat, config: {{over: items, collect: outputs.b.x}}, body: {INNER}",
    f"kind: repeat, config: {{while: 'index < 3 && iteration < 9'}}, body: {INNER}",
    "kind: subflow, config: {flow: other, output: outputs.whatever.they.have}",
    "kind: action, config: {action: set_context, with: {key: k, value_from: state.x}}",
    "kind: gate, after: [{type: log, message: '{node_name} {results.a.outcome} {{kept}}'}]",
    "kind: gate, after: [{type: acme.page, anything: 1}]",
    "kind: agent, config: {prompt: [{type: text, text: hi}], session: {isolated: true}}",
    "kind: acme.kind, config: {anything: 1}",
]


@pytest.mark.parametrize("node", RIGHT)
def test_what_is_right_is_let_through(node: str, tmp_path: Path) -> None:
    text = f"{HEAD}nodes: [{{name: a, {node}}}]\n"
    assert static(tmp_path, text) == []
    assert "acme" in node or built(text) == []


GUARDS = [
    ("result.bogus == 1", "FL602", "looks at `result.bogus`, which is not there"),
    ("state.t < now()", "FL602", "calls `now`, which is no function of CEL"),
    ("nobody.x == 1", "FL602", "looks at `nobody`"),
    ("outputs.nope.x == 1", "FL602", "no node is called `nope`"),
    ("outputs.a.x == 1", None, ""),
    ("result.attempts > 1 && result.node == 'a' && result.output.x == 1", None, ""),
]


@pytest.mark.parametrize(("guard", "code", "words"), GUARDS)
def test_what_is_wrong_with_a_guard(
    guard: str, code: str | None, words: str, tmp_path: Path
) -> None:
    text = (
        f"{HEAD}nodes: [{{name: a, kind: loop}}, {{name: b, kind: gate}}]\n"
        f'edges: [{{from: a, to: b, when: "{guard}"}}, {{from: a, to: b, outcome: failed}}]\n'
    )
    found = [single for single in both(tmp_path, text) if single[1] == "error"]
    assert [single[0] for single in found] == ([] if code is None else [code])
    assert code is None or words in found[0][2]


def test_cases_of_outcomes_are_outcomes(tmp_path: Path) -> None:
    text = (
        f"{HEAD}nodes: [{{name: a, kind: gate}}, {{name: b, kind: gate}}, "
        "{name: c, kind: gate}]\n"
        "edges: [{from: a, switch: {on: $result.outcome, cases: {ok: b, fail: c}}}]\n"
    )
    found = [single[:3] for single in both(tmp_path, text)]
    said = "A case of the switch of `a` is `fail`, which flowrt does not know."
    assert ("FL701", "error", said) in found


def test_agents_are_told_something_by_each_edge(tmp_path: Path) -> None:
    text = (
        f"{HEAD}nodes: [{{name: a, kind: gate}}, {{name: b, kind: agent}}]\n"
        "edges: [{from: a, to: b, when: state.x, prompt: do it}, {from: a, to: b}]\n"
    )
    (found,) = both(tmp_path, text)
    assert "Agent `b` has no prompt, and the edge from `a` carries none" in found[2]
    assert both(tmp_path, text.replace("to: b}]", "to: b, prompt: go on}]")) == []


@pytest.mark.parametrize("limit", [-1, 0])
def test_limits_of_nodes_at_a_time(limit: int, tmp_path: Path) -> None:
    text = f"{HEAD}max_parallel: {limit}\nrouting: all\nnodes: [{{name: a, kind: gate}}]\n"
    (found,) = both(tmp_path, text)
    said = f"max_parallel is {limit}, which limits nothing."
    assert found[:3] == ("FL802", "error", said)


def test_a_limit_of_one_node_at_a_time_anyway(tmp_path: Path) -> None:
    text = f"{HEAD}max_parallel: 2\nnodes: [{{name: a, kind: gate}}]\n"
    (found,) = both(tmp_path, text)
    assert found[:2] == ("FL210", "warning")
    beside = f"[{{name: a, kind: parallel, branches: {{l: {INNER}, r: {INNER}}}}}]"
    assert both(tmp_path, text.replace("[{name: a, kind: gate}]", beside)) == []


@pytest.mark.parametrize(
    "node",
    [
        "kind: shell, config: {command: ls, parse: bogus}",
        f"kind: parallel, config: {{merge: {{k: nope}}}}, branches: {{l: {INNER}}}",
        "kind: gate, after: [{type: transform, function: nope}]",
    ],
)
def test_functions_that_nobody_registered_are_found_when_the_flow_is_built(node: str) -> None:
    """Only who loads a flow knows them, as it is with what nodes run."""
    assert [single[0] for single in built(f"{HEAD}nodes: [{{name: a, {node}}}]\n")] == ["FL706"]


@pytest.mark.parametrize("schema", ["{pattern: '('}", "{$ref: '#/nope'}"])
def test_what_only_the_library_tells_of_a_schema_is_found_when_the_flow_is_built(
    schema: str,
) -> None:
    node = f"{{name: a, kind: gate, after: [{{type: validate, schema: {schema}}}]}}"
    (found,) = built(f"{HEAD}nodes: [{node}]\n")
    assert found[0] == "FL701"
    assert "no valid JSON Schema" in found[2]


PYTHON = """
import functools
import time
from flowrt import Edge, Flow, Node, Region

async def step(state):
    return state

def plain(state):
    return state

async def blind():
    return {}

async def needs_two(state, other):
    return state

async def slow_merge(one, other):
    return other

async def later():
    return None

def wrapping(function):
    @functools.wraps(function)
    def inner(state):
        return function(state, 1)
    return inner

@wrapping
async def wrapped(state, more):
    return state

@wrapping
def wrapped_plain(state, more):
    return state

ONE = [Node("a", step)]
BRANCHES = {"l": Region([Node("b", step)], [], "b")}
flow = Flow(entry="a", FLOW)
"""
FLOWS = [
    ("nodes=[Node('a', lambda s: (time.sleep(2), s)[1], timeout=.2)], edges=[]", "FL802"),
    ("nodes=[Node('a', plain, heartbeat=1)], edges=[]", "FL802"),
    ("nodes=[Node('a', plain)], edges=[]", None),
    ("nodes=[Node('a', wrapped, timeout=3)], edges=[]", None),
    ("nodes=[Node('a', wrapped_plain, timeout=3)], edges=[]", "FL802"),
    ("nodes=[Node('a', step, timeout=3, heartbeat=1)], edges=[]", None),
    ("nodes=[Node('a', blind)], edges=[]", "FL705"),
    ("nodes=[Node('a', needs_two)], edges=[]", "FL705"),
    ("nodes=[Node('a', lambda: {})], edges=[]", "FL705"),
    ("nodes=[Node('a', lambda *given: given[0])], edges=[]", None),
    ("nodes=[Node('a', lambda state, more=1: state)], edges=[]", None),
    ("nodes=[Node('a', step), Node('b', step)], edges=[Edge('a', 'b', lambda: True)]", "FL705"),
    ("nodes=ONE, edges=[], kill_switch=lambda state: False", "FL705"),
    ("nodes=ONE, edges=[], merge={'k': slow_merge}", "FL705"),
    ("nodes=ONE, edges=[], merge={'k': lambda one: one}", "FL705"),
    ("nodes=ONE, edges=[], merge={'k': lambda one, other: one}", None),
    (
        "nodes=[Node('a', kind='parallel', config={'merge': {'k': slow_merge}}, "
        "regions=BRANCHES)], edges=[]",
        "FL705",
    ),
    ("nodes=ONE, edges=[], max_parallel='x'", "FL802"),
    ("nodes=ONE, edges=[], max_parallel=-1", "FL802"),
    ("nodes=ONE, edges=[], max_steps='x'", "FL802"),
    ("nodes=[Node('a', kind='shell', config={'comand': 'ls'})], edges=[]", "FL702"),
    ("nodes=[Node('a', kind='wait', config={'seconds': float('inf')})], edges=[]", None),
    ("nodes=[Node('a', kind='wait', config={'seconds': 1e999})], edges=[]", "FL802"),
    ("nodes=[Node('a', kind='wait', config={'duration': later})], edges=[]", "FL701"),
    ("nodes=[Node('a', kind='wait', config=3)], edges=[]", "FL701"),
    ("nodes=[Node('a', step, before=[{'type': 'lgo'}])], edges=[]", "FL701"),
    ("nodes=[Node('a', step, before={'type': 'log'})], edges=[]", "FL701"),
]


@pytest.mark.parametrize(("arguments", "code"), FLOWS)
def test_what_is_wrong_with_a_flow_in_python(
    arguments: str, code: str | None, tmp_path: Path
) -> None:
    source = PYTHON.replace("FLOW", arguments)
    seen = [single for single in static(tmp_path, source, "flow.py") if single[1] == "error"]
    assert [single[0] for single in seen] == ([] if code is None else [code])
    space: dict[str, Any] = {}
    try:
        exec(compile(source, "flow.py", "exec"), space)
        found: Told = []
    except FlowValidationError as error:
        found = [single for single in sorted_of(error.findings) if single[1] == "error"]
    if "float('inf')" not in arguments:
        assert found == seen


def test_what_is_out_of_sight_is_not_told(tmp_path: Path) -> None:
    """What a config holds that cannot be told from source may be right."""
    source = (
        "import os\nfrom flowrt import Flow, Node\n"
        "more = {'command': 'ls'} if os.getpid() else {}\n"
        "node = Node('a', kind='shell', config={**dict(os.environ), 'parse': os.getcwd()})\n"
        "flow = Flow(nodes=[node, Node('b', kind='shell', config=more)], edges=[], entry='a')\n"
    )
    assert not {"FL701", "FL702", "FL705"} & {
        single[0] for single in static(tmp_path, source, "flow.py")
    }


def test_the_program_says_what_flowlint_says(tmp_path: Path) -> None:
    (tmp_path / "flow.yaml").write_text(
        f"{HEAD}nodes: [{{name: a, kind: shell, config: {{comand: ls}}}}]\n"
    )
    run = run_flowrt("check", "flow.yaml", cwd=tmp_path)
    assert run.code == 1
    assert "FL702 [unknown-field] error: The config of node `a` has a field `comand`" in run.out
    assert "did you mean `command`?" in run.out
