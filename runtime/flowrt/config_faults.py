"""What is wrong with the configs of a node and its actions, by the models of the registries."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from flowlint.graph.model import Violation
from flowlint.graph.reference_faults import near, one_of
from flowlint.graph.reference_fields import missing_field, unknown_field
from flowlint.source import Span
from flowrt.authoring import Node
from flowrt.registry import find_kind

if TYPE_CHECKING:
    from pydantic import BaseModel

_ANY_CONFIG = frozenset({"step", "gate", "loop", "start", "end"})
"""Kinds whose config needs no look when there is none."""


def config_faults(node: Node, span: Span) -> Iterator[Violation]:
    """What the node's kind refuses in its config."""
    if not isinstance(node.config, Mapping):
        said = f"The config of node `{node.name}` is no mapping"
        yield Violation(span, said, "give what the kind asks for by name", node.name)
        return
    if not isinstance(node.kind, str) or (node.kind in _ANY_CONFIG and not node.config):
        return
    kind = find_kind(node.kind)
    if kind is not None and kind.config is not None:
        yield from _faults(kind.config, node.config, f"The config of node `{node.name}`", span)


def action_faults(node: Node, span: Span) -> Iterator[Violation]:
    """Actions before and after the node that nobody registered, or that are set wrongly."""
    if not node.before and not node.after:
        return
    from flowrt.actions import all_actions, find_action

    if not all(isinstance(actions, list | tuple) for actions in (node.before, node.after)):
        said = f"The actions of node `{node.name}` are no list"
        yield Violation(span, said, "give a list of mappings with a `type`", node.name)
        return
    for given in (*node.before, *node.after):
        owner = f"An action of node `{node.name}`"
        if not isinstance(given, Mapping) or not isinstance(given.get("type"), str):
            yield missing_field(owner, "type", span)
            continue
        name = given["type"]
        action = find_action(name)
        if action is None:
            names = [known.name for known in all_actions()]
            said = f"{owner} is a `{name}`, which nobody registered"
            yield Violation(span, said, near(name, names, one_of(names)), node.name)
            continue
        settings = {key: value for key, value in given.items() if key != "type"}
        yield from _faults(action.config, settings, f"The `{name}` of node `{node.name}`", span)


def _faults(model: type[BaseModel], given: Any, owner: str, span: Span) -> Iterator[Violation]:
    from pydantic import ValidationError

    try:
        model.model_validate(dict(given))
    except ValidationError as error:
        for item in error.errors(include_url=False, include_input=False):
            yield _fault(item["type"], item["msg"], item["loc"], model, owner, span)


def _fault(
    kind: str,
    message: str,
    location: tuple[str | int, ...],
    model: type[BaseModel],
    owner: str,
    span: Span,
) -> Violation:
    if len(location) == 1 and kind == "extra_forbidden":
        known = [field.alias or name for name, field in model.model_fields.items()]
        return unknown_field(owner, str(location[0]), known, span)
    if len(location) == 1 and kind == "missing":
        return missing_field(owner, str(location[0]), span)
    where = f", at `{'.'.join(map(str, location))}`" if location else ""
    said = message.removeprefix("Value error, ")
    return Violation(span, f"{owner} is wrong{where}: {said[:1].lower()}{said[1:]}")
