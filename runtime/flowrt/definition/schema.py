"""The JSON Schema of definitions, with the config of every registered node kind and action."""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy
from typing import Any

from pydantic import BaseModel

from flowlint.graph.reference import KINDS
from flowlint.graph.reference_fields import FORMAT, SCHEMA_ID
from flowrt.actions import all_actions
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
    """The schema that editors and generators use; every registered kind and action is in it."""
    schema = FlowDefinition.model_json_schema(by_alias=True)
    definitions = schema["$defs"]
    models = {name: definitions[name] for name in (*_MODELS.values(), "PlainNode", "OtherNode")}
    names = [_add_kind(kind, models, definitions) for kind in all_kinds()]
    for name in models:
        del definitions[name]
    nodes = {"oneOf": [{"$ref": f"#/$defs/{name}"} for name in names]}
    definitions["AnyNode"] = {"description": "A node of a registered kind.", **nodes}
    definitions["ActionDefinition"] = _actions(definitions)
    for holder in (schema, definitions["RegionDefinition"]):
        holder["properties"]["nodes"]["items"] = {"$ref": "#/$defs/AnyNode"}
    _allow_null(schema)
    told = {"title": "flowrt flow definition", "examples": [EXAMPLE]}
    return {"$schema": DIALECT, "$id": SCHEMA_ID, **schema, **told}


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
        config = _config_schema(kind.config, f"config.{kind.name}", definitions)
        properties["config"], needs_config = config, bool(config.get("required"))
        required |= {"config"} if needs_config else set()
    node["required"] = sorted(required)
    name = f"node.{kind.name}"
    definitions[name] = node
    return name


def _actions(definitions: dict[str, Any]) -> dict[str, Any]:
    """The schema of an action, told by its type; adds one of each registered action.

    Others, whose names have a dot, may be anything: the module that registers them is not loaded.
    """
    names = []
    for action in all_actions():
        made = _config_schema(action.config, f"action.{action.name}", definitions)
        spelled = list(dict.fromkeys((action.name, action.name.replace("-", "_"))))
        told = {"const": spelled[0]} if len(spelled) == 1 else {"enum": spelled}
        made["properties"] = {
            "type": {**told, "description": action.summary},
            **made.get("properties", {}),
        }
        made.update(title=f"{action.name} action", description=action.summary)
        made["required"] = ["type", *made.get("required", [])]
        names.append(action.name)
        definitions[f"action.{action.name}"] = made
    name = {"type": "string", "pattern": r"\.", "not": {"enum": names}}
    definitions["OtherAction"] = {
        "type": "object",
        "description": "An action that somebody else registered.",
        "properties": {"type": {**name, "description": "The name of the action, with a dot."}},
        "required": ["type"],
    }
    known = [{"$ref": f"#/$defs/action.{name}"} for name in names]
    return {
        "description": "An action of the action registry, with its settings beside its type.",
        "oneOf": [*known, {"$ref": "#/$defs/OtherAction"}],
    }


def _config_schema(
    config: type[BaseModel], place: str, definitions: dict[str, Any]
) -> dict[str, Any]:
    """The schema of a config; what it refers to is added to the definitions under `place`."""
    own = config.model_json_schema(by_alias=True, ref_template=f"#/$defs/{place}.{{model}}")
    for name, inner in own.pop("$defs", {}).items():
        definitions[f"{place}.{name}"] = inner
    return own


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
