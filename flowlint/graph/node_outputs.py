"""What nodes of the reference runtime give, as far as their kind and their config say."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from flowlint.graph.cel_values import Type, Values
from flowlint.graph.config_values import Data, Hidden, OpenDict, OpenList
from flowlint.graph.names import NearNames
from flowlint.graph.reference_settings import DECISIONS

Fields = tuple[tuple[str, Values | None], ...]

_LEVELS = ("unanimous", "strong_majority", "majority", "deadlock", "divided")
_KEPT_BY = frozenset({"log", "metric", "notify", "set-context", "validate", "webhook"})
"""Actions after a node that leave its output as it is."""

_SHELL: Fields = (
    ("command", Values("text")),
    ("args", None),
    ("cwd", None),
    ("stdout", Values("text")),
    ("stderr", Values("text")),
    ("exit_code", Values("number", null=True)),
    ("signal", None),
    ("duration", Values("number")),
    ("truncated", None),
)
_WAIT: Fields = (
    ("waited_for", Values("text", ("signal", "timer"))),
    ("payload", None),
    ("timed_out", Values("boolean")),
)
_REPEAT: Fields = (
    ("iterations", Values("number")),
    ("outputs", None),
    ("limit_reached", Values("boolean")),
)
_ATTEMPT: Fields = (
    ("attempts", Values("number")),
    ("caught", Values("boolean")),
    ("error", None),
    ("output", None),
)
_TYPES: Mapping[str, Type] = {
    "string": "text",
    "integer": "number",
    "number": "number",
    "boolean": "boolean",
}


@dataclass(frozen=True, slots=True)
class Output:
    """What a node gives: a value, or an object that has these fields and no others.

    Of a field without `Values` it is only known that it is there.
    """

    values: Values | None = None
    fields: Fields | None = None

    def of(self, path: tuple[str, ...]) -> Values | None:
        """What stands under some fields, None where nothing is known of it."""
        if not path:
            return self.values
        return dict(self.fields or ()).get(path[0]) if len(path) == 1 else None

    def fault(self, path: tuple[str, ...]) -> tuple[str, str] | None:
        """Why there is nothing under some fields, and the cure."""
        if not path:
            return None
        if self.values is not None:
            return f"gives {self.values.words}, which has no fields", "look at the output itself"
        names = [name for name, _ in self.fields or ()]
        if self.fields is None or path[0] in names:
            return None
        meant = NearNames(names).of(path[0])
        there = ", ".join(f"`{name}`" for name in names)
        return (
            f"does not give `{path[0]}`",
            f"did you mean `{meant}`?" if meant is not None else f"there is {there}",
        )


Outputs = Mapping[str, Output]
"""What nodes give, by their names: of those of which that is known."""


def output_of(kind: str | None, config: Data, after: Data) -> Output | None:
    """What a node of a kind gives with a config, None where that is not known.

    `after` are its actions after it ran: some of them make another value of it.
    """
    if not isinstance(config, dict) or not _keeps_output(after):
        return None
    match kind:
        case "ask":
            return _answer(config)
        case "decision":
            return _decision(config)
        case "shell" if _lacks(config, "parse"):
            return Output(fields=_SHELL)
        case "agent" if _lacks(config, "parse"):
            return Output(Values("text"))
        case "shell" | "agent" if config.get("parse") == "text":
            return Output(Values("text"))
        case "wait":
            return Output(fields=_WAIT)
        case "repeat":
            return Output(fields=_REPEAT)
        case "attempt":
            return Output(fields=_ATTEMPT)
    return None


def outputs_among(
    around: Outputs, names: frozenset[str] | None, found: Iterable[tuple[str, Output | None]]
) -> Outputs:
    """What the nodes of a flow or region give, and those around it, by their names.

    `names` are the nodes around, as far as they are known. Nothing is told of a name that several
    nodes have.
    """
    known = dict(around)
    seen = set(names or around)
    for name, output in found:
        known.pop(name, None)
        if output is not None and name not in seen:
            known[name] = output
        seen.add(name)
    return known


def looks(paths: Iterable[object], source: str) -> Iterator[tuple[str, str, tuple[str, ...]]]:
    """Which nodes' outputs are looked at: the path up to it, the node, the fields read of it.

    `paths` are what an expression mentions on an edge out of `source`.
    """
    for path in paths:
        match path:
            case ("output", *rest):
                yield "output", source, tuple(map(str, rest))
            case ("result", "output", *rest):
                yield "result.output", source, tuple(map(str, rest))
            case ("outputs", str(node), *rest):
                yield f"outputs.{node}", node, tuple(map(str, rest))
            case ("results", str(node), "output", *rest):
                yield f"results.{node}.output", node, tuple(map(str, rest))


def _keeps_output(after: Data) -> bool:
    if not isinstance(after, list) or isinstance(after, OpenList):
        return after is None
    types = [one.get("type") if isinstance(one, dict) else None for one in after]
    return all(isinstance(one, str) and one in _KEPT_BY for one in types)


def _lacks(config: dict[object, Data], field: str) -> bool:
    return not isinstance(config, OpenDict) and config.get(field) is None


def _texts(given: Data) -> tuple[str, ...]:
    """The texts of a list that is known as a whole."""
    if not isinstance(given, list) or isinstance(given, OpenList):
        return ()
    return tuple(given) if all(isinstance(one, str) for one in given) else ()


def _answer(config: dict[object, Data]) -> Output | None:
    options = _texts(config.get("options"))
    if options:
        is_single = _lacks(config, "multiple") or config.get("multiple") is False
        return Output(Values("text", options)) if is_single else None
    return _by_schema(config.get("answer")) if _lacks(config, "options") else None


def _decision(config: dict[object, Data]) -> Output | None:
    result = "binary" if _lacks(config, "result") else config.get("result")
    decided: Values | None = None
    if isinstance(result, str) and result in DECISIONS:
        decided = Values("text", DECISIONS[result])
    elif result == "choice" and (options := _texts(config.get("options"))):
        decided = Values("text", options)
    elif result == "custom" and (answer := _by_schema(config.get("answer"))) is not None:
        decided = answer.values
    return Output(
        fields=(
            ("mode", Values("text", ("coordinator", "ballot", "consensus"))),
            ("decision", decided),
            ("confidence", Values("number")),
            ("votes", None),
            ("distribution", None),
            ("consensus", Values("text", _LEVELS)),
            ("escalated", Values("boolean")),
            ("reason", Values("text", null=True)),
            ("rounds", Values("number")),
            ("missing", None),
        )
    )


def _by_schema(schema: Data) -> Output | None:
    """What meets a JSON Schema, as far as its plainest keywords tell."""
    if not isinstance(schema, dict) or isinstance(schema, OpenDict):
        return None
    kind, properties = schema.get("type"), schema.get("properties")
    if kind == "object" and isinstance(properties, dict):
        is_closed = schema.get("additionalProperties") is False
        if not is_closed or "patternProperties" in schema or isinstance(properties, OpenDict):
            return None
        named = [(name, _by_schema(one)) for name, one in properties.items()]
        fields = tuple((str(name), one.values if one else None) for name, one in named)
        return Output(fields=fields) if fields else None
    choices = _texts(schema.get("enum"))
    if choices:
        return Output(Values("text", choices))
    if "enum" in schema or isinstance(kind, Hidden) or not isinstance(kind, str):
        return None
    return Output(Values(_TYPES[kind])) if kind in _TYPES else None
