"""Definitions as hypothesis makes them up, with faults, and what they look like in each form."""

from __future__ import annotations

import json
from itertools import pairwise
from typing import Any

import yaml
from generated_settings import actions, configs
from hypothesis import strategies as st

Data = dict[str, Any]

GUARDS = '''"""Functions that generated flows name."""


async def step(state):
    return state


async def other_step(state):
    return state


def guard(state):
    return guess(state)


def other_guard(state):
    return guess(state)


def plain_step(state):
    return state


async def blind_step():
    return {}


def blind_guard():
    return guess({})


async def slow_guard(state):
    return guess(state)


def guess(state):
    return bool(state)
'''

NAMES = ("draft", "review", "on", "1", "é😀", "publish")
WRONG_NAMES = ("drafft", "nobody")
CONDITIONS = (
    "state.x == 1",
    "state.x != 1",
    "state.x > 1 && state.y in ['a', 'b']",
    "result.outcome == 'ok'",
    "result.bogus == 1",
    "outputs.draft.x == outputs.nobody",
    "state.x == now()",
    "true",
    "state.x ==",
    "x == 1",
)

names = st.sampled_from((*NAMES, *NAMES, *WRONG_NAMES))
calls = st.sampled_from(("guard", "other_guard", "slow_guard", "blind_guard")).map(
    lambda name: {"call": f"guards:{name}"}
)
conditions = st.one_of(st.none(), st.none(), calls, st.sampled_from(CONDITIONS))


def _without_nothing(data: Data) -> Data:
    return {key: value for key, value in data.items() if value is not None}


edges = st.fixed_dictionaries(
    {
        "from": names,
        "to": names,
        "when": conditions,
        "outcome": st.sampled_from((None, None, None, None, "ok", "failed", "timed_out", "faild")),
        "priority": st.sampled_from((None, None, None, 1, -1)),
    }
).map(_without_nothing)

switches = st.fixed_dictionaries(
    {
        "from": names,
        "switch": st.fixed_dictionaries(
            {
                "on": st.sampled_from(
                    (
                        *("$.x", "$output.x.y", "$result.outcome", "x", "$", "$result.outcom"),
                        "$result.bogus",
                    )
                ),
                "cases": st.dictionaries(
                    st.sampled_from(("ok", "failed", "yes", "true", "1", "fail")), names, max_size=3
                ),
                "default": st.one_of(st.none(), st.none(), names),
            }
        ).map(_without_nothing),
    }
)


def plain_nodes(name: st.SearchStrategy[str]) -> st.SearchStrategy[Data]:
    return st.fixed_dictionaries(
        {
            "name": name,
            "run": st.sampled_from(
                (
                    *("guards:step", "guards:step", "guards:other_step", None),
                    *("guards:plain_step", "guards:blind_step"),
                )
            ),
            "kind": st.sampled_from(
                (None, None, None, "gate", "loop", "checkpoint", "start", "stpe", "acme.note")
            ),
            "timeout": st.sampled_from((None, None, None, 3, 1.5, 0, -1)),
            "heartbeat": st.sampled_from((None, None, None, 2)),
            "join": st.sampled_from((None, None, None, "all", "al")),
            "retry": st.sampled_from(
                (None, None, None, {"attempts": 2}, {"attempts": 0}, {"delay": -1, "jitter": 0.5})
            ),
        }
    ).map(_without_nothing)


CONFIGURED = (
    *("shell", "wait", "ask", "decision", "agent", "compute", "action", "subflow", "checkpoint"),
    *("gate", "end"),
)


@st.composite
def configured_nodes(draw: st.DrawFn, name: st.SearchStrategy[str]) -> Data:
    """Nodes of kinds that are told what to do, with actions around them."""
    kind = draw(st.sampled_from(CONFIGURED))
    node: Data = {"name": draw(name), "kind": kind, "config": draw(configs(kind))}
    for slot in ("before", "after"):
        if draw(st.integers(0, 3)) == 0:
            node[slot] = draw(actions())
    if draw(st.integers(0, 5)) == 0:
        node["run"] = "guards:step"
    return node


def nodes(regions: st.SearchStrategy[Data] | None) -> st.SearchStrategy[Data]:
    name = st.sampled_from(NAMES)
    if regions is None:
        return st.one_of(plain_nodes(name), plain_nodes(name), configured_nodes(name))
    repeated = st.fixed_dictionaries(
        {
            "name": name,
            "kind": st.just("repeat"),
            "config": st.one_of(st.just({"over": "items"}), configs("repeat")),
            "body": st.one_of(st.none(), regions, regions),
        }
    )
    parallel = st.fixed_dictionaries(
        {
            "name": name,
            "kind": st.just("parallel"),
            "config": st.one_of(st.none(), configs("parallel")),
            "branches": st.dictionaries(st.sampled_from(("left", "right")), regions),
        }
    )
    attempt = st.fixed_dictionaries(
        {
            "name": name,
            "kind": st.just("attempt"),
            "config": st.one_of(st.none(), configs("attempt")),
            "try": regions,
            "catch": st.one_of(st.none(), regions),
        }
    )
    with_region = st.one_of(repeated, parallel, attempt).map(_without_nothing)
    return st.one_of(
        plain_nodes(name), plain_nodes(name), configured_nodes(name), with_region, with_region
    )


