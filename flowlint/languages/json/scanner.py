"""Values of JSON out of its tokens. What is wrong is told, and the rest is read nevertheless."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from flowlint.languages.json.tokens import Form, Token, Tokens, number_of
from flowlint.languages.places import Place, Text
from flowlint.languages.reading_data import MAX_DEPTH, Found, Part, part_at, remembering
from flowlint.values.model import (
    Const,
    Entry,
    Item,
    Mapped,
    Origin,
    Sequence,
    Unknown,
    Value,
)

Wants = Literal["first", "next", "colon", "value", "comma"]
"""What comes next in a container: its first part, one after a comma, …"""

_WORDS: dict[str, bool | float | None] = {"true": True, "false": False, "null": None}
_WORDS_OF_JSON5 = {"NaN": float("nan"), "Infinity": float("inf")}
_CLOSING = {"{": "}", "[": "]"}


@dataclass(slots=True)
class _Open:
    """A container that is being read."""

    value: Mapped | Sequence
    place: Place
    closing: str
    wants: Wants = "first"
    key: Const | None = None
    """The key whose value comes next; None: the value is of no use."""
    known: dict[str, Entry] | None = None
    part: Part | None = None


class Scanner:
    """Reads the value in a text, `outer` containers deep in that of the file.

    The elements of lists in the root are parts, which can be read again on their own.
    """

    def __init__(self, text: Text, form: Form, found: Found, outer: int = 0) -> None:
        self.text = text
        self.base = 0
        self.form = form
        self.found = self._whole = found
        self.outer = outer
        self.tokens = Tokens(text, form, self._tell)
        self.open: list[_Open] = []
        self.done: Value | None = None
        self._told_on = -2
        self._leaves = False
        self._is_key_closed = True

    def read(self) -> bool:
        """Read the value. False: the text ends before it does, or goes on behind it.

        Of a part also where what is around it has a say in how it is read.
        """
        is_whole = True
        token = self.tokens.next()
        while True:
            if self.tokens.disturbed:
                self._doubt()
            if not token.kind:
                if self.done is None:
                    is_whole = False
                    self._tell(max(token.start - 1, 0), "the file ends before its value does")
                    self._close_all()
                break
            if self.done is not None:
                self._tell(token.start, "nothing may follow the value of a file")
                is_whole = False
                break
            if len(self.open) + self.outer >= MAX_DEPTH and token.text in _CLOSING:
                self._tell(token.start, "this is nested too deeply")
                is_whole = False
                self._close_all()
                break
            if self._take(token):
                token = self.tokens.next()
        tokens = self.tokens
        if self.outer and (self._leaves or tokens.has_told_comment or tokens.reaches_end):
            return False
        return is_whole

    def _tell(self, offset: int, message: str) -> None:
        """Note a fault: only the first of a line, as others mostly come of that one."""
        line_end = self.text.text.rfind("\n", 0, offset)
        if line_end == self._told_on:
            return
        self._told_on = line_end
        self.found.tell(self._place(offset, min(offset + 1, len(self.text.text))), message)

    def _place(self, start: int, end: int) -> Place:
        held = self.open[-1].place.text if self.open else self.text
        if held is self.text:
            return Place(held, start, end)
        return Place(held, start - self.base, end - self.base)

    def _take(self, token: Token) -> bool:
        """Go on with a token. False: something was ended by it, and it is to be looked at again."""
        if not self.open:
            return self._value(token, None)
        holder = self.open[-1]
        if holder.wants == "comma":
            return self._after_value(holder, token)
        if holder.wants == "colon":
            return self._after_key(holder, token)
        if holder.wants != "value" and holder.closing == "}":
            return self._key(holder, token)
        return self._value(token, holder)

    def _after_value(self, holder: _Open, token: Token) -> bool:
        if token.text == "," and token.kind == "sign":
            holder.wants = "next"
            return True
        if token.text == holder.closing:
            self._close(token.end)
            return True
        if token.kind == "sign" and token.text in "]}":
            return self._other_closing(token)
        self._tell(token.start, f"a comma or `{holder.closing}` is missing here")
        if token.text == ":":
            self._doubt()
            return True
        holder.wants = "next"
        return False

    def _key(self, holder: _Open, token: Token) -> bool:
        if token.kind == "sign":
            return self._no_key(holder, token)
        if token.kind != "string" and not (token.kind == "word" and self.form == "json5"):
            self._tell(token.start, "a key in double quotes is missing")
        name = self.tokens.string(token) if token.kind == "string" else token.text
        holder.key = Const(name, self._place(token.start, token.end))
        holder.wants = "colon"
        self._is_key_closed = token.kind != "string" or token.text[-1:] in ('"', "'")
        return True

    def _no_key(self, holder: _Open, token: Token) -> bool:
        if token.text == "}":
            if holder.wants == "next" and self.form == "json":
                self._tell(token.start, "a key in double quotes is missing after the comma")
            self._close(token.end)
            return True
        if token.text == "]":
            return self._other_closing(token)
        self._doubt()
        if token.text == "{" and len(self.open) > 1 and self.open[-2].closing == "]":
            self._end_early(token)
            self._tell(token.start, "`}` is missing before this")
            return False
        self._leaves = self._leaves or token.text == "{"
        self._tell(token.start, "a key in double quotes is missing")
        if token.text in _CLOSING:
            holder.key = None
            holder.wants = "value"
            return False
        return True

    def _after_key(self, holder: _Open, token: Token) -> bool:
        if token.text == ":":
            holder.wants = "value"
            return True
        if self._is_key_closed:
            self._tell(token.start, "a colon is missing after the key")
        if token.text in (",", "}", "]") or (token.kind == "string" and self.tokens.is_before(":")):
            return self._without_value(holder)
        holder.wants = "value"
        return False

    def _without_value(self, holder: _Open) -> bool:
        """A key without a value: whatever it was to be, it is not known."""
        if holder.key is not None and holder.known is not None:
            place = holder.key.origin
            unknown = Unknown("its value is missing", place, broken=True)
            holder.known[str(holder.key.value)] = Entry(holder.key, unknown, place=place)
        holder.key = None
        holder.wants = "comma"
        self._doubt()
        return False

    def _value(self, token: Token, holder: _Open | None) -> bool:
        if token.kind == "sign":
            return self._container(token, holder)
        if holder is not None and self.tokens.is_before(":") and token.kind != "number":
            ended = self._key_for_value(token, holder)
            if ended is not None:
                return ended
        self._put(self._scalar(token))
        return True

    def _key_for_value(self, token: Token, holder: _Open) -> bool | None:
        """A key where a value is expected; None where it may be a value all the same."""
        if holder.closing == "}":
            self._tell(token.start, "a value is missing before this")
            return self._without_value(holder)
        if len(self.open) > 1 and self.open[-2].closing == "}":
            self._doubt()
            self._end_early(token)
            self._tell(token.start, "`]` is missing before this")
            self.open[-1].wants = "next"
            return False
        self._leaves = True
        return None

    def _container(self, token: Token, holder: _Open | None) -> bool:
        sign = token.text
        if sign in _CLOSING:
            self._begin(token)
            return True
        if holder is not None and sign == "]" and holder.closing == "]":
            if holder.wants == "next" and self.form == "json":
                self._tell(token.start, "a value is missing after the comma")
            self._close(token.end)
            return True
        self._tell(token.start, f"a value is missing before `{sign}`")
        if holder is None:
            return True
        self._doubt()
        if holder.closing == "}" and sign != ":":
            return self._without_value(holder)
        if sign == "}":
            return self._other_closing(token)
        return True

    def _begin(self, token: Token) -> None:
        part: Part | None = None
        depth = len(self.open) + self.outer
        holder = self.open[-1].value if self.open else None
        if depth == 2 and isinstance(holder, Sequence) and self.found.in_parts:
            part = part_at(self.text, token.start, token.end, holder)
            self.found.parts.append(part)
            self.base, self.found = token.start, part.found
            place = Place(part.text, 0, 0)
        else:
            place = self._place(token.start, token.end)
        made: Mapped | Sequence
        if token.text == "{":
            made = remembering(Mapped([], place), place.text)
        else:
            made = Sequence("list", [], place)
        known: dict[str, Entry] | None = {} if token.text == "{" else None
        self.open.append(_Open(made, place, _CLOSING[token.text], known=known, part=part))

    def _scalar(self, token: Token) -> Const | Unknown:
        place = self._place(token.start, token.end)
        if token.kind == "string":
            return Const(self.tokens.string(token), place)
        if token.kind == "number":
            try:
                return Const(number_of(token.text), place)
            except ValueError:
                self._tell(token.start, "this number is too long")
                return Unknown("a number that is too long", place, broken=True)
        if token.text in _WORDS:
            return Const(_WORDS[token.text], place)
        if token.text in _WORDS_OF_JSON5 and self.form == "json5":
            return Const(_WORDS_OF_JSON5[token.text], place)
        self._tell(token.start, f"`{_shortened(token.text)}` is no value of JSON")
        return Unknown("it is no value of JSON", place, broken=True)

    def _put(self, value: Value) -> None:
        """Put a complete value where it belongs."""
        if not self.open:
            self.done = value
            return
        holder = self.open[-1]
        if isinstance(holder.value, Sequence):
            holder.value.items.append(Item(value))
        elif holder.key is not None and holder.known is not None:
            name = str(holder.key.value)
            before = holder.known.get(name)
            if before is not None:
                self._repeat(name, before.key.origin, holder.key.origin)
            holder.known[name] = Entry(holder.key, value, place=holder.key.origin)
            holder.key = None
        holder.wants = "comma"

    def _repeat(self, name: str, before: Origin, again: Origin) -> None:
        if isinstance(before, Place) and isinstance(again, Place):
            self.found.repeat(name, before, again)

    def _close(self, end: int) -> None:
        held = self.open.pop()
        is_inside = held.place.text is not self.text
        held.place.end = end - self.base if is_inside else end
        if isinstance(held.value, Mapped) and held.known is not None:
            held.value.entries = list(held.known.values())
        if held.part is not None:
            self._end_part(held.part, end)
        self._put(held.value)

    def _end_part(self, part: Part, end: int) -> None:
        part.end = end
        part.text.change(self.text.text[part.start : end])
        self.found = self._whole
        # A part that nothing closes ends before what shows that.
        behind = [fault for fault in part.found.faults if fault[0].start >= end - part.start]
        for place, message in behind:
            part.found.faults.remove((place, message))
            self.found.tell_at(self.text, place.start + part.start, message)

    def _end_early(self, token: Token) -> None:
        """The container ends though nothing says so, and what holds it may lack something too."""
        before = self.text.text[: token.start].rstrip()
        self._close(len(before))
        self._doubt()

    def _other_closing(self, token: Token) -> bool:
        """A bracket that does not close the container: it closes one around it, or none."""
        wanted = self.open[-1].closing
        around = [held for held in self.open[:-1] if held.closing == token.text]
        if not around or not self._may_close(around[-1], token):
            self._leaves = True
            self._tell(token.start, f"`{token.text}` closes nothing here")
            self._doubt()
            return True
        while self.open[-1] is not around[-1]:
            self._doubt()
            self._close(token.start)
        self._tell(token.start, f"`{wanted}` is missing before this")
        self._doubt()
        return False

    def _may_close(self, held: _Open, token: Token) -> bool:
        """Whether a bracket looks as if it closed this container: it is indented like its line."""
        text = self.text.text
        is_inside = held.place.text is not self.text
        opened = held.place.start + (self.base if is_inside else 0)
        line, other = text.rfind("\n", 0, opened) + 1, text.rfind("\n", 0, token.start) + 1
        indent = text[other : token.start]
        return line == other or (
            not indent.strip()
            and text.startswith(indent, line)
            and text[line + len(indent) : line + len(indent) + 1] not in (" ", "\t")
        )

    def _close_all(self) -> None:
        while self.open:
            self._doubt()
            self._close(len(self.text.text))

    def _doubt(self) -> None:
        """What is being read may lack something."""
        if self.open:
            held = self.open[-1]
            held.value.rest = Unknown("it is broken", held.place, broken=True)


def is_balanced(text: Text, form: Form) -> bool:
    """Whether every bracket and every quote of a text has its other one."""
    odd: list[object] = []
    tokens = Tokens(text, form, lambda *fault: odd.append(fault))
    waiting: list[str] = []
    while (token := tokens.next()).kind:
        if token.kind != "sign":
            continue
        if token.text in _CLOSING:
            waiting.append(_CLOSING[token.text])
        elif token.text in "]}" and (not waiting or waiting.pop() != token.text):
            return False
    return not (waiting or odd)


def _shortened(text: str) -> str:
    return text if len(text) <= 40 else f"{text[:40]}…"
