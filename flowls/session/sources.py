"""The texts behind places: what is written there, and which literal says a name."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING
from typing import Literal as TextForm

from flowlint.findings.text import decode
from flowlint.languages.edits import quoted
from flowlint.source import Span
from flowlint.suffixes import DATA_SUFFIXES, SCRIPT_SUFFIXES
from flowls.session.lines import split_lines
from flowls.session.script_names import code_of, key_for, script_head, script_literal
from flowls.session.session import Session

if TYPE_CHECKING:
    from flowlint.languages.typescript.changing.code import Code

_LITERAL = re.compile(r"""([rRuUfF]{0,2})("{3}|'{3}|"|')""")
Form = TextForm["text", "key", "shorthand", "member"]


@dataclass(frozen=True, slots=True)
class Literal:
    """A literal that says a text as it is, without escapes. `inner` is where the text stands.

    It may be a key of an object of TypeScript, also one that stands for its value as well, or what
    is asked of an object behind a dot.
    """

    span: Span
    inner: Span
    prefix: str = ""
    quote: str = ""
    form: Form = "text"

    def with_text(self, new: str) -> tuple[Span, str] | None:
        """What has to be written where so that it says another text; None: that cannot be."""
        if self.form != "text":
            key = key_for(new)
            if key is None or (self.form == "member" and key != new):
                return None
            is_short = self.form == "shorthand"
            return (self.span.start(), f"{key}: ") if is_short else (self.span, key)
        if self.quote == "`" and "${" in new:
            return None
        if self.quote:
            is_formatted = "f" in self.prefix.lower() and ("{" in new or "}" in new)
            ok = quoted(new, self.quote) is not None and not is_formatted
            return (self.inner, new) if ok else None
        if is_plain_yaml(new):
            return self.span, new
        text = quoted(new)
        return None if text is None else (self.span, text)


class Sources:
    """The lines of files and of the cells of notebooks, as the session has them."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._known: dict[tuple[str, int | None], Sequence[str]] = {}
        self._codes: dict[str, Code | None] = {}

    def lines(self, span: Span) -> Sequence[str]:
        """The lines that a span counts in."""
        key = (span.path, span.cell)
        if key not in self._known:
            self._known[key] = self._read(span)
        return self._known[key]

    def text(self, span: Span) -> str:
        """What is written at a span."""
        lines = self.lines(span)
        first, last = span.line - 1, span.end_line - 1
        if last >= len(lines) or first < 0:
            return ""
        if first == last:
            return lines[first][span.column - 1 : span.end_column - 1]
        inside = lines[first + 1 : last]
        return "".join(
            (lines[first][span.column - 1 :], *inside, lines[last][: span.end_column - 1])
        )

    def literal(self, span: Span) -> Literal | None:
        """The plain literal at a span; None where something else stands there."""
        if span.path.endswith(SCRIPT_SUFFIXES):
            code = self._code(span.path)
            return script_literal(span, code) if code is not None else None
        source = self.text(span)
        if span.line != span.end_line:
            return None
        found = _LITERAL.match(source)
        if found is None:
            is_yaml = span.path.endswith((".yaml", ".yml"))
            is_plain = is_yaml and source != "" and source[0] not in "&*!|>{["
            return Literal(span, span) if is_plain else None
        prefix, quote = found[1], found[2]
        is_closed = len(source) >= found.end() + len(quote) and source.endswith(quote)
        if not is_closed or (prefix and span.path.endswith(DATA_SUFFIXES)):
            return None
        inside = source[found.end() : len(source) - len(quote)]
        if quote[0] in inside or "\\" in inside:
            return None
        if "f" in prefix.lower() and ("{" in inside or "}" in inside):
            return None
        inner = replace(
            span, column=span.column + found.end(), end_column=span.end_column - len(quote)
        )
        return Literal(span, inner, prefix, quote)

    def naming(self, span: Span, name: str) -> Literal | None:
        """The plain literal at a span that says just this name."""
        literal = self.literal(span)
        return literal if literal is not None and self.text(literal.inner) == name else None

    def name_place(self, span: Span, name: str) -> Span:
        """Where a name is written at a span: without quotes, if it stands between some."""
        literal = self.naming(span, name)
        return literal.inner if literal is not None else span

    def signature(self, span: Span) -> str:
        """The head of the function that is defined in the line of a span, on one line."""
        lines = self.lines(span)
        if span.path.endswith(SCRIPT_SUFFIXES):
            return script_head(lines, span)
        found, depth = "", 0
        for line in lines[span.line - 1 : span.line + 30]:
            found += f" {line.strip()}"
            depth += sum(map(line.count, "([{")) - sum(map(line.count, ")]}"))
            if depth <= 0:
                break
        return found.strip().removesuffix(":").replace("( ", "(").replace(", )", ")")

    def _code(self, path: str) -> Code | None:
        if path not in self._codes:
            try:
                self._codes[path] = code_of(path, self._session.files.read(path))
            except OSError:
                self._codes[path] = None
        return self._codes[path]

    def _read(self, span: Span) -> Sequence[str]:
        session = self._session
        if span.cell is None and span.path in session.lines:
            return session.lines[span.path]
        try:
            data = session.files.read(span.path)
        except OSError:
            return ()
        if span.cell is not None:
            return split_lines(_cell(data, span.cell))
        if span.path.endswith((*DATA_SUFFIXES, *SCRIPT_SUFFIXES)):
            return split_lines(decode(data, is_python=False))
        from flowlint.languages.python.reading import decoding

        return split_lines(decoding.decode(span.path, data).text)


def is_plain_yaml(text: str) -> bool:
    """Whether YAML reads a text as that text without quotes."""
    import yaml

    word = re.sub(r"[-_. ]", "", text)
    try:
        return (
            bool(word)
            and word.isalnum()
            and text == text.strip()
            and text[0].isalnum()
            and (yaml.safe_load(text) == text)
        )
    except yaml.YAMLError:
        return False


def _cell(data: bytes, number: int) -> str:
    try:
        cells = json.loads(data)["cells"]
        source = cells[number]["source"]
    except (ValueError, KeyError, IndexError, TypeError):
        return ""
    return source if isinstance(source, str) else "".join(source)