def graphs(inner: st.SearchStrategy[Data] | None, most: int) -> st.SearchStrategy[Data]:
    return st.fixed_dictionaries(
        {
            "nodes": st.lists(nodes(inner), max_size=most),
            "edges": st.lists(st.one_of(edges, edges, edges, switches), max_size=2 * most),
            "entry": st.sampled_from((None, *NAMES[:3] * 3, "nobody")),
            "routing": st.sampled_from((None, None, "first", "all", "frist")),
        }
    ).map(_without_nothing)


@st.composite
def sound_graphs(draw: st.DrawFn) -> Data:
    """Chains with some edges more: mostly right, so that single faults are seen."""
    count = draw(st.integers(1, len(NAMES)))
    chosen = NAMES[:count]
    made = [{"name": name, "run": "guards:step"} for name in chosen]
    chain = [{"from": a, "to": b} for a, b in pairwise(chosen)]
    inner = st.sampled_from(chosen)
    gentle = st.fixed_dictionaries(
        {
            "from": inner,
            "to": inner,
            "when": st.sampled_from((*CONDITIONS[:4], {"call": "guards:guard"})),
            "outcome": st.sampled_from((None, None, "failed")),
            "prompt": st.sampled_from((None, "do it")),
        }
    ).map(_without_nothing)
    some = draw(st.sampled_from((gentle, gentle, st.one_of(edges, switches))))
    more = draw(st.lists(some, max_size=2))
    place = draw(st.integers(0, len(chain)))
    return {"nodes": made, "edges": [*chain[:place], *more, *chain[place:]], "entry": chosen[0]}


bodies = st.one_of(sound_graphs(), graphs(None, 2))
nested = st.one_of(sound_graphs(), graphs(bodies, 2))
wholes = st.one_of(sound_graphs(), sound_graphs(), graphs(None, 4), graphs(nested, 3))


@st.composite
def flows(draw: st.DrawFn) -> Data:
    """A definition, right or wrong, whose shape is right."""
    limits = {
        "max_steps": draw(st.sampled_from((None, None, None, 10, 10, 0, -1))),
        "max_parallel": draw(st.sampled_from((None, None, None, 2, 0, -1))),
    }
    merge = draw(
        st.sampled_from((None, None, None, {"x": "first"}, {"x": "first"}, {"x": "frist"}))
    )
    return _without_nothing({"flowrt": 1, "name": "flow", **draw(wholes), **limits, "merge": merge})


def as_json(data: Data) -> str:
    return json.dumps(data, ensure_ascii=False, indent=2)


def as_yaml(data: Data) -> str:
    # Copied, since what is there twice would be written once and named by an alias.
    copied = json.loads(json.dumps(data))
    return str(yaml.safe_dump(copied, allow_unicode=True, sort_keys=False))


def as_python(data: Data) -> str:
    """The same flow as it is written in Python."""
    merge = f", merge={data['merge']!r}" if "merge" in data else ""
    limits = (key for key in ("max_steps", "max_parallel") if key in data)
    steps = "".join(f", {key}={data[key]!r}" for key in limits)
    return (
        "from flowrt import Edge, Flow, Node, Region, Retry, Switch\n"
        "from guards import blind_guard, blind_step, guard, other_guard, other_step\n"
        "from guards import plain_step, slow_guard, step\n\n"
        f"flow = Flow({_graph(data)}{merge}{steps}, name='flow')\n"
    )


def as_data_in_python(data: Data) -> str:
    """The same data handed over by code."""
    text = json.loads(as_json(data))
    return f"from flowrt import from_dict\n\nflow = from_dict({text!r}, modules=('guards',))\n"


def _graph(data: Data) -> str:
    routing = f", routing={data['routing']!r}" if "routing" in data else ""
    made = ", ".join(map(_node, data["nodes"]))
    led = ", ".join(map(_edge, data["edges"]))
    return f"nodes=[{made}], edges=[{led}], entry={data.get('entry')!r}{routing}"


def _node(node: Data) -> str:
    parts = [repr(node["name"])]
    if "run" in node:
        parts.append(f"run={_function(node['run'])}")
    parts += [
        f"{key}={node[key]!r}"
        for key in ("kind", "timeout", "heartbeat", "join", "config", "before", "after")
        if key in node
    ]
    if "retry" in node:
        numbers = ", ".join(f"{key}={value!r}" for key, value in node["retry"].items())
        parts.append(f"retry=Retry({numbers})")
    regions = dict(node.get("branches", {}))
    regions |= {slot: node[slot] for slot in ("body", "try", "catch") if slot in node}
    if regions:
        held = ", ".join(f"{slot!r}: Region({_graph(region)})" for slot, region in regions.items())
        parts.append(f"regions={{{held}}}")
    return f"Node({', '.join(parts)})"


def _edge(edge: Data) -> str:
    if "switch" in edge:
        switch = edge["switch"]
        default = f", default={switch['default']!r}" if "default" in switch else ""
        return f"Switch({edge['from']!r}, {switch['on']!r}, {switch['cases']!r}{default})"
    parts = [repr(edge["from"]), repr(edge["to"])]
    when = edge.get("when")
    if isinstance(when, dict):
        parts.append(f"when={_function(when['call'])}")
    elif when is not None:
        parts.append(f"when={when!r}")
    parts += [f"{key}={edge[key]!r}" for key in ("outcome", "priority", "prompt") if key in edge]
    return f"Edge({', '.join(parts)})"


def _function(name: str) -> str:
    return name.rpartition(":")[2]
