"""What the tests of reading share: short ways to look at a module that was read."""

import ast
from collections.abc import Iterable

from flowlint.languages.python.reading import ParsedModule, parse_module


def read(source: str | bytes, path: str = "flow.py") -> ParsedModule:
    return parse_module(path, source.encode() if isinstance(source, str) else source)


def calls(module: ParsedModule) -> dict[str, tuple[int, int]]:
    """The source of every call with the line and column where it begins."""
    spans = {
        module.source(node): module.span(node)
        for node in ast.walk(module.tree)
        if isinstance(node, ast.Call)
    }
    return {source: (span.line, span.column) for source, span in spans.items()}


def faults(module: ParsedModule) -> list[tuple[int, str]]:
    return [(fault.span.line, fault.message) for fault in module.faults]


def definitions(module: ParsedModule) -> list[str]:
    """The names of all functions and classes, outer ones first."""
    kinds = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
    return [node.name for node in ast.walk(module.tree) if isinstance(node, kinds)]


def assert_within(module: ParsedModule) -> None:
    """Every span lies within the text, and none ends before it begins."""
    lines = module.text.split("\n")
    # From 3.12 on the parser itself puts the end of texts within f-strings anywhere.
    skipped = ast.Constant | ast.Module
    nodes = [node for node in ast.walk(module.tree) if not isinstance(node, skipped)]
    spans = [module.span(node) for node in nodes]
    faulty = [fault.span for fault in module.faults]
    for span in [*spans, *faulty, *module.lost]:
        assert 1 <= span.line <= span.end_line <= len(lines), span
        assert (span.line, span.column) <= (span.end_line, span.end_column), span
        if span.cell is None:
            assert span.column <= len(lines[span.line - 1]) + 1, span
            assert span.end_column <= len(lines[span.end_line - 1]) + 1, span


def slices(module: ParsedModule, nodes: Iterable[ast.AST]) -> list[str]:
    """What stands in the text where the nodes are said to be."""
    lines = module.text.split("\n")
    found: list[str] = []
    for node in nodes:
        span = module.span(node)
        stretch = lines[span.line - 1 : span.end_line]
        stretch[-1] = stretch[-1][: span.end_column - 1]
        stretch[0] = stretch[0][span.column - 1 :]
        found.append("\n".join(stretch))
    return found
