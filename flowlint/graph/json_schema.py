"""What is wrong with a JSON Schema itself, as far as that shows in its keywords.

What is checked is what the meta-schema of draft 2020-12 says of the keywords it knows; schemas that
name another draft are passed over, and so are references.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType

from flowlint.graph.config_values import Code, Data, Hidden, TypeOf

MOST = 1.7976931348623157e308
"""The largest number that JSON's readers tell from others."""

TYPES = ("array", "boolean", "integer", "null", "number", "object", "string")
_DRAFT = "https://json-schema.org/draft/2020-12/schema"

_FORMS: Mapping[str, str] = MappingProxyType(
    {
        **dict.fromkeys(
            (
                *("additionalProperties", "items", "contains", "not", "if", "then", "else"),
                *("propertyNames", "unevaluatedItems", "unevaluatedProperties", "contentSchema"),
            ),
            "a schema",
        ),
        **dict.fromkeys(
            ("properties", "patternProperties", "dependentSchemas", "$defs", "definitions"),
            "a mapping of schemas",
        ),
        **dict.fromkeys(("allOf", "anyOf", "oneOf", "prefixItems"), "a list of schemas"),
        **dict.fromkeys(
            (
                *("minLength", "maxLength", "minItems", "maxItems", "minContains", "maxContains"),
                *("minProperties", "maxProperties"),
            ),
            "a whole number from 0",
        ),
        **dict.fromkeys(("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"), "a number"),
        "multipleOf": "a number above 0",
        "required": "a list of different texts",
        **dict.fromkeys(("uniqueItems", "readOnly", "writeOnly", "deprecated"), "true or false"),
        **dict.fromkeys(
            (
                *("title", "description", "$comment", "$schema", "$id", "$ref", "$anchor"),
                *("pattern", "format", "contentEncoding", "contentMediaType"),
            ),
            "a text",
        ),
        **dict.fromkeys(("enum", "examples"), "a list"),
    }
)
"""How the value of each keyword has to look, in words."""

SchemaFault = tuple[tuple[str | int, ...], str, str | None]
"""Where, what is wrong, and the word that is meant to be one of `TYPES`, if it is about that."""


def schema_faults(schema: Data) -> Iterator[SchemaFault]:
    """Everything that is wrong with a schema."""
    if isinstance(schema, dict) and str(schema.get("$schema", _DRAFT)).rstrip("#") != _DRAFT:
        return
    pending: list[tuple[tuple[str | int, ...], Data]] = [((), schema)]
    for place, part in pending:
        if isinstance(part, bool | Hidden | TypeOf | Code):
            continue
        if not isinstance(part, dict):
            yield place, "is no schema: a schema is a mapping, or true or false", None
            continue
        for keyword, value in part.items():
            here = (*place, keyword)
            if keyword == "type":
                yield from _type_faults(here, value)
            form = _FORMS.get(keyword)
            if form is None or isinstance(value, Hidden):
                continue
            if not _looks_like(form, value):
                yield here, f"is to be {form}", None
            elif form == "a schema":
                pending.append((here, value))
            elif form == "a mapping of schemas":
                pending += [((*here, str(name)), inner) for name, inner in value.items()]
            elif form == "a list of schemas":
                pending += [((*here, number), inner) for number, inner in enumerate(value)]


def _type_faults(place: tuple[str | int, ...], value: Data) -> Iterator[SchemaFault]:
    if isinstance(value, Hidden):
        return
    names = value if isinstance(value, list) else [value]
    for name in names:
        if not isinstance(name, Hidden) and name not in TYPES:
            yield place, f"is `{name}`, which is no type", str(name)
    if isinstance(value, list) and (not value or _are_double(value)):
        yield place, "is to be one type, or a list of different ones", None


def _are_double(values: list[Data]) -> bool:
    texts = [value for value in values if isinstance(value, str)]
    return len(set(texts)) < len(texts)


def _looks_like(form: str, value: Data) -> bool:
    match form:
        case "a schema":
            return isinstance(value, bool | dict | TypeOf | Code)
        case "a mapping of schemas":
            return isinstance(value, dict)
        case "a list of schemas":
            return isinstance(value, list) and bool(value)
        case "a whole number from 0":
            return _is_number(value) and value >= 0 and value == int(value)
        case "a number":
            return _is_number(value)
        case "a number above 0":
            return _is_number(value) and value > 0
        case "true or false":
            return isinstance(value, bool)
        case "a text":
            return isinstance(value, str)
        case "a list of different texts":
            return (
                isinstance(value, list)
                and all(isinstance(item, str | Hidden) for item in value)
                and not _are_double(value)
            )
    return isinstance(value, list)


def _is_number(value: Data) -> bool:
    if not isinstance(value, int | float) or isinstance(value, bool):
        return False
    return abs(value) <= MOST
