"""Documents of the editor as the definitions that they stand for."""

from __future__ import annotations

from collections.abc import Iterator

from flowlint.dialects.agentsflow.records import Record, record_of
from flowlint.graph.model import Violation
from flowlint.graph.reference_faults import near, near_rename
from flowlint.values.model import Built, Const, Entry, Item, Mapped, Sequence, Value

LOST = ("version", "description", "metadata", "created_at", "updated_at")
"""Fields of a definition that the editor does not keep."""

_NODE = (
    "agent_ref",
    "instruction",
    "config",
    "pre_actions",
    "post_actions",
    "metadata",
    "max_retries",
)
_EDGE = ("condition", "predicate", "instruction", "priority")


def definition_of(document: Mapped) -> Mapped:
    """The definition that the editor makes of a document, with the places of the document."""
    entries = [
        entry
        for entry in document.entries
        if isinstance(entry.key, Const) and entry.key.value == "flow"
    ]
    if not any(isinstance(e.key, Const) and e.key.value == "flow" for e in entries):
        name = Const("flow", document.origin)
        entries.append(Entry(name, Const("flow", document.origin)))
    for entry in document.entries:
        if not isinstance(entry.key, Const):
            continue
        if entry.key.value == "nodes":
            entries.append(Entry(entry.key, _each(entry.value, _node), place=entry.place))
        elif entry.key.value == "edges":
            entries.append(Entry(entry.key, _each(entry.value, _edge), place=entry.place))
    return Mapped(entries, document.origin, document.rest)


def editor_faults(document: Mapped) -> Iterator[Violation]:
    """What the editor drops of a document, and what it makes of what is not there."""
    record = record_of(document)
    if record is None:
        return
    for name in LOST:
        given = record.find(name)
        if given is not None:
            said = f"`{name}` is lost: of what the editor keeps, only nodes and edges are read"
            cure = "state it in a definition"
            yield Violation(given.key, said, cure, None, "ineffective-field", severity="info")
    is_told = False
    for kind, known in (("nodes", _NODE), ("edges", _EDGE)):
        value = record.get(kind)
        for item in value.items if isinstance(value, Sequence) else ():
            one = record_of(item.value)
            held = one.get("data") if one is not None else None
            data = record_of(held) if held is not None else None
            if one is None or data is None:
                continue
            yield from _dropped(data, known, kind[:-1])
            if kind == "nodes" and "max_retries" not in data.fields and not is_told:
                is_told = not data.is_open
                if is_told:
                    yield _retries(one)


def _dropped(data: Record, known: tuple[str, ...], what: str) -> Iterator[Violation]:
    """Fields that are plainly meant for others, and that nothing reads."""
    for name, given in data.fields.items():
        rename = near_rename(given.key, name, known) if name not in known else None
        if rename is None or name == "label":
            continue
        said = f"The `data` of this {what} has a field `{name}`, which is dropped when it is read"
        cure = near(name, known, "remove it")
        yield Violation(
            given.key, said, cure, None, "unknown-field", severity="warning", rename=rename
        )


def _retries(node: Record) -> Violation:
    name = node.text("id") or "node"
    said = (
        f"Node `{name}` states no `max_retries`, which the editor takes for 3: a definition takes "
        "it for 0"
    )
    return Violation(
        node.where("id"), said, "state `max_retries`", name, "bad-limit", severity="info"
    )


def lost_fields(built: Built) -> Iterator[Violation]:
    """What a call that makes a document of a definition loses of it."""
    given = built.arguments.find("definition", 0)
    definition = given.value if given is not None else None
    record = record_of(definition) if isinstance(definition, Built) else None
    for name in LOST if record is not None else ():
        found = record.find(name) if record is not None else None
        if found is not None:
            said = f"The `{name}` of the definition is not in what `to_svelteflow` makes of it"
            cure = "keep the definition beside it"
            yield Violation(found.key, said, cure, None, "ineffective-field", severity="info")


def _each(value: Value, act: object) -> Value:
    if not isinstance(value, Sequence):
        return value
    items = [Item(act(item.value), item.presence, item.place) for item in value.items]  # type: ignore[operator]
    return Sequence("list", items, value.origin, value.rest)


def _node(value: Value) -> Value:
    if not isinstance(value, Mapped):
        return value
    entries = _picked(value, {"id": "id", "type": "type", "position": "position"})
    entries += _of_data(value, _NODE)
    if not any(isinstance(e.key, Const) and e.key.value == "type" for e in entries):
        entries.append(Entry(Const("type", value.origin), Const("agent", value.origin)))
    return Mapped(entries, value.origin, value.rest)


def _edge(value: Value) -> Value:
    if not isinstance(value, Mapped):
        return value
    entries = _picked(value, {"id": "id", "source": "from", "target": "to"})
    return Mapped([*entries, *_of_data(value, _EDGE)], value.origin, value.rest)


def _picked(value: Mapped, names: dict[str, str]) -> list[Entry]:
    return [
        Entry(Const(names[key], entry.key.origin), entry.value, entry.presence, entry.place)
        for entry in value.entries
        if isinstance(entry.key, Const) and isinstance(key := entry.key.value, str) and key in names
    ]


def _of_data(value: Mapped, names: tuple[str, ...]) -> list[Entry]:
    data = next(
        (e.value for e in value.entries if isinstance(e.key, Const) and e.key.value == "data"), None
    )
    if not isinstance(data, Mapped):
        return []
    return [
        entry for entry in data.entries if isinstance(entry.key, Const) and entry.key.value in names
    ]
