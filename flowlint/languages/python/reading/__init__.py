"""Bytes of a Python file or notebook become a syntax tree with exact places."""

from __future__ import annotations

import ast

from flowlint.languages.python.reading.decoding import decode
from flowlint.languages.python.reading.grammar import Problem, parse, quiet
from flowlint.languages.python.reading.module import ParsedModule, SyntaxFault

__all__ = ["ParsedModule", "SyntaxFault", "parse_module"]


def parse_module(path: str, data: bytes) -> ParsedModule:
    """Read a file as far as it can be understood. Never raises, whatever the bytes are."""
    if path.lower().endswith(".ipynb"):
        from flowlint.languages.python.reading.notebooks import read_notebook

        return read_notebook(path, data)
    with quiet():
        decoded = decode(path, data)
        tree = parse(decoded.text)
        if not isinstance(tree, Problem):
            return ParsedModule(path, decoded.text, tree, decoded.faults)
        from flowlint.languages.python.reading.recovery import salvage

        found = salvage(path, None, decoded.text, tree)
    tree = ast.Module(body=found.statements, type_ignores=[])
    faults = (*decoded.faults, *found.faults)
    return ParsedModule(path, decoded.text, tree, faults, tuple(found.lost))
