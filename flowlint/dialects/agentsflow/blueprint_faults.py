"""What is wrong with single nodes and transitions of blueprints."""

from __future__ import annotations

import re
from collections.abc import Iterator

from flowlint.dialects.agentsflow.blueprint_shapes import (
    BY,
    CREW_CONDITIONS,
    CREW_KINDS,
    NODE,
)
from flowlint.dialects.agentsflow.configs import config_faults
from flowlint.dialects.agentsflow.records import Field, Record, record_of
from flowlint.dialects.agentsflow.shapes import shape_faults
from flowlint.dialects.reading import text_of
from flowlint.graph.model import Violation
from flowlint.source import Span
from flowlint.values.model import Mapped

RAISES = BY.refuses
REFUSED = "validate_blueprint() refuses the blueprint"

_ID = re.compile(r"[a-z][a-z0-9_]*\Z")
_AGENT_FIELDS = ("agent_ref", "agent_class")


def node_faults(
    record: Record, name: str, place: Span, kind: str | None, engine: str | None
) -> Iterator[Violation]:
    """What is wrong with a node of a kind in a blueprint for an engine."""
    owner = f"Node `{name}`"
    yield from shape_faults(record, NODE, owner, name, by=BY)
    if not _ID.match(name):
        said = f"The id `{name}` is not in lower case with `_` between the words: {RAISES}"
        yield Violation(place, said, "use small letters, digits and `_`", name)
    if kind is None:
        return
    yield from _kind_faults(record, owner, name, kind)
    if engine == "crew" and kind not in CREW_KINDS:
        said = f"{owner} is of the kind `{kind}`, of which no crew can be made: {REFUSED}"
        cure = 'state `engine: "flow"`, or another kind'
        yield Violation(record.where("kind"), said, cure, name, "unknown-node-kind")
    if kind == "agent" and not record.is_open:
        if engine == "flow" and not record.text("agent_ref") and _is_stated(record, "agent_ref"):
            said = f"{owner} is an agent of a flow and has no `agent_ref`: {REFUSED}"
            cure = 'name a registered agent, or state `engine: "crew"`'
            yield Violation(record.where("kind"), said, cure, name)
        elif (
            engine == "crew"
            and not record.text("system_prompt")
            and _is_stated(record, "system_prompt")
        ):
            said = f"{owner} is made for the crew and has no `system_prompt` that tells its role"
            cure = "state `system_prompt`"
            yield Violation(record.where("kind"), said, cure, name, severity="warning")
    yield from _config_faults(record, owner, name, kind)


def _is_stated(record: Record, name: str) -> bool:
    """Whether what a field holds is known: nothing, or a text."""
    value = record.get(name)
    return value is None or text_of(value) is not None


def _kind_faults(record: Record, owner: str, name: str, kind: str) -> Iterator[Violation]:
    """Fields that one kind needs, and that others must not have."""
    tool = record.find("tool")
    is_empty = tool is None or text_of(tool.value) == ""
    if kind == "tool" and is_empty and not record.is_open:
        said = f"{owner} is of the kind `tool` and names no `tool`: {RAISES}"
        yield Violation(record.where("kind"), said, "state the tool that it runs", name)
    if kind != "tool" and tool is not None and not is_empty:
        said = f"{owner} is of the kind `{kind}` and names a `tool`: {RAISES}"
        cure = "list it in `tools`" if kind == "agent" else "remove it"
        yield Violation(tool.key, said, cure, name)
    for field in _AGENT_FIELDS if kind != "agent" else ():
        given = record.find(field)
        if given is not None and text_of(given.value) != "":
            said = f"{owner} is of the kind `{kind}` and names an `{field}`: {RAISES}"
            yield Violation(given.key, said, "remove it", name)


def _config_faults(record: Record, owner: str, name: str, kind: str) -> Iterator[Violation]:
    config = record.find("config")
    if kind in ("agent", "tool"):
        is_empty = config is None or (isinstance(config.value, Mapped) and not config.value.entries)
        if config is not None and not is_empty:
            said = f"{owner} has a `config`, which a node of the kind `{kind}` does not read"
            cure = "use the fields of the node itself"
            yield Violation(config.key, said, cure, name, "ineffective-field", severity="warning")
        return
    held = record_of(config.value) if config is not None else None
    refs = held.get("agent_refs") if held is not None else None
    is_known = not record.is_open and (held is None or not held.is_open)
    if kind == "decision" and is_known and (config is None or held is not None) and refs is None:
        said = f"{owner} decides by votes, and no agent votes: {REFUSED}"
        where = config.key if config is not None else record.where("kind")
        yield Violation(where, said, "name agents in `config.agent_refs`", name)
        if config is None:
            return
    yield from config_faults(record, kind, name, voters=refs is not None)


def transition_faults(
    record: Record, owner: str, engine: str | None, source: str
) -> Iterator[Violation]:
    """What is wrong with the condition of a transition."""
    condition = record.text("condition") or "on_success"
    if record.get("condition") is not None and record.text("condition") is None:
        return
    predicate, instruction = record.find("predicate"), record.find("instruction")
    has_predicate = _has(predicate)
    if condition == "on_condition" and predicate is None and not record.is_open:
        said = f"{owner} has the condition `on_condition` and no predicate: {RAISES}"
        yield Violation(record.where("condition"), said, "state a `predicate`", source)
    elif condition == "on_condition" and predicate is not None and not has_predicate:
        said = f"{owner} has the condition `on_condition` and an empty predicate: {RAISES}"
        yield Violation(predicate.place, said, "write a condition", source)
    elif condition != "on_condition" and predicate is not None and has_predicate:
        if not record.is_open:
            said = f"{owner} has a predicate beside the condition `{condition}`: {RAISES}"
            cure = 'state `condition: "on_condition"`'
            yield Violation(predicate.key, said, cure, source)
    if engine != "crew":
        return
    if condition not in CREW_CONDITIONS:
        said = f"{owner} has the condition `{condition}`, which a crew cannot have: {REFUSED}"
        cure = 'state `engine: "flow"`, or leave the condition out'
        yield Violation(record.where("condition"), said, cure, source)
    if instruction is not None and _has(instruction):
        said = f"{owner} has an `instruction`, which a crew cannot have: {REFUSED}"
        cure = "put it into the `system_prompt` of the agent"
        yield Violation(instruction.key, said, cure, source, "ineffective-field", severity="error")


def _has(given: Field | None) -> bool:
    return given is not None and text_of(given.value) != ""
