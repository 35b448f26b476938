"""The tables of docs/runtime/flows.md, made from what checks definitions.

Run as a program it writes them anew: python tests/runtime/docs/flow_tables.py
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from flowrt.actions import find_action
from flowrt.definition.model import EdgeDefinition, FlowDefinition, NodeBase, SwitchCases
from flowrt.registry import find_kind
from pydantic import BaseModel

DOC = Path(__file__).parents[3] / "docs" / "runtime" / "flows.md"
TABLE = re.compile(r"^<!-- table: (?P<what>.+?) -->\n(?P<table>(?:\|.*\n)*)", re.MULTILINE)
MODELS: dict[str, type[BaseModel]] = {
    "flow": FlowDefinition,
    "node": NodeBase,
    "edge": EdgeDefinition,
    "switch": SwitchCases,
}
_EVERYWHERE = frozenset({"into", "when", "$schema"})
"""Fields of all configs and all actions are told once."""


def table(what: str) -> str:
    """The table that a mark asks for: `node`, `config KIND`, `action TYPE` …"""
    word, _, name = what.partition(" ")
    if word == "config":
        kind = find_kind(name)
        assert kind is not None, f"there is no kind `{name}`"
        assert kind.config is not None, f"the kind `{name}` has no config"
        return _of_model(kind.config, skipped=_EVERYWHERE)
    if word == "action":
        action = find_action(name)
        assert action is not None, f"there is no action `{name}`"
        return _of_model(action.config, skipped=_EVERYWHERE)
    return _of_model(MODELS[what], skipped=frozenset({"$schema"}))


def _of_model(model: type[BaseModel], *, skipped: frozenset[str]) -> str:
    schema = model.model_json_schema(by_alias=True)
    rows = ["| field | value | what |", "|---|---|---|"]
    for name, field in schema["properties"].items():
        if name in skipped:
            continue
        needed = name in schema.get("required", ())
        value = " or ".join(dict.fromkeys(_types(field, schema.get("$defs", {}))))
        default = field.get("default")
        if needed:
            value += ", needed"
        elif default not in (None, [], {}, ""):
            value += f", `{_plain(default)}` unless given"
        told = _described(field, schema.get("$defs", {}))
        rows.append(f"| `{name}` | {value} | {told} |".replace("||", "\\|\\|"))
    return "\n".join(rows) + "\n"


def _plain(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return f"{value:g}" if isinstance(value, float) else str(value)


def _described(field: dict[str, Any], parts: dict[str, Any]) -> str:
    for found in (field, *field.get("anyOf", ())):
        if "description" in found:
            return str(found["description"]).replace("\n", " ")
    for found in (field, *field.get("anyOf", ())):
        if "$ref" in found:
            return str(parts[found["$ref"].rsplit("/", 1)[1]].get("description", "")).split("\n")[0]
    return ""


def _types(field: dict[str, Any], parts: dict[str, Any]) -> Iterator[str]:
    """What a field may hold, in words."""
    choices = field.get("anyOf") or field.get("oneOf")
    if choices:
        for choice in choices:
            yield from _types(choice, parts)
    elif "$ref" in field:
        name = field["$ref"].rsplit("/", 1)[1]
        part = parts[name]
        yield "object" if part.get("type") == "object" else "value"
    elif "enum" in field:
        yield ", ".join(f"`{_plain(word)}`" for word in field["enum"])
    elif "const" in field:
        yield f"`{_plain(field['const'])}`"
    elif field.get("type") != "null":
        words = {
            "string": "text",
            "integer": "number",
            "array": "list",
            "boolean": "true, false",
            None: "value",
        }
        yield words.get(field.get("type"), field.get("type") or "value")


def written(text: str) -> str:
    """The document with its tables made anew."""
    return TABLE.sub(lambda mark: f"<!-- table: {mark['what']} -->\n{table(mark['what'])}", text)


if __name__ == "__main__":
    DOC.write_text(written(DOC.read_text("utf-8")), "utf-8")
