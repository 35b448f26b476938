"""The declaration of a system as a JSON Schema, made from the types of its fields."""

from __future__ import annotations

import ast
import dataclasses
import inspect
import textwrap
from typing import Any, get_origin

from flowlint.dialects.declared.declaration import Edges, Entry, Field, Nodes, System, key_of
from flowlint.dialects.declared.parsing import choices_of, hints_of, inner_record, plain_type
from flowlint.graph.model import Semantics

_TEXTS = {
    "anyOf": [
        {"type": "string", "minLength": 1},
        {"type": "array", "items": {"type": "string", "minLength": 1}},
    ]
}
_PLACES: list[dict[str, Any]] = [
    {"type": "string", "minLength": 1},
    {"type": "integer", "minimum": 0},
]
_FIELD = {"anyOf": [*_PLACES, {"type": "array", "items": {"anyOf": _PLACES}}]}
_REF = "#/$defs/"


def definitions() -> dict[str, Any]:
    """What the schema of systems refers to, to stand under `$defs`."""
    parts = {f"system-{made.__name__.lower()}": _record(made) for made in (Nodes, Edges, Entry)}
    return {**parts, "system-names": _TEXTS, "system-field": _FIELD, "system": _system()}


def schema_of_systems() -> dict[str, Any]:
    """The schema of the list of systems that settings declare."""
    return {"type": "array", "items": {"$ref": f"{_REF}system"}}


def _system() -> dict[str, Any]:
    own = _record(System)
    title = {"description": "How messages call the system.", "type": "string", "minLength": 1}
    name = {"pattern": "^[a-z][a-z0-9]*([-_][a-z0-9]+)*$"}
    own["properties"]["name"] |= name
    own["properties"]["title"] = title
    own["properties"]["semantics"] = {
        "description": "What the system does with a flow.",
        **_record(Semantics, without=("system",)),
        "required": [],
    }
    own["required"] = [key for key in own["required"] if key != "semantics"]
    return own


def _record(made: type, without: tuple[str, ...] = ()) -> dict[str, Any]:
    texts = docs_of_fields(made)
    hints = hints_of(made)
    properties: dict[str, Any] = {}
    required: list[str] = []
    for field in dataclasses.fields(made):
        if field.name in without:
            continue
        key = key_of(field.name)
        text = texts.get(field.name)
        properties[key] = ({"description": text} if text else {}) | _type(hints[field.name])
        if field.default is dataclasses.MISSING:
            required.append(key)
    return {
        "type": "object",
        "properties": properties,
        "required": required,
        "additionalProperties": False,
    }


def _type(hint: Any) -> dict[str, Any]:
    if hint == Field:
        return {"$ref": f"{_REF}system-field"}
    inner = inner_record(hint)
    if inner is not None:
        one = {"$ref": f"{_REF}system-{inner.__name__.lower()}"}
        return {"anyOf": [one, {"type": "array", "items": one}]}
    plain = plain_type(hint)
    choices = choices_of(plain)
    if choices is not None:
        return {"enum": list(choices)}
    if get_origin(plain) in (tuple, frozenset):
        return {"$ref": f"{_REF}system-names"}
    if plain is bool:
        return {"type": "boolean"}
    if plain is int:
        return {"type": "integer", "minimum": 1}
    return {"type": "string"}


def docs_of_fields(made: type) -> dict[str, str]:
    """What is written under each field of a declaration."""
    body = ast.parse(textwrap.dedent(inspect.getsource(made))).body[0]
    assert isinstance(body, ast.ClassDef)
    found: dict[str, str] = {}
    for field, text in zip(body.body, body.body[1:], strict=False):
        is_text = isinstance(text, ast.Expr) and isinstance(text.value, ast.Constant)
        if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name) and is_text:
            said = " ".join(str(text.value.value).split())  # type: ignore[attr-defined]
            found[field.target.id] = said
    return found
