"""What the outline of a Python file tells of a function that data names."""

from __future__ import annotations

import ast
import os

from flowlint.graph.model import MOST_ASKED, CallableFacts
from flowlint.source import Files, Span


class FunctionFinder:
    """Finds functions of the project by `module:function`, each module read once."""

    def __init__(self, files: Files, root: str) -> None:
        self._files = files
        self._root = root
        self._modules: dict[str, dict[str, CallableFacts]] = {}

    def __call__(self, name: str) -> CallableFacts | None:
        """What is known of a function; None where nothing certain is."""
        module, _, attribute = name.partition(":")
        if not attribute:
            return None
        if module not in self._modules:
            self._modules[module] = self._functions(module)
        return self._modules[module].get(attribute)

    def _functions(self, module: str) -> dict[str, CallableFacts]:
        """The functions that a module defines once, at its top, with nothing around them."""
        stem = os.path.join(self._root, *module.split("."))
        for path in map(os.path.normpath, (os.path.join(stem, "__init__.py"), f"{stem}.py")):
            if not self._files.is_file(path):
                continue
            try:
                text = self._files.read(path).decode("utf-8-sig")
                tree = ast.parse(text)
            except (OSError, ValueError, SyntaxError, RecursionError, MemoryError):
                return {}
            return _defined(tree, path)
        return {}


def _defined(tree: ast.Module, path: str) -> dict[str, CallableFacts]:
    found: dict[str, CallableFacts] = {}
    doubtful: set[str] = set()
    for statement in tree.body:
        if not isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef):
            continue
        if statement.name in found or statement.decorator_list:
            doubtful.add(statement.name)
            continue
        is_async = isinstance(statement, ast.AsyncFunctionDef)
        width = len("async def " if is_async else "def ") + len(statement.name)
        span = Span(path, statement.lineno, 1, statement.lineno, width + 1)
        found[statement.name] = CallableFacts(
            statement.name, span, is_async, _takes(statement.args)
        )
    return {name: facts for name, facts in found.items() if name not in doubtful}


def _takes(arguments: ast.arguments) -> frozenset[int]:
    """With how many arguments by position a function can be called, of none to two."""
    if None in arguments.kw_defaults:
        return frozenset()
    count = len(arguments.posonlyargs) + len(arguments.args)
    least = count - len(arguments.defaults)
    most = MOST_ASKED if arguments.vararg is not None else count
    return frozenset(range(least, min(most, MOST_ASKED) + 1))
