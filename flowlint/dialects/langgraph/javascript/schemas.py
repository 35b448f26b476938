"""The keys of the schemas that builders of LangGraph.js are given."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

from flowlint.dialects.langgraph.javascript.model import PACKAGE, PREBUILT, named
from flowlint.dialects.langgraph.javascript.terms import CHANNELS, is_nothing
from flowlint.dialects.langgraph.known_types import Kind
from flowlint.dialects.langgraph.schemas import Keys, either
from flowlint.dialects.reading import alternatives, live_entries, text_of
from flowlint.graph.code import Channel
from flowlint.source import Span
from flowlint.values.model import (
    Call,
    Choice,
    External,
    Function,
    Mapped,
    Unknown,
    Value,
)

ANNOTATION = named("Annotation")
ANNOTATION_ROOT = named("Annotation.Root")
STATE_SCHEMA = named("StateSchema")
REDUCED = named("ReducedValue", "DeltaValue")
MESSAGES = named("MessagesAnnotation", "MessagesZodState")
MESSAGES_VALUES = named("MessagesValue", "MessagesDeltaValue")
AGENT_ANNOTATION = named("createReactAgentAnnotation", modules=PREBUILT)
WITH_META = frozenset(f"{PACKAGE}{module}.withLangGraph" for module in ("", "/zod"))
ZOD = ("zod.", "zod/v3.", "zod/v4.", "zod/v4-mini.")
OBJECTS = frozenset(
    f"{module}{inner}{name}"
    for module in ZOD
    for inner in ("", "z.", "default.")
    for name in ("object", "strictObject", "looseObject")
)
HOLDING = frozenset({"spec", "shape", "fields"})
"""Members of schemas that hold what the schema was made of."""
EXTENDING = (".extend", ".merge", ".safeExtend")
"""Methods of schemas of zod that make one with more keys."""
KEEPING = (".partial", ".strict", ".passthrough", ".loose", ".describe")
"""Methods of schemas of zod that make one with the same keys."""
CHOOSING = (".pick", ".omit")
"""Methods of schemas of zod that make one with some of the keys."""
META_WORDS = ("langgraph", "register", "withLangGraph")
"""What a schema of zod is given a reducer by."""

_ADDING = re.compile(r"\(?(\w+)\.concat\((\w+)\)|\[\s*\.\.\.(\w+),\s*\.\.\.(\w+),?\s*\]")

ChannelOf = Callable[[str, Value, Span], Channel]


def keys_of(schema: Value, named_at: Span) -> Keys:
    """The keys of a schema that is named at a place."""
    if isinstance(schema, Choice):
        return either([keys_of(single, named_at) for _, single in alternatives(schema)])
    if isinstance(schema, External) and schema.qualified in MESSAGES:
        return Keys({"messages": Channel("messages", named_at, "reducer")}, is_dict=True)
    if isinstance(schema, Mapped):
        return _of_object(schema, _definition)
    within = _within(schema)
    if within is not None:
        return keys_of(within, named_at)
    if not isinstance(schema, Call) or schema.arguments.spread:
        return _unknown(schema)
    target, first = schema.target, schema.arguments.get("", 0)
    if target in AGENT_ANNOTATION:
        found = {
            "messages": Channel("messages", named_at, "reducer"),
            "structuredResponse": Channel("structuredResponse", named_at, "last"),
        }
        return Keys(found, is_dict=True)
    is_schema = target.startswith(ZOD) or target.rpartition(".")[0] in MESSAGES
    if is_schema and target.endswith(EXTENDING):
        base = keys_of(_this(schema), named_at)
        more = _of_object(first, _of_zod) if isinstance(first, Mapped) else None
        more = more or (keys_of(first, named_at) if first is not None else Keys())
        channels = {**base.channels, **more.channels}
        return Keys(channels, base.more or more.more, is_dict=True)
    if target.startswith(ZOD) and target.endswith(KEEPING):
        return keys_of(_this(schema), named_at)
    if target.startswith(ZOD) and target.endswith(CHOOSING) and isinstance(first, Mapped):
        return _chosen(keys_of(_this(schema), named_at), first, target.endswith(".omit"))
    readers: dict[bool, ChannelOf] = {
        target in ANNOTATION_ROOT: _definition,
        target in STATE_SCHEMA: _of_state_schema,
        target in OBJECTS: _of_zod,
        target == CHANNELS: _legacy,
    }
    reader = readers.get(True)
    if reader is None or not isinstance(first, Mapped):
        return _unknown(schema)
    return _of_object(first, reader)


def _unknown(schema: Value) -> Keys:
    if isinstance(schema, External):
        package, _, name = schema.qualified.rpartition(".")
        return Keys(more=f"`{name}` of `{package}` is out of sight, with the keys it has")
    reason = schema.reason if isinstance(schema, Unknown) else "it is nothing that is known"
    return Keys(more=f"its schema is not known: {reason}")


def _of_object(fields: Mapped, channel_of: ChannelOf) -> Keys:
    found = Keys(is_dict=True)
    for presence, entry in live_entries(fields):
        key = text_of(entry.key)
        if key is None:
            found.more = "a key of its schema is not known"
            continue
        span = entry.key.origin.span()
        channel = channel_of(key, entry.value, span)
        found.channels[key] = replace(channel, kind="other") if presence else channel
    copied = [keys_of(value, fields.origin.span()) for value in fields.spreads]
    for keys in copied:
        for key, channel in keys.channels.items():
            own = found.channels.setdefault(key, channel)
            if own.kind != channel.kind:
                found.channels[key] = replace(own, kind="other")
        found.more = found.more or keys.more
    if fields.rest is not None and not copied:
        found.more = found.more or f"the keys of its schema are not known: {fields.rest.reason}"
    return found


def _within(value: Value) -> Value | None:
    """The schema whose keys a value holds by themselves, as `State.spec` and `Shape.shape` do."""
    if isinstance(value, Unknown) and value.member_of is not None:
        owner, name = value.member_of
        return owner if name in HOLDING else None
    if isinstance(value, External):
        owner_name, _, name = value.qualified.rpartition(".")
        return External(owner_name, value.origin) if name in HOLDING else None
    return None


def _definition(key: str, value: Value, span: Span) -> Channel:
    """What a value in `Annotation.Root({…})` makes of a key."""
    if isinstance(value, External) and value.qualified in ANNOTATION:
        return Channel(key, span)
    if isinstance(value, Call) and value.target in ANNOTATION and not value.arguments.spread:
        return _stated(key, value.arguments.get("", 0), span)
    return Channel(key, span, "other")


def _stated(key: str, options: Value | None, span: Span) -> Channel:
    """A channel by its options: it puts values together where they name a reducer."""
    if options is None or is_nothing(options):
        return Channel(key, span)
    if not isinstance(options, Mapped) or options.rest is not None:
        return Channel(key, span, "other")
    reducers = [
        (presence, entry.value)
        for presence, entry in live_entries(options)
        if text_of(entry.key) in ("reducer", "value")
    ]
    if not reducers:
        return Channel(key, span)
    if any(presence or is_nothing(value) for presence, value in reducers):
        return Channel(key, span, "other")
    return Channel(key, span, "reducer", all(_adds(value) for _, value in reducers))


def _adds(reducer: Value) -> bool:
    """Whether a reducer plainly puts what it is given after what is there."""
    if not isinstance(reducer, Function):
        return False
    found = _ADDING.fullmatch(reducer.reader.text().strip().removesuffix(")"))
    found = found or _ADDING.fullmatch(reducer.reader.text().strip())
    return found is not None and len({group for group in found.groups() if group}) == 2


def _of_zod(key: str, value: Value, span: Span) -> Channel:
    return Channel(key, span, _zod_kind(value))


def _of_state_schema(key: str, value: Value, span: Span) -> Channel:
    if isinstance(value, External) and value.qualified in MESSAGES_VALUES:
        return Channel(key, span, "reducer")
    if isinstance(value, Call) and value.target in REDUCED:
        return Channel(key, span, "reducer")
    return Channel(key, span, _zod_kind(value))


def _zod_kind(value: Value) -> Kind:
    """The kind of channel that a schema of zod makes."""
    if not isinstance(value, Call):
        return "other"
    if value.target in WITH_META or _is_registered(value):
        meta = value.arguments.get("", 1)
        if not isinstance(meta, Mapped) or meta.rest is not None:
            return "other"
        has_reducer = any(text_of(entry.key) == "reducer" for entry in meta.entries)
        return "reducer" if has_reducer else "last"
    is_plain = value.target.startswith(ZOD) and not any(w in value.target for w in META_WORDS)
    return "last" if is_plain else "other"


def _is_registered(value: Call) -> bool:
    """Whether a schema of zod is told to LangGraph.js; other registries it does not ask."""
    registry = value.arguments.get("", 0) if value.target.endswith("().register") else None
    return isinstance(registry, External) and registry.qualified == f"{PACKAGE}/zod.registry"


def _legacy(key: str, value: Value, span: Span) -> Channel:
    """What a value in `{ channels: {…} }` makes of a key."""
    if is_nothing(value):
        return Channel(key, span)
    return _stated(key, value, span)


def _chosen(keys: Keys, named: Mapped, is_left_out: bool) -> Keys:
    """The keys that an object names, or all but those."""
    if named.rest is not None:
        return Keys(more="which keys its schema takes over is not known")
    names = {text_of(entry.key) for entry in named.entries}
    channels = {k: c for k, c in keys.channels.items() if (k in names) is not is_left_out}
    return Keys(channels, keys.more, is_dict=True)


def _this(call: Call) -> Value:
    """What a method was called on."""
    return call.arguments.get("this") or External(call.target.rpartition(".")[0], call.origin)
