"""The settings as a JSON Schema, for editors: made from the one list of settings.

`python -m flowlint.project.settings.schema` writes it anew.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from flowlint.dialects.declared.schema import definitions, schema_of_systems
from flowlint.project.rule_names import built_in_terms
from flowlint.project.settings.keys import (
    DATA_DIALECTS,
    DIALECTS,
    DISTRIBUTIONS,
    FORMATS,
    KEYS,
    SEVERITIES,
    Key,
)
from flowlint.rules.options import OptionKind, RuleOption
from flowlint.rules.registry import RuleInfo, built_in_rules

FILE = Path(__file__).with_name("schema.json")
_PLUGIN_CODE = "^(?![Ff][Ll][0-9])[A-Za-z]{2,}[0-9]{1,4}$"
_RULE = {"$ref": "#/$defs/rule"}
_RULES = {"type": "array", "items": _RULE}


def schema() -> dict[str, Any]:
    """The schema of `flowlint.toml`, and of the table `tool.flowlint` in `pyproject.toml`."""
    terms = sorted({term for name, _, category in built_in_terms() for term in (name, category)})
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Settings of flowlint",
        "type": "object",
        "additionalProperties": False,
        "properties": {key.name: _property(key) for key in KEYS},
        "$defs": {
            **definitions(),
            **{_options_of(rule): _options(rule) for rule in _with_options()},
            "rule": {
                "description": "A rule by its name, code, category or the beginning of its code.",
                "anyOf": [
                    {"enum": ["all", *terms]},
                    {"type": "string", "pattern": "^[Ff][Ll][0-9]{0,3}$"},
                    {
                        "description": "A rule of a plugin by its code.",
                        "type": "string",
                        "pattern": _PLUGIN_CODE,
                    },
                ],
            },
        },
    }


def _property(key: Key) -> dict[str, Any]:
    found = {"description": key.text, **_type(key)}
    if key.default is not None:
        found["default"] = list(key.default) if isinstance(key.default, tuple) else key.default
    return found


def _type(key: Key) -> dict[str, Any]:
    match key.kind:
        case "flag":
            return {"type": "boolean"}
        case "count":
            return {"type": "integer", "minimum": 1}
        case "format":
            return {"enum": list(FORMATS)}
        case "path":
            return {"type": "string", "minLength": 1}
        case "rules":
            return _RULES
        case "patterns":
            return {"type": "array", "items": {"type": "string", "minLength": 1}}
        case "rules by pattern":
            return {"type": "object", "additionalProperties": _RULES}
        case "severities":
            return _table({"enum": list(SEVERITIES)})
        case "options":
            return _option_tables()
        case "flags by dialect":
            return _closed(DIALECTS, {"type": "boolean"})
        case "dialects by pattern":
            return {"type": "object", "additionalProperties": {"enum": list(DATA_DIALECTS)}}
        case "systems":
            return schema_of_systems()
        case "versions":
            return _closed(DISTRIBUTIONS, {"type": "string", "pattern": "^v?[0-9]"})


def _table(value: dict[str, Any]) -> dict[str, Any]:
    return {"type": "object", "propertyNames": _RULE, "additionalProperties": value}


def _with_options() -> list[RuleInfo]:
    return [rule.info for rule in built_in_rules() if rule.info.options]


def _options_of(rule: RuleInfo) -> str:
    return f"options-of-{rule.name}"


def _options(rule: RuleInfo) -> dict[str, Any]:
    """The options of one rule."""
    return {
        "type": "object",
        "properties": {option.name: _option(option) for option in rule.options},
        "additionalProperties": False,
    }


def _option(option: RuleOption[object]) -> dict[str, Any]:
    found = {"description": option.text, **_OPTION_TYPES[option.kind]}
    if option.default is not None:
        value = option.default
        found["default"] = list(value) if isinstance(value, tuple) else value
    return found


_OPTION_TYPES: dict[OptionKind, dict[str, Any]] = {
    "flag": {"type": "boolean"},
    "count": {"type": "integer", "minimum": 1},
    "patterns": {"type": "array", "items": {"type": "string", "minLength": 1}},
}


def _option_tables() -> dict[str, Any]:
    """A table for each rule that has options, by its name or code."""
    tables = {rule: {"$ref": f"#/$defs/{_options_of(rule)}"} for rule in _with_options()}
    codes = {f"^{_in_any_case(rule.code)}$": table for rule, table in tables.items()}
    plugins = {_PLUGIN_CODE: {"type": "object"}}
    return {
        "type": "object",
        "properties": {rule.name: table for rule, table in tables.items()},
        "patternProperties": {**codes, **plugins},
        "additionalProperties": False,
    }


def _in_any_case(code: str) -> str:
    letters = code.rstrip("0123456789")
    return "".join(f"[{one}{one.lower()}]" for one in letters) + code[len(letters) :]


def _closed(names: tuple[str, ...], value: dict[str, Any]) -> dict[str, Any]:
    properties = dict.fromkeys(names, value)
    return {"type": "object", "properties": properties, "additionalProperties": False}


def text() -> str:
    """The schema as the text that is shipped."""
    return json.dumps(schema(), indent=2) + "\n"


if __name__ == "__main__":
    FILE.write_text(text(), "utf-8")
