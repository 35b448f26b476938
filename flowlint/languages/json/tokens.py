"""Tokens of JSON, with what JSON5 and people write beside them: comments, other quotes, numbers."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Literal, NamedTuple

from flowlint.languages.places import Text

Form = Literal["json", "jsonc", "json5"]
"""What a file allows: comments and trailing commas in JSONC, much more in JSON5."""

Kind = Literal["", "string", "sign", "number", "word"]
"""Kinds of tokens; empty at the end of the text."""

Tell = Callable[[int, str], None]
"""Notes a fault at an offset."""


class Token(NamedTuple):
    """A token as it is written, and between which offsets."""

    kind: Kind
    text: str
    start: int
    end: int


_KINDS: tuple[Kind, ...] = ("", "string", "sign", "number", "word")
_PLAIN = re.compile(
    r"""[ \t\r\n]*(?:
    ("[^"\\\x00-\x1f]*(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})[^"\\\x00-\x1f]*)*")
    |([{}\[\],:])
    |(-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?(?![\w.+-]))
    |([A-Za-z_$][\w$]*)
    )""",
    re.VERBOSE,
)
_SPACE = re.compile(r"[ \t\r\n]*")
_WIDER_SPACE = re.compile(r"[\s\ufeff]+")
_COMMENT = re.compile(r"//[^\r\n]*|#[^\r\n]*|/\*.*?(?:\*/|(\Z))", re.DOTALL)
_QUOTED = {
    quote: re.compile(rf"{quote}(?:[^{quote}\\\r\n]|\\(?:\r\n|.))*{quote}", re.DOTALL)
    for quote in "\"'"
}
_REST_OF_LINE = re.compile(r"[^\r\n]*")
_NUMBER = re.compile(
    r"[+-]?(?:0[xX][0-9a-fA-F]+|Infinity|NaN|(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)"
    r"(?![\w.+-])"
)
_LIKE_NUMBER = re.compile(r"[\w.+-]+")
_ESCAPE = re.compile(
    r"\\(?:u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|(\r\n|[\r\n\u2028\u2029])|(.))", re.DOTALL
)
_BAD_ESCAPE = re.compile(r"\\(?:u(?![0-9a-fA-F]{4})|x(?![0-9a-fA-F]{2})|[1-9])")
_NAMED = {"b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v", "0": "\0"}
_SURROGATES = re.compile("[\ud800-\udbff][\udc00-\udfff]")


class Tokens:
    """The tokens of a text, one after the other; what does not belong there is told and left out.

    Offsets are those in the text that `text` is from `base` on.
    """

    def __init__(self, text: Text, form: Form, tell: Tell) -> None:
        self.text = text.text
        self.form = form
        self.offset = 0
        self.disturbed = False
        """Whether something was left out before the token that came last."""
        self._tell = tell
        self._odd: dict[int, str] = {}
        self.has_told_comment = False
        self.reaches_end = False
        """Whether something goes on to the end of the text that may go on behind it."""

    def next(self) -> Token:
        """The next token."""
        self.disturbed = False
        while True:
            found = _PLAIN.match(self.text, self.offset)
            if found is not None:
                number = found.lastindex or 0
                self.offset = found.end()
                return Token(_KINDS[number], found[number], found.start(number), self.offset)
            space = _SPACE.match(self.text, self.offset)
            start = space.end() if space is not None else self.offset
            if start >= len(self.text):
                self.offset = start
                return Token("", "", start, start)
            odd = self._odd_token(start)
            if odd is not None:
                self.offset = odd.end
                return odd

    def is_before(self, sign: str) -> bool:
        """Whether this sign comes next, as far as that is seen without looking at comments."""
        space = _SPACE.match(self.text, self.offset)
        return space is not None and self.text.startswith(sign, space.end())

    def string(self, token: Token) -> str:
        """The text that a string stands for."""
        if token.start in self._odd:
            return self._odd[token.start]
        if "\\" in token.text:
            return str(json.loads(token.text))
        return token.text[1:-1]

    def _odd_token(self, start: int) -> Token | None:
        """What is no token of JSON: as the one it stands for, None where it is only left out."""
        character = self.text[start]
        comment = _COMMENT.match(self.text, start)
        if comment is not None:
            self._pass_comment(comment)
            return None
        if character in "\"'":
            return self._string(start, character)
        if character in "+-." or character.isdigit():
            return self._number(start)
        wide = _WIDER_SPACE.match(self.text, start)
        if wide is not None and self.form == "json5":
            self.offset = wide.end()
            return None
        self._tell(start, f"{_shown(character)} does not belong here")
        self.disturbed = True
        self.offset = start + 1
        while self.offset < len(self.text) and self.text[self.offset] == character:
            self.offset += 1
        return None

    def _pass_comment(self, found: re.Match[str]) -> None:
        self.offset = found.end()
        self.reaches_end = self.reaches_end or self.offset == len(self.text)
        is_known = self.form != "json" and found[0][0] != "#"
        if not is_known and not self.has_told_comment:
            self.has_told_comment = True
            what = "comments" if self.form == "json" else "comments with `#`"
            self._tell(found.start(), f"{_NAMES[self.form]} has no {what}")
        if found[1] is not None:
            self._tell(found.start(), "this comment is never closed")

    def _string(self, start: int, quote: str) -> Token:
        found = _QUOTED[quote].match(self.text, start)
        if found is None:
            self._tell(start, "this text is never closed")
            rest = _REST_OF_LINE.match(self.text, start + 1)
            written = rest[0] if rest is not None else ""
            self.reaches_end = self.reaches_end or start + 1 + len(written) == len(self.text)
            # What ends the line rather closes what the text stands in.
            content = written.rstrip().rstrip(",}] \t")
            end = start + 1 + len(content)
            self._odd[start] = content
            return Token("string", self.text[start:end], start, end)
        fault = self._fault_in(found[0], quote)
        if fault is not None:
            self._tell(start, fault)
        self._odd[start] = _unescaped(found[0][1:-1])
        return Token("string", found[0], start, found.end())

    def _fault_in(self, written: str, quote: str) -> str | None:
        """What a text holds that it must not."""
        if _BAD_ESCAPE.search(written) is not None:
            return "this text has an escape that means nothing"
        if self.form == "json5":
            return None
        if quote == "'":
            return "texts stand in double quotes"
        if any(character < " " for character in written):
            if "\n" in written or "\r" in written:
                return "this text goes over several lines"
            return "this text holds a control character that has to be escaped"
        return "this text has an escape that JSON does not know"

    def _number(self, start: int) -> Token:
        found = _NUMBER.match(self.text, start)
        if found is not None and self.form == "json5":
            return Token("number", found[0], start, found.end())
        self._tell(start, f"this is no number of {_NAMES[self.form]}")
        wrong = found or _LIKE_NUMBER.match(self.text, start)
        written = wrong[0] if wrong is not None else self.text[start]
        kind: Kind = "number" if found is not None else "word"
        return Token(kind, written, start, start + len(written))


_NAMES: dict[Form, str] = {"json": "JSON", "jsonc": "JSON with comments", "json5": "JSON5"}


def number_of(written: str) -> int | float:
    """The number that a token is, as Python reads JSON. Raises ValueError for too many digits."""
    sign, digits = (-1, written[1:]) if written[0] == "-" else (1, written.lstrip("+"))
    if digits[:2] in ("0x", "0X"):
        return sign * int(digits, 16)
    if digits.isdigit():
        return sign * int(digits)
    return sign * float(digits)


def _shown(character: str) -> str:
    if character.isprintable():
        return f"`{character}`"
    return f"the character U+{ord(character):04X}"


def _unescaped(content: str) -> str:
    """A text without its escapes, those of JSON5 included."""
    text = _ESCAPE.sub(_escaped, content)
    return _SURROGATES.sub(_joined, text)


def _escaped(found: re.Match[str]) -> str:
    code = found[1] or found[2]
    if code is not None:
        return chr(int(code, 16))
    return "" if found[3] is not None else _NAMED.get(found[4], found[4])


def _joined(found: re.Match[str]) -> str:
    return found[0].encode("utf-16", "surrogatepass").decode("utf-16")
