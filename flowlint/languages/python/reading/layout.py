"""Where statements may begin, told from indentation alone: it survives broken code."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

# Strings and comments. An unfinished string ends with its line, or with the text if triple-quoted.
# Quotes after `=` or `(` surely open a string: if one seems to be open already, a quote is missing.
OPAQUE = re.compile(
    r"""
    \#[^\n]*
    | \"\"\"(?:[^\\"=(]+|\\.|"(?!"")|[=(](?![ ]?[a-zA-Z]{0,2}\"\"\"))*+(?:\"\"\"|\Z|\\\Z|(?=[=(]))
    | '''(?:[^\\'=(]+|\\.|'(?!'')|[=(](?![ ]?[a-zA-Z]{0,2}'''))*+(?:'''|\Z|\\\Z|(?=[=(]))
    | "(?:[^"\\\n]+|\\.)*+"?
    | '(?:[^'\\\n]+|\\.)*+'?
    """,
    re.DOTALL | re.VERBOSE,
)
_OPEN_TRIPLE = re.compile(r"(\"\"\"|''')(?:(?!\1)[^\\]|\\.?)*+", re.DOTALL)
_NOT_NEWLINE = re.compile(r"[^\n]")
_CLOSER = re.compile(r"[)\]}]")
_CONTINUES = re.compile(r"[)\]}]|(?:else|elif|except|finally)\b")
_ITEM = re.compile(r"[\[{(\"'\d-]")
_CLAUSE = re.compile(r"(?:else|elif|except|finally)\b")
_DEFINES = re.compile(r"(?:async[ \t]+)?(?:def|class)\b")
_DECORATED = re.compile(r"@|(?:async[ \t]+)?(?:def|class)\b")
# What cannot go on inside of a bracket.
_ONLY_STATEMENT = re.compile(
    r"@|(?:def|class|return|import|raise|try|while|with|pass|assert|del|global|break|continue)\b"
)
_PARAMETER = re.compile(r"\s*(?:\*{0,2}\w+\s*[:=,].*,|\*{0,2}\w+,?|[*/],?)\s*")
_CODE = re.compile(
    r"@\w|(?:async|def|class|import|from|if|for|while|with|try|return|raise|assert|await)\b"
    r"|\w[\w.\[\]'\", ]*(?:[-+*/|&]?=|:[^=]*=|\()"
)
_CASE = re.compile(r"case\b")
_BRACKET = re.compile(r"[()\[\]{}]")
_HEADER_LINES = 80
# How far around a line that stands wrong other indentations are looked for, and how many count.
_NEAR, _MOST_LEADS = 10, 4


@dataclass(frozen=True, slots=True)
class Clause:
    """A header (`if …:`, `else:`, `def …:`) and its indented body, as half-open line ranges."""

    header: int
    body: int
    end: int


def mask(text: str) -> str:
    """The text with strings and comments blanked, every other character where it was."""
    return OPAQUE.sub(lambda match: _NOT_NEWLINE.sub(" ", match.group()), text)


def string_starts(text: str) -> list[int]:
    """Where the strings of a text begin, after their prefixes."""
    return [match.start() for match in OPAQUE.finditer(text) if match.group()[0] != "#"]


def _balance(code: str) -> int:
    """How many more brackets masked code opens than it closes."""
    return sum(1 if bracket in "([{" else -1 for bracket in _BRACKET.findall(code))


def _is_parameter(code: str) -> bool:
    """Whether a line of masked code could be a parameter of its own."""
    return _PARAMETER.fullmatch(code) is not None and _balance(code) == 0


