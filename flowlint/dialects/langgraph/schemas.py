"""The keys that one schema declares, whatever kind of type it is."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace

from flowlint.dialects.langgraph.channels import channel, is_named
from flowlint.dialects.langgraph.known_types import (
    ANNOTATED,
    BARE_BASES,
    MODELS,
    STATES,
    TYPED_DICT,
    TYPING,
)
from flowlint.dialects.reading import alternatives, text_of
from flowlint.graph.code import Channel
from flowlint.source import Span
from flowlint.values.model import (
    Call,
    Choice,
    Class,
    Const,
    External,
    Generic,
    Mapped,
    Union,
    Unknown,
    Value,
)

ROOT = "__root__"
"""The key of a state that is a single value."""

MAX_BASES = 50
MAX_KNOWN = 200

_known: dict[int, Keys] = {}
"""The keys of the classes that were asked for last, by their numbers: each node asks again."""

UNFIELDED = frozenset(f"{module}.Any" for module in TYPING)


@dataclass(slots=True)
class Keys:
    """The channels of a schema by key. `more`: why there may be others, None: there are none.

    `is_dict` tells that it surely is a `TypedDict`, so that a plain mapping is given to nodes.
    """

    channels: dict[str, Channel] = field(default_factory=dict)
    more: str | None = None
    is_dict: bool = False

    def join(self, other: Keys) -> list[tuple[Channel, Channel]]:
        """Take in the channels of a further schema; for each key the first one says what it is.

        Returns those that LangGraph refuses, each with the one that is there already.
        """
        refused: list[tuple[Channel, Channel]] = []
        for found in other.channels.values():
            # Where an earlier schema is not fully seen it may have said something else.
            unsure = self.more is not None and found.kind == "last"
            known = self.channels.setdefault(
                found.key, replace(found, kind="other") if unsure else found
            )
            if (known.kind, found.kind) == ("last", "reducer"):
                refused.append((known, found))
        self.more = self.more or other.more
        return refused


def keys_of(schema: Value, named: Span) -> Keys:
    """The keys of a schema that is named at a place."""
    if isinstance(schema, Choice):
        return either([keys_of(single, named) for _, single in alternatives(schema)])
    if isinstance(schema, Class):
        return class_keys(schema)
    if isinstance(schema, External):
        return _external_keys(schema, named)
    if isinstance(schema, Generic):
        return _generic_keys(schema, named)
    if isinstance(schema, Call) and schema.target in TYPED_DICT:
        return _written_out(schema)
    if isinstance(schema, Union | Const):
        return _root(schema, named)
    return Keys(more=f"its schema is not known: {_reason(schema)}")


def class_keys(made: Class) -> Keys:
    """The keys of a class: those of its bases, then its own, which take their places."""
    known = _known.get(made.serial)
    if known is None:
        if len(_known) >= MAX_KNOWN:
            _known.clear()
        known = _known[made.serial] = _class_keys(made)
    # Whoever asks may join others to them.
    return replace(known, channels=dict(known.channels))


def _class_keys(made: Class) -> Keys:
    own = {
        declared.name: channel(declared.name, declared.annotation, declared.origin.span())
        for declared in made.reader.fields()
        if declared.name != "__slots__"
    }
    inherited = either([_base_keys(base, made) for base in made.bases])
    more = inherited.more or made.reader.hidden_fields()
    return Keys({**inherited.channels, **own}, more, inherited.is_dict)


def _base_keys(base: Value, made: Class) -> Keys:
    if isinstance(base, Generic):
        base = base.base
    if isinstance(base, Choice):
        return either([_base_keys(single, made) for _, single in alternatives(base)])
    if isinstance(base, Class):
        return class_keys(base)
    place = made.origin.span()
    if isinstance(base, External):
        bare = base.qualified in BARE_BASES or base.qualified.startswith("builtins.")
        if bare:
            return Keys(is_dict=base.qualified in TYPED_DICT)
        return _external_keys(base, place)
    if isinstance(base, Call):
        return keys_of(base, place)
    return Keys(more=f"a base of `{made.name}` is not known: {_reason(base)}")


def _external_keys(schema: External, named: Span) -> Keys:
    """What a type from outside the project declares."""
    name = schema.qualified
    known = STATES.get(name)
    if known is not None:
        channels = {key: Channel(key, named, kind) for key, kind in known.items()}
        return Keys(channels, is_dict=not name.endswith("Pydantic"))
    if name in UNFIELDED:
        return Keys()
    if name.split(".", 1)[0] in ("builtins", *TYPING):
        return _root(schema, named)
    package, _, last = name.rpartition(".")
    return Keys(more=f"`{last}` of `{package}` is out of sight, with the keys it has")


def _generic_keys(schema: Generic, named: Span) -> Keys:
    """What a type with arguments declares: only of models it is a class of its own."""
    base = schema.base
    if is_named(base, ANNOTATED):
        return _root(schema, named)
    if isinstance(base, External):
        found = _external_keys(base, named)
        return found if found.more else _root(schema, named)
    if not isinstance(base, Class):
        return Keys(more=f"its schema is not known: {_reason(base)}")
    outside = list(_outside(base))
    if any(is_named(ancestor, MODELS) for ancestor in outside):
        return class_keys(base)
    if all(is_named(ancestor, BARE_BASES) for ancestor in outside):
        return _root(schema, named)
    return Keys(more=f"whether `{base.name}` is a model cannot be told")


def _outside(made: Class, depth: int = 0) -> Iterator[Value]:
    """The ancestors of a class that are not classes of the project."""
    for base in made.bases:
        single = base.base if isinstance(base, Generic) else base
        if isinstance(single, Class) and depth < MAX_BASES:
            yield from _outside(single, depth + 1)
        else:
            yield single


def _written_out(call: Call) -> Keys:
    """The keys of `TypedDict("State", {…})`."""
    fields = call.arguments.get("fields", 1)
    if call.arguments.spread or not isinstance(fields, Mapped):
        return Keys(more="the keys of a `TypedDict(…)` are not known")
    found = Keys(is_dict=True)
    for entry in fields.entries:
        key = text_of(entry.key)
        if key is None:
            found.more = "a key of a `TypedDict(…)` is not known"
            continue
        found.channels[key] = channel(key, entry.value, entry.key.origin.span())
    if fields.rest is not None:
        found.more = f"the keys of a `TypedDict(…)` are not all known: {fields.rest.reason}"
    return found


def _root(schema: Value, named: Span) -> Keys:
    """A type without keys of its own is the type of the whole state."""
    return Keys({ROOT: channel(ROOT, schema, named)})


def either(several: Iterable[Keys]) -> Keys:
    """The keys that any of these has; where they differ in one, it may be anything."""
    several = list(several)
    merged = Keys(is_dict=bool(several) and all(keys.is_dict for keys in several))
    for keys in several:
        for key, found in keys.channels.items():
            known = merged.channels.setdefault(key, found)
            if known.kind != found.kind:
                merged.channels[key] = replace(known, kind="other", adds=False)
        merged.more = merged.more or keys.more
    return merged


def _reason(value: Value) -> str:
    return value.reason if isinstance(value, Unknown) else "it is no type"


__all__ = ["ROOT", "Keys", "class_keys", "keys_of"]
