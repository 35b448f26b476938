"""A file of YAML in, its documents with places out."""

from __future__ import annotations

import re

import yaml

from flowlint.graph.plain_scalars import is_container, tagged_scalar
from flowlint.graph.reference import case_label
from flowlint.languages.places import Documents, Fault, Place, Text, text_of_bytes
from flowlint.values.model import Const, Entry, Item, Mapped, Sequence, Value

MAX_DEPTH = 200
MAX_SIZE = 1_000_000
_FLOW_KEY = re.compile(r"""^["']?flowrt["']?\s*:\s*1\b""", re.MULTILINE)
_MERGE = "tag:yaml.org,2002:merge"
_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_RESOLVER = yaml.SafeLoader("")


class _FaultError(Exception):
    def __init__(self, mark: yaml.Mark, message: str) -> None:
        super().__init__(message)
        self.mark = mark
        self.message = message


def read_yaml(path: str, data: bytes) -> Documents:
    """The documents of a file of YAML up to the first fault in it."""
    text = text_of_bytes(path, data)
    if isinstance(text, Fault):
        return Documents(faults=(text,), says_flow=b"flowrt" in data)
    values: list[Value] = []
    says = _FLOW_KEY.search(text.text) is not None
    try:
        documents = yaml.compose_all(text.text, Loader=_LOADER)
        # Extended as they come: those before a fault count.
        values.extend(_Reading(text).whole(node) for node in documents if node is not None)
    except _FaultError as error:
        fault = text.fault(error.mark.index, error.mark.index, error.message)
        return Documents(tuple(values), (fault,), says)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        at = min(mark.index, len(text.text)) if mark is not None else 0
        fault = text.fault(at, at, _in_words(error))
        return Documents(tuple(values), (fault,), says)
    except yaml.YAMLError as error:
        at = min(getattr(error, "position", 0), len(text.text))
        return Documents(
            tuple(values), (text.fault(at, at, "this character must not be here"),), says
        )
    return Documents(tuple(values))


def _in_words(error: yaml.MarkedYAMLError) -> str:
    parts = [part for part in (error.context, error.problem) if part]
    return " ".join(", ".join(parts).split()) or "this is no YAML"


class _Reading:
    """Reads one document. Nodes with several aliases are read once."""

    def __init__(self, text: Text) -> None:
        self.text = text
        self.known: dict[int, tuple[Value, int]] = {}
        self.active: set[int] = set()

    def whole(self, node: yaml.Node) -> Value:
        """The value of a document. Raises _FaultError."""
        return self._value(node)[0]

    def _value(self, node: yaml.Node) -> tuple[Value, int]:
        """The value of a node, and how many values it comes to with all aliases followed."""
        if id(node) in self.known:
            return self.known[id(node)]
        if id(node) in self.active:
            raise _FaultError(node.start_mark, "this is an alias inside of what it stands for")
        if len(self.active) >= MAX_DEPTH:
            raise _FaultError(node.start_mark, "this is nested too deeply")
        self.active.add(id(node))
        found = self._read(node)
        self.active.discard(id(node))
        if found[1] > MAX_SIZE:
            raise _FaultError(node.start_mark, "this is too large once its aliases are followed")
        self.known[id(node)] = found
        return found

    def _read(self, node: yaml.Node) -> tuple[Value, int]:
        place = Place(self.text, node.start_mark.index, node.end_mark.index)
        if isinstance(node, yaml.ScalarNode):
            return self._scalar(node, place), 1
        if not is_container(node.tag):
            raise _FaultError(node.start_mark, f"the tag `{node.tag}` means nothing here")
        if isinstance(node, yaml.SequenceNode):
            items, size = [], 1
            for child in node.value:
                value, inner = self._value(child)
                items.append(Item(value))
                size += inner
            self._trim(place, node)
            return Sequence("list", items, place), size
        assert isinstance(node, yaml.MappingNode)
        return self._mapping(node, place)

    def _mapping(self, node: yaml.MappingNode, place: Place) -> tuple[Value, int]:
        own: dict[str, Entry] = {}
        merged: dict[str, Entry] = {}
        size = 1
        for key_node, value_node in node.value:
            if isinstance(key_node, yaml.ScalarNode) and key_node.tag == _MERGE:
                for entry in self._merged(value_node):
                    merged.setdefault(_text_of_key(entry), entry)
                continue
            found, _ = self._value(key_node)
            if not isinstance(found, Const):
                raise _FaultError(key_node.start_mark, "a key has to be a text")
            name = case_label(found.value)
            if name in own:
                raise _FaultError(key_node.start_mark, f"the key `{name}` is written twice")
            key = Const(name, found.origin)
            value, inner = self._value(value_node)
            own[name] = Entry(key, value, place=key.origin)
            size += inner
        self._trim(place, node)
        inherited = [entry for other, entry in merged.items() if other not in own]
        return Mapped([*own.values(), *inherited], place), size + len(inherited)

    def _merged(self, node: yaml.Node) -> list[Entry]:
        """The entries that `<<` brings in, nearer ones first."""
        nodes = node.value if isinstance(node, yaml.SequenceNode) else [node]
        found: list[Entry] = []
        for single in nodes:
            value, _ = self._value(single)
            if not isinstance(value, Mapped):
                raise _FaultError(single.start_mark, "only mappings can be merged in")
            found += value.entries
        return found

    def _scalar(self, node: yaml.ScalarNode, place: Place) -> Const:
        implicit: str = _RESOLVER.resolve(yaml.ScalarNode, node.value, (True, False))  # type: ignore[no-untyped-call]
        try:
            value = tagged_scalar(node.tag, implicit, node.value, node.style)
        except ValueError as error:
            raise _FaultError(node.start_mark, str(error)) from None
        if node.style in ("|", ">"):
            self._trim(place, node)
        return Const(value, place)

    def _trim(self, place: Place, node: yaml.Node) -> None:
        """Let a block end where its last line does, not where the next thing begins."""
        if getattr(node, "flow_style", False):
            return
        text = self.text.text
        end = place.end
        while end > place.start and (text[end - 1].isspace()):
            end -= 1
        if node.value and isinstance(node, yaml.CollectionNode):
            last = node.value[-1][1] if isinstance(node, yaml.MappingNode) else node.value[-1]
            known = self.known.get(id(last))
            origin = known[0].origin if known is not None else None
            if isinstance(origin, Place) and place.start <= origin.end <= end:
                if origin.start >= place.start and last.end_mark.index <= node.end_mark.index:
                    end = origin.end
        place.end = end


def _text_of_key(entry: Entry) -> str:
    """The key of an entry as text."""
    return str(entry.key.value) if isinstance(entry.key, Const) else ""