class Layout:
    """The lines of a text with their indentation. Lines count from 0 here."""

    __slots__ = ("lines", "widths")

    def __init__(self, text: str) -> None:
        self.lines = text.split("\n")
        self.widths = [_width(line) for line in self.lines]

    def text(self, low: int, high: int) -> str:
        """The text of lines `low` up to `high`."""
        return "\n".join(self.lines[low:high]) + "\n"

    def first(self, low: int, high: int | None = None) -> int:
        """The first line that is neither blank nor a comment, or `high`."""
        high = len(self.lines) if high is None else high
        while low < high and self.widths[low] < 0:
            low += 1
        return low

    def last(self, low: int, high: int) -> int:
        """The last line that is neither blank nor a comment, or `low`."""
        high -= 1
        while high > low and self.widths[high] < 0:
            high -= 1
        return high

    def starts(self, low: int, high: int, *, trust_strings: bool = True) -> list[int]:
        """The lines on which a statement of the suite in `low` up to `high` may begin.

        Lines inside of triple-quoted strings are no starts, unless the quotes are not to be
        trusted because one may be missing.
        """
        inside = self._inside_strings(low, high) if trust_strings else ()
        base = -1
        found: list[int] = []
        decorated = False
        depth, counted = 0, low
        for number in range(low, high):
            width = self.widths[number]
            if width < 0 or (width > base >= 0) or number in inside:
                continue
            line = self.lines[number].lstrip(" \t\f")
            if found and (_CONTINUES.match(line) or self.lines[number - 1].endswith("\\")):
                continue
            if found and _ITEM.match(line):
                # Items of a list or a call may stand as far left as the statement itself.
                depth += _balance(mask(self.text(counted, number)))
                counted = number
                if depth > 0:
                    continue
            base, depth, counted = width, 0, number
            if not (decorated and _DECORATED.match(line)):
                found.append(number)
            decorated = line.startswith("@")
        return found

    def lead(self, number: int) -> int:
        """How many characters of white space a line begins with."""
        line = self.lines[number]
        return len(line) - len(line.lstrip(" \t\f"))

    def ends_in_string(self, low: int, high: int) -> bool:
        """Whether a triple-quoted string is still open at the end of these lines."""
        ends = [match.group() for match in OPAQUE.finditer(self.text(low, high))][-1:]
        return bool(ends) and _OPEN_TRIPLE.fullmatch(ends[0]) is not None

    def closes_level_of(self, low: int, after: int, high: int) -> bool:
        """Whether a line after `after`, as deep as `low`, begins by closing a bracket."""
        width = self.widths[low]
        lines = range(after, high)
        return any(self.widths[n] == width and self._is(n, _CLOSER) for n in lines)

    def closes(self, number: int) -> bool:
        """Whether a line begins by closing a bracket."""
        return self._is(number, _CLOSER)

    def indents_after(self, low: int, high: int) -> bool:
        """Whether any line below `low` stands deeper than it."""
        width = self.widths[low]
        return any(self.widths[number] > width for number in range(low + 1, high))

    def clauses(self, low: int, high: int, *, trust_strings: bool) -> list[Clause]:
        """The clauses of the compound statement in `low` up to `high`; empty if it is none."""
        inside = self._inside_strings(low, high) if trust_strings else set()
        heads = self._heads(low, high, inside)
        if heads and self.lines[heads[0]].lstrip(" \t\f").startswith("match"):
            below = self.first(heads[0] + 1, high)
            if below < high and _CASE.match(self.lines[below].lstrip(" \t\f")):
                width = self.widths[below]
                cases = range(below, high)
                heads = [n for n in cases if self.widths[n] == width and self._is(n, _CASE)]
        found: list[Clause] = []
        for index, head in enumerate(heads):
            end = heads[index + 1] if index + 1 < len(heads) else high
            found.append(Clause(head, self._header_end(head, end), end))
        return found

    def _heads(self, low: int, high: int, inside: set[int]) -> list[int]:
        width = self.widths[low]
        level = [n for n in range(low, high) if self.widths[n] == width and n not in inside]
        heads: list[int] = []
        if self.lines[low].lstrip(" \t\f").startswith("@"):
            heads += [n for n in level if self._is(n, _DEFINES)][:1]
        else:
            heads.append(low)
        return heads + [n for n in level if n > low and self._is(n, _CLAUSE)]

    def _is(self, number: int, pattern: re.Pattern[str]) -> bool:
        return pattern.match(self.lines[number].lstrip(" \t\f")) is not None

    def _header_end(self, head: int, end: int) -> int:
        """The first line of the body below a header, even if the header is broken."""
        limit = min(end, head + _HEADER_LINES)
        codes = [code.rstrip() for code in mask(self.text(head, limit)).split("\n")[:-1]]
        depth = 0
        for number, code in enumerate(codes, head):
            depth += _balance(code)
            if depth <= 0 and not code.endswith("\\"):
                if code.endswith(":"):
                    return number + 1
                # Without a colon a header ends with its closing bracket or with its first line.
                width = self.widths[head]
                level = (n for n in range(head + 1, limit) if self.widths[n] == width)
                return next((n for n in level if self.closes(n)), head) + 1
        if self._is(head, _DEFINES):
            return self._unclosed_definition_end(head, limit, codes)
        for number, code in enumerate(codes, head):
            if number > head and self._is(number, _ONLY_STATEMENT):
                return number
            if code.endswith(":"):
                return number + 1
        return head + 1

    def _unclosed_definition_end(self, head: int, limit: int, codes: list[str]) -> int:
        """The first line of the body below `def f(…` whose bracket is never closed."""
        width = self.widths[head]
        level = next((n for n in range(head + 1, limit) if 0 <= self.widths[n] <= width), limit)
        if level < limit and self.closes(level):
            return level + 1
        for number in range(head + 1, level):
            below = self.first(number + 1, level)
            goes_on = below < level and self.widths[below] < self.widths[number]
            if self.widths[number] >= 0 and not goes_on and not _is_parameter(codes[number - head]):
                return number
        return level

    def leads_near(self, line: int, low: int, high: int) -> list[str]:
        """Other indentations that are used around a line, the nearest first."""
        below = range(line + 1, min(line + _NEAR, high))
        near = [self.last(low, line), *(n for n in below if self.widths[n] >= 0)]
        leads = dict.fromkeys(self.lines[n][: self.lead(n)] for n in near if low <= n)
        leads.pop(self.lines[line][: self.lead(line)], None)
        return list(leads)[:_MOST_LEADS]

    def string_around(self, low: int, high: int, number: int) -> tuple[int, int]:
        """The first and the last line of the string within `low` up to `high` around a line."""
        around = (pair for pair in self._strings(low, high) if pair[0] < number <= pair[1])
        return next(around, (number, number))

    def resembles_code(self, number: int) -> bool:
        """Whether a line begins like a statement rather than like prose."""
        return self._is(number, _CODE)

    def _inside_strings(self, low: int, high: int) -> set[int]:
        pairs = self._strings(low, high)
        return {number for first, last in pairs for number in range(first + 1, last + 1)}

    def _strings(self, low: int, high: int) -> Iterator[tuple[int, int]]:
        """The first and the last line of every string that has several."""
        text = self.text(low, high)
        number, counted = low, 0
        for match in OPAQUE.finditer(text):
            inner = match.group().count("\n")
            if inner:
                number += text.count("\n", counted, match.start())
                yield number, min(number + inner, high - 1)
                number += inner
                counted = match.end()


def _width(line: str) -> int:
    """How far a line is indented; -1 for a line without code."""
    code = line.lstrip(" \t\f")
    if not code or code[0] == "#":
        return -1
    lead = len(line) - len(code)
    if "\t" not in line[:lead] and "\f" not in line[:lead]:
        return lead
    width = 0
    for character in line[:lead]:
        if character == "\t":
            width = (width // 8 + 1) * 8
        elif character == "\f":
            width = 0
        else:
            width += 1
    return width
