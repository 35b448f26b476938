"""What is wrong with the configs of a node and its actions.

Of the kinds and actions that flowrt brings along flowlint's checker tells that; of those that
others register, their own models do.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from flowlint.graph.config_checks import ConfigChecker
from flowlint.graph.config_values import A_TYPE, HIDDEN, Code, Data
from flowlint.graph.model import Violation
from flowlint.graph.reference import is_foreign
from flowlint.graph.reference_faults import near, one_of
from flowlint.graph.reference_fields import missing_field, unknown_field
from flowlint.graph.reference_settings import ACTIONS, CONFIGS
from flowlint.source import Span
from flowrt.authoring import Node
from flowrt.callables import is_async, name_of
from flowrt.registry import find_callable, find_kind

if TYPE_CHECKING:
    from pydantic import BaseModel

_ANY_CONFIG = frozenset({"step", "gate", "loop"})
"""Kinds that need no look when they have neither config nor actions."""
_DEEPEST = 100


def setting_faults(
    node: Node, span: Span, names: frozenset[str] | None, inner: frozenset[str] | None
) -> Iterator[Violation]:
    """What is wrong with the config and the actions of a node.

    `names` are the nodes around it, `inner` those in its regions.
    """
    if not isinstance(node.kind, str):
        return
    if node.kind in _ANY_CONFIG and not (node.config or node.before or node.after):
        return
    checker = ConfigChecker(
        node.name,
        node.kind,
        lambda *_: span,
        names,
        inner,
        lambda name: find_callable(name) is not None,
    )
    if node.kind in CONFIGS:
        config = as_data(node.config) if isinstance(node.config, Mapping) else "no mapping"
        found = [*checker.config(config, node.run is not None)]
        yield from found
        if not any(fault.severity is None for fault in found):
            yield from _by_model(node, span)
            yield from _by_models(node, _own_action(node), span)
    else:
        yield from _foreign_config(node, span)
    found = [*checker.actions(_listed(node.before), _listed(node.after))]
    yield from found
    if not any(fault.severity is None for fault in found):
        yield from _by_models(node, [*node.before, *node.after], span)


def lacks_prompt(node: Node) -> bool:
    """Whether an agent has no prompt of its own."""
    return isinstance(node.config, Mapping) and node.config.get("prompt") is None


def as_data(value: Any, depth: int = 0) -> Data:
    """A value in the form in which configs are checked."""
    if value is None or isinstance(value, str | int | float):
        return value
    if isinstance(value, type):
        return A_TYPE
    if depth > _DEEPEST:
        return HIDDEN
    if isinstance(value, Mapping):
        return {key: as_data(held, depth + 1) for key, held in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [as_data(held, depth + 1) for held in value]
    if callable(value):
        name = name_of(value)
        return Code("a function" if name == "a condition" else name, is_async(value))
    return HIDDEN


def _listed(actions: object) -> Data:
    data = as_data(actions)
    return data if isinstance(data, list) else "no list"


def _foreign_config(node: Node, span: Span) -> Iterator[Violation]:
    if not isinstance(node.config, Mapping):
        said = f"The config of node `{node.name}` is no mapping"
        yield Violation(span, said, "give what the kind asks for by name", node.name)
        return
    yield from _by_model(node, span)


def _by_model(node: Node, span: Span) -> Iterator[Violation]:
    """What the model of the kind refuses: all of it where others registered the kind, else only
    what is out of sight of flowlint, such as models of the caller's."""
    kind = find_kind(node.kind)
    if kind is not None and kind.config is not None:
        owner = f"The config of node `{node.name}`"
        yield from _faults(kind.config, node.config, owner, span)
        yield from _schema_faults(node.config.get("answer"), owner, span, node.name)


def _own_action(node: Node) -> list[Mapping[str, Any]]:
    """The action that a node of the kind `action` runs."""
    if node.kind != "action" or not isinstance(node.config.get("action"), str):
        return []
    return [{**node.config.get("with", {}), "type": node.config["action"]}]


def _by_models(node: Node, actions: Sequence[Mapping[str, Any]], span: Span) -> Iterator[Violation]:
    """The same for actions, and those that nobody registered."""
    if not actions:
        return
    from flowrt.actions import all_actions, find_action

    for single in actions:
        name = single["type"]
        action = find_action(name)
        if action is None:
            names = [known.name for known in all_actions()]
            said = f"An action of node `{node.name}` is a `{name}`, which nobody registered"
            cure = near(name, names, one_of([*ACTIONS]))
            yield Violation(span, said, cure, node.name)
            continue
        settings = {key: value for key, value in single.items() if key != "type"}
        owner = f"The `{name}` of node `{node.name}`"
        yield from _faults(action.config, settings, owner, span)
        if not is_foreign(name):
            yield from _schema_faults(settings.get("schema"), owner, span, node.name)


def _schema_faults(schema: Any, owner: str, span: Span, node: str) -> Iterator[Violation]:
    """What only the library for JSON Schema can tell: references, patterns, other drafts."""
    if not isinstance(schema, Mapping):
        return
    from flowrt.errors import FlowError
    from flowrt.nodes.answers import schema_problems

    try:
        schema_problems(schema, None)
    except FlowError as error:
        said = " ".join(str(error).split())
        yield Violation(span, f"{owner} is wrong: {said}", "correct the schema", node)


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
