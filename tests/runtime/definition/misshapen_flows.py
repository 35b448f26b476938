"""Definitions with slips in their shape, as hypothesis makes them up."""

from __future__ import annotations

import json
from copy import deepcopy
from typing import Any

from generated_flows import Data, flows, sound_graphs
from hypothesis import strategies as st

_OTHERS: tuple[Any, ...] = (3, "text", None, True, [], {}, [1], {"a": 1}, 2.5, "all", "gate")
_UNKNOWN = (
    *("nam", "x", "kin", "knd", "runn", "whn", "extra", "outcom", "rout", "entyr", "edgs", "node"),
    *("priorty", "type", "form", "cases", "body", "branches", "regions", "max_step", "defalt"),
)

# Copied, for later slips may change what an earlier one put there.
others = st.sampled_from(_OTHERS).map(deepcopy)


def places_in(data: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Every place in plain data."""
    found = [path] if path else []
    if isinstance(data, dict):
        found += [place for key in data for place in places_in(data[key], (*path, key))]
    if isinstance(data, list):
        found += [place for n, inner in enumerate(data) for place in places_in(inner, (*path, n))]
    return found


@st.composite
def whole_definitions(draw: st.DrawFn) -> Data:
    """A definition in which every kind of part is there, and mostly right."""
    region = draw(sound_graphs())
    data: Data = {
        "flowrt": 1,
        "name": "flow",
        **draw(sound_graphs()),
        "merge": {"x": "last"},
        "permissions": {"mode": "deny-all"},
    }
    data["nodes"][0] = {
        **data["nodes"][0],
        "kind": "repeat",
        "config": {"over": "items"},
        "body": region,
        "retry": {"attempts": 2, "delay": "3s"},
        "timeout": "1m",
        "before": [{"type": "log", "message": "hello"}],
    }
    name = data["nodes"][0]["name"]
    switch = {"on": "$.x", "cases": {"y": name}, "default": name}
    data["edges"].insert(0, {"from": name, "switch": switch})
    data["edges"].append({"from": name, "to": name, "when": {"call": "nobody.urgent"}})
    return data


@st.composite
def misshapen(draw: st.DrawFn) -> Data:
    """A definition with some slips in its shape, beside whatever else is wrong with it."""
    data = json.loads(json.dumps(draw(st.one_of(whole_definitions(), flows()))))
    for _ in range(draw(st.integers(1, 3))):
        *outer, last = draw(st.sampled_from(places_in(data) or [("name",)]))
        holder: Any = data
        for part in outer:
            holder = holder[part]
        how = draw(st.sampled_from(("remove", "replace", "add", "misname")))
        if how == "replace":
            holder[last] = draw(others)
        elif not isinstance(holder, dict):
            continue
        elif how == "add":
            holder[draw(st.sampled_from(_UNKNOWN))] = draw(others)
        elif last in holder:
            held = holder.pop(last)
            if how == "misname":
                holder[draw(st.sampled_from((*_UNKNOWN, f"{last}s")))] = held
    return data
