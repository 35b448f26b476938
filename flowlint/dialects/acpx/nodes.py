"""Reads one node: made by a helper of acpx, or written as an object with a `nodeType`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from flowlint.changes import Rename
from flowlint.dialects.acpx import faults, fields
from flowlint.dialects.acpx import model as names
from flowlint.dialects.acpx.decisions import Decision, decision_faults, decision_of
from flowlint.dialects.acpx.faults import Owner
from flowlint.dialects.acpx.ignored import vain_fields
from flowlint.dialects.acpx.model import DEFINE, HELPERS, KindFacts
from flowlint.dialects.acpx.objects import Shape, call_of, shape_of, shown, type_of
from flowlint.dialects.reading import text_of
from flowlint.graph.model import Presence, Violation
from flowlint.source import Span
from flowlint.values.bodies import Body
from flowlint.values.model import External, Mapped, Value

UNKNOWN_KIND = "unknown"


@dataclass(slots=True)
class NodePart:
    """A node as it is written. `facts` is None where its kind is not known.

    `shape` is None where its fields are not known at all.
    """

    name: str
    span: Span
    key: Span
    kind: str = UNKNOWN_KIND
    facts: KindFacts | None = None
    shape: Shape | None = None
    decision: Decision | None = None
    owner: Owner | None = None
    violations: list[Violation] = field(default_factory=list)
    bodies: dict[str, Body | None] = field(default_factory=dict)
    """What is known of the code of its functions, by their fields, as far as that was asked for."""


def node_of(name: str, value: Value, base: Presence, key: Span) -> NodePart:
    """What is known of a node, and what acpx refuses in it."""
    span = value.origin.span()
    made = call_of(value)
    if made is not None and made[0] in HELPERS:
        helper, call = made
        given = call.arguments.find("", 0)
        part = NodePart(name, span, key, _kind_of(helper))
        if given is not None or not call.arguments.spread:
            part.shape = shape_of(given.value if given is not None else None, base, span)
        owner = part.owner = Owner(f"node `{name}`", span, f"`{helper}(…)`", name)
        if part.shape is not None:
            _read_helper(part, helper, owner)
        elif given is not None and type_of(given.value) not in ("unknown", "object"):
            wanted = "an object with the fields of the node"
            part.violations.append(_no_object(name, f"`{helper}(…)`", given.value, wanted, helper))
        return part
    if made is not None:
        return _imagined(name, made[0], span, key)
    part = NodePart(name, span, key)
    owner = part.owner = Owner(f"node `{name}`", span, DEFINE, name)
    if isinstance(value, Mapped):
        shape = shape_of(value, base, span)
        if shape is not None:
            part.shape = shape
            _read_literal(part, shape, owner)
    elif type_of(value) not in ("unknown", "object"):
        part.violations.append(_no_object(name, f"node `{name}`", value, "an object", value))
    return part


def _kind_of(helper: str) -> str:
    return {"shell": "action", "decision": "acp"}.get(helper, helper)


def _no_object(name: str, what: str, value: Value, wanted: str, called: object) -> Violation:
    cure = f"make it with a helper such as {faults.one_of(HELPERS[:3])}"
    if isinstance(value, External):
        cure = f"call it: `{value.qualified.rpartition('.')[2]}({{…}})`"
    is_call = isinstance(called, str)
    said = f"{what} is given {shown(value)}" if is_call else f"Node `{name}` is {shown(value)}"
    effect = f"{what} throws" if is_call else f"{DEFINE} throws"
    return Violation(
        value.origin.span(), f"{said}, and not {wanted}: {effect}", cure, name, shape=True
    )


def _imagined(name: str, helper: str, span: Span, key: Span) -> NodePart:
    """A node made by a function that acpx does not export."""
    part = NodePart(name, span, key)
    meant = names.IMAGINED.get(helper)
    if meant is not None:
        said = (
            f"Node `{name}` is made by `{helper}`, which acpx/flows does not have: "
            "the module throws when it is loaded"
        )
        cure = f"did you mean `{meant}`?"
        part.violations.append(Violation(span, said, cure, name, "undefined-callable"))
    return part


def _read_helper(part: NodePart, helper: str, owner: Owner) -> None:
    shape = part.shape
    assert shape is not None
    found = part.violations
    stated = shape.given("nodeType")
    if stated is not None and _is_other(stated.value, part.kind):
        wanted = f'"{part.kind}"'
        found.append(
            faults.wrong_value(owner, "nodeType", wanted, stated.value, cure="leave it out")
        )
    match helper:
        case "decision":
            part.facts = names.DECISION
            found += fields.field_faults(shape, fields.ACP_OPTIONS, owner)
            found += decision_faults(shape, owner)
            part.decision = decision_of(shape)
        case "shell":
            part.facts = names.SHELL
            found += _shell_faults(shape, owner)
        case _:
            _read_kind(part, part.kind, shape, owner)
    _read_rest(part, shape, owner)


def _is_other(value: Value, kind: str) -> bool:
    """Whether a value surely is not the name of a kind."""
    return type_of(value) != "unknown" and text_of(value) != kind


def _read_literal(part: NodePart, shape: Shape, owner: Owner) -> None:
    found = shape.find("nodeType")
    kind = text_of(found.value) if found is not None else None
    if kind in _KINDS:
        part.kind = kind
        _read_kind(part, part.kind, shape, owner)
    elif found is not None and type_of(found.value) != "unknown":
        part.violations.append(_unknown_kind(part.name, found.value, kind))
    elif found is None and shape.own("nodeType") is False:
        part.violations.append(_no_kind(part, shape, owner))
    _read_rest(part, shape, owner)


_KINDS = ("acp", "compute", "action", "checkpoint")


def _unknown_kind(name: str, value: Value, kind: str | None) -> Violation:
    meant = faults.near(kind or "", _KINDS)
    if kind in ("shell", "decision"):
        cure = f"make it with `{kind}({{…}})`, without `nodeType`"
    else:
        cure = f"did you mean `{meant}`?" if meant else f"write {faults.one_of(_KINDS)}"
    span = value.origin.span()
    said = kind if kind is not None else None
    what = (
        f"of the kind `{said}`, which acpx does not have" if said else f"of the kind {shown(value)}"
    )
    return Violation(
        span,
        f"Node `{name}` is {what}: {DEFINE} throws",
        cure,
        name,
        "unknown-node-kind",
        rename=Rename(span, kind, meant) if kind and meant else None,
        shape=True,
    )


def _no_kind(part: NodePart, shape: Shape, owner: Owner) -> Violation:
    for slip in ("type", "kind", "nodetype", "node_type"):
        other = shape.find(slip)
        if other is not None and text_of(other.value) in (*_KINDS, "shell"):
            return faults.missing_field(owner, "nodeType", "one", other)
    cure = f"write `nodeType`, or make it with a helper such as {faults.one_of(HELPERS[:3])}"
    said = f"Node `{part.name}` has no `nodeType`: {DEFINE} throws"
    return Violation(part.span, said, cure, part.name, "unknown-node-kind", shape=True)


def _read_kind(part: NodePart, kind: str, shape: Shape, owner: Owner) -> None:
    match kind:
        case "acp":
            part.facts = names.ACP
            part.violations += fields.field_faults(shape, fields.ACP, owner)
        case "compute":
            part.facts = names.COMPUTE
            part.violations += fields.field_faults(shape, fields.COMPUTE, owner)
        case "checkpoint":
            part.facts = names.CHECKPOINT
            part.violations += fields.field_faults(shape, fields.CHECKPOINT, owner)
        case _:
            _read_action(part, shape, owner)


def _read_action(part: NodePart, shape: Shape, owner: Owner) -> None:
    """An action has either a function or a command, by its own keys, whatever these hold."""
    has_run, has_exec = shape.own("run"), shape.own("exec")
    if has_run is None or has_exec is None:
        return
    if has_run == has_exec:
        part.violations.append(_one_of_two(part, shape, owner, has_run))
    elif has_exec:
        part.facts = names.SHELL
        part.violations += fields.field_faults(shape, fields.SHELL, owner)
    else:
        part.facts = names.FUNCTION
        part.violations += fields.field_faults(shape, fields.COMPUTE, owner)


def _one_of_two(part: NodePart, shape: Shape, owner: Owner, has_both: bool) -> Violation:
    if has_both:
        said = f"Node `{part.name}` has both `run` and `exec`: {owner.throws}"
        cure = "remove one of the two, also where it is `undefined`"
        run, execute = shape.by_name["run"][0], shape.by_name["exec"][0]
        related = (("and this is the other one", execute.key),)
        return Violation(run.key, said, cure, part.name, faults.INVALID, related, shape=True)
    said = f"Node `{part.name}` has neither `run` nor `exec`: {owner.throws}"
    return Violation(
        part.span, said, "give it one of the two", part.name, "wrong-callable", shape=True
    )


def _shell_faults(shape: Shape, owner: Owner) -> Iterator[Violation]:
    yield from fields.field_faults(shape, fields.SHELL, owner)
    if shape.own("run"):
        run = shape.by_name["run"][0]
        said = f"Node `{owner.node}` is made by `shell` and has `run`: {owner.throws}"
        cure = "remove it, or make the node with `action`"
        yield Violation(run.key, said, cure, owner.node, shape=True)


def _read_rest(part: NodePart, shape: Shape, owner: Owner) -> None:
    """What is accepted and does not do what it looks like."""
    session = shape.given("session")
    inner = shape_of(session.value, frozenset(), session.span) if session is not None else None
    if inner is not None and part.kind == "acp":
        about = replace(owner, called=f"the session of node `{part.name}`", span=inner.span)
        part.violations += fields.field_faults(inner, fields.SESSION, about)
    for first, second in shape.repeated:
        part.violations.append(faults.written_twice(owner, first, second))
    if part.facts is not None:
        part.violations += vain_fields(part.facts, shape, inner, owner)
