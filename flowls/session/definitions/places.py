"""Where in a document of data a place is, also while the document is half typed."""

from __future__ import annotations

import re
from dataclasses import dataclass

_TOKEN = re.compile(r'"(?:[^"\\\n]|\\.)*"?|[{}\[\],:]|[^\s{}\[\],:"]+')
_WORD = re.compile(r"[\w.$-]*")
_WORD_BEFORE = re.compile(r"[\w.$-]*\Z")
_OPENS = ("", "{", "[", ",", ":")
_MARK = "flowls0mark0"


@dataclass(frozen=True, slots=True)
class Around:
    """A mapping or list around a place: the texts in it by their keys, and the key that leads on
    to the place; None in a list."""

    texts: dict[str, str]
    key: str | None


@dataclass(frozen=True, slots=True)
class DataPlace:
    """A key or value, from its first character to its end, and what it is in, from the outside."""

    around: tuple[Around, ...]
    is_key: bool
    start: int
    end: int
    quoted: bool
    """Whether it stands between quotes already, or behind the one that opens it."""
    open: bool = False
    """Whether the quote that closes it is missing."""


class _Reader:
    """Reads JSON token by token, whatever is missing in it."""

    def __init__(self) -> None:
        self.open: list[tuple[dict[str, str], bool]] = []
        self.keys: list[str | None] = []
        self.wants_key = False
        self.last = ""

    def around(self) -> tuple[Around, ...]:
        """What is open; its texts go on to be filled in."""
        pairs = zip(self.open, self.keys, strict=True)
        return tuple(Around(texts, key if is_map else None) for (texts, is_map), key in pairs)

    def take(self, said: str) -> None:
        """Go on by a bracket, comma or colon."""
        self.last = said
        if said in "{[":
            self.open.append(({}, said == "{"))
            self.keys.append(None)
            self.wants_key = said == "{"
        elif said in "}]":
            if self.open:
                self.open.pop()
                self.keys.pop()
            self.wants_key = False
        elif said == ",":
            self.wants_key = bool(self.open) and self.open[-1][1]

    def text(self, said: str, at_cursor: bool) -> None:
        """Go on by a key or value; that at the cursor is not known yet."""
        self.last = said or '"'
        if not self.open or not self.open[-1][1]:
            return
        texts, key = self.open[-1][0], self.keys[-1]
        if self.wants_key:
            self.keys[-1] = said
            if not at_cursor:
                texts.setdefault(said, "")
        elif key is not None and not at_cursor:
            texts[key] = said
        self.wants_key = False


def json_place(text: str, at: int) -> DataPlace | None:
    """The key or value around a character of JSON; None where none can be."""
    reader = _Reader()
    found: DataPlace | None = None
    index = 0
    while (token := _TOKEN.search(text, index)) is not None:
        start, end, said = token.start(), token.end(), token[0]
        if found is None and at <= start:
            if reader.last not in _OPENS or not reader.open:
                return None
            found = DataPlace(reader.around(), reader.wants_key, at, at, False)
        if len(said) == 1 and said in "{}[],:":
            reader.take(said)
            index = end
            continue
        is_text = said[0] == '"'
        is_closed = is_text and len(said) > 1 and said[-1] == '"'
        if is_text and not is_closed:
            word = _WORD.match(text, start + 1)
            end = word.end() if word is not None else end
        is_here = found is None and start < at <= (end - 1 if is_closed else end)
        if is_here:
            if not is_text:
                return None
            inner = end - 1 if is_closed else end
            around, is_key = reader.around(), reader.wants_key
            found = DataPlace(around, is_key, start + 1, inner, True, not is_closed)
        reader.text(said.strip('"') if is_text else said, is_here)
        index = max(end, start + 1)
    if found is None and reader.open and reader.last in _OPENS:
        return DataPlace(reader.around(), reader.wants_key, at, at, False)
    return found


def yaml_place(text: str, at: int) -> DataPlace | None:
    """The key or value around a character of YAML; None where none can be, or it cannot be read."""
    import yaml

    before = _WORD_BEFORE.search(text, 0, at)
    behind = _WORD.match(text, at)
    if before is None or behind is None:
        return None
    start, end = before.start(), behind.end()
    loader = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
    for mark in (f"{_MARK}: x" if text[end : end + 1] != ":" else _MARK, _MARK):
        try:
            documents = list(yaml.compose_all(f"{text[:start]}{mark}{text[end:]}", Loader=loader))
        except (yaml.YAMLError, ValueError, RecursionError):
            continue
        for document in documents:
            found = _around(document)
            if found is not None:
                return DataPlace(found[0], found[1], start, end, False)
    return None


def _around(root: object) -> tuple[tuple[Around, ...], bool] | None:
    import yaml

    pending: list[tuple[object, tuple[Around, ...]]] = [(root, ())]
    seen: set[int] = set()
    while pending:
        node, around = pending.pop()
        if id(node) in seen:
            continue
        seen.add(id(node))
        if isinstance(node, yaml.ScalarNode) and node.value == _MARK:
            return around, False
        if isinstance(node, yaml.SequenceNode):
            pending += [(item, (*around, Around({}, None))) for item in node.value]
        if not isinstance(node, yaml.MappingNode):
            continue
        texts = {
            key.value: value.value if isinstance(value, yaml.ScalarNode) else ""
            for key, value in node.value
            if isinstance(key, yaml.ScalarNode)
        }
        if _MARK in texts:
            del texts[_MARK]
            return (*around, Around(texts, None)), True
        pending += [
            (value, (*around, Around(texts, key.value)))
            for key, value in node.value
            if isinstance(key, yaml.ScalarNode)
        ]
    return None
