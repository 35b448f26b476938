"""What flowrt refuses in a flow besides faults of its shape: said alike by runtime and dialect."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from math import inf
from types import MappingProxyType

from flowlint.changes import Rename
from flowlint.graph.model import Violation
from flowlint.graph.names import NearNames
from flowlint.graph.reference import KINDS, MAX_REGION_DEPTH, OUTCOME_PATH, OUTCOMES
from flowlint.source import Span

_SWITCH_PATH = re.compile(r"\$(?:output|result)?(?:\.[^.\[\]\s]+)+\Z")
_RESULT = "$result."
_MOST_SHOWN = 40
RESULT_FIELDS = ("outcome", "output", "error", "attempts", "node")


def near(name: str, names: Collection[str], otherwise: str) -> str:
    """The name that was meant, where that is plain, else another cure."""
    meant = NearNames([*names]).of(name)
    return f"did you mean `{meant}`?" if meant is not None else otherwise


def near_rename(span: Span, name: str, names: Collection[str]) -> Rename | None:
    """The name that was meant instead of the one at a place, where it can be no other."""
    meant = NearNames([*names]).only(name)
    return Rename(span, name, meant) if meant is not None else None


def one_of(names: Sequence[str]) -> str:
    """Names to choose from, in prose."""
    return f"use {', '.join(f'`{name}`' for name in names[:-1])} or `{names[-1]}`"


def bad_choice(
    what: str, value: object, allowed: Sequence[str], span: Span, node: str | None = None
) -> Violation:
    """A value that is none of the few that are allowed."""
    shown = value if isinstance(value, str) else repr(value)
    cure = near(str(value), allowed, one_of(allowed))
    said = f"{what} is `{shown}`, which flowrt does not know"
    rename = near_rename(span, value, allowed) if isinstance(value, str) else None
    return Violation(span, said, cure, node, rename=rename)


def bad_name(what: str, value: object, span: Span, node: str | None = None) -> Violation:
    """A name that is no text, or an empty one."""
    fault = "is empty" if value == "" else f"is {value!r}, which is no text"
    return Violation(span, f"{what} {fault}", "name it by a text", node)


_LONG = 1e300


def _shortened(text: str) -> str:
    return text if len(text) <= _MOST_SHOWN else f"{text[:_MOST_SHOWN]}…"


def bad_limit(what: str, value: object, span: Span, node: str | None = None) -> Violation:
    """A limit that is no number in its range."""
    cure = "give a number above 0, or leave it out"
    is_short = isinstance(value, int | float) and abs(value) < _LONG
    shown = f"{value:g}" if is_short else _shortened(repr(value))
    return Violation(span, f"{what} is {shown}, which limits nothing", cure, node, "bad-limit")


RETRY_LIMITS: Mapping[str, tuple[float, float]] = MappingProxyType(
    {
        "attempts": (1, inf),
        "delay": (0, inf),
        "factor": (1, inf),
        "max_delay": (0, inf),
        "jitter": (0, 1),
    }
)
"""The numbers of a retry, each with the least and the most that it may be."""


def retry_faults(name: str, given: Mapping[str, tuple[object, Span]]) -> list[Violation]:
    """Numbers of a retry that are out of their range; `given` tells their values and places."""
    found = []
    for field, (value, span) in given.items():
        least, most = RETRY_LIMITS[field]
        is_number = isinstance(value, int | float) and not isinstance(value, bool)
        if is_number and least <= value <= most and (field != "attempts" or value == int(value)):  # type: ignore[operator, call-overload]
            continue
        shown = f"{value:g}" if is_number else repr(value)
        cure = f"give {least:g} or more" if most == inf else f"give {least:g} to {most:g}"
        said = f"The retry of node `{name}` has `{field}` {shown}, which is out of its range"
        found.append(Violation(span, said, cure, name, "bad-limit"))
    return found


def unknown_kind(name: str, kind: str, span: Span, kinds: Collection[str]) -> Violation:
    """A node kind that nobody registered."""
    return Violation(
        span,
        f"Node `{name}` is of kind `{kind}`, which nobody registered: Flow(…) raises",
        near(kind, kinds, "use a kind of flowrt, or register this one: its name needs a dot"),
        name,
        "unknown-node-kind",
        rename=near_rename(span, kind, kinds),
    )


def no_function(name: str, kind: str, span: Span) -> Violation:
    """A node that has nothing to run."""
    return Violation(
        span,
        f"Node `{name}` is a `{kind}` and has no function to run: Flow(…) raises",
        "give it `run`",
        name,
        "wrong-callable",
    )


def not_callable(what: str, value: object, span: Span, node: str | None) -> Violation:
    """Something that is to be called and cannot be."""
    return Violation(
        span,
        f"{what} is {_shown(value)}, which cannot be called: Flow(…) raises",
        "give the function itself",
        node,
        "wrong-callable",
    )


def async_kill_switch(name: str, span: Span) -> Violation:
    """A kill switch that has to be awaited: what it gives would always count as a yes."""
    return Violation(
        span,
        f"The kill switch `{name}` is async and never awaited, so it would halt every run: "
        "Flow(…) raises",
        "make it a plain function that answers at once",
        None,
        "wrong-callable",
    )


def async_merge(what: str, name: str, span: Span, node: str | None = None) -> Violation:
    """A function that merges values and has to be awaited: what it gives would be no value."""
    said = f"{what} is `{name}`, which is async and never awaited: Flow(…) raises"
    cure = "make it a plain function of two values"
    return Violation(span, said, cure, node, "wrong-callable")


HOOKS = ("on_node", "checkpoint")
"""The functions that a flow calls after each node."""
HOOKED = "with the name of a node and the state"
"""What they are given."""
_ASKED = ("without arguments", "with the state alone", "with two values")


def wrong_arguments(
    what: str, count: int, span: Span, node: str | None = None, given: str | None = None
) -> Violation:
    """A function that cannot be called with as many arguments as it will be."""
    how = given or _ASKED[count]
    said = f"{what} cannot be called {how}: Flow(…) raises"
    numbers = ("no argument", "one argument", "two arguments")
    return Violation(span, said, f"let it take {numbers[count]}", node, "wrong-callable")


def unstoppable(what: str, name: str, span: Span) -> Violation:
    """A limit of time for what cannot be stopped: a plain function."""
    said = (
        f"{what} of node `{name}` does nothing: what the node runs is not async, so that nothing "
        "else happens until it returns"
    )
    cure = "write `async def`, and what blocks as `await asyncio.to_thread(…)`"
    return Violation(span, said, cure, name, "bad-limit")


def vain_join(name: str, span: Span) -> Violation:
    """A join where one edge at a time is taken."""
    said = f"Join of node `{name}` does nothing: where the first edge is taken, one way leads to it"
    cure = "remove it, or set `routing` to `all`"
    return Violation(span, said, cure, name, "ineffective-field", severity="warning")


def vain_max_parallel(span: Span) -> Violation:
    """A limit of nodes at a time where there is one at a time anyway."""
    said = "max_parallel does nothing: one node runs at a time in this flow"
    cure = "remove it, or set `routing` to `all`"
    return Violation(span, said, cure, None, "ineffective-field", severity="warning")


def outcome_cases(source: str, on: str, cases: Iterable[tuple[str, Span]]) -> Iterator[Violation]:
    """Cases of a switch on the outcome that are none."""
    for case, span in cases if on == OUTCOME_PATH else ():
        if case not in OUTCOMES:
            yield bad_choice(f"A case of the switch of `{source}`", case, OUTCOMES, span, source)


def prompt_faults(
    agents: Mapping[str, Span], starts: Collection[str], edges: Iterable[tuple[str, str]]
) -> Iterator[Violation]:
    """Agents that are told nothing: `agents` have no prompt, and nor have `edges`."""
    told: set[str] = set()
    ways: list[tuple[str, str | None]] = [(name, None) for name in starts]
    ways += [(target, source) for source, target in edges]
    for name, source in ways:
        if name in agents and name not in told:
            told.add(name)
            yield _no_prompt(name, source, agents[name])


def _no_prompt(name: str, source: str | None, span: Span) -> Violation:
    """An agent that is told nothing: not by itself, nor by the edge from `source` (None: it is
    where the flow begins)."""
    why = "the flow begins there" if source is None else f"the edge from `{source}` carries none"
    said = f"Agent `{name}` has no prompt, and {why}: Flow(…) raises"
    cure = "give its config a `prompt`" + ("" if source is None else ", or the edge")
    return Violation(span, said, cure, name)


REGISTER = "register it with `register_callable` in a module, and name that with `--module`"


def undefined_callable(
    name: str, reason: str, cure: str, node: str | None, span: Span
) -> Violation:
    """A function that is named and is not there."""
    what = f"The function `{name}` is named"
    if node is not None:
        what = f"Node `{node}` names the function `{name}`"
    said = f"{what}, {reason}: the flow cannot be loaded"
    return Violation(span, said, cure, node, "undefined-callable")


def too_deep(name: str, span: Span) -> Violation:
    """A node whose regions stand in too many others."""
    said = f"The regions of node `{name}` stand in {MAX_REGION_DEPTH} others: no more may"
    return Violation(span, said, "make the inner part a flow of its own and a `subflow`", name)


def region_faults(name: str, kind: str, given: Collection[str], span: Span) -> list[Violation]:
    """Regions that a kind needs and that are not there, or that it does not know."""
    facts = KINDS.get(kind)
    if facts is None:
        return []
    known = (*facts.regions, *facts.optional)
    lacking = [f"has no region `{slot}`" for slot in facts.regions if slot not in given]
    vain = [slot for slot in given if slot not in known]
    if facts.branches:
        lacking, vain = ([] if given else ["has no branches"]), []
    reasons = [*lacking, *(f"has a region `{slot}` that it never runs" for slot in vain)]
    if not reasons:
        return []
    cure = f"its regions are {', '.join(known)}" if known else "it has no regions"
    said = f"Node `{name}` is a `{kind}` and {', and '.join(reasons)}: Flow(…) raises"
    cure = "give it a region for each branch" if facts.branches else cure
    return [
        Violation(
            span, said, near(vain[0], known, cure) if vain else cure, name, "malformed-region"
        )
    ]


def switch_path_fault(on: str, source: str, span: Span) -> Violation | None:
    """What is wrong with the path that a switch looks at, None when nothing is."""
    cure = "write `$.field`, `$output.field` or `$result.outcome`"
    if not _SWITCH_PATH.match(on):
        said = f"Switch of `{source}` looks at `{on}`, which is no path: Flow(…) raises"
        return Violation(span, said, cure, source, "invalid-expression")
    field = on.split(".")[1]
    if on.startswith(_RESULT) and field not in RESULT_FIELDS:
        said = (
            f"Switch of `{source}` looks at `{on}`, but a result has no `{field}`: Flow(…) raises"
        )
        return Violation(span, said, near(field, RESULT_FIELDS, cure), source, "invalid-expression")
    return None


def no_cases(source: str, span: Span) -> Violation:
    """A switch that leads nowhere."""
    said = f"Switch of `{source}` has no cases, so nothing follows: Flow(…) raises"
    return Violation(span, said, "name the node for each value", source)


def _shown(value: object) -> str:
    if value is None or isinstance(value, bool | int | float):
        return f"`{value}`"
    return f'the text "{value}"' if isinstance(value, str) else f"of type {type(value).__name__}"
