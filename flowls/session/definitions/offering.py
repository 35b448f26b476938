"""What may be written in a definition that is data: its keys, and values where they are listed."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cache
from typing import Any, Literal

from flowlint.source import Span
from flowls.session.completing import Offer, Offers
from flowls.session.definitions.places import Around, DataPlace, json_place, yaml_place
from flowls.session.sources import Sources

Schema = Mapping[str, Any]
Named = tuple[str, str, str | None, Literal["field", "constant"]]
"""A name, what is said beside it, what it means, and whether it is a key or a value."""
_TELLING = ("kind", "type")
"""Keys whose values tell which of several schemas holds."""


def definition_offers(sources: Sources, place: Span) -> Offers | None:
    """The keys or values that may be written at a place; None where none are listed."""
    here = _place_in(sources, place)
    if here is None:
        return None
    text, first, found = here
    names = _keys(found) if found.is_key else _values(found)
    is_json = place.path.endswith(".json")
    behind = text[found.end : found.end + 1]
    offers = tuple(
        Offer(name, _written(name, found, is_json, behind), detail, head, kind)
        for name, detail, head, kind in names
    )
    return Offers(_span(found, first, place), offers) if offers else None


def describe_word(sources: Sources, place: Span) -> tuple[str, Span] | None:
    """What the key or listed value at a place means; None where that is not known."""
    here = _place_in(sources, place)
    if here is None:
        return None
    text, first, found = here
    word = text[found.start : found.end]
    if found.is_key:
        names = _keys(replace(found, around=(*found.around[:-1], _kept(found))))
    else:
        names = _values(found)
    told = next(((detail, head) for name, detail, head, _ in names if name == word), None)
    if told is None or not told[1]:
        return None
    return f"`{word}` · {told[0]}\n\n{told[1]}", _span(found, first, place)


def _kept(found: DataPlace) -> Around:
    """The innermost mapping with nothing but what tells its schema."""
    texts = found.around[-1].texts
    return Around({key: texts[key] for key in _TELLING if key in texts}, None)


def _place_in(sources: Sources, place: Span) -> tuple[str, int, DataPlace] | None:
    """The text of a definition, where the line of a place begins, and what is at the place."""
    is_json = place.path.endswith(".json")
    if not is_json and not place.path.endswith((".yaml", ".yml")):
        return None
    lines = [line.rstrip("\r\n") for line in sources.lines(place)]
    text = "\n".join(lines)
    if "flowrt" not in text or place.line > len(lines):
        return None
    first = sum(len(line) + 1 for line in lines[: place.line - 1])
    find = json_place if is_json else yaml_place
    found = find(text, first + place.column - 1)
    if found is None or not found.around or not _is_flow(found.around[0]):
        return None
    return text, first, found


def _span(found: DataPlace, first: int, place: Span) -> Span:
    start, end = found.start - first + 1, found.end - first + 1
    return Span(place.path, place.line, start, place.line, end, place.cell)


def _written(name: str, found: DataPlace, is_json: bool, behind: str) -> str:
    if found.quoted:
        return f'{name}"' if found.open else name
    if is_json:
        return json.dumps(name)
    return f"{name}: " if found.is_key and behind != ":" else name


def _is_flow(root: Around) -> bool:
    return "flowrt" in root.texts or "flowrt" in root.texts.get("$schema", "")


@cache
def _schema() -> Schema:
    """The schema of definitions; one of nothing where flowrt's own libraries are not installed."""
    try:
        from flowrt.definition.schema import definition_schema
    except ImportError:
        return {}
    return definition_schema()


def schemas_at(around: tuple[Around, ...], *, to_value: bool) -> list[Schema]:
    """The schemas of what is at a place: of the innermost mapping, or of the value in it."""
    schemas = list(_plain(_schema()))
    for number, given in enumerate(around):
        is_telling = to_value and given.key in _TELLING and number == len(around) - 1
        one = replace(given, texts={}) if is_telling else given
        schemas = _that_fit(schemas, one)
        is_last = number == len(around) - 1
        if is_last and not to_value:
            break
        schemas = [inner for schema in schemas for inner in _inner(schema, one.key)]
    return schemas


def _inner(schema: Schema, key: str | None) -> Iterator[Schema]:
    if key is None:
        yield from _plain(schema.get("items", {}))
        return
    properties = schema.get("properties", {})
    more = schema.get("additionalProperties")
    if key in properties:
        yield from _plain(properties[key])
    elif isinstance(more, dict):
        yield from _plain(more)


def _plain(schema: Schema) -> Iterator[Schema]:
    """The schemas that one stands for."""
    if "$ref" in schema:
        yield from _plain(_schema()["$defs"][schema["$ref"].rpartition("/")[2]])
    for way in ("anyOf", "oneOf", "allOf"):
        for one in schema.get(way, ()):
            yield from _plain(one)
    if not schema.keys() & {"$ref", "anyOf", "oneOf", "allOf"}:
        yield schema


def _that_fit(schemas: list[Schema], one: Around) -> list[Schema]:
    """Of several schemas those of the kind or type that is stated, all where none is."""
    fit = list(schemas)
    for key in _TELLING:
        stated = one.texts.get(key)
        told = [schema for schema in fit if stated in _listed(schema, key)]
        fit = told or fit
    return [s for s in fit if "properties" in s or "items" in s or "additionalProperties" in s]


def _listed(schema: Schema, key: str) -> list[object]:
    return [value for one in _inner(schema, key) for value in _choices(one)]


def _choices(schema: Schema) -> list[object]:
    return [schema["const"]] if "const" in schema else list(schema.get("enum", ()))


def _keys(found: DataPlace) -> Iterator[Named]:
    """Keys that are not there yet: first those that have to be."""
    given = found.around[-1].texts
    schemas = schemas_at(found.around, to_value=False)
    needed = [set(schema.get("required", ())) for schema in schemas]
    always = set.intersection(*needed) if needed else set()
    keys: dict[str, str | None] = {}
    for schema in schemas:
        for key, about in schema.get("properties", {}).items():
            if key not in keys and key not in given:
                keys[key] = _described(about)
    for key in sorted(keys, key=lambda one: one not in always):
        yield key, "required" if key in always else "optional", keys[key], "field"


def _described(schema: Schema) -> str | None:
    told = [schema, *_plain(schema)]
    return next((one["description"] for one in told if "description" in one), None)


def _values(found: DataPlace) -> Iterator[Named]:
    """The texts that are listed; of kinds and types, what those are for."""
    key = found.around[-1].key
    if key is None:
        return
    bare = replace(found.around[-1], texts={})
    holders = schemas_at((*found.around[:-1], bare), to_value=False)
    heads = {}
    if key in _TELLING:
        heads = {value: one.get("description") for one in holders for value in _listed(one, key)}
    values = [v for one in schemas_at(found.around, to_value=True) for v in _choices(one)]
    for value in dict.fromkeys(values):
        if isinstance(value, str):
            yield value, f"one of the values of {key}", heads.get(value), "constant"
