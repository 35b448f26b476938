"""What a flow reads and writes, held against the objects of its project."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from flowlint.dialects.objectstack.condition_names import condition_faults
from flowlint.dialects.objectstack.data_schema import (
    IMPLICIT,
    RELATIONS,
    ObjectFacts,
    names_of,
)
from flowlint.dialects.objectstack.kinds import REGIONS
from flowlint.dialects.objectstack.notes import FAILS, Notes
from flowlint.dialects.objectstack.objects import Given, Obj, texts_within
from flowlint.dialects.objectstack.parts import NodePart, Scope
from flowlint.graph.names import NearNames
from flowlint.graph.reference_faults import near, near_rename
from flowlint.values.model import Const, Mapped, Value
from flowlint.values.model import Sequence as List

Objects = Mapping[str, ObjectFacts]

_HOLE = re.compile(r"\{\s*record\.([A-Za-z_$][\w$]*)((?:\.[\w$]+)*)\s*\}")
_OF_SYSTEM = "sys_"
_FILTERED = frozenset({"get_record", "update_record", "delete_record"})


def data_faults(
    scopes: Sequence[Scope], start: NodePart | None, objects: Objects, notes: Notes
) -> None:
    """Note what is wrong with a flow where the project has these objects."""
    flow = scopes[0].flow
    if start is not None and not start.presence:
        _trigger(start, objects, notes)
    record = _record(flow, start, objects)
    if record is not None and record.fields is not None:
        condition_faults(scopes, record, notes)
    for node in (node for scope in scopes for node in scope.nodes if not node.presence):
        if record is not None and record.fields is not None and start is not None:
            _templates(node, record, _expanded(start), notes)
        _writes(node, flow, objects, notes)


def _trigger(start: NodePart, objects: Objects, notes: Notes) -> None:
    """Objects that the project does not have: the flow may never fire."""
    sweep = start.config.object("timeRelative")
    event = start.config.text("triggerType") or ""
    places = [start.config.fields.get("objectName")] if event.startswith("record-") else []
    places += [sweep.fields.get("object")] if sweep is not None else []
    for given in places:
        value = given.value if given is not None else None
        name = value.value if isinstance(value, Const) else None
        if given is None or not isinstance(name, str) or not name or name.startswith(_OF_SYSTEM):
            continue
        if name not in objects:
            meant = NearNames(list(objects)).of(name)
            notes.add(
                given.span,
                f"`{start.id}` waits for changes of `{name}`, which is no object of this project: "
                "the flow never fires, unless a package brings it",
                f"did you mean `{meant}`?" if meant else "see that the package is installed",
                node=start.id,
                severity="warning" if meant else "info",
                rename=near_rename(given.span, name, list(objects)),
            )


def _record(flow: Obj, start: NodePart | None, objects: Objects) -> ObjectFacts | None:
    """The object of the record that fires the flow, None where no record does."""
    if start is None or start.presence:
        return None
    event = start.config.text("triggerType") or ""
    if flow.text("type") != "record_change" and not event.startswith("record-"):
        return None
    return objects.get(start.config.text("objectName") or "")


def _expanded(start: NodePart) -> frozenset[str] | None:
    """The fields whose records are read along; None where they are not all known."""
    value = start.config.get("expand")
    if value is None:
        return frozenset() if start.config.lacks("expand") else None
    if isinstance(value, Const):
        return frozenset({str(value.value)})
    if not isinstance(value, List) or value.rest is not None:
        return None
    return frozenset(str(i.value.value) for i in value.items if isinstance(i.value, Const))


def _templates(
    node: NodePart, record: ObjectFacts, expanded: frozenset[str] | None, notes: Notes
) -> None:
    """Fields of the record that it does not have, or that are ids and not records."""
    config = node.obj.get("config")
    if not isinstance(config, Mapped):
        return
    slots = frozenset(slot for slot, _ in REGIONS.get(node.kind, ()))
    filtered = node.config.get("filter") if node.kind in _FILTERED else None
    places: list[tuple[Value, bool, frozenset[str]]] = [(config, False, slots | {"filter"})]
    if filtered is not None:
        places.append((filtered, True, frozenset()))
    elif node.kind not in _FILTERED:
        places[0] = (config, False, slots)
    told: set[str] = set()
    for value, is_filter, skipped in places:
        for text in texts_within(value, skipped):
            for found in _HOLE.finditer(str(text.value)):
                if found[0] not in told:
                    told.add(found[0])
                    _hole(found, text, node, record, expanded, is_filter, notes)


def _hole(
    found: re.Match[str],
    text: Const,
    node: NodePart,
    record: ObjectFacts,
    expanded: frozenset[str] | None,
    is_filter: bool,
    notes: Notes,
) -> None:
    fields, name = record.fields or {}, found[1]
    effect = f"nothing is left of the filter, and {FAILS}" if is_filter else "it is left empty"
    facts = fields.get(name)
    if facts is None and name not in IMPLICIT:
        notes.add(
            text.origin.span(),
            f"`{found[0]}` in node `{node.id}` is filled in with nothing, as `{record.name}` has "
            f"no field `{name}`: {effect}",
            near(name, list(names_of(record)), f"name a field of `{record.name}`"),
            rule="unknown-variable",
            node=node.id,
            severity="error" if is_filter else "warning",
        )
        return
    onward = found[2].removeprefix(".").split(".")[0]
    if facts is None or facts.type not in RELATIONS or not onward or onward.isdigit():
        return
    if expanded is None or name in expanded:
        return
    notes.add(
        text.origin.span(),
        f"`{found[0]}` in node `{node.id}` is filled in with nothing, as `{name}` of "
        f"`{record.name}` holds an id and no record: {effect}",
        f"add `{name}` to `expand` of the start node, or write `{{record.{name}}}` for the id",
        rule="unknown-variable",
        node=node.id,
        severity="error" if is_filter else "warning",
    )


def _writes(node: NodePart, flow: Obj, objects: Objects, notes: Notes) -> None:
    """Fields that are written and are not there, or may not be written."""
    if node.kind not in ("create_record", "update_record"):
        return
    record = objects.get(node.config.text("objectName") or "")
    written = node.config.object("fields")
    if record is None or record.fields is None or written is None:
        return
    as_user = flow.lacks("runAs") or flow.text("runAs") == "user"
    for given in written.fields.values():
        facts = record.fields.get(given.name)
        if facts is None:
            if given.name not in IMPLICIT and "." not in given.name:
                _unknown(given, node, record, notes)
        elif (
            node.kind == "update_record" and as_user and (facts.readonly or facts.readonly_at_times)
        ):
            at_times = "" if facts.readonly else " at times"
            notes.add(
                given.key,
                f"`{node.id}` writes `{given.name}` of `{record.name}`, which is read-only"
                f"{at_times}: the value is dropped, and the node reports success",
                'write `runAs: "system"`, or leave the field alone',
                rule="ineffective-field",
                node=node.id,
                severity="error" if facts.readonly else "warning",
            )


def _unknown(given: Given, node: NodePart, record: ObjectFacts, notes: Notes) -> None:
    names = list(record.fields or ())
    notes.add(
        given.key,
        f"`{node.id}` writes `{given.name}`, but `{record.name}` has no such field: {FAILS}",
        near(given.name, names, f"declare it in `{record.name}`, or write another field"),
        rule="unknown-field",
        node=node.id,
        severity="error",
        rename=near_rename(given.key, given.name, names),
    )
