"""One flow in every form: forms of one system agree, and systems differ only by what they mean.

What flowrt is told of a flow as JSON is what everything else is compared with. A system whose
semantics are other ones says here which rule changes by which of their fields.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import one_flow_forms as forms
import pytest
from one_flow_forms import Sketch, Written, sketch

from flowlint.graph.model import Semantics
from flowlint.pipeline import FileResult, analyse_file
from flowlint.project.files import ProjectFiles

FLOWS = {
    "chain": sketch("a b c", "a>b b>c"),
    "one node": sketch("a"),
    "empty flow": sketch("", entry=None),
    "empty flow with an entry": sketch(""),
    "unknown target": sketch("a b", "a>b b>c"),
    "unknown source": sketch("a b", "a>b c>b"),
    "unknown names on both sides": sketch("a b", "a>b c>d"),
    "misspelt target": sketch("a writer", "a>writr a>writer"),
    "unreachable node": sketch("a b c", "a>b"),
    "unreachable circle": sketch("a b c d", "a>b c>d d>c"),
    "missing entry": sketch("a b", "a>b", None),
    "unknown entry": sketch("a b", "a>b", "z"),
    "duplicate node": sketch("a b b", "a>b"),
    "duplicate edge": sketch("a b", "a>b a>b"),
    "self loop": sketch("a b", "a>b b>b"),
    "self loop with a way out": sketch("a b", "a>a=x a>b!x"),
    "loop without exit": sketch("a b", "a>b b>a"),
    "loop with an exit": sketch("a b c", "a>b b>a=x b>c!x"),
    "loop of three": sketch("a b c", "a>b b>c c>a"),
    "choice": sketch("a b c", "a>b=x a>c!x"),
    "choice and join": sketch("a b c d", "a>b=x a>c!x b>d c>d"),
    "unhandled route": sketch("a b c", "a>b=x a>c=y"),
    "one guard": sketch("a b", "a>b=x"),
    "shadowed edge": sketch("a b c", "a>b a>c=x"),
    "guards that overlap": sketch("a b c", "a>b=x a>c!y"),
    "the same guard twice": sketch("a b c", "a>b=x a>c=x"),
    "guard and rest": sketch("a b c", "a>b=x a>c"),
    "fan out": sketch("a b c", "a>b a>c"),
    "fan out and in": sketch("a b c d", "a>b a>c b>d c>d"),
    "join of a choice": sketch("a b c d e", "a>b=x a>c!x b>d c>d d>e"),
    "join with a part that never runs": sketch("a b c", "a>b c>b"),
    "two faults": sketch("a b c", "a>b b>z"),
}

Form = Callable[[Sketch], Written]
Told = tuple[str, str, str | None]
"""The name of a rule, its severity, and the node."""


@dataclass(frozen=True, slots=True)
class Change:
    """What a rule tells instead, None for nothing, since the semantics differ in `field`."""

    rule: str
    field: str
    instead: tuple[str, str] | None = None


@dataclass(frozen=True, slots=True)
class More:
    """What is told of a flow besides, since the semantics differ in `field`."""

    told: Told
    field: str


@dataclass(frozen=True, slots=True)
class System:
    """The forms of one system, and how it differs from flowrt."""

    forms: tuple[Form, ...]
    changes: tuple[Change, ...] = ()
    more: dict[str, More] | None = None
    can: Callable[[Sketch], bool] = lambda _: True


ALL_TAKEN = Change("multiple-outgoing-edges", "routing")
NO_ORDER = Change("shadowed-edge", "routing")
NO_KINDS = Change("kind-mismatch", "kinds_document_shape")
NOT_REFUSED = Change("unreachable-node", "on_unreachable", ("unreachable-node", "warning"))
FORBIDDEN = Change("loop-without-exit", "cycles", ("forbidden-cycle", "error"))
COLLAPSED = Change("duplicate-edge", "on_duplicate_edge", ("duplicate-edge", "info"))

AGENTSFLOW = (
    ALL_TAKEN,
    NO_ORDER,
    NO_KINDS,
    FORBIDDEN,
    Change("unreachable-node", "on_unreachable"),
    Change("missing-entry", "on_missing_entry"),
    Change("unknown-entry", "on_missing_entry"),
    Change("unbounded-loop", "cycles"),
    Change("unroutable-gate", "unmatched_route"),
)
OPEN_CHOICE = More(("unhandled-route", "info", "a"), "unmatched_route")
AGENTSFLOW_MORE = {
    "unreachable circle": More(("forbidden-cycle", "error", "d"), "cycles"),
    "unhandled route": OPEN_CHOICE,
    "guards that overlap": OPEN_CHOICE,
    "the same guard twice": OPEN_CHOICE,
}
WAITS_FOR_ALL = {
    "self loop with a way out": More(("join-never-completes", "info", "a"), "join"),
    "loop with an exit": More(("join-never-completes", "info", "a"), "join"),
    "choice and join": More(("join-never-completes", "info", "d"), "join"),
    "join of a choice": More(("join-never-completes", "info", "d"), "join"),
}
ALONE = More(("unreachable-node", "info", "c"), "on_unreachable")

SYSTEMS = {
    "flowrt": System(
        (forms.flowrt_json, forms.flowrt_yaml, forms.flowrt_python, forms.flowrt_functions)
    ),
    "HydraFlow": System((forms.hydraflow,)),
    "AgentsFlow as data": System(
        (forms.agentsflow_json, forms.agentsflow_yaml, forms.svelteflow),
        AGENTSFLOW,
        AGENTSFLOW_MORE | WAITS_FOR_ALL,
    ),
    # Data may be run by what waits for all; of code it would have to be seen.
    "AgentsFlow's definition in code": System(
        (forms.agentsflow_definition,), AGENTSFLOW, AGENTSFLOW_MORE
    ),
    "AgentsFlow's builder": System(
        (forms.agentsflow_builder,),
        (*AGENTSFLOW, COLLAPSED),
        # A node beside all others may be meant to be connected later.
        AGENTSFLOW_MORE | {"unreachable node": ALONE, "two faults": ALONE},
    ),
    "acpx": System(
        (forms.acpx,),
        (
            NO_KINDS,
            NOT_REFUSED,
            Change("duplicate-edge", "on_duplicate_edge", ("duplicate-edge", "error")),
            Change("unroutable-gate", "routing", ("unhandled-route", "error")),
        ),
        {"empty flow": More(("missing-entry", "error", None), "routing")},
        forms.can_acpx,
    ),
    "ObjectStack": System(
        (forms.objectstack_typescript, forms.objectstack_json, forms.objectstack_yaml),
        (
            ALL_TAKEN,
            NO_ORDER,
            NO_KINDS,
            NOT_REFUSED,
            FORBIDDEN,
            Change("unbounded-loop", "cycles", ("forbidden-cycle", "error")),
            Change("unroutable-gate", "unmatched_route"),
        ),
        {
            "unreachable circle": More(("forbidden-cycle", "error", "d"), "cycles"),
            "fan out and in": More(("runs-more-than-once", "warning", "d"), "runs_per_arrival"),
        },
        forms.can_objectstack,
    ),
    "LangGraph": System(
        (forms.langgraph_python,), (ALL_TAKEN, NOT_REFUSED, COLLAPSED), can=forms.can_langgraph
    ),
    "LangGraph.js": System(
        (forms.langgraph_script,),
        (ALL_TAKEN, COLLAPSED),
        {"unknown entry": More(("unreachable-node", "error", "a"), "refuses_unnamed")},
        forms.can_langgraph,
    ),
}
NAMED_BY_AN_EDGE = "unreachable circle"
"""LangGraph.js refuses nodes that no edge names; others it runs without them."""

EMPTY = frozenset({"empty flow", "empty flow with an entry"})
NOT_RECOGNISED: dict[Form, frozenset[str]] = {
    # Nothing in data without nodes shows whose it is, and a builder may be filled elsewhere.
    forms.agentsflow_json: EMPTY,
    forms.agentsflow_yaml: EMPTY,
    forms.svelteflow: EMPTY,
    forms.agentsflow_builder: EMPTY,
    # Other packages are called `flows` too; those calls of `Flow` have an entry.
    forms.hydraflow: frozenset({"empty flow", "missing entry"}),
}
SAYS_NO_NAME = (forms.svelteflow,)


def analysed(written: Written) -> FileResult:
    name, text = written
    Path(name).write_text(text)
    return analyse_file(name, ProjectFiles(), ".")


def told(result: FileResult) -> Counter[Told]:
    return Counter((one.name, one.severity, one.node) for one in result.findings)


def expected(
    title: str, system: str, base: Counter[Told], semantics: Semantics, other: Semantics
) -> Counter[Told]:
    """What is to be told of a flow in another system."""
    held = SYSTEMS[system]
    by_rule = {change.rule: change for change in held.changes}
    if system == "LangGraph.js" and title == NAMED_BY_AN_EDGE:
        by_rule["unreachable-node"] = NOT_REFUSED
    made: Counter[Told] = Counter()
    fields = []
    for rule, severity, node in base.elements():
        change = by_rule.get(rule)
        if change is None:
            made[rule, severity, node] += 1
            continue
        fields.append(change.field)
        if change.instead is not None:
            made[(*change.instead, node)] += 1
    more = (held.more or {}).get(title)
    if more is not None:
        fields.append(more.field)
        made[more.told] += 1
    for field in fields:
        assert getattr(semantics, field) != getattr(other, field), field
    return made


@pytest.fixture(autouse=True)
def _project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("steps.py").write_text("async def work(state):\n    return state\n")


@pytest.mark.parametrize("title", FLOWS)
def test_a_flow_is_told_the_same_in_every_form(title: str) -> None:
    flow = FLOWS[title]
    first = analysed(forms.flowrt_json(flow))
    for system, held in SYSTEMS.items():
        if not held.can(flow):
            continue
        exact: list[tuple[str, str, tuple[str, ...]]] | None = None
        for form in held.forms:
            result = analysed(form(flow))
            if title in NOT_RECOGNISED.get(form, frozenset()):
                assert (result.graphs, result.findings) == ((), ()), form.__name__
                continue
            (graph,) = result.graphs
            semantics, other = graph.semantics, first.graphs[0].semantics
            right = expected(title, system, told(first), semantics, other)
            assert told(result) == right, (form.__name__, form(flow)[1])
            if form in SAYS_NO_NAME:
                continue
            names = sorted((one.code, one.flow or "", one.witness) for one in result.findings)
            assert exact in (None, names), form.__name__
            exact = names


def test_every_difference_is_one() -> None:
    """No system has a difference that no flow shows."""
    seen: dict[str, set[str]] = {system: set() for system in SYSTEMS}
    for flow in FLOWS.values():
        base = told(analysed(forms.flowrt_json(flow)))
        for system, held in SYSTEMS.items():
            if held.can(flow):
                seen[system] |= {rule for rule, _, _ in base}
    for system, held in SYSTEMS.items():
        assert {change.rule for change in held.changes} <= seen[system], system
        assert (held.more or {}).keys() <= FLOWS.keys()
