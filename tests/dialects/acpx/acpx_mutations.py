"""Flow definitions with something changed in each: the same ones for the same number.

A definition is data: an object is a list of pairs, since it may hold a key twice.
"""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

HEAD = """\
import {
  acp, action, checkpoint, compute, decision, decisionEdge, defineFlow, shell,
} from "acpx/flows";

const run = () => ({ route: "x" });
const exec = () => ({ command: "true" });
const prompt = () => "hello";
const parse = (text) => text;

"""


@dataclass
class Raw:
    """An expression as it is written."""

    text: str


@dataclass
class Obj:
    """An object; `helper` is the function that it is handed to."""

    pairs: list[list[Any]] = field(default_factory=list)
    helper: str | None = None


def obj(helper: str | None = None, /, **fields: Any) -> Obj:
    return Obj([[name.rstrip("_"), value] for name, value in fields.items()], helper)


RUN, EXEC, PROMPT, PARSE = Raw("run"), Raw("exec"), Raw("prompt"), Raw("parse")


def switch(source: str, on: str, **cases: str) -> Obj:
    return obj(from_=source, switch=obj(on=on, cases=obj(**cases)))


FLOWS = (
    obj(
        name="triage",
        run=obj(title="Triage"),
        permissions=obj(requiredMode="approve-all", requireExplicitGrant=True, reason="it edits"),
        startAt="load",
        nodes=obj(
            load=obj("compute", run=RUN),
            judge=obj("acp", profile="codex", cwd=".", session=obj(handle="main"), prompt=PROMPT),
            fix=obj("shell", exec=EXEC, parse=PARSE, timeoutMs=60000),
            ask=obj("checkpoint", summary="decide"),
        ),
        edges=[
            obj(from_="load", to="judge"),
            switch("judge", "$.route", fix="fix", ask="ask"),
            switch("fix", "$result.outcome", ok="load", failed="ask", timed_out="ask"),
        ],
    ),
    obj(
        name="decide",
        startAt="question",
        nodes=obj(
            question=obj("decision", question="Which?", choices=["left", "right"]),
            left=obj(nodeType="acp", prompt=PROMPT, session=obj(isolated=True)),
            right=obj(nodeType="action", run=RUN, statusDetail="right"),
            done=obj(nodeType="compute", run=RUN, heartbeatMs=0),
        ),
        edges=[
            obj(
                "decisionEdge",
                from_="question",
                choices=["left", "right"],
                cases=obj(left="left", right="right"),
            ),
            obj(from_="left", to="done"),
            obj(from_="right", to="done"),
        ],
    ),
    obj(
        name="raw",
        startAt="first",
        nodes=obj(
            first=obj(nodeType="action", exec=EXEC, timeoutMs=5),
            second=obj(nodeType="checkpoint", run=RUN),
            third=obj("action", run=RUN),
        ),
        edges=[
            switch("first", "$output.route", x="second", y="third"),
            switch("second", "$result.outcome", failed="third", timed_out="third", ok="first"),
        ],
    ),
)

VALUES = (
    Raw("undefined"),
    Raw("null"),
    Raw("() => 1"),
    Raw("[]"),
    Raw("{}"),
    Raw("NaN"),
    Raw("-1"),
    "",
    "x",
    7,
    True,
    3_000_000_000,
)
NAMES = ("from", "to", "switch", "run", "exec", "nodeType", "timeoutMs", "when", "prompt", "cases")


def mutated(count: int, seed: int = 7) -> Iterator[tuple[str, str]]:
    """So many changed definitions, each with what was changed, as modules."""
    chance = random.Random(seed)
    changes = (
        leave_out,
        other_value,
        rename_key,
        add_key,
        write_twice,
        swap_values,
        change_text,
        other_helper,
        change_list,
    )
    for _ in range(count):
        flow = copy.deepcopy(chance.choice(FLOWS))
        told = [change(flow, chance) for change in chance.sample(changes, chance.choice((1, 1, 2)))]
        yield "; ".join(told), f"{HEAD}export default defineFlow({text_of(flow)});\n"


