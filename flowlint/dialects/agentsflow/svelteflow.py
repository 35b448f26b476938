"""Documents of the editor as the definitions that they stand for."""

from __future__ import annotations

from flowlint.values.model import Const, Entry, Item, Mapped, Sequence, Value

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
        if isinstance(entry.key, Const) and entry.key.value in ("flow", "version", "description")
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
