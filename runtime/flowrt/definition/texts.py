"""Definitions from text: JSON and YAML as plain data, refused with the place of the fault."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, NoReturn

from flowlint.findings.model import Finding
from flowlint.graph.plain_scalars import is_container, tagged_scalar
from flowlint.graph.reference import case_label
from flowlint.rules.meta.syntax_error import syntax_error
from flowlint.source import Span
from flowrt.definition.json_places import (
    key_written_twice,
    line_and_column,
    too_deep,
    word_at,
)
from flowrt.definition.marks import Source, json_mark, yaml_mark
from flowrt.errors import FlowError, FlowValidationError
from flowrt.extras import CURE
from flowrt.telling import NOWHERE, told

MAX_DEPTH = 200
MAX_SIZE = 1_000_000
_MERGE = "tag:yaml.org,2002:merge"


def parse_json(text: str | bytes, where: str = NOWHERE) -> Any:
    """A value from JSON. Raises FlowValidationError for text that is none, or has a key twice."""
    return read_json(text, where).data


def read_json(text: str | bytes, where: str = NOWHERE) -> Source:
    """The same, with the places of all that is in it."""
    text = _decoded(text, where)
    deep = too_deep(text, MAX_DEPTH)
    if deep is not None:
        _refuse(where, *line_and_column(text, deep), "this is nested too deeply")

    def no_value(word: str) -> NoReturn:
        place = line_and_column(text, word_at(text, word))
        _refuse(where, *place, f"`{word}` is no value of JSON")

    try:
        value = json.loads(
            text,
            object_pairs_hook=lambda pairs: _unique(pairs, text, where),
            parse_constant=no_value,
        )
    except FlowValidationError:
        raise
    except json.JSONDecodeError as error:
        _refuse(where, error.lineno, error.colno, error.msg)
    except RecursionError:
        _refuse(where, 1, 1, "this is nested too deeply")
    except ValueError as error:
        _refuse(where, 1, 1, str(error))
    return Source(value, where, text, lambda: json_mark(text))


def parse_yaml(text: str | bytes, where: str = NOWHERE) -> list[Any]:
    """The documents of YAML. Raises FlowValidationError for text that is none.

    Words mean what they do in YAML 1.2: `on` and `yes` are texts. Keys are texts: `1` is "1".
    """
    return [source.data for source in read_yaml(text, where)]


def read_yaml(text: str | bytes, where: str = NOWHERE) -> list[Source]:
    """The same, with the places of all that is in them."""
    try:
        import yaml
    except ImportError as error:
        raise FlowError(f"definitions in YAML need the package `pyyaml`: {CURE}") from error
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    text = _decoded(text, where)
    try:
        nodes = yaml.compose_all(text, Loader=loader)
        return [_read_document(node, text, where) for node in nodes if node is not None]
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line, column = (mark.line + 1, mark.column + 1) if mark is not None else (1, 1)
        said = ", ".join(part for part in (error.context, error.problem) if part)
        _refuse(where, line, column, " ".join(said.split()) or "this is no YAML")
    except yaml.YAMLError as error:
        _refuse(where, 1, 1, str(error))


def _read_document(node: Any, text: str, where: str) -> Source:
    values = _Values(where)
    data = values.value(node)
    return Source(data, where, text, lambda: yaml_mark(node, values.label))


def _decoded(text: str | bytes, where: str) -> str:
    if isinstance(text, str):
        return text.removeprefix("\ufeff")
    try:
        return text.decode("utf-8-sig")
    except UnicodeDecodeError:
        _refuse(where, 1, 1, "this is no text in UTF-8")


def _unique(pairs: list[tuple[str, Any]], text: str, where: str) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        key, offset = key_written_twice(text) or (twice, 0)
        _refuse(where, *line_and_column(text, offset), f"the key `{key}` is written twice")
    return made


def _refuse(where: str, line: int, column: int, message: str) -> NoReturn:
    said = f"{message[:1].upper()}{message[1:].rstrip('.')}."
    finding: Finding = syntax_error(Span(where, line, column, line, column + 1), said)
    raise FlowValidationError(told(finding), (finding,))


class _Values:
    """Makes values of YAML's nodes; those with several aliases are made once."""

    def __init__(self, where: str) -> None:
        import yaml

        self.yaml = yaml
        self.where = where
        self.resolve: Callable[..., str] = yaml.SafeLoader("").resolve
        self.known: dict[int, tuple[Any, int]] = {}
        self.active: set[int] = set()

    def value(self, node: Any) -> Any:
        """The value of a document."""
        return self._made(node)[0]

    def label(self, key: Any) -> str:
        """The text of a key."""
        return case_label(self._made(key)[0])

    def _refuse(self, node: Any, message: str) -> NoReturn:
        mark = node.start_mark
        _refuse(self.where, mark.line + 1, mark.column + 1, message)

    def _made(self, node: Any) -> tuple[Any, int]:
        """A value, and how many it comes to with all aliases followed."""
        if id(node) in self.known:
            return self.known[id(node)]
        if id(node) in self.active:
            self._refuse(node, "this is an alias inside of what it stands for")
        if len(self.active) >= MAX_DEPTH:
            self._refuse(node, "this is nested too deeply")
        self.active.add(id(node))
        made = self._make(node)
        self.active.discard(id(node))
        if made[1] > MAX_SIZE:
            self._refuse(node, "this is too large once its aliases are followed")
        self.known[id(node)] = made
        return made

    def _make(self, node: Any) -> tuple[Any, int]:
        yaml = self.yaml
        if isinstance(node, yaml.ScalarNode):
            implicit = self.resolve(yaml.ScalarNode, node.value, (True, False))
            try:
                return tagged_scalar(node.tag, implicit, node.value, node.style), 1
            except ValueError as error:
                self._refuse(node, str(error))
        if not is_container(node.tag):
            self._refuse(node, f"the tag `{node.tag}` means nothing here")
        if isinstance(node, yaml.SequenceNode):
            parts = [self._made(child) for child in node.value]
            return [value for value, _ in parts], 1 + sum(size for _, size in parts)
        return self._mapping(node)

    def _mapping(self, node: Any) -> tuple[dict[str, Any], int]:
        own: dict[str, Any] = {}
        merged: dict[str, Any] = {}
        size = 1
        for key_node, value_node in node.value:
            if isinstance(key_node, self.yaml.ScalarNode) and key_node.tag == _MERGE:
                for key, value in self._merged(value_node).items():
                    merged.setdefault(key, value)
                continue
            found = self._made(key_node)[0]
            if isinstance(found, dict | list):
                self._refuse(key_node, "a key has to be a text")
            key = case_label(found)
            if key in own:
                self._refuse(key_node, f"the key `{key}` is written twice")
            own[key], inner = self._made(value_node)
            size += inner
        inherited = {key: value for key, value in merged.items() if key not in own}
        return {**own, **inherited}, size + len(inherited)

    def _merged(self, node: Any) -> dict[str, Any]:
        """What `<<` brings in; nearer mappings win."""
        nodes = node.value if isinstance(node, self.yaml.SequenceNode) else [node]
        found: dict[str, Any] = {}
        for single in nodes:
            value = self._made(single)[0]
            if not isinstance(value, dict):
                self._refuse(single, "only mappings can be merged in")
            found = {**value, **found}
        return found
