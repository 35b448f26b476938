"""The fields that definitions may have, and what is wrong with those that one has."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from flowlint.dialects.agentsflow.model import CONDITIONS
from flowlint.dialects.agentsflow.records import Field, Record, record_of
from flowlint.graph.model import Violation
from flowlint.graph.reference_faults import near, near_rename, one_of
from flowlint.values.model import Const, Mapped, Sequence, Value

Kind = Literal[
    "text",
    "texts",
    "names",
    "labels",
    "numbers",
    "whole",
    "flag",
    "mapping",
    "list",
    "any",
    "number",
]


@dataclass(frozen=True, slots=True)
class About:
    """What a field may hold. `choices` are all the texts there are.

    A number is not less than `least`, not more than `most`, and more than `above`. `null` tells
    that it may be stated as None.
    """

    kind: Kind
    required: bool = False
    least: int | None = None
    choices: tuple[str, ...] = ()
    null: bool = False
    most: int | None = None
    above: int | None = None


Shape = Mapping[str, About]


@dataclass(frozen=True, slots=True)
class Maker:
    """Who knows the fields, as users call it, and what comes of a field that is wrong."""

    system: str
    refuses: str


FLOWS = Maker("AgentsFlow", "FlowDefinition(…) raises")

TEXT, MAPPING, FLAG = About("text"), About("mapping"), About("flag")
ANY, NO_TEXT = About("any", null=True), About("text", null=True)
NEEDED = About("text", required=True)

FLOW: Shape = {
    "flow": NEEDED,
    "version": TEXT,
    "description": TEXT,
    "created_at": ANY,
    "updated_at": ANY,
    "metadata": MAPPING,
    "nodes": About("list", required=True),
    "edges": About("list"),
}
METADATA: Shape = {
    "max_parallel_tasks": About("whole", least=1),
    "default_max_retries": About("whole", least=0),
    "execution_timeout": About("number", null=True),
    "truncation_length": About("whole", null=True),
    "enable_execution_memory": FLAG,
    "embedding_model": NO_TEXT,
    "vector_dimension": About("whole"),
    "vector_index_type": TEXT,
    "checkpoint": FLAG,
    "checkpoint_retention": About("whole", null=True),
    "checkpoint_history": About("whole", null=True),
    "checkpoint_include_responses": FLAG,
    "durable": FLAG,
}
NODE: Shape = {
    "id": NEEDED,
    "type": NEEDED,
    "label": NO_TEXT,
    "agent_ref": NO_TEXT,
    "instruction": NO_TEXT,
    "max_retries": About("whole", least=0),
    "config": MAPPING,
    "pre_actions": About("list"),
    "post_actions": About("list"),
    "metadata": MAPPING,
    "position": MAPPING,
}
EDGE: Shape = {
    "id": NO_TEXT,
    "from": NEEDED,
    "to": About("texts", required=True),
    "condition": About("text", choices=CONDITIONS),
    "predicate": NO_TEXT,
    "instruction": NO_TEXT,
    "priority": About("whole"),
    "label": NO_TEXT,
}
ACTIONS: Mapping[str, Shape] = {
    "log": {
        "level": About("text", choices=("debug", "info", "warning", "error")),
        "message": NEEDED,
    },
    "notify": {
        "channel": About("text", choices=("slack", "teams", "email", "log")),
        "message": NEEDED,
        "target": NO_TEXT,
    },
    "webhook": {
        "url": NEEDED,
        "method": About("text", choices=("POST", "PUT")),
        "headers": MAPPING,
        "body_template": NO_TEXT,
    },
    "metric": {"name": NEEDED, "tags": MAPPING, "value": About("number")},
    "set_context": {"key": NEEDED, "value_from": NEEDED},
    "validate": {
        "schema": About("mapping", required=True),
        "on_failure": About("text", choices=("raise", "skip", "fallback")),
        "fallback_value": ANY,
    },
    "transform": {"expression": NEEDED},
}

_KINDS: Mapping[Kind, str] = {
    "text": "a text",
    "texts": "a text or a list of texts",
    "names": "a list of texts",
    "labels": "a mapping of texts",
    "numbers": "a mapping of numbers",
    "whole": "a whole number",
    "number": "a number",
    "flag": "true or false",
    "mapping": "a mapping",
    "list": "a list",
}


def shape_faults(
    record: Record, shape: Shape, owner: str, node: str | None = None, by: Maker = FLOWS
) -> Iterator[Violation]:
    """Everything that is wrong with the fields of a record; `owner` is how it is spoken of."""
    for name, given in record.fields.items():
        about = shape.get(name)
        if about is None:
            yield _unknown(owner, name, given, shape, node, by)
        else:
            yield from _value_faults(owner, name, given, about, node, by)
    if record.is_open:
        return
    for name, about in shape.items():
        if about.required and record.fields.get(name) is None:
            said = f"{owner} has no `{name}`: {by.refuses}"
            yield Violation(record.span, said, f"state its `{name}`", node)


def _unknown(
    owner: str, name: str, given: Field, shape: Shape, node: str | None, by: Maker
) -> Violation:
    said = f"{owner} has a field `{name}`, which {by.system} does not know: {by.refuses}"
    cure = near(name, [*shape], "remove it")
    rename = near_rename(given.key, name, [*shape])
    return Violation(given.key, said, cure, node, "unknown-field", rename=rename)


def _value_faults(
    owner: str, name: str, given: Field, about: About, node: str | None, by: Maker
) -> Iterator[Violation]:
    value = given.value
    if isinstance(value, Const) and value.value is None:
        if not about.null:
            said = f"{owner} has no value for `{name}`: {by.refuses}"
            cure = f"state its `{name}`" if about.required else "state one, or leave the field out"
            yield Violation(given.place, said, cure, node)
        return
    if not _fits(value, about.kind):
        said = f"{owner} has a `{name}` that is not {_KINDS[about.kind]}: {by.refuses}"
        yield Violation(given.place, said, f"give {_KINDS[about.kind]}", node)
        return
    if not isinstance(value, Const):
        return
    if about.choices and value.value not in about.choices:
        shown = str(value.value)
        said = f"{owner} has the {name} `{shown}`, which {by.system} does not know: {by.refuses}"
        cure = near(shown, about.choices, one_of(about.choices))
        rename = near_rename(given.place, shown, about.choices)
        yield Violation(given.place, said, cure, node, rename=rename)
    elif isinstance(value.value, int | float) and (beyond := _beyond(value.value, about)):
        is_what, cure = beyond
        said = f"{owner} has a `{name}` of {value.value}, which is {is_what}: {by.refuses}"
        yield Violation(given.place, said, cure, node, "bad-limit")


def _beyond(number: float, about: About) -> tuple[str, str] | None:
    """How a number is out of bounds, and what to do about it."""
    if about.least is not None and number < about.least:
        return f"less than {about.least}", f"give {about.least} or more"
    if about.most is not None and number > about.most:
        return f"more than {about.most}", f"give {about.most} or less"
    if about.above is not None and number <= about.above:
        return f"not more than {about.above}", f"give more than {about.above}"
    return None


def _fits(value: Value, kind: Kind) -> bool:
    """Whether a value may be taken for one of a kind, as pydantic takes it."""
    if kind == "any":
        return True
    if isinstance(value, Mapped):
        values = [entry.value for entry in value.entries]
        if kind == "numbers":
            return all(_fits(one, "number") for one in values)
        return kind == "mapping" or (kind == "labels" and all(map(_may_be_text, values)))
    if isinstance(value, Sequence):
        items = (item.value for item in value.items)
        return kind == "list" or (kind in ("texts", "names") and all(map(_may_be_text, items)))
    if not isinstance(value, Const):
        return True
    held = value.value
    match kind:
        case "text" | "texts":
            return isinstance(held, str)
        case "whole":
            return _is_number(held) and float(held) == int(float(held))  # type: ignore[arg-type]
        case "number":
            return _is_number(held)
        case "flag":
            words = ("true", "false", "yes", "no", "on", "off", "1", "0", "t", "f", "y", "n")
            return held in (0, 1) or (isinstance(held, str) and held.lower() in words)
    return False


def _may_be_text(value: Value) -> bool:
    if isinstance(value, Const):
        return isinstance(value.value, str)
    return not isinstance(value, Mapped | Sequence)


def _is_unknown(value: Value) -> bool:
    return not isinstance(value, Const | Mapped | Sequence)


def _is_number(held: object) -> bool:
    if isinstance(held, int | float):
        return math.isfinite(held)
    if not isinstance(held, str):
        return False
    try:
        float(held)
    except ValueError:
        return False
    return True


def action_faults(value: Value | None, owner: str, node: str) -> Iterator[Violation]:
    """What is wrong with the actions before or after a node."""
    for number, item in enumerate(value.items if isinstance(value, Sequence) else ()):
        record = record_of(item.value)
        if record is None:
            continue
        what = f"Action {number + 1} of `{owner}` of node `{node}`"
        kind = record.text("type")
        if "type" not in record.fields:
            if not record.is_open:
                said = f"{what} has no `type`: FlowDefinition(…) raises"
                yield Violation(record.span, said, one_of([*ACTIONS]), node)
        elif kind is None and not _is_unknown(record.fields["type"].value):
            said = f"{what} has a `type` that is no text: FlowDefinition(…) raises"
            yield Violation(record.where("type"), said, one_of([*ACTIONS]), node)
        elif kind is not None and kind not in ACTIONS:
            said = (
                f"{what} is of the type `{kind}`, which AgentsFlow does not know: "
                "FlowDefinition(…) raises"
            )
            place = record.where("type")
            rename = near_rename(place, kind, [*ACTIONS])
            yield Violation(
                place, said, near(kind, [*ACTIONS], one_of([*ACTIONS])), node, rename=rename
            )
        elif kind is not None:
            shape = {"type": NEEDED, **ACTIONS[kind]}
            if kind == "validate":
                shape["schema_"] = MAPPING
            yield from shape_faults(record, shape, what, node)
