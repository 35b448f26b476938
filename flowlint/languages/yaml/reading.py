"""Values out of the nodes of a document of YAML."""

from __future__ import annotations

import yaml

from flowlint.graph.plain_scalars import is_container, tagged_scalar
from flowlint.graph.reference import case_label
from flowlint.languages.places import Place, Text
from flowlint.languages.reading_data import MAX_DEPTH, Found, Part, part_at, remembering
from flowlint.languages.yaml.breaks import Break
from flowlint.values.model import Const, Entry, Item, Mapped, Sequence, Unknown, Value

MAX_SIZE = 1_000_000
_MERGE = "tag:yaml.org,2002:merge"
_RESOLVER = yaml.SafeLoader("")

Sized = tuple[Value, int]
"""A value, and how many values it comes to with all aliases followed."""


class TooLargeError(Exception):
    """A document that comes to too much once its aliases are followed."""

    def __init__(self, offset: int, message: str) -> None:
        super().__init__(message)
        self.offset = offset
        self.message = message


class Reading:
    """Reads documents. Nodes with several aliases are read once.

    `breaks` are lines that were left out: the block that each was in may lack something.
    """

    def __init__(self, text: Text, found: Found, breaks: list[Break], *, has_parts: bool) -> None:
        self.text = text
        self.found = self._whole = found
        self.breaks = list(breaks)
        self.has_parts = has_parts
        self.part: Part | None = None
        self.known: dict[int, Sized] = {}
        self.active: set[int] = set()

    def whole(self, node: yaml.Node) -> Value:
        """The value of a document. Raises TooLargeError."""
        self.known.clear()
        return self._value(node)[0]

    def _value(self, node: yaml.Node) -> Sized:
        if id(node) in self.known:
            return self.known[id(node)]
        if id(node) in self.active:
            return self._unknown(node, "this is an alias inside of what it stands for")
        if len(self.active) >= MAX_DEPTH:
            return self._unknown(node, "this is nested too deeply")
        self.active.add(id(node))
        found = self._read(node)
        self.active.discard(id(node))
        if found[1] > MAX_SIZE:
            at = node.start_mark.index
            raise TooLargeError(at, "this is too large once its aliases are followed")
        self.known[id(node)] = found
        return found

    def _place(self, start: int, end: int) -> Place:
        if self.part is None:
            return Place(self.text, start, end)
        return Place(self.part.text, start - self.part.start, end - self.part.start)

    def _unknown(self, node: yaml.Node, message: str) -> Sized:
        """A value that cannot be read, which is told."""
        place = self._tell(node, message)
        return Unknown(message, place, broken=True), 1

    def _tell(self, node: yaml.Node, message: str) -> Place:
        start = node.start_mark.index
        place = self._place(start, min(start + 1, len(self.text.text)))
        self.found.tell(place, message)
        return place

    def _read(self, node: yaml.Node) -> Sized:
        if isinstance(node, yaml.ScalarNode):
            return self._scalar(node)
        if not is_container(node.tag):
            return self._unknown(node, f"the tag `{node.tag}` means nothing here")
        if isinstance(node, yaml.SequenceNode):
            return self._sequence(node)
        assert isinstance(node, yaml.MappingNode)
        return self._mapping(node)

    def _sequence(self, node: yaml.SequenceNode) -> Sized:
        place = self._place(node.start_mark.index, node.end_mark.index)
        listed = Sequence("list", [], place)
        size = 1
        ends = self._parts_of(node)
        for number, child in enumerate(node.value):
            if ends is not None:
                self._begin_part(listed, *ends[number])
            value, inner = self._value(child)
            if ends is not None:
                self.part, self.found = None, self._whole
            listed.items.append(Item(value))
            size += inner
        self._finish(listed, place, node)
        return listed, size

    def _parts_of(self, node: yaml.SequenceNode) -> list[tuple[int, int]] | None:
        """Where each element begins and ends, with the lines it has for itself; None: it has not.

        Only lists in a root that is a mapping are taken apart.
        """
        if not self.has_parts or len(self.active) != 2 or node.flow_style or not node.value:
            return None
        text = self.text.text
        starts: list[int] = []
        for child in node.value:
            at = child.start_mark.index
            line = text.rfind("\n", 0, at) + 1
            if text[line:at].strip(" ") != "-":
                return None
            starts.append(line)
        end = node.end_mark.index
        behind = text.rfind("\n", 0, end) + 1
        if text[behind:end].strip() or (end < len(text.rstrip()) and behind != end):
            return None
        ends = [*starts[1:], end]
        return list(zip(starts, ends, strict=True))

    def _begin_part(self, holder: Sequence, start: int, end: int) -> None:
        part = part_at(self.text, start, end, holder)
        self.found.parts.append(part)
        self.part, self.found = part, part.found

    def _mapping(self, node: yaml.MappingNode) -> Sized:
        place = self._place(node.start_mark.index, node.end_mark.index)
        mapped = remembering(Mapped([], place), place.text)
        own: dict[str, Entry] = {}
        merged: dict[str, Entry] = {}
        size = 1
        for key_node, value_node in node.value:
            if isinstance(key_node, yaml.ScalarNode) and key_node.tag == _MERGE:
                for entry in self._merged(value_node, mapped):
                    merged.setdefault(_text_of_key(entry), entry)
                continue
            found, _ = self._value(key_node)
            if not isinstance(found, Const):
                if not isinstance(found, Unknown):
                    self._tell(key_node, "a key has to be a text")
                mapped.rest = Unknown("a key that is no text", found.origin, broken=True)
                continue
            name = case_label(found.value)
            key = Const(name, found.origin)
            if name in own:
                self._repeat(name, own[name], key)
            value, inner = self._value(value_node)
            own[name] = Entry(key, value, place=key.origin)
            size += inner
        inherited = [entry for other, entry in merged.items() if other not in own]
        mapped.entries = [*own.values(), *inherited]
        self._finish(mapped, place, node)
        return mapped, size + len(inherited)

    def _repeat(self, name: str, before: Entry, again: Const) -> None:
        first, second = before.key.origin, again.origin
        if isinstance(first, Place) and isinstance(second, Place):
            self.found.repeat(name, first, second)

    def _merged(self, node: yaml.Node, mapped: Mapped) -> list[Entry]:
        """The entries that `<<` brings in, nearer ones first."""
        nodes = node.value if isinstance(node, yaml.SequenceNode) else [node]
        found: list[Entry] = []
        for single in nodes:
            value, _ = self._value(single)
            if isinstance(value, Mapped):
                found += value.entries
                mapped.rest = mapped.rest or value.rest
                continue
            if not isinstance(value, Unknown):
                self._tell(single, "only mappings can be merged in")
            mapped.rest = Unknown("what is merged in is not known", value.origin, broken=True)
        return found

    def _scalar(self, node: yaml.ScalarNode) -> Sized:
        place = self._place(node.start_mark.index, node.end_mark.index)
        if not node.value:
            for stop in self.breaks:
                if stop.line <= node.start_mark.index <= stop.line + stop.column:
                    # Behind a dash stood what was left out.
                    self.breaks.remove(stop)
                    return Unknown("it is broken", place, broken=True), 1
        implicit: str = _RESOLVER.resolve(yaml.ScalarNode, node.value, (True, False))  # type: ignore[no-untyped-call]
        try:
            value = tagged_scalar(node.tag, implicit, node.value, node.style)
        except ValueError as error:
            return self._unknown(node, str(error))
        if node.style in ("|", ">"):
            self._trim(place)
        return Const(value, place), 1

    def _finish(self, value: Mapped | Sequence, place: Place, node: yaml.CollectionNode) -> None:
        """The block is read: let it end where its last line does, and lack what was left out."""
        start, end = node.start_mark, node.end_mark
        for stop in list(self.breaks):
            is_inside = start.index <= stop.line + stop.column <= end.index
            if is_inside and (node.flow_style or start.column <= stop.column):
                self.breaks.remove(stop)
                value.rest = Unknown("it is broken", place, broken=True)
        if node.flow_style:
            return
        self._trim(place)
        if node.value:
            last = node.value[-1][1] if isinstance(node, yaml.MappingNode) else node.value[-1]
            known = self.known.get(id(last))
            origin = known[0].origin if known is not None else None
            if isinstance(origin, Place) and last.end_mark.index <= end.index:
                inner = origin.end + self._behind(origin, place)
                begun = origin.start + self._behind(origin, place)
                if place.start <= begun and inner <= place.end:
                    place.end = inner

    def _behind(self, inner: Place, outer: Place) -> int:
        """How far offsets in the one are behind those in the other."""
        if inner.text is outer.text or not self._whole.parts:
            return 0
        last = self._whole.parts[-1]
        return last.start if inner.text is last.text else 0

    def _trim(self, place: Place) -> None:
        """Without the blanks at the end."""
        base = self.part.start if self.part is not None else 0
        text = self.text.text
        end = place.end + base
        while end > place.start + base and text[end - 1].isspace():
            end -= 1
        place.end = end - base


def _text_of_key(entry: Entry) -> str:
    """The key of an entry as text."""
    return str(entry.key.value) if isinstance(entry.key, Const) else ""
