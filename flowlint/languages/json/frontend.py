"""A file of JSON in, its value with places out."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass

from flowlint.languages.places import Documents, Fault, Place, Text, text_of_bytes
from flowlint.values.model import Const, Entry, Item, Mapped, Sequence, Value

MAX_DEPTH = 200
_FLOW_KEY = re.compile(r'"flowrt"\s*:\s*1\b')
_TOKEN = re.compile(
    r"""(?P<space>[ \t\r\n]+)
    |(?P<string>"(?:[^"\\\x00-\x1f]|\\["\\/bfnrt]|\\u[0-9a-fA-F]{4})*")
    |(?P<number>-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?(?![\w.+-]))
    |(?P<word>[A-Za-z_]\w*)
    |(?P<sign>[{}\[\],:])""",
    re.VERBOSE,
)
_WORDS: dict[str, bool | None] = {"true": True, "false": False, "null": None}


class _FaultError(Exception):
    def __init__(self, fault: Fault) -> None:
        super().__init__(fault.message)
        self.fault = fault


@dataclass(slots=True)
class _Open:
    """A container that is being read, with the key that waits for its value."""

    value: Mapped | Sequence
    place: Place
    seen: set[str]
    key: Const | None = None


def read_json(path: str, data: bytes) -> Documents:
    """The value of a file of JSON, or the first fault in it."""
    text = text_of_bytes(path, data)
    if isinstance(text, Fault):
        return Documents(faults=(text,), says_flow=b'"flowrt"' in data)
    scanner = _Scanner(text)
    try:
        return Documents((scanner.value(),))
    except _FaultError as error:
        says = _FLOW_KEY.search(text.text) is not None
        return Documents(faults=(error.fault,), says_flow=says)


class _Scanner:
    def __init__(self, text: Text) -> None:
        self.text = text
        self.offset = 0
        self.open: list[_Open] = []

    def _fault(self, message: str, start: int | None = None) -> _FaultError:
        begin = self.offset if start is None else start
        return _FaultError(self.text.fault(begin, begin, message))

    def value(self) -> Value:
        """The one value of the text. Raises _FaultError."""
        done: Value | None = None
        while True:
            kind, token, start = self._next()
            if done is not None:
                if kind:
                    raise self._fault("nothing may follow the value of a file", start)
                return done
            finished = self._take(kind, token, start)
            if finished is None:
                continue
            done = self._put(finished)

    def _next(self) -> tuple[str, str, int]:
        """The next token; its kind is empty at the end."""
        while True:
            if self.offset >= len(self.text.text):
                return "", "", self.offset
            found = _TOKEN.match(self.text.text, self.offset)
            if found is None or found.lastgroup is None:
                raise self._fault(self._no_token())
            start, self.offset = self.offset, found.end()
            if found.lastgroup != "space":
                return found.lastgroup, found[0], start

    def _no_token(self) -> str:
        rest = self.text.text[self.offset : self.offset + 2]
        if rest[0] == '"':
            return "this text is never closed, or holds what it must not"
        if rest[0] == "'":
            return "texts stand in double quotes"
        if rest in ("//", "/*") or rest[0] == "#":
            return "JSON has no comments"
        if rest[0] in "-+." or rest[0].isdigit():
            return "this is no number of JSON"
        return f"`{rest[0]}` does not belong here"

    def _take(self, kind: str, token: str, start: int) -> Value | None:
        """Begin, go on with or end a value; the value that is complete, None when none is."""
        holder = self.open[-1] if self.open else None
        if not kind:
            raise self._fault("the file ends before its value does", max(start - 1, 0))
        if holder is not None and isinstance(holder.value, Mapped) and holder.key is None:
            if token == "}" and not holder.value.entries:
                return self._close()
            self._key(holder, kind, token, start)
            return None
        if token == "]" and holder is not None and isinstance(holder.value, Sequence):
            if not holder.value.items:
                return self._close()
            raise self._fault("a value is missing after the comma", start)
        place = Place(self.text, start, self.offset)
        if token in {"{", "["}:
            if len(self.open) >= MAX_DEPTH:
                raise self._fault("this is nested too deeply", start)
            made: Mapped | Sequence = Mapped([], place)
            if token == "[":
                made = Sequence("list", [], place)
            self.open.append(_Open(made, place, set()))
            return None
        return self._scalar(kind, token, place)

    def _key(self, holder: _Open, kind: str, token: str, start: int) -> None:
        if kind != "string":
            after = " after the comma" if token == "}" else ""
            raise self._fault(f"a key in double quotes is missing{after}", start)
        name = self._string(token, start)
        if name in holder.seen:
            raise self._fault(f"the key `{name}` is written twice", start)
        holder.seen.add(name)
        holder.key = Const(name, Place(self.text, start, self.offset))
        _, sign, at = self._next()
        if sign != ":":
            raise self._fault("a colon is missing after the key", at)

    def _scalar(self, kind: str, token: str, place: Place) -> Const:
        if kind == "string":
            return Const(self._string(token, place.start), place)
        if kind == "number":
            try:
                return Const(int(token) if token.lstrip("-").isdigit() else float(token), place)
            except ValueError:
                raise self._fault("this number is too long", place.start) from None
        if token in _WORDS:
            return Const(_WORDS[token], place)
        if kind == "word":
            raise self._fault(f"`{token}` is no value of JSON", place.start)
        raise self._fault(f"a value is missing before `{token}`", place.start)

    def _string(self, token: str, start: int) -> str:
        try:
            return str(json.loads(token)) if "\\" in token else token[1:-1]
        except ValueError:
            raise self._fault("this text holds what it must not", start) from None

    def _put(self, value: Value) -> Value | None:
        """Put a complete value where it belongs; the value of the file when it is complete."""
        while self.open:
            holder = self.open[-1]
            if isinstance(holder.value, Mapped):
                assert holder.key is not None
                holder.value.entries.append(Entry(holder.key, value, place=holder.key.origin))
                holder.key = None
            else:
                holder.value.items.append(Item(value))
            kind, sign, start = self._next()
            if not kind:
                raise self._fault("the file ends before its value does", max(start - 1, 0))
            if sign == ",":
                return None
            closing = "}" if isinstance(holder.value, Mapped) else "]"
            if sign != closing or kind != "sign":
                raise self._fault(f"a comma or `{closing}` is missing here", start)
            value = self._close()
        return value

    def _close(self) -> Value:
        closed = self.open.pop()
        closed.place.end = self.offset
        return closed.value
