"""What is wrong with the configs of a node and its actions.

Of the kinds and actions that flowrt brings along flowlint's checker tells that; of those that
others register, their own models do.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from flowlint.graph.config_checks import ConfigChecker, SpanOf
from flowlint.graph.config_rules import Place
from flowlint.graph.config_values import A_TYPE, HIDDEN, Code, Data, Hidden
from flowlint.graph.definitions.known import NodeSettings, Settled
from flowlint.graph.model import Violation
from flowlint.graph.node_outputs import Output, output_of
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
_DEEPEST = 200


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
    settings = NodeSettings(
        node.name,
        node.kind,
        as_data(node.config) if isinstance(node.config, Mapping) else "no mapping",
        _listed(node.before),
        _listed(node.after),
        node.run is not None,
    )
    found: list[Violation] = []
    if node.kind in CONFIGS:
        found = [*checker.config(settings.config, settings.has_run)]
        yield from found
    if not any(fault.severity is None for fault in found):
        yield from _config_faults(node, lambda *_: span)
    found = [*checker.actions(settings.before, settings.after)]
    yield from found
    if not any(fault.severity is None for fault in found):
        yield from _action_faults(node, lambda *_: span)


def model_faults(settings: NodeSettings, what: Settled, span_of: SpanOf) -> Iterator[Violation]:
    """What only the models of kinds and actions refuse in settings that flowlint finds right."""
    parts = (settings.config,) if what == "config" else (settings.before, settings.after)
    if any(isinstance(part, Hidden) for part in parts):
        return
    node = Node(settings.name, kind=settings.kind, config=settings.config)
    if what == "config":
        yield from _config_faults(node, span_of)
        return
    node.before, node.after = settings.before, settings.after
    yield from _action_faults(node, span_of)


def output_of_node(node: Node) -> Output | None:
    """What a node is known to give by its kind and config."""
    if not isinstance(node.kind, str) or node.kind in _ANY_CONFIG:
        return None
    config = as_data(node.config) if isinstance(node.config, Mapping) else HIDDEN
    return output_of(node.kind, config, _listed(node.after))


def lacks_prompt(node: Node) -> bool:
    """Whether an agent has no prompt of its own."""
    return isinstance(node.config, Mapping) and node.config.get("prompt") is None


def as_data(value: Any, around: tuple[int, ...] = ()) -> Data:
    """A value in the form in which configs are checked. `around` tells what it stands in."""
    if value is None or isinstance(value, str | int | float):
        return value
    if isinstance(value, type):
        return A_TYPE
    if len(around) > _DEEPEST or id(value) in around:
        return HIDDEN
    inside = (*around, id(value))
    if isinstance(value, Mapping):
        return {key: as_data(held, inside) for key, held in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [as_data(held, inside) for held in value]
    if callable(value):
        name = name_of(value)
        return Code("a function" if name == "a condition" else name, is_async(value))
    return HIDDEN


def _listed(actions: object) -> Data:
    data = as_data(actions)
    return data if isinstance(data, list) else "no list"


def _config_faults(node: Node, span_of: SpanOf) -> Iterator[Violation]:
    """What the model of the kind refuses: all of it where others registered the kind, else only
    what is out of sight of flowlint, such as models of the caller's."""
    if not isinstance(node.config, Mapping):
        said = f"The config of node `{node.name}` is no mapping"
        yield Violation(span_of((), False), said, "give what the kind asks for by name", node.name)
        return
    kind = find_kind(node.kind)
    place: Place = ("config",)
    if kind is not None and kind.config is not None:
        owner = f"The config of node `{node.name}`"
        yield from _faults(kind.config, node.config, owner, place, span_of)
        span = span_of((*place, "answer"), False)
        yield from _schema_faults(node.config.get("answer"), owner, span, node.name)
    if node.kind == "action" and isinstance(node.config.get("action"), str):
        settings = node.config.get("with", {})
        place, named_at = (*place, "with"), (*place, "action")
        yield from _by_model(node.name, node.config["action"], settings, place, named_at, span_of)


def _action_faults(node: Node, span_of: SpanOf) -> Iterator[Violation]:
    """The same for the actions around a node, and those that nobody registered."""
    for slot, actions in (("before", node.before), ("after", node.after)):
        for number, single in enumerate(actions):
            if isinstance(single, Hidden):
                continue
            place: Place = (slot, number)
            settings = {key: value for key, value in single.items() if key != "type"}
            named_at = (*place, "type")
            yield from _by_model(node.name, single["type"], settings, place, named_at, span_of)


def _by_model(
    node: str,
    name: str,
    settings: Mapping[str, Any],
    place: Place,
    named_at: Place,
    span_of: SpanOf,
) -> Iterator[Violation]:
    """What the model of an action refuses."""
    from flowrt.actions import all_actions, find_action

    action = find_action(name)
    if action is None:
        names = [known.name for known in all_actions()]
        said = f"An action of node `{node}` is a `{name}`, which nobody registered"
        cure = near(name, names, one_of([*ACTIONS]))
        yield Violation(span_of(named_at, False), said, cure, node)
        return
    owner = f"The `{name}` of node `{node}`"
    yield from _faults(action.config, settings, owner, place, span_of)
    if not is_foreign(name):
        span = span_of((*place, "schema"), False)
        yield from _schema_faults(settings.get("schema"), owner, span, node)


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


def _faults(
    model: type[BaseModel], given: Any, owner: str, place: Place, span_of: SpanOf
) -> Iterator[Violation]:
    from pydantic import ValidationError

    try:
        model.model_validate(dict(given))
    except ValidationError as error:
        for item in error.errors(include_url=False, include_input=False):
            kind, location = item["type"], item["loc"]
            whole = location[:-1] if kind == "missing" else location
            span = span_of((*place, *whole), kind == "extra_forbidden")
            yield _fault(kind, item["msg"], location, model, owner, span)


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
