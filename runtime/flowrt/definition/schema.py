"""The JSON Schema of definitions, with the config of every registered node kind."""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy
from typing import Any

from flowlint.graph.reference import KINDS
from flowlint.graph.reference_fields import FORMAT
from flowrt.definition.model import FlowDefinition
from flowrt.engine.context import Kind
from flowrt.registry import all_kinds

DIALECT = "https://json-schema.org/draft/2020-12/schema"
EXAMPLE = {
    "flowrt": FORMAT,
    "name": "triage",
    "entry": "classify",
    "nodes": [
        {"name": "classify", "kind": "gate", "run": "classify", "timeout": "30s"},
        {"name": "answer", "run": "answer", "retry": {"attempts": 3}},
        {"name": "escalate", "run": "escalate"},
    ],
    "edges": [
        {"from": "classify", "to": "answer", "when": "state.urgent == false"},
        {"from": "classify", "to": "escalate"},
        {"from": "answer", "to": "escalate", "outcome": "failed"},
    ],
}
_MODELS = {"repeat": "RepeatNode", "parallel": "ParallelNode", "attempt": "AttemptNode"}


def definition_schema() -> dict[str, Any]:
    """The schema that editors and generators use; every registered kind is in it."""
    schema = FlowDefinition.model_json_schema(by_alias=True)
    definitions = schema["$defs"]
    models = {name: definitions[name] for name in (*_MODELS.values(), "PlainNode", "OtherNode")}
    names = [_add_kind(kind, models, definitions) for kind in all_kinds()]
    for name in models:
        del definitions[name]
    nodes = {"oneOf": [{"$ref": f"#/$defs/{name}"} for name in names]}
    definitions["AnyNode"] = {"description": "A node of a registered kind.", **nodes}
    for holder in (schema, definitions["RegionDefinition"]):
        holder["properties"]["nodes"]["items"] = {"$ref": "#/$defs/AnyNode"}
    _allow_null(schema)
    return {"$schema": DIALECT, "title": "flowrt flow definition", **schema, "examples": [EXAMPLE]}


def _add_kind(kind: Kind, models: dict[str, Any], definitions: dict[str, Any]) -> str:
    """Add the schema of the nodes of a kind; the name it has among the definitions."""
    model = models[_MODELS.get(kind.name, "PlainNode" if kind.name in KINDS else "OtherNode")]
    node = deepcopy(model)
    properties = node["properties"]
    properties["kind"] = {"const": kind.name, "description": kind.summary}
    node.update(title=f"{kind.name} node", description=kind.summary)
    facts = KINDS.get(kind.name)
    required = {"name", *([] if kind.name == "step" else ["kind"])}
    if facts is not None:
        required |= {"run"} if facts.runs else set()
        required |= set(facts.regions)
        required |= {"branches"} if facts.branches else set()
    if kind.config is not None:
        properties["config"], needs_config = _config_schema(kind, definitions)
        required |= {"config"} if needs_config else set()
    node["required"] = sorted(required)
    name = f"node.{kind.name}"
    definitions[name] = node
    return name


def _config_schema(kind: Kind, definitions: dict[str, Any]) -> tuple[dict[str, Any], bool]:
    """The schema of a kind's config, and whether a node cannot do without."""
    assert kind.config is not None
    own = kind.config.model_json_schema(
        by_alias=True, ref_template=f"#/$defs/config.{kind.name}.{{model}}"
    )
    for name, inner in own.pop("$defs", {}).items():
        definitions[f"config.{kind.name}.{name}"] = inner
    return own, bool(own.get("required"))


def _allow_null(schema: dict[str, Any]) -> None:
    """Let fields that may be left out be null as well, as they may."""
    for part in (schema, *schema["$defs"].values()):
        if part.get("additionalProperties") is not False:
            continue
        required = part.get("required", [])
        for name, field in part.get("properties", {}).items():
            if name not in required and not _is_nullable(field):
                kept = {k: field.pop(k) for k in ("description", "examples") if k in field}
                part["properties"][name] = {"anyOf": [field, {"type": "null"}], **kept}


def _is_nullable(field: dict[str, Any]) -> bool:
    return any(choice.get("type") == "null" for choice in _choices(field)) or not field.keys() - {
        "description",
        "title",
        "default",
        "examples",
    }


def _choices(field: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield field
    yield from field.get("anyOf", ())
