"""Configs and actions as hypothesis makes them up: mostly right, with slips."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from flowrt.actions import ActionCall, register_action
from flowrt.actions.registry import ActionConfig
from flowrt.engine.context import Kind, NodeContext, Output
from flowrt.registry import find_callable, register_callable, register_kind
from hypothesis import strategies as st

from flowlint.graph.reference_settings import ACTIONS, CONFIGS, Setting, Settings

Data = dict[str, Any]

TEXTS: Mapping[str, tuple[str, ...]] = {
    "": ("x", "", "{state.x}"),
    "value": ("state.x", "items", "outputs.draft", "size(state.x)", "state.x +", "now()", "x == 1"),
    "condition": ("state.x < 3", "index < 3", "state.x <", "nobody > 1", "results.on.outcome"),
    "template": ("say {state.x}", "{outputs.nobody}", "plain", "{x}", "{outputs.review.x}"),
    "strict template": ("{result}", "{node_name} {state.x}", "{reslt}", "plain"),
    "callable": ("tests.registered",),
    "schema": ("x",),
    "timer": ("30s", "PT15M", "banana", "P1M"),
    "moment": ("2026-07-26T09:00:00", "tomorrow", "2026-07-26"),
    "address": ("https://example.org", "ftp://x", "{state.url}"),
}
SCHEMAS: tuple[Any, ...] = (
    {"type": "string"},
    {"type": "strin"},
    {"type": ["object", "null"], "properties": {"a": {"type": "integr"}}},
    {"required": "a"},
    {"minimum": "1"},
)
JUNK: tuple[Any, ...] = (None, True, 3, -1, 0.5, "text", [], {}, ["a"], {"a": 1}, [3])
NUMBERS = (1, 2, 0, -1, 0.5, 25, 1000)


def later(one: Any, other: Any = None) -> Any:
    """The function that settings name."""
    return other


async def _note(_context: NodeContext) -> Output:
    return Output()


async def _page(_config: ActionConfig, call: ActionCall) -> Any:
    """Page somebody."""
    return call.value


def register() -> None:
    """Register all that generated definitions name: that function, a kind and an action."""
    if find_callable("tests.registered") is None:
        register_callable("tests.registered", later)
        register_kind(Kind("acme.note", _note, "Notes something."))
        register_action("acme.page")(_page)


def _names(known: Settings) -> st.SearchStrategy[str]:
    slips = [name[:1] + name[2:] for name in known if len(name) > 4]
    return st.sampled_from([*known, *known, *known, *known, *slips[:2]])


def of(about: Setting) -> st.SearchStrategy[Any]:
    """Values for a setting, a few of them wrong."""
    if about.means == "schema":
        return st.one_of(st.sampled_from(SCHEMAS), st.sampled_from(JUNK))
    right: list[st.SearchStrategy[Any]] = []
    if "text" in about.types:
        right.append(st.sampled_from((*about.choices, *TEXTS[about.means])))
    if {"integer", "number", "duration"} & {*about.types}:
        right.append(st.sampled_from(NUMBERS))
    if "duration" in about.types:
        right.append(st.sampled_from(("30s", "5 minutes")))
    if "boolean" in about.types:
        right.append(st.booleans())
    if "list" in about.types:
        items = of(about.items) if about.items is not None else st.sampled_from(JUNK)
        right.append(st.lists(items, max_size=3))
    if "mapping" in about.types and about.fields is not None:
        right.append(settings_of(about.fields))
    elif "mapping" in about.types:
        items = of(about.items) if about.items is not None else st.sampled_from(JUNK)
        right.append(st.dictionaries(st.sampled_from(("a", "b", "x")), items, max_size=2))
    if not right:
        right.append(st.sampled_from(JUNK))
    junk = st.sampled_from(JUNK)
    return st.one_of(*right, *right, *right, junk)


@st.composite
def settings_of(draw: st.DrawFn, known: Settings) -> Data:
    """Settings with some of the fields that are known, and mostly those that have to be there."""
    chosen = {name for name, about in known.items() if about.required and draw(st.integers(0, 9))}
    chosen |= draw(st.sets(_names(known), max_size=4))
    return {name: draw(of(known[name] if name in known else Setting())) for name in sorted(chosen)}


def configs(kind: str) -> st.SearchStrategy[Data]:
    return settings_of(CONFIGS[kind])


@st.composite
def actions(draw: st.DrawFn) -> list[Data]:
    """Actions before or after a node."""
    made = []
    for _ in range(draw(st.integers(0, 2))):
        name = draw(st.sampled_from((*ACTIONS, "set_context", "lgo", "acme.page")))
        known = ACTIONS.get(name.replace("_", "-"), {})
        made.append({"type": name, **(draw(settings_of(known)) if known else {})})
    return made
