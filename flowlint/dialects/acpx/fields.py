"""What the fields of a flow and its parts have to be, as acpx's schema says."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from flowlint.dialects.acpx import faults
from flowlint.dialects.acpx.faults import Owner
from flowlint.dialects.acpx.model import MODES
from flowlint.dialects.acpx.objects import Property, Shape, Type, types_of
from flowlint.dialects.reading import alternatives
from flowlint.graph.model import Violation
from flowlint.values.model import Const, Value


@dataclass(frozen=True, slots=True)
class Field:
    """What a field has to be; `rule` tells of values that are not."""

    wanted: str
    types: frozenset[Type]
    required: bool = False
    rule: str = faults.INVALID
    cure: str | None = None
    missing: str | None = None
    """The rule that tells that it is missing, where that is another one."""


def _field(
    wanted: str, *types: Type, required: bool = False, rule: str = faults.INVALID, cure: str = ""
) -> Field:
    return Field(wanted, frozenset(types), required, rule, cure or None)


TEXT = _field("a text", "string")
REQUIRED_TEXT = _field("a text", "string", required=True)
FLAG = _field("`true` or `false`", "boolean")
LIMIT = _field(
    "a number of milliseconds, 0 or more",
    "number",
    rule="bad-limit",
    cure="give a number of milliseconds",
)
FUNCTION = _field("a function", "function", rule="wrong-callable")
REQUIRED_FUNCTION = _field("a function", "function", required=True, rule="wrong-callable")
TEXT_OR_FUNCTION = _field("a text or a function", "string", "function")
OBJECT = _field("an object", "object")

COMMON: Mapping[str, Field] = MappingProxyType(
    {"timeoutMs": LIMIT, "heartbeatMs": LIMIT, "statusDetail": TEXT}
)
ACP_OPTIONS: Mapping[str, Field] = MappingProxyType(
    {
        **COMMON,
        "profile": TEXT,
        "cwd": TEXT_OR_FUNCTION,
        "session": _field("an object", "object", cure='write `session: { handle: "…" }`'),
    }
)
PROMPT = _field(
    "a function",
    "function",
    required=True,
    rule="wrong-callable",
    cure="write `prompt: () => …`",
)
ACP = MappingProxyType({**ACP_OPTIONS, "prompt": PROMPT, "parse": FUNCTION})
COMPUTE = MappingProxyType({**COMMON, "run": REQUIRED_FUNCTION})
SHELL = MappingProxyType({**COMMON, "exec": REQUIRED_FUNCTION, "parse": FUNCTION})
CHECKPOINT = MappingProxyType({**COMMON, "summary": TEXT, "run": FUNCTION})
SESSION = MappingProxyType({"handle": TEXT, "isolated": FLAG})
RUN = MappingProxyType({"title": TEXT_OR_FUNCTION})
PERMISSIONS = MappingProxyType(
    {"requiredMode": REQUIRED_TEXT, "requireExplicitGrant": FLAG, "reason": TEXT}
)
FLOW = MappingProxyType(
    {
        "name": REQUIRED_TEXT,
        "run": OBJECT,
        "permissions": OBJECT,
        "startAt": Field(
            "the name of a node", frozenset({"string"}), required=True, missing="missing-entry"
        ),
        "nodes": _field("an object with a node under each name", "object", required=True),
        "edges": _field("an array of edges", "array", required=True),
    }
)


def field_faults(shape: Shape, fields: Mapping[str, Field], owner: Owner) -> Iterator[Violation]:
    """Fields that are missing, or that have values which they cannot have."""
    for name, about in fields.items():
        found = shape.find(name)
        if found is None:
            if about.required and shape.own(name) is False:
                slip = meant_to_be(shape, name, fields)
                rule = about.missing or about.rule
                yield faults.missing_field(owner, name, about.wanted, slip, rule)
            continue
        yield from value_faults(found, about, owner)


def value_faults(found: Property, about: Field, owner: Owner) -> Iterator[Violation]:
    """What is wrong with the value of a field."""
    types = types_of(found.value)
    if types == {"undefined"} and not about.required:
        return
    if "unknown" not in types and not types & about.types:
        yield faults.wrong_value(
            owner, found.name, about.wanted, found.value, rule=about.rule, cure=about.cure
        )
    elif about is LIMIT:
        yield from _limit_faults(found, owner)


def meant_to_be(shape: Shape, name: str, fields: Iterable[str]) -> Property | None:
    """The property that was plainly meant to be the field of this name."""
    known = [*fields]
    slips = [
        one
        for one in shape.properties
        if one.name not in known and not one.presence and faults.near(one.name, known) == name
    ]
    return slips[0] if len(slips) == 1 else None


def _limit_faults(found: Property, owner: Owner) -> Iterator[Violation]:
    numbers = [number_of(single) for _, single in alternatives(found.value)]
    known = [number for number in numbers if number is not None]
    if not known or len(known) < len(numbers):
        return
    if all(number < 0 or not math.isfinite(number) for number in known):
        wanted = LIMIT.wanted if math.isfinite(known[0]) else "a finite number of milliseconds"
        cure = "leave it out for the default" if math.isfinite(known[0]) else "give 0 for no limit"
        yield faults.wrong_value(
            owner, found.name, wanted, found.value, rule="bad-limit", cure=cure
        )


def number_of(value: Value | None) -> float | None:
    """A number, None for anything else."""
    if not isinstance(value, Const) or isinstance(value.value, bool):
        return None
    return value.value if isinstance(value.value, int | float) else None


def blank_faults(shape: Shape, name: str, owner: Owner) -> Iterator[Violation]:
    """A text of blanks where there has to be something in it."""
    found = shape.find(name)
    value = found.value if found is not None else None
    if isinstance(value, Const) and isinstance(value.value, str) and not value.value.strip():
        yield faults.wrong_value(owner, name, "a text with something in it", value, what="blank")


def mode_faults(shape: Shape, owner: Owner) -> Iterator[Violation]:
    """A mode of permissions that acpx does not have."""
    found = shape.find("requiredMode")
    value = found.value if found is not None else None
    if not isinstance(value, Const) or not isinstance(value.value, str) or value.value in MODES:
        return
    meant = faults.near(value.value, MODES)
    cure = f"did you mean `{meant}`?" if meant else None
    yield faults.wrong_value(owner, "requiredMode", faults.one_of(MODES), value, cure=cure)
