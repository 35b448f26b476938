"""Bytes of a Python file or notebook become a syntax tree with exact places."""

from __future__ import annotations

import ast
import warnings

from flowlint.languages.python.reading.module import ParsedModule, SyntaxFault
from flowlint.source import Span

__all__ = ["ParsedModule", "SyntaxFault", "parse_module"]


def parse_module(path: str, data: bytes) -> ParsedModule:
    """Read a file as far as it can be understood. Never raises, whatever the bytes are."""
    text = data.removeprefix(b"\xef\xbb\xbf").decode("utf-8", "replace")
    text = text.replace("\r\n", "\n").replace("\r", "\n").replace("\0", " ")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        line = getattr(error, "lineno", None) or 1
        column = getattr(error, "offset", None) or 1
        span = Span(path, line, column, line, column)
        message = error.msg if isinstance(error, SyntaxError) else str(error)
        empty = ast.Module(body=[], type_ignores=[])
        return ParsedModule(path, text, empty, (SyntaxFault(span, message),), (span,))
    return ParsedModule(path, text, tree)
