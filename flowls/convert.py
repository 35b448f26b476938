"""Places as the editor counts them: the only place that knows about encodings of positions."""

from __future__ import annotations

from collections.abc import Sequence

from lsprotocol import types

from flowlint.findings.model import Finding
from flowlint.report.links import rule_url
from flowlint.source import Span

SOURCE = "flowlint"

_SEVERITIES = {
    "error": types.DiagnosticSeverity.Error,
    "warning": types.DiagnosticSeverity.Warning,
    "info": types.DiagnosticSeverity.Information,
}
_UNNECESSARY = frozenset({"unreachable-node", "edge-never-taken", "unused-case", "shadowed-edge"})

Encoding = types.PositionEncodingKind | str | None


def units(text: str, encoding: Encoding) -> int:
    """How long a text is for the editor."""
    if encoding == types.PositionEncodingKind.Utf32 or text.isascii():
        return len(text)
    if encoding == types.PositionEncodingKind.Utf8:
        return len(text.encode("utf-8", "surrogatepass"))
    return len(text) + sum(character > "\uffff" for character in text)


def characters(lines: Sequence[str], position: types.Position, encoding: Encoding) -> int:
    """Before which character of its line a position is; at the end where it lies behind."""
    line = lines[position.line] if position.line < len(lines) else ""
    line = line.rstrip("\r\n")
    if encoding == types.PositionEncodingKind.Utf32 or line.isascii():
        return min(position.character, len(line))
    left = position.character
    for index, character in enumerate(line):
        if left <= 0:
            return index
        left -= units(character, encoding)
    return len(line)


class Places:
    """Turns places of one text into the editor's and back."""

    def __init__(self, lines: Sequence[str], encoding: Encoding) -> None:
        self.lines = lines
        self.encoding = encoding

    def position(self, line: int, column: int) -> types.Position:
        """The position of a line and column that count from 1."""
        text = self.lines[line - 1] if 0 < line <= len(self.lines) else ""
        before = text.rstrip("\r\n")[: column - 1]
        return types.Position(line - 1, units(before, self.encoding))

    def range(self, span: Span) -> types.Range:
        """The range of a span."""
        start = self.position(span.line, span.column)
        return types.Range(start, self.position(span.end_line, span.end_column))

    def place(self, position: types.Position) -> tuple[int, int]:
        """The line and column, from 1, of a position."""
        return position.line + 1, characters(self.lines, position, self.encoding) + 1


def severity(finding: Finding) -> types.DiagnosticSeverity:
    """How grave a finding is for the editor."""
    return _SEVERITIES[finding.severity]


def tags(finding: Finding) -> list[types.DiagnosticTag] | None:
    """What is shown faded: it does nothing."""
    return [types.DiagnosticTag.Unnecessary] if finding.name in _UNNECESSARY else None


def link(finding: Finding) -> types.CodeDescription | None:
    """Where the rule is explained."""
    url = rule_url(finding.name)
    return types.CodeDescription(url) if url else None