def text_of(value: object) -> str:
    """A value as it is written."""
    if isinstance(value, Raw):
        return value.text
    if isinstance(value, Obj):
        inner = ", ".join(f"{json.dumps(key)}: {text_of(held)}" for key, held in value.pairs)
        return f"{value.helper}({{ {inner} }})" if value.helper else f"{{ {inner} }}"
    if isinstance(value, list):
        return f"[{', '.join(map(text_of, value))}]"
    return json.dumps(value)


def objects(value: object) -> Iterator[Obj]:
    """All objects in a value."""
    if isinstance(value, Obj):
        yield value
        for _, held in value.pairs:
            yield from objects(held)
    elif isinstance(value, list):
        for held in value:
            yield from objects(held)


def any_pair(flow: Obj, chance: random.Random) -> tuple[Obj, int]:
    owner = chance.choice([one for one in objects(flow) if one.pairs])
    return owner, chance.randrange(len(owner.pairs))


def leave_out(flow: Obj, chance: random.Random) -> str:
    owner, number = any_pair(flow, chance)
    key, _ = owner.pairs.pop(number)
    return f"without {key}"


def other_value(flow: Obj, chance: random.Random) -> str:
    owner, number = any_pair(flow, chance)
    value = chance.choice(VALUES)
    owner.pairs[number][1] = value
    return f"{owner.pairs[number][0]} is {text_of(value)}"


def rename_key(flow: Obj, chance: random.Random) -> str:
    owner, number = any_pair(flow, chance)
    old = owner.pairs[number][0]
    new = chance.choice((old[:-1] or "z", old.lower(), f"{old}s", chance.choice(NAMES)))
    owner.pairs[number][0] = new
    return f"{old} becomes {new}"


def add_key(flow: Obj, chance: random.Random) -> str:
    owner = chance.choice(list(objects(flow)))
    key, value = chance.choice(NAMES), chance.choice(VALUES)
    owner.pairs.append([key, value])
    return f"{key}: {text_of(value)} is added"


def write_twice(flow: Obj, chance: random.Random) -> str:
    owner, number = any_pair(flow, chance)
    key, value = owner.pairs[number]
    owner.pairs.insert(chance.choice((number, len(owner.pairs))), [key, copy.deepcopy(value)])
    return f"{key} twice"


def swap_values(flow: Obj, chance: random.Random) -> str:
    owner, number = any_pair(flow, chance)
    other = chance.randrange(len(owner.pairs))
    first, second = owner.pairs[number], owner.pairs[other]
    first[1], second[1] = second[1], first[1]
    return f"{first[0]} and {second[0]} swapped"


def change_text(flow: Obj, chance: random.Random) -> str:
    pairs = [pair for one in objects(flow) for pair in one.pairs if isinstance(pair[1], str)]
    pair = chance.choice(pairs)
    old = pair[1]
    pair[1] = chance.choice((old[:-1], f"{old}s", old.upper(), f"{old}.x", old.strip("$.")))
    return f"{pair[0]}: {old} becomes {pair[1]}"


def other_helper(flow: Obj, chance: random.Random) -> str:
    owner = chance.choice([one for one in objects(flow) if one.helper] or [flow])
    if owner is flow:
        return "no helper"
    old = owner.helper
    owner.helper = chance.choice(("acp", "compute", "action", "shell", "checkpoint", None))
    return f"{old} becomes {owner.helper}"


def change_list(flow: Obj, chance: random.Random) -> str:
    lists = [pair[1] for one in objects(flow) for pair in one.pairs if isinstance(pair[1], list)]
    chosen = chance.choice([one for one in lists if one] or [[]])
    if not chosen:
        return "no list"
    ways: tuple[Callable[[], None], ...] = (
        lambda: chosen.append(copy.deepcopy(chosen[0])),
        lambda: chosen.append(chance.choice(VALUES)),
        chosen.clear,
        lambda: chosen.append(copy.deepcopy(chosen)),
    )
    chance.choice(ways)()
    return "a list is changed"
