"""Every node of a module knows where it stands."""

import ast

from flowlint.languages.python.reading import parse_module
from flowlint.source import Span


def test_a_call_knows_its_place_in_characters() -> None:
    module = parse_module("flow.py", 'é = "ü"; f("ö", x)\n'.encode())
    call = next(node for node in ast.walk(module.tree) if isinstance(node, ast.Call))
    assert module.span(call) == Span("flow.py", 1, 10, 1, 19)
    assert module.source(call) == 'f("ö", x)'


def test_the_name_of_a_definition_has_a_place() -> None:
    module = parse_module("flow.py", b"@d\nasync  def \\\n  go(): ...\n")
    definition = module.tree.body[0]
    assert isinstance(definition, ast.AsyncFunctionDef)
    assert module.name_span(definition) == Span("flow.py", 3, 3, 3, 5)
